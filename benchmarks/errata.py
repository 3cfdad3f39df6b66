"""The page of errors in the papers, every figure computed anew: `python -m benchmarks.errata > docs/errata.md`."""

from __future__ import annotations

from anoptima.instances.errata import Erratum, errata
from anoptima.instances.errata_text import in_order, section

INTRODUCTION = """\
# Errors in the papers

What the papers say, what is true instead, and an example with figures on which the claim fails. `python -m benchmarks.errata` computes
every figure and prints this page; a test keeps it up to date. In Python, `print(ao.errata(NAME))` computes and shows one of them:
`ao.errata("diameter-lemma")`.
"""


def main() -> None:
    """Print the page."""
    print(page(errata.all()), end="")


def page(found: list[Erratum]) -> str:
    """Return the page, in Markdown: a table of all, then a section for each."""
    found = in_order(found)
    lines = [INTRODUCTION, "| erratum | paper | place |", "|---|---|---|"]
    lines += [f"| [{erratum.name}](#{erratum.name}) | {erratum.paper} | {erratum.place} |" for erratum in found]
    for erratum in found:
        lines += ["", *section(erratum)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
