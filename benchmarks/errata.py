"""The page of errors in the papers, every figure computed anew: `python -m benchmarks.errata > docs/errata.md`."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.exact import Exact, simplest
from anoptima.instances.errata import Erratum, errata

INTRODUCTION = """\
# Errors in the papers

What the papers claim, what holds instead, and the figures on which the claims fail. This page is what
`python -m benchmarks.errata` prints: it recomputes every figure, and a test keeps it up to date. Each erratum is a function in
`anoptima.instances` whose name starts with `errata`, and `anoptima.instances.errata.errata.get(NAME).show()` returns its figures.
"""


def main() -> None:
    """Print the page."""
    print(page(errata.all()), end="")


def page(found: list[Erratum]) -> str:
    """Return the page, in Markdown: a table of all, then a section for each."""
    found = sorted(found, key=lambda erratum: (erratum.paper, erratum.place, erratum.name))
    lines = [INTRODUCTION, "| erratum | paper | place |", "|---|---|---|"]
    lines += [f"| [{erratum.name}](#{erratum.name}) | {erratum.paper} | {erratum.place} |" for erratum in found]
    for erratum in found:
        lines += ["", *section(erratum)]
    return "\n".join(lines) + "\n"


def section(erratum: Erratum) -> Iterator[str]:
    """Yield the lines about one erratum."""
    yield f"## {erratum.name}"
    yield f"\n*{erratum.paper}, {erratum.place}.*"
    about = (erratum.show.__doc__ or "").strip().splitlines()
    yield f"\n**Claimed.** {erratum.claim}"
    yield f"\n**True.** {erratum.truth}"
    yield f"\n**Shown on.** {about[0] if about else ''}"
    yield "\n| | |\n|---|---:|"
    for what, value in erratum.show().items():
        yield f"| {what.replace('|', '&#124;')} | {said(value)} |"


def said(value: Exact | str) -> str:
    """Return a figure as text: a whole number as it is, a fraction with about what it comes to.

    >>> said(440), said(Fraction(33, 4)), said(Fraction(402, 5))
    ('440', '33/4 (8.25)', '402/5 (80.4)')
    """
    if isinstance(value, str):
        return value
    value = simplest(value)
    return f"{value:,}" if isinstance(value, int) else f"{value} ({float(value):.4g})"


if __name__ == "__main__":
    main()
