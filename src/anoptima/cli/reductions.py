"""`anoptima reductions`: the graph of problems, reductions, models and backends; a way through it; a picture of it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from anoptima.cli import arguments as shared
from anoptima.cli.outputs import Replaced
from anoptima.cli.reply import ANSWERED, Reply
from anoptima.documents.writing import atomic, refuse_shared, require_room
from anoptima.errors import BadInput
from anoptima.experiments.plots_reductions import draw_graph
from anoptima.reductions import reductions
from anoptima.reductions.graph import Edge, all_edges, problem_edges, to_dot, walk
from anoptima.reductions.kinds import MEANING

EXAMPLES = (
    "anoptima reductions",
    "anoptima reductions --from vertex-cover --to k-anonymity",
)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--from", dest="source", metavar="PROBLEM", help="the problem that a path starts from: vertex-cover"
    )
    parser.add_argument(
        "--to",
        dest="target",
        metavar="NAME",
        help="the end of the path: a kind of problem, a model, a backend, or MODEL/BACKEND",
    )
    parser.add_argument("--solvers", action="store_true", help="show models and backends as well")
    parser.add_argument("--dot", metavar="FILE", help="write the graph for Graphviz; the path is bold")
    parser.add_argument("--svg", metavar="FILE", help="draw the graph (also .png, .pdf); needs anoptima[plots]")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Look up, write, report."""
    files = {option: Path(name) for option in ("dot", "svg") if (name := getattr(arguments, option)) is not None}
    for path in files.values():
        require_room(path, "graph")
    refuse_shared({"graph for Graphviz": arguments.dot, "picture of the graph": arguments.svg})
    replaced = Replaced(files)
    if (arguments.source is None) != (arguments.target is None):
        raise BadInput("a path has two ends; give both --from and --to, or neither")
    way = [] if arguments.source is None else walk(arguments.source, arguments.target)
    edges = all_edges() if arguments.solvers or any(edge not in problem_edges() for edge in way) else problem_edges()
    if "dot" in files:
        with atomic(files["dot"]) as stream:
            stream.write((to_dot(edges, way) + "\n").encode())
    if "svg" in files:
        if files["svg"].suffix.lower() not in (".svg", ".png", ".pdf"):
            raise BadInput(f"{files['svg']} is to be a picture; its name must end in .svg, .png or .pdf")
        draw_graph(files["svg"], edges, way)
    text = "\n".join(map(str, way)) if way else _list()
    written = [f"the graph is in {replaced.place(path)}" for path in files.values()]
    document = {
        "reductions": [
            {
                "name": reduction.name,
                "source": reduction.source_kind,
                "target": reduction.target_kind,
                "cites": reduction.cites,
                "parameters": {name: str(value) for name, value in reduction.parameters.items()},
            }
            for reduction in reductions.all()
        ],
        "way": [_plain(edge) for edge in way],
        "written": {option: str(path) for option, path in files.items()},
    }
    return Reply("\n".join([text, *written]), document, ANSWERED)


def _plain(edge: Edge) -> dict[str, str]:
    return {"from": edge.start.name, "how": edge.how.value, "to": edge.end.name, "reduction": edge.name}


def _list() -> str:
    lines = []
    for reduction in reductions.all():
        values = ", ".join(f"{name} = {value}" for name, value in reduction.parameters.items() if value is not None)
        lines += [f"{reduction.source_kind} -> {reduction.target_kind}" + (f"  [{values}]" if values else "")]
        lines += [f"    {reduction.name}", f"    {reduction.cites}"]
    width = max(map(len, MEANING))
    return "\n".join([*lines, "", "kinds:", *(f"    {kind:{width}}  {words}" for kind, words in MEANING.items())])
