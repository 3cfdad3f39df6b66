"""`anoptima reduce`: turns a problem into another by theorem, writes it, solves it, carries the solution back; or tests all theorems."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from anoptima.answer import Origin
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.live import solve_live
from anoptima.cli.options import add_options
from anoptima.cli.outputs import Replaced, file_target
from anoptima.cli.principles import Once
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.documents.answers import bound_document, outcome_document
from anoptima.documents.questions import problem_document
from anoptima.documents.writing import atomic, refuse_shared
from anoptima.errors import BadInput
from anoptima.exact import as_fraction, exact_plain, exact_text, simplest
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.clique import HalfClique
from anoptima.problems.sources.formats.graphs import graph_to_dimacs, graph_to_edge_list
from anoptima.problems.sources.formats.json_objects import to_json
from anoptima.problems.sources.source_problem import read_source, readable
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.graph import path
from anoptima.reductions.path import Path as ReductionPath
from anoptima.reductions.path import plain_steps
from anoptima.testing.selftest import FEWEST, THICK, selftest

EXAMPLES = (
    "anoptima reduce vertex-cover k-anonymity graph.txt -o table.csv",
    "anoptima reduce minimum-bisection t-closeness graph.txt --set t=3/4",
    "anoptima reduce k-anonymity lower-bounded-facilities patients.csv --quasi zip,age -k 2 --solve",
)

_WHOLE = re.compile("-?[0-9]{1,18}")
"""A parameter that is a whole number; whatever else it is, the theorem reads it."""

TABLES = ("k-anonymity", "half-anonymity")
"""The kinds that are read from a table."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help="the problem in the file: vertex-cover, k-anonymity, ..."
    )
    parser.add_argument(
        "target", nargs="?", metavar="TARGET", help="the problem to reduce it to; see `anoptima reductions`"
    )
    parser.add_argument(
        "table",
        nargs="?",
        metavar="FILE",
        help="JSON, or DIMACS (.col, .clq, .dimacs, .cnf), or an edge list; a table (CSV, Parquet) for k-anonymity",
    )
    parser.add_argument("-k", action=Once, metavar="K", help="the size of the clique, of the edges, or of the groups")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of any theorem on the way: c=1/4, t=2/5, rows=6",
    )
    parser.add_argument(
        "--at-most", default="0", metavar="B", help="the question: is the source's optimum at most B (default: 0)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the target: a table as CSV, a graph as its name says"
    )
    parser.add_argument("--solve", action="store_true", help="solve the target, and carry the solution back")
    parser.add_argument(
        "--selftest",
        action="store_true",
        help="try the reductions from SOURCE to TARGET, or all of them, and broken versions of them, on small problems",
    )
    parser.add_argument(
        "--instances", default="12", metavar="N", help="small problems to try each reduction on (default: 12)"
    )
    parser.add_argument(
        "--at-least",
        default=str(THICK),
        metavar="N",
        help=f"yes-instances and no-instances that each must have, even if that takes more problems (default: {THICK})",
    )
    parser.add_argument(
        "--mutants", default="12", metavar="N", help="broken versions to try of each, or all (default: 12)"
    )
    tables.add_text_format(parser)
    shared.add_roles(parser, required=False)
    shared.add_solver(parser)
    add_options(parser)
    shared.add_budget(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Test, or read, reduce, write, solve, report."""
    if arguments.selftest:
        return _selftest(arguments)
    if arguments.table is None:
        raise BadInput("give SOURCE, TARGET and FILE, or --selftest")
    output = file_target(arguments.output, "target", never=arguments.table)
    refuse_shared({"target": output, "log": arguments.log}, {"source": arguments.table})
    budget = shared.budget_of(arguments)
    way = path(arguments.source, arguments.target, **_parameters(arguments.set))
    reduced = way.apply(_read(arguments))
    bound = simplest(as_fraction(arguments.at_most, "--at-most"))
    lines = _reduction_lines(way, reduced)
    document: dict[str, Any] = {
        "path": [step.name for step in plain_steps(way)],
        "parameters": {name: str(value) for step in plain_steps(way) for name, value in step.parameters.items()},
        "source": problem_document(reduced.source),
        "target": problem_document(reduced.target),
        "at most": exact_plain(bound),
        "threshold": exact_plain(reduced.threshold(bound)) if reduced.decides(bound) else None,
        "written": {},
    }
    if reduced.decides(bound):
        ask = f"the source's optimum is at most {exact_text(bound)}"
        lines.append(f"{ask} exactly if the target's is at most {exact_text(reduced.threshold(bound))}")
    else:
        lines.append(f"whether the source's optimum is at most {exact_text(bound)} is not decided by the target's")
    if output is not None:
        replaced = Replaced({"target": output})
        _write(reduced.target, output)
        document["written"] = {"target": str(output)}
        lines.append(f"the target is in {replaced.place(output)}")
    code = ANSWERED
    if arguments.solve:
        answer = solve_live(reduced.target, arguments, budget)
        document["answer"] = outcome_document(answer)
        lines += ["", f"the target: {answer}"]
        if answer.solution is None:
            code = NEGATIVE
        else:
            pulled = reduced.pull(answer.solution)
            cost = reduced.source.cost(pulled)
            document["solution"] = {"cost": exact_plain(cost), "unit": reduced.source.unit, "members": _plain(pulled)}
            proved = ""
            if answer.bound is not None:
                least = replace(answer.bound, value=reduced.source_bound(answer.bound.value))
                document["solution"] |= {"bound": exact_plain(least.value), "bound from": bound_document(least)}
                claims = f", as {least.by} claims" if least.origin is Origin.BACKEND else ""
                proved = f", and no solution is below {exact_text(least.value)}{claims}"
            lines.append(f"carried back: {reduced.source.describe_cost(cost)}{proved}")
            lines.append("  " + ", ".join(map(str, _plain(pulled))))
    return Reply("\n".join(lines), document, code)


def _read(arguments: Namespace) -> Problem[Any]:
    k = None if arguments.k is None else shared.whole(arguments.k, "k")
    if arguments.source in TABLES:
        if not arguments.quasi:
            raise BadInput(f"{arguments.source} is read from a table; name its columns with --quasi")
        table = tables.read_table(arguments)
        if k is None and arguments.source == "k-anonymity":
            raise BadInput("k-anonymity needs its k; give -k")
        return CellSuppression(table, KAnonymity(table.rows // 2 if k is None else k))
    if arguments.source not in readable():
        raise BadInput(
            f"{arguments.source!r} cannot be read from a file; these can: {', '.join([*readable(), *TABLES])}"
        )
    return read_source(arguments.source, arguments.table, k)


def _parameters(texts: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise BadInput(f"--set is {text!r}; it must be NAME=VALUE, such as c=1/4")
        found[name] = int(value) if _WHOLE.fullmatch(value) else value
    return found


def _reduction_lines(way: ReductionPath, reduced: Reduced[Any, Any]) -> list[str]:
    lines = [f"{way.source_kind}: {_size(reduced.source)}"]
    for step in plain_steps(way):
        values = ", ".join(f"{name} = {value}" for name, value in step.parameters.items() if value is not None)
        lines += [f"  {step.name}" + (f", {values}" if values else ""), f"    {step.cites}"]
    principle = getattr(reduced.target, "principle", None)
    under = "" if principle is None else f", {principle}"
    return [*lines, f"{reduced.target.name}{under}: {_size(reduced.target)}"]


def _size(problem: Problem[Any]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in problem.size().items())


def _write(target: Problem[Any], output: Path) -> None:
    with atomic(output) as stream:
        stream.write(_text_of(target, output).encode())


def _text_of(target: Problem[Any], output: Path) -> str:
    table = getattr(target, "table", None)
    if table is not None:
        if output.suffix.lower() != ".csv":
            raise BadInput(
                f"{output}: {target.name} asks about a table, which is written as CSV; take a name that ends in .csv"
            )
        text: str = table.frame.to_csv(index=False, lineterminator="\n")
        return text
    if isinstance(target, HalfClique):
        match output.suffix.lower():
            case ".json":
                return to_json(target.graph)
            case ".col" | ".clq" | ".dimacs":
                return graph_to_dimacs(target.graph)
            case _:
                return graph_to_edge_list(target.graph)
    raise BadInput(f"there is no format here for {target.name}; leave -o out")


def _plain(solution: Any) -> list[Any]:
    """Return what a source's solution consists of, as a list for people and documents."""
    if isinstance(solution, Partition):
        return [[row + 1 for row in group] for group in solution.groups()]
    for name in ("vertices", "edges", "names", "true"):
        if hasattr(solution, name):
            members = getattr(solution, name)
            return sorted(map(list, members), key=repr) if name == "edges" else sorted(members, key=repr)
    return [str(solution)]


def _tested(arguments: Namespace) -> list[Reduction[Any, Any]] | None:
    """Return the reductions on the way from SOURCE to TARGET; None, for all of them, where neither is named."""
    if arguments.table is not None:
        raise BadInput("--selftest makes its own small problems; leave FILE out")
    if arguments.source is None:
        return None
    if arguments.target is None:
        raise BadInput("name SOURCE and TARGET for --selftest, or neither of them")
    return list(plain_steps(path(arguments.source, arguments.target, **_parameters(arguments.set))))


def _selftest(arguments: Namespace) -> Reply:
    instances = shared.whole(arguments.instances, "--instances")
    if instances < 2:
        raise BadInput(f"--instances is {instances}; it must be at least 2, for a yes and a no")
    mutants = None if arguments.mutants == "all" else shared.whole(arguments.mutants, "--mutants")
    if mutants is not None and mutants < FEWEST:
        raise BadInput(f"--mutants is {mutants}; it must be at least {FEWEST}, or all")
    least = shared.whole(arguments.at_least, "--at-least")
    result = selftest(instances, mutants, _tested(arguments), least=least)
    return Reply(result.text(), result.as_dict(), ANSWERED if result.passed else NEGATIVE)
