"""What `anoptima list solvers` prints: all of them, in groups, or those for one problem, a line each with what they promise."""

from __future__ import annotations

import inspect
import math
import shutil
import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.documents.questions import kinds_with_documents
from anoptima.errors import BadInput
from anoptima.exact import counted, decimal_text
from anoptima.naming import did_you_mean, near_names
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.isolating_columns import every_kind
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.lookup import solvers_for

Entry = dict[str, Any]

KINDS = {Kind.EXACT: "exact algorithms", Kind.MODEL: "models on backends", Kind.APPROXIMATE: "approximations"}
"""The headings, in order."""

_AROUND = 80
"""Columns of a screen of which nothing is known."""


def problems_asked(arguments: Namespace) -> list[Problem[Any]]:
    """Return the problem on the table of --for, or examples of the problem that --problem names."""
    name = arguments.problem
    classes = every_kind()
    if name is not None and name not in classes:
        raise BadInput(
            f"there is no problem named {name!r}; {did_you_mean(near_names(name, classes)) or 'see `anoptima list problems`'}"
        )
    if arguments.table is None:
        return list(classes[name].examples())
    made = from_tables()
    if name is not None and name not in made:
        raise BadInput(f"{name} is not made of a table here; leave --for out, or name one of {', '.join(made)}")
    return [_on_table(made[name or CellSuppression.name], arguments)]


def from_tables() -> dict[str, type[Problem[Any]]]:
    """Return the problems that --for makes of a table, by name."""
    kinds = kinds_with_documents(Problem)  # type: ignore[type-abstract]
    return {name: kind for name, kind in kinds.items() if not (issubclass(kind, TableProblem) and kind.asks_more())}


def require_table(arguments: Namespace) -> None:
    """Refuse columns and principles without a table that has them."""
    about_tables = (
        "quasi",
        "sensitive",
        "keep",
        "weight",
        "k",
        "l",
        "distinct_l",
        "t",
        "principle",
        "space",
        "separator",
        "encoding",
    )
    if arguments.table is None and any(getattr(arguments, option) for option in about_tables):
        raise BadInput("columns, principles and formats are those of a table; name it with --for")


def _on_table(kind: type[Problem[Any]], arguments: Namespace) -> Problem[Any]:
    if not arguments.quasi:
        raise BadInput("--for needs --quasi, the quasi-identifying columns of the table")
    table = tables.read_table(arguments)
    if not issubclass(kind, TableProblem):
        return kind.from_json(table, {"k": shared.whole(arguments.k or "2", "k")})
    spaces = shared.spaces_of(arguments, table)
    principles = shared.principles_of(arguments, spaces, table)
    return kind(table, shared.all_of(principles))


def those_for(problems: Sequence[Problem[Any]]) -> list[Entry]:
    """Return the solvers that are for a problem, each with what it is and what it promises: exact ones, models, approximations."""
    found: dict[str, tuple[Solver[Any], list[Problem[Any]]]] = {}
    for problem in problems:
        for solver in solvers_for(problem):
            found.setdefault(solver.name, (solver, []))[1].append(problem)
    order = list(KINDS)
    return [
        {"name": name, "kind": solver.kind.value, "guarantee": guarantee(solver, taken), "about": about_of(solver)}
        for name, (solver, taken) in sorted(found.items(), key=lambda item: (order.index(item[1][0].kind), item[0]))
    ]


def guarantee(solver: Solver[Any], problems: Iterable[Problem[Any]]) -> str:
    """Say what a solver promises of these problems."""
    if solver.kind is not Kind.APPROXIMATE:
        return "optimal, with a proof" if solver.gives_proofs else "optimal"
    ratios = {solver.ratio(problem) for problem in problems}
    if None in ratios:
        return "a bound with a proof" if solver.gives_proofs else "no guarantee"
    if len(ratios) > 1:
        return "a ratio"
    (ratio,) = ratios
    assert ratio is not None
    return f"at most {decimal_text(Fraction(math.ceil(ratio * 100), 100))} x the optimum"


def about_of(thing: object) -> str:
    """Return what a thing is, or a solver: the first line of its model's or its own class's description."""
    described = thing if isinstance(thing, type) else type(getattr(thing, "model", thing))
    return (inspect.getdoc(described) or "").partition("\n")[0]


def text_for(problems: Sequence[Problem[Any]], entries: Sequence[Entry]) -> str:
    """Write the solvers for a problem, a line each."""
    principle = getattr(problems[0], "principle", None)
    under = f" under {principle}" if len(problems) == 1 and principle is not None else ""
    if not entries:
        return f"no solver is for {problems[0].name}{under}"
    lines = [f"{counted(len(entries), 'solvers')} for {problems[0].name}{under}; auto chooses one and says why"]
    width = max((len(entry["name"]) for entry in entries), default=0)
    promise = max((len(entry["guarantee"]) for entry in entries), default=0)
    for kind, heading in KINDS.items():
        members = [entry for entry in entries if entry["kind"] == kind.value]
        if members:
            lines += ["", f"{heading}:"]
            lines += [
                short(f"  {entry['name']:{width}}  {entry['guarantee']:{promise}}  {entry['about']}")
                for entry in members
            ]
    return "\n".join(lines)


def text_of_all(entries: Sequence[Entry], backends: Sequence[Entry]) -> str:
    """Write all solvers in groups: models by what they are for, backends, algorithms a line each."""
    models: dict[str, list[str]] = {}
    first = from_tables()
    scopes: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry["kind"] == Kind.MODEL.value:
            scopes.setdefault(entry["name"].partition("/")[0], {}).update(dict.fromkeys(entry["for"]))
    for model, problems in scopes.items():
        for problem in problems or ("for no problem here",):
            models.setdefault(problem, []).append(model)
    here = [entry["name"] for entry in backends if entry["usable"]]
    lines = [
        "A solver is MODEL/BACKEND, such as pattern/highs, or an algorithm; auto chooses.",
        "To list those for your table, with their guarantees, type",
        "  anoptima list solvers --for TABLE.csv --quasi zip,age -k 3",
        "",
        "models, by problem:",
        *_wrapped({problem: models[problem] for problem in sorted(models, key=lambda name: (name not in first, name))}),
        "",
        "their backends:",
        *_wrapped({"here": here, "others": ["pyomo:NAME for any solver that Pyomo knows; see `anoptima doctor`"]}),
    ]
    for kind in (Kind.EXACT, Kind.APPROXIMATE):
        members = [entry for entry in entries if entry["kind"] == kind.value]
        width = max((len(entry["name"]) for entry in members), default=0)
        lines += ["", f"{KINDS[kind]}:", *(short(f"  {entry['name']:{width}}  {entry['about']}") for entry in members)]
    return "\n".join(lines)


def _wrapped(groups: Mapping[str, Sequence[str]]) -> list[str]:
    width = max(map(len, groups), default=0)
    lines = []
    for name, members in groups.items():
        lines += textwrap.wrap(
            ", ".join(members),
            _screen(),
            initial_indent=f"  {name:{width}}  ",
            subsequent_indent=" " * (width + 4),
            break_on_hyphens=False,
            break_long_words=False,
        )
    return lines


def short(line: str) -> str:
    """Cut a line to the width of the terminal that it goes to; leave it whole where it goes into a pipe or a file."""
    if not _is_terminal():
        return line
    width = _screen()
    return line if len(line) <= width else f"{line[: width - 3].rstrip()}..."


def _screen() -> int:
    return shutil.get_terminal_size((_AROUND, 24)).columns if _is_terminal() else _AROUND


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
