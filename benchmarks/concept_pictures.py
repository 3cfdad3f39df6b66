"""Draws the pictures of docs/concepts.md, docs/concepts/*.svg: `python -m benchmarks.concept_pictures [--write]`.

Without `--write` it says which of them are no longer what it draws. Costs, bounds, groups and verdicts in them are computed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

import anoptima as ao
from anoptima.exact import counted, exact_text

FOLDER = Path(__file__).parents[1] / "docs" / "concepts"
WIDTH = 480
ROW = 24
FILLS = ("#e8f0fb", "#fdf1dd", "#e7f4ea")
STYLE = """text { font: 14px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; } .quiet { fill: #57606a; font-size: 12px; } .star { fill: #c62828; font-weight: 700; }
  .good { fill: #1a7f37; } .bad { fill: #c62828; } .middle { text-anchor: middle; } .right { text-anchor: end; }"""

PLACES = (190, 298, 410)
"""Where the principles stand."""

ROWS = (("4711", "33", "flu"), ("4711", "33", "gout"), ("4712", "35", "flu"), ("4712", "61", "flu"))
"""The table of docs/concepts.md."""


def four_rows() -> ao.Table:
    """Return the table of docs/concepts.md."""
    frame = pd.DataFrame(ROWS, columns=["zip", "age", "disease"])
    return ao.Table.from_frame(frame, quasi=["zip", "age"], sensitive="disease")


def svg(title: str, height: int, parts: Sequence[str]) -> str:
    """Return a picture of its parts."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        f"  <title>{escape(title)}</title>",
        f"  <style>{STYLE}</style>",
        f'  <rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
    )
    return "\n".join([*head, *(f"  {part}" for part in parts), "</svg>", ""])


def text(words: str, x: float, y: float, kind: str = "") -> str:
    """Return words at a place."""
    return f'<text x="{x:g}" y="{y:g}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, line: str = "none") -> str:
    """Return a rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" stroke="{line}"/>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> Iterator[str]:
    """Yield a line to the right or downwards, with its head."""
    yield f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="#57606a" stroke-width="1.5"/>'
    head = ((-7, -4), (-7, 4)) if to_x > x else ((-4, -7), (4, -7))
    corners = " ".join(f"{to_x + right:g},{to_y + down:g}" for right, down in ((0, 0), *head))
    yield f'<polygon points="{corners}" fill="#57606a"/>'


def cells(
    rows: Sequence[Sequence[str]], x: float, y: float, steps: Sequence[float], fills: Sequence[str]
) -> Iterator[str]:
    """Yield the rows of a table, each with its fill; `*` is drawn as a star."""
    for number, (row, fill) in enumerate(zip(rows, fills, strict=True)):
        top = y + ROW * number
        yield box(x - 6, top, sum(steps), ROW - 1, fill)
        place = x
        for value, step in zip(row, steps, strict=True):
            yield text("★" if value == "*" else value, place, top + 16, "star" if value == "*" else "")
            place += step


def released(partition: ao.Partition) -> list[tuple[str, str]]:
    """Return the quasi-identifying cells of the four rows as a partition releases them."""
    found = [("", "")] * len(ROWS)
    for group in partition.groups():
        columns = [{ROWS[row][column] for row in group} for column in range(2)]
        for row in group:
            zip_code, age = (next(iter(values)) if len(values) == 1 else "*" for values in columns)
            found[row] = (zip_code, age)
    return found


def table() -> str:
    """Draw a table, its row types and a release with stars."""
    made = four_rows()
    pairs = ao.Partition.from_groups([[0, 1], [2, 3]], rows=4)
    types = [ROWS[made.type_of_row.tolist().index(number)] for number in range(len(made.types))]
    times = [made.type_of_row.tolist().count(number) for number in range(len(made.types))]
    counts = [(*row[:2], counted(count, "rows")) for row, count in zip(types, times, strict=True)]
    parts = [
        text("table", 16, 24, "title"), text("row types", 214, 24, "title"), text("release", 366, 24, "title"),
        *(text(name, x, 46, "quiet") for name, x in (("zip", 16), ("age", 62), ("disease", 100), ("zip", 214), ("age", 260))),
        *(text(name, x, 46, "quiet") for name, x in (("zip", 366), ("age", 412))),
        *cells(ROWS, 16, 54, (46, 38, 70), [FILLS[0]] * 4),
        *cells(counts, 214, 54, (46, 38, 54), [FILLS[2]] * len(counts)),
        *cells(released(pairs), 366, 54, (46, 50), [FILLS[0], FILLS[0], FILLS[1], FILLS[1]]),
        text("quasi-identifying: zip, age", 16, 168, "quiet"), text("sensitive: disease", 16, 186, "quiet"),
        text("equal rows, counted", 214, 168, "quiet"), text("a star is a", 366, 168, "quiet"), text("suppressed cell", 366, 186, "quiet"),
    ]  # fmt: skip
    return svg("A table of four rows, its three row types, and a release with two stars.", 200, parts)


def principle() -> str:
    """Draw two groups and what three principles say of each."""
    made, pairs = four_rows(), ao.Partition.from_groups([[0, 1], [2, 3]], rows=4)
    asked = (
        ("2-anonymity", ao.KAnonymity(2)),
        ("2-diversity", ao.LDiversity(2)),
        ("0.2-closeness", ao.TCloseness("0.2")),
    )
    groups = made.groups(pairs.labels)
    parts = [text("group", 16, 24, "title")]
    for number, (name, said) in enumerate(asked):
        x = PLACES[number]
        parts.append(text(name, x, 24, "title middle"))
        for group, holds in enumerate(said.holds_each(groups).tolist()):
            parts.append(text("✓" if holds else "✗", x, 66 + 62 * group, f"middle {'good' if holds else 'bad'}"))
    for group in range(2):
        rows = [(*cell, ROWS[row][2]) for row, cell in enumerate(released(pairs)) if pairs.labels[row] == group]
        parts += cells(rows, 16, 38 + 62 * group, (42, 28, 52), [FILLS[group]] * 2)
    parts += [
        text("at least", PLACES[0], 172, "quiet middle"), text("2 rows", PLACES[0], 188, "quiet middle"),
        text("no value in more", PLACES[1], 172, "quiet middle"), text("than half", PLACES[1], 188, "quiet middle"),
        text("nearly as in all:", PLACES[2], 172, "quiet middle"), text("flu 3/4, gout 1/4", PLACES[2], 188, "quiet middle"),
    ]  # fmt: skip
    return svg(
        "Two groups of two rows, and whether 2-anonymity, 2-diversity and t-closeness hold for each.", 200, parts
    )


def problem() -> str:
    """Draw two partitions of the same rows: what one costs, and why the other is no solution."""
    asked = ao.CellSuppression(four_rows(), ao.KAnonymity(2))
    parts = []
    for place, groups in enumerate(([[0, 1], [2, 3]], [[0, 1, 2], [3]])):
        x = 16 + 240 * place
        partition = ao.Partition.from_groups(groups, rows=4)
        wrong = asked.violations(partition)
        fills = [FILLS[label] for label in partition.labels.tolist()]
        parts += [
            text("{" + "}, {".join(", ".join(str(row + 1) for row in group) for group in groups) + "}", x, 24, "title")
        ]
        parts += cells(
            [(str(row + 1), *cell) for row, cell in enumerate(released(partition))], x, 36, (30, 52, 44), fills
        )
        parts += [text("✗ a group of one row" if wrong else f"✓ costs {asked.cost(partition)} stars", x, 156,
                       "bad" if wrong else "good")]  # fmt: skip
    parts += [text("2-anonymity of the four rows: a solution is a partition of the rows.", 16, 182, "quiet")]
    return svg("Two partitions of four rows: one costs two stars, the other has a group of one row.", 194, parts)


def pattern() -> str:
    """Draw a closed pattern and an open one, each with the rows that it matches."""
    parts = []
    for place, (fixed, words) in enumerate(
        ((("4712", "*"), "closed: age differs"), (("*", "33"), "open: 4711 can be fixed"))
    ):
        x = 16 + 240 * place
        matched = [all(cell in ("*", value) for cell, value in zip(fixed, row, strict=False)) for row in ROWS]
        parts += [text("pattern", x, 24, "title"), *cells([fixed], x + 70, 8, (46, 36), [FILLS[1]])]
        parts += cells(
            [row[:2] for row in ROWS], x + 70, 48, (46, 36), [FILLS[0] if match else "#f3f4f6" for match in matched]
        )
        parts += [
            text("matches" if match else "", x, 64 + ROW * number, "quiet") for number, match in enumerate(matched)
        ]
        parts += [text(words, x, 168, "quiet")]
    return svg("The closed pattern (4712, *) matches two rows; the pattern (*, 33) is open.", 182, parts)


def solver() -> str:
    """Draw the three kinds of solvers between a problem and its answer."""
    ways = (("model", "backend"), ("exact algorithm",), ("approximation",))
    examples = (("pattern", "highs"), ("subset-dp",), ("mondrian",))
    parts = [box(10, 76, 78, 40, FILLS[0], "#57606a"), text("problem", 49, 101, "middle")]
    parts += [box(392, 76, 78, 40, FILLS[0], "#57606a"), text("answer", 431, 101, "middle")]
    for number, (names, shown) in enumerate(zip(ways, examples, strict=True)):
        y = 18 + 60 * number
        width = 232 / len(names) - (8 if len(names) > 1 else 0)
        for place, (name, example) in enumerate(zip(names, shown, strict=True)):
            x = 124 + place * (width + 16)
            parts += [
                box(x, y, width, 40, FILLS[1 if number == 0 else 2], "#57606a"),
                text(name, x + width / 2, y + 17, "middle"),
            ]
            parts += [text(example, x + width / 2, y + 33, "quiet middle")]
        parts += [*arrow(88, 96, 124, y + 20), *arrow(356, y + 20, 392, 96)]
    parts += [text("The problem's own checker counts every answer again.", 240, 206, "quiet middle")]
    return svg("A problem is answered by a model on a backend, an exact algorithm or an approximation.", 218, parts)


def answer() -> str:
    """Draw the cost and the bound of three answers as intervals around the optimum."""
    asked = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))
    found = [(name, ao.solve(asked, name)) for name in ("mondrian", "peel", "subset-dp")]
    low, high = 57, 72
    best = found[-1][1].cost or 0

    def place(cost: object) -> float:
        return 110 + 340 * (float(str(cost)) - low) / (high - low)

    parts = [text("bound and cost of the ten rows, k = 4", 16, 24, "title")]
    for number, (name, said) in enumerate(found):
        y = 56 + 34 * number
        least = said.bound.value if said.bound is not None else 0
        left, right = place(least), place(said.cost)
        parts += [
            text(name, 16, y + 5),
            box(left - 3, y - 7, right - left + 6, 14, FILLS[0] if left < right else FILLS[2], "#57606a"),
        ]
        parts += [text(exact_text(said.cost or 0), right + 10, y + 5)]
        parts += [text(exact_text(least), left - 10, y + 5, "right")] if left < right else []
    parts += [
        f'<line x1="{place(best):g}" y1="38" x2="{place(best):g}" y2="146" stroke="#c62828" stroke-dasharray="4 3"/>'
    ]
    parts += [text("optimum", place(best), 162, "quiet middle")]
    return svg("Three answers as intervals from bound to cost; the third is a point: a proved optimum.", 176, parts)


