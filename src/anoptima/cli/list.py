"""`anoptima list`: what there is, and what can be used here."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.list_solvers import about_of, problems_asked, require_table, short, text_for, text_of_all, those_for
from anoptima.cli.reply import Reply
from anoptima.documents.questions import kinds_with_documents
from anoptima.errors import BadInput
from anoptima.exact import as_fraction, exact_plain, exact_text, simplest
from anoptima.instances.library import instances
from anoptima.instances.papers import ten_rows
from anoptima.models import models
from anoptima.models.relaxation import linear_solvers
from anoptima.principles import principle_kinds
from anoptima.problems.isolating_columns import every_kind
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.kinds import proof_kinds
from anoptima.reductions import reductions
from anoptima.registry import OURS, is_for, origin_of
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import all_backends, availability_of
from anoptima.solvers.exact.sifting.searchers import searchers
from anoptima.solvers.modelled import Modelled
from anoptima.spaces import space_kinds

EXAMPLES = (
    "anoptima list solvers",
    "anoptima list solvers --for patients.csv --quasi zip,age --sensitive disease -k 2 -l 2",
    "anoptima list solvers --problem fake-points",
    "anoptima list instances",
)

Entry = dict[str, Any]


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("what", nargs="?", choices=ROOMS, metavar="WHAT", help=f"{', '.join(ROOMS)} (default: all)")
    group = parser.add_argument_group("solvers for one problem")
    group.add_argument(
        "--for", dest="table", metavar="FILE", help="list the solvers for this table, with its columns and principles"
    )
    group.add_argument(
        "--problem",
        metavar="NAME",
        help="list the solvers for this problem, from `anoptima list problems` (default with --for: cell-suppression)",
    )
    tables.add_text_format(parser)
    shared.add_roles(parser, required=False)
    shared.add_principles(parser)
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """List what was asked for."""
    require_table(arguments)
    if arguments.table is not None or arguments.problem is not None:
        if arguments.what not in (None, "solvers"):
            raise BadInput(f"--for and --problem list solvers, not {arguments.what}")
        problems = problems_asked(arguments)
        entries = those_for(problems)
        return Reply(text_for(problems, entries), {"solvers": entries})
    chosen = [arguments.what] if arguments.what else list(ROOMS)
    found = {room: ROOMS[room]() for room in chosen}
    return Reply("\n\n".join(_section(room, entries) for room, entries in found.items()), dict(found))


def _entry(name: str, made: type[Any], **more: Any) -> Entry:
    """Return what there is to say of any thing: its name, what it is about, and the distribution that it comes from."""
    return {"name": name, "about": about_of(made), **more, "from": origin_of(made)}


def _backends() -> list[Entry]:
    found = []
    for backend in all_backends():
        available = availability_of(backend)
        found.append(
            _entry(backend.name, type(backend))
            | {
                "usable": bool(available),
                "why not": available.why or None,
                "versions": dict(backend.versions()) if available else {},
                "languages": sorted(language.value for language in backend.languages),
                "capabilities": sorted(capability.value for capability in backend.capabilities),
            }
        )
    return found


def _linear_solvers() -> list[Entry]:
    found = []
    for solver in linear_solvers.all():
        why = solver.why_not_here()
        capabilities = ["bound", "prices", "values", *(["vertex"] if solver.gives_vertices else [])]
        versions = solver.versions() if why is None else {}
        usable = {"usable": why is None, "why not": why, "versions": versions}
        found.append(_entry(solver.name, type(solver)) | usable | {"capabilities": capabilities})
    return found


def _solvers() -> list[Entry]:
    table, sorts = ten_rows(), {one.sort: one for kind in principle_kinds.all() for one in kind.examples()}
    kinds = kinds_with_documents(TableProblem)  # type: ignore[type-abstract]
    examples = {
        name: {sort: kind(table, principle) for sort, principle in sorts.items()}
        for name, kind in kinds.items()
        if not kind.asks_more()
    }
    others = {kind.name: list(kind.examples()) for kind in every_kind().values() if kind.name not in examples}
    backends = all_backends()
    modelled = [Modelled(model, backend) for model in models.all() if not model.for_study for backend in backends]
    spoken = [solver for solver in modelled if solver.model.language in solver.backend.languages]
    return [
        {
            "name": solver.name,
            "kind": solver.kind.value,
            "about": about_of(solver),
            "from": origin_of(getattr(solver, "model", solver)),
            "for": {name: words for name, under in examples.items() if (words := _taken(solver, under))}
            | {name: [] for name, given in others.items() if any(is_for(solver, problem) for problem in given)},
        }
        for solver in (*spoken, *algorithms.all())
    ]


def _taken(solver: Any, problems: dict[str, TableProblem[Any]]) -> list[str]:
    """Return the principles under which a solver takes a problem, tried on examples."""
    return [word for word, problem in problems.items() if is_for(solver, problem)]


def _instances() -> list[Entry]:
    return [
        {
            "name": known.name,
            "about": known.about,
            "best": exact_plain(known.best),
            "bound": exact_plain(known.bound),
            "family": known.family,
            "source": known.source,
            "from": instances.origin(known.name),
        }
        for known in instances.all()
    ]


ROOMS: dict[str, Callable[[], list[Entry]]] = {
    "principles": lambda: [_entry(kind.kind, kind) for kind in principle_kinds.all()],
    "problems": lambda: [_entry(kind.name, kind, unit=str(kind.unit)) for kind in every_kind().values()],
    "spaces": lambda: [_entry(kind.kind, kind) for kind in space_kinds.all()],
    "models": lambda: [
        _entry(model.name, type(model), language=model.language.value, **{"for study": model.for_study})
        for model in models.all()
    ],
    "backends": _backends,
    "linear-solvers": _linear_solvers,
    "solvers": _solvers,
    "searchers": lambda: [_entry(searcher.name, type(searcher)) for searcher in searchers.all()],
    "reductions": lambda: [
        _entry(reduction.name, type(reduction), cites=reduction.cites) for reduction in reductions.all()
    ],
    "instances": _instances,
    "proofs": lambda: [_entry(kind.kind, kind) for kind in proof_kinds.all()],
}


def _section(room: str, entries: list[Entry]) -> str:
    if not entries:
        return f"{room}: none yet"
    if room == "solvers":
        return f"{room}:\n{text_of_all(entries, _backends())}"
    width = max(len(entry["name"]) for entry in entries)
    return "\n".join([f"{room}:", *(short(f"  {entry['name']:{width}}  {_line(entry)}") for entry in entries)])


def _line(entry: Entry) -> str:
    """Say an entry in one line: what it is about, then whatever else there is to know."""
    more = []
    if "usable" in entry:
        versions = ", ".join(f"{name} {version}" for name, version in entry["versions"].items())
        more.append(versions if entry["usable"] else f"not usable here: {entry['why not']}")
    if "languages" not in entry and "capabilities" in entry:
        more.append(f"gives {', '.join(entry['capabilities'])}")
    if entry.get("for study"):
        more.append("for study")
    if "best" in entry:
        more.append(_known(entry["best"], entry["bound"]))
    more += [entry["cites"]] if "cites" in entry else []
    more += [f"of {entry['from']}"] if entry["from"] != OURS else []
    return "  ".join([entry["about"], *(f"[{words}]" for words in more)])


def _known(best: int | str | None, bound: int | str | None) -> str:
    """Say what is known of an instance."""
    if best is None or bound is None:
        return "open"
    least, most = (exact_text(simplest(as_fraction(value, "a cost"))) for value in (bound, best))
    return f"{most} is optimal" if least == most else f"best {most}, bound {least}"
