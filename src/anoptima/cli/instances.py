"""`anoptima instances`: the library's problems with what is known of them, and the gate for what improves that."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli.options import refuse_of_other_actions
from anoptima.cli.outputs import file_target
from anoptima.cli.releases import read_release
from anoptima.cli.reply import ANSWERED, INTERRUPTED, NEGATIVE, Reply
from anoptima.documents.reading import kept_if_pipe, read_json, read_utf8
from anoptima.documents.writing import atomic, refuse_shared
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, as_fraction, counted, exact_plain, exact_text
from anoptima.instances.library import Instance, instances
from anoptima.instances.records import Record, Submission, examined, record_of, require_writable, submit
from anoptima.instances.solutions import solution_from_json
from anoptima.instances.solving import solve_for_record
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.table import Table

EXAMPLES = (
    "anoptima instances list 'uniform-*'",
    "anoptima instances show ten-rows-k3 --table ten.csv --release released.csv --proof proof.json",
    "anoptima instances verify 'ten-rows-*'",
    "anoptima instances solve 'ten-rows-*' --time-limit 5 --records records",
    "anoptima instances submit ten-rows-k3 --release released.csv --by me --records records",
)

DOINGS = ("list", "show", "solve", "submit", "verify")

OF_ACTIONS: Mapping[str, Mapping[str, object]] = {
    "show": {"table": None, "release": None, "proof": None},
    "solve": {"solver": "auto", "time_limit": "10", "seed": "0"},
    "submit": {"release": None, "solution": None, "proof": None, "by": ""},
    "verify": {"all": False},
}
"""Options that some actions have and others do not, with their defaults."""

MOST_ROWS = 2_000
"""Rows of the instances that `verify` takes unless it is told to take all."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "doing",
        metavar="ACTION",
        choices=DOINGS,
        help="list: all instances; show: one, with its files; solve: improve records; "
        "submit: hand in a better solution or proof; verify: check records",
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="an instance, or a pattern such as 'uniform-*' (default: all)"
    )
    parser.add_argument("--records", metavar="FOLDER", help="the folder of records (default: those of the package)")
    parser.add_argument(
        "--all", action="store_true", help=f"with verify: also instances of more than {MOST_ROWS:,} rows"
    )
    parser.add_argument("--table", metavar="FILE", help="with show: write the table as CSV")
    parser.add_argument(
        "--release", metavar="FILE", help="with show: write the best release; with submit: a release as CSV"
    )
    parser.add_argument("--solution", metavar="FILE", help="with submit: a solution as JSON: labels, columns or points")
    parser.add_argument("--proof", metavar="FILE", help="with show: write the proof; with submit: a proof")
    parser.add_argument("--by", metavar="WHO", default="", help="with submit: who or what found it")
    parser.add_argument("--solver", metavar="NAME", default="auto", help="with solve: the solver (default: auto)")
    parser.add_argument("--time-limit", metavar="S", default="10", help="with solve: seconds for each (default: 10)")
    parser.add_argument("--seed", metavar="N", default="0", help="with solve: the seed (default: 0)")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Do what is asked."""
    refuse_of_other_actions(arguments, OF_ACTIONS)
    folder = None if arguments.records is None else Path(arguments.records)
    if folder is not None and not folder.is_dir() and arguments.doing not in ("solve", "submit"):
        raise BadInput(f"{folder}: there is no such folder of records")
    if arguments.name is None and arguments.doing in ("show", "submit"):
        raise BadInput(f"{arguments.doing} takes one instance; name one of `anoptima instances list`")
    chosen = [instances.get(name) for name in instances.names() if fnmatchcase(name, arguments.name or "*")]
    if not chosen:
        chosen = [instances.get(arguments.name)]
    doing = {"list": _list, "solve": _solve, "verify": _verify}.get(arguments.doing)
    if doing is not None:
        return doing(chosen, folder, arguments)
    if len(chosen) > 1:
        raise BadInput(f"{arguments.name!r} is {len(chosen)} instances; {arguments.doing} takes one")
    return (_show if arguments.doing == "show" else _submit)(chosen[0], folder, arguments)


def _list(chosen: list[Instance], folder: Path | None, arguments: Namespace) -> Reply:
    entries = [_entry(one, record_of(one.name, folder)) for one in chosen]
    width = max(len(one.name) for one in chosen)
    lines = [f"{entry['name']:{width}}  {_known(entry)}  ({entry['knob']})" for entry in entries]
    states = Counter(entry["recorded"] for entry in entries)
    counts = ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
    lines.append(f"{counted(len(entries), 'instances')}: {counts}")
    return Reply("\n".join(lines), {"instances": entries})


def _entry(one: Instance, record: Record) -> dict[str, Any]:
    cost, bound = record.cost, record.bound
    return {
        "name": one.name,
        "about": one.about,
        "family": one.family,
        "knob": one.knob,
        "source": one.source,
        "best": exact_plain(cost),
        "bound": exact_plain(bound),
        "recorded": recorded(cost, bound),
        "size": dict(record.size),
    }


def recorded(cost: Exact | None, bound: Exact | None) -> str:
    """Say in a word what a record says of itself; `examined` computes it.

    >>> recorded(54, 54), recorded(54, 50), recorded(None, 50)
    ('proved', 'bracketed', 'open')
    """
    return "open" if cost is None else "proved" if cost == bound else "bracketed"


def _known(entry: Mapping[str, Any]) -> str:
    if entry["recorded"] == "proved":
        return f"{_number(entry['best'])} proved"
    if entry["recorded"] == "open":
        return "open" if entry["bound"] is None else f"at least {_number(entry['bound'])}"
    return f"{_number(entry['bound'])} to {_number(entry['best'])}"


def _number(written: int | str) -> str:
    """Write for people an exact number as JSON has it."""
    return exact_text(as_fraction(written, "a cost"))


def _show(one: Instance, folder: Path | None, arguments: Namespace) -> Reply:
    record, problem = record_of(one.name, folder), one.load()
    finding = examined(record, problem)
    written = _write(record, problem, arguments)
    lines = [
        f"{one.name}: {one.about} ({one.knob})",
        f"source: {one.source}",
        f"asks: {problem.name}" + (f", {problem.principle}" if isinstance(problem, TableProblem) else ""),
        "size: " + ", ".join(f"{count:,} {what}" for what, count in problem.size().items()),
        f"best: {'none' if finding.cost is None else problem.describe_cost(finding.cost)}",
        f"proved: nothing costs less than {exact_text(finding.bound)}",
        f"status, computed just now: {finding.status}",
        *finding.wrong,
        *(_happened(entry) for entry in record.history),
        *(f"{what} written to {path}" for what, path in written.items()),
    ]
    document = {
        **_entry(one, record),
        "status": finding.status,
        "proved": exact_plain(finding.bound),
        "wrong": list(finding.wrong),
        "history": list(record.history),
        "files": {what: str(path) for what, path in written.items()},
    }
    return Reply("\n".join(lines), document, NEGATIVE if finding.wrong else ANSWERED)


def _happened(entry: Mapping[str, Any]) -> str:
    took = "" if entry["seconds"] is None else f" in {float(entry['seconds']):,.1f} s on {entry['machine']}"
    return (
        f"{entry['when']}: {entry['what']} {_number(entry['value'])} by {entry['by']}{took}, version {entry['version']}"
    )


def _write(record: Record, problem: Problem[Any], arguments: Namespace) -> dict[str, Path]:
    targets = {name: file_target(getattr(arguments, name), name, never="-") for name in ("table", "release", "proof")}
    refuse_shared(targets)
    written = {name: path for name, path in targets.items() if path is not None}
    # All of them first: nothing is written if one is refused.
    contents = {name: _content(name, record, problem) for name in written}
    for name, path in written.items():
        with atomic(path) as stream:
            stream.write(contents[name])
    return written


def _content(name: str, record: Record, problem: Problem[Any]) -> bytes:
    if name == "proof":
        if record.proof_path is None:
            raise NotApplicable(f"the record of {record.name} has no proof")
        return record.proof_path.read_bytes()
    table = getattr(problem, "table", None)
    if not isinstance(table, Table):
        raise NotApplicable(f"{record.name} is about {problem.name}, which has no table")
    frame = table.frame
    if name == "release":
        solution = record.solution(problem)
        if solution is None or not isinstance(problem, TableProblem):
            raise NotApplicable(f"the record of {record.name} has no release")
        frame = problem.release(solution)
    return frame.to_csv(index=False).encode()


def _verify(chosen: list[Instance], folder: Path | None, arguments: Namespace) -> Reply:
    found, lines, is_cut_short = list[dict[str, Any]](), list[str](), False
    try:
        for one in chosen:
            record = record_of(one.name, folder)
            if not record.folder.is_dir() or (_is_long(record) and not arguments.all and len(chosen) > 1):
                continue
            finding = examined(record, one.load())
            found.append({"name": one.name, "status": finding.status, "wrong": list(finding.wrong)})
            lines += [f"{one.name}: {fault}" for fault in finding.wrong]
    except KeyboardInterrupt:
        is_cut_short = True
    states = Counter(str(one["status"]) for one in found)
    counts = ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
    lines.append(f"{counted(len(found), 'records')} verified{': ' * bool(counts)}{counts}")
    code = NEGATIVE if states["wrong"] else INTERRUPTED if is_cut_short else ANSWERED
    notes = ("interrupted; the other records are not verified",) * is_cut_short
    return Reply("\n".join(lines), {"records": found, "interrupted": is_cut_short}, code, notes)


def _is_long(record: Record) -> bool:
    try:
        return record.size.get("rows", 0) > MOST_ROWS
    except BadInput:
        return False  # what is wrong with it is said when it is examined


def _solve(chosen: list[Instance], folder: Path | None, arguments: Namespace) -> Reply:
    limit, seed = shared.seconds_of(arguments.time_limit), shared.whole(arguments.seed, "the seed")
    require_writable(folder)
    said, left = list[str](), len(chosen)
    with Interrupts() as interrupts:
        for one in chosen:
            if interrupts.asked:
                break
            said += solve_for_record(one, arguments.solver, limit, seed, folder, interrupts.event)
            left -= 1
    text = "\n".join(said or ["nothing better was found"])
    document = {"improved": said, "interrupted": interrupts.asked}
    if not interrupts.asked:
        return Reply(text, document)
    note = f"interrupted; {left:,} of {len(chosen):,} instances had not begun"
    return Reply(text, document, ANSWERED if said else INTERRUPTED, (note,))


def _submit(one: Instance, folder: Path | None, arguments: Namespace) -> Reply:
    problem = one.load()
    if arguments.release is not None and arguments.solution is not None:
        raise BadInput("--release and --solution both are solutions; give one")
    solution = None
    if arguments.release is not None:
        if not isinstance(problem, TableProblem):
            raise BadInput(f"{one.name} is about {problem.name}, which releases no table; give --solution")
        release = read_release(kept_if_pipe(arguments.release), problem.table, ",")
        faults = problem.violations_of_release(release)
        if faults:
            raise BadInput(f"{arguments.release} is no release of {one.name}: {faults[0]}")
        solution = problem.solution_of_release(release)
    elif arguments.solution is not None:
        solution = solution_from_json(problem, read_json(arguments.solution))
    proof = None if arguments.proof is None else read_utf8(arguments.proof)
    if solution is None and proof is None:
        raise BadInput("nothing is submitted; give --release or --solution, --proof, or both")
    said = submit(problem, one.name, Submission(solution, proof, arguments.by), folder)
    return Reply("\n".join(said or ["it holds, and is no better than the record"]), {"improved": said})
