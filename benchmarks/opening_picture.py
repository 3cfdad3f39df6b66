"""Draws docs/ten-rows.svg, the picture that README.md opens with: `python -m benchmarks.opening_picture [--write]`; without it, prints it.

The ten rows before and after, in the groups of an optimal 3-anonymous release, and a price for each row. No group costs less than the
prices of its rows, so their sum is a lower bound; here it equals the number of stars.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import anoptima as ao
from anoptima.exact import exact_text

PICTURE = Path(__file__).parents[1] / "docs" / "ten-rows.svg"
K = 3

HEADINGS = ("zip code", "age", "education", "disease")
STARTS = (0, 100, 147, 232)
"""Where each heading's column begins; the digits of zip codes and ages are cells of their own."""
DIGIT = 18
ROW = 24
TOP = 64
AFTER = 352
PRICE = 690
WIDTH, HEIGHT = 760, 364
FILLS = ("#e8f0fb", "#fdf1dd", "#e7f4ea")
STYLE = """text { font: 14px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; } .heading { fill: #57606a; font-size: 12px; } .star { fill: #c62828; font-weight: 700; }
  .right { text-anchor: end; } .middle { text-anchor: middle; } .sum { font-weight: 700; }"""


def picture() -> str:
    """Return the picture as SVG."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(K))
    answer = ao.solve(problem)
    prices = ao.row_prices(problem).prices
    before, after = problem.table.frame.astype(str), answer.release.astype(str)
    total = sum(prices)
    assert answer.cost == total, "the prices prove the optimum"
    groups = answer.require_solution().labels.tolist()
    stars = f"{exact_text(total)} stars in {problem.table.rows * len(problem.table.quasi)} cells, and no {K}-anonymous release has fewer."
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"  <title>Ten patients before and after, with a price for each row; the prices add up to {exact_text(total)}.</title>",
        f"  <style>{STYLE}</style>",
        f'  <rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff"/>',
        *_titles(),
    ]
    for number, group in enumerate(groups):
        y = TOP + ROW * number
        fill = FILLS[group % len(FILLS)]
        lines += [f'  <rect x="{AFTER - 8}" y="{y}" width="{WIDTH - AFTER - 8}" height="{ROW}" fill="{fill}"/>']
        lines += [*_cells(list(before.iloc[number]), 16, y + 17), *_cells(list(after.iloc[number]), AFTER, y + 17)]
        lines += [_text(exact_text(prices[number]), PRICE + 36, y + 17, "right")]
    y = TOP + ROW * len(groups)
    lines += [
        f'  <line x1="{PRICE}" y1="{y + 4}" x2="{PRICE + 42}" y2="{y + 4}" stroke="#57606a"/>',
        _text(exact_text(total), PRICE + 36, y + 24, "right sum"),
        _text(stars, 16, y + 24, "heading"),
        _text(
            "Why: no three or more rows can be made alike with fewer stars than their prices add up to.",
            16,
            y + 44,
            "heading",
        ),
    ]
    return "\n".join([*lines, "</svg>", ""])


def _titles() -> Iterator[str]:
    yield _text("Ten patients: every row is unique", 16, 26, "title")
    yield _text(f"Released: each row has {K - 1} or more twins", AFTER, 26, "title")
    for heading, start in zip(HEADINGS, STARTS, strict=True):
        yield _text(heading, 16 + start, 54, "heading")
        yield _text(heading, AFTER + start, 54, "heading")
    yield _text("price", PRICE + 36, 54, "heading right")


def _cells(values: list[str], x: int, y: int) -> Iterator[str]:
    """Yield a row's cells: seven digits, then two words."""
    places = [DIGIT * j for j in range(5)] + [STARTS[1] + DIGIT * j for j in range(2)] + list(STARTS[2:])
    for place, value in zip(places, values, strict=True):
        yield _text("★" if value == "*" else value, x + place, y, "star" if value == "*" else "")


def _text(words: str, x: int, y: int, kind: str) -> str:
    return f'  <text x="{x}" y="{y}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{words}</text>'


def main() -> None:
    """Write or print the picture."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opening_picture", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {PICTURE.name}")
    if parser.parse_args().write:
        PICTURE.write_text(picture(), encoding="utf-8")
    else:
        print(picture())


if __name__ == "__main__":
    main()