def reduction() -> str:
    """Draw a problem and its target, with solutions carried both ways."""
    cover = ao.VertexCover(ao.Graph("abcd", ["ab", "ac", "ad", "bc", "bd", "cd"]))
    reduced = ao.get_reduction("vertex-cover-to-k-anonymity").apply(cover)
    places = {"a": (60, 60), "b": (150, 60), "c": (150, 136), "d": (60, 136)}
    parts = [
        text("a cover of 3 vertices", 16, 24, "title"),
        text(f"{exact_text(reduced.threshold(3))} stars", 340, 24, "title"),
    ]
    for one, other in ("ab", "ac", "ad", "bc", "bd", "cd"):
        (x, y), (to_x, to_y) = places[one], places[other]
        parts += [f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="#57606a"/>']
    for name, (x, y) in places.items():
        parts += [f'<circle cx="{x}" cy="{y}" r="14" fill="{FILLS[1] if name < "d" else "#ffffff"}" stroke="#57606a"/>']
        parts += [text(name, x, y + 5, "middle")]
    parts += [*arrow(200, 84, 318, 84), text("problem, cover", 258, 76, "quiet middle")]
    parts += ['<line x1="200" y1="112" x2="318" y2="112" stroke="#57606a" stroke-width="1.5"/>',
              '<polygon points="200,112 207,108 207,116" fill="#57606a"/>', text("release", 258, 130, "quiet middle")]  # fmt: skip
    target: Any = reduced.target
    shape = target.table
    parts += [box(340, 42, 110, 112, FILLS[0], "#57606a"), text(f"{shape.rows} rows", 395, 94, "middle"),
              text(f"{len(shape.quasi)} columns", 395, 114, "middle")]  # fmt: skip
    return svg("A graph with a cover of three vertices, and the table that the reduction makes of it.", 174, parts)


def study() -> str:
    """Draw a study as a grid: solvers by instances, each run's cost beside the record's."""
    names, solvers = ("ten-rows-k2", "ten-rows-k3", "patients-k4"), ("subset-dp", "peel", "mondrian")
    parts = [text("instance", 16, 24, "title"), text("record", 132, 24, "title")]
    parts += [text(name, 236 + 88 * place, 24, "title middle") for place, name in enumerate(solvers)]
    for number, name in enumerate(names):
        y, known = 44 + 32 * number, ao.instance(name)
        parts += [text(name, 16, y + 15), text(f"{known.best} = {known.bound}", 132, y + 15)]
        for place, solver_name in enumerate(solvers):
            cost = ao.solve(known.load(), solver_name).cost
            is_best = cost == known.best
            parts += [box(197 + 88 * place, y - 3, 78, 27, FILLS[2] if is_best else FILLS[1])]
            parts += [text(exact_text(cost or 0), 236 + 88 * place, y + 15, "middle")]
    parts += [text("record: the best cost and the best proven bound", 16, 154, "quiet")]
    parts += [text("run: one solver on one instance; the cells show its cost", 16, 172, "quiet")]
    return svg("Three instances with their records, and the costs of three solvers on each.", 184, parts)


PICTURES: dict[str, Callable[[], str]] = {
    one.__name__: one for one in (table, principle, problem, pattern, solver, answer, reduction, study)
}


def main() -> None:
    """Write the pictures, or name those that are out of date."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.concept_pictures", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {FOLDER.name}/*.svg")
    is_writing = parser.parse_args().write
    FOLDER.mkdir(exist_ok=True)
    stale = []
    for name, draw in PICTURES.items():
        path, drawn = FOLDER / f"{name}.svg", draw()
        if is_writing:
            path.write_text(drawn, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != drawn:
            stale.append(path.name)
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}")


if __name__ == "__main__":
    main()
