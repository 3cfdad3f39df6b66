"""Errors in the papers: each claim, the truth, and the figures that show it, recomputed on each call.

One erratum is one function, registered with `@erratum`, in any module of this package whose name starts with `errata`:

    @erratum("diameter-lemma", paper="Meyerson and Williams 2004", place="Lemma 4.1", claim="...", truth="...")
    def diameter_lemma() -> Figures:
        return {"the claimed bound on two rows at distance 1": 1, "their stars": 2}

`python -m benchmarks.errata > docs/errata.md` writes the page that lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from anoptima.exact import Exact
from anoptima.registry import Registry

Figures = Mapping[str, Exact | str]
"""What was computed, in words, and how much it came to."""


@dataclass(eq=False)
class Erratum:
    """A claim of a paper that does not hold, or does not as printed.

    Parameters
    ----------
    name
        The word that a person types: 'diameter-lemma'.
    paper, place
        Authors and year; theorem or section.
    claim, truth
        What the paper says, and what holds instead: whole sentences in Markdown.
    show
        Recomputes the figures on which the claim fails, in a second or so.
    """

    name: str
    paper: str
    place: str
    claim: str
    truth: str
    show: Callable[[], Figures]


errata: Registry[Erratum] = Registry("erratum", Erratum, "anoptima.errata", "anoptima.instances")
"""The errata by name."""


def erratum(
    name: str, *, paper: str, place: str, claim: str, truth: str
) -> Callable[[Callable[[], Figures]], Callable[[], Figures]]:
    """Register the decorated function as the demonstration of an erratum.

    >>> @erratum("sum", paper="Nobody", place="Lemma 0", claim="1 + 1 = 3.", truth="1 + 1 = 2.")
    ... def total() -> Figures:
    ...     return {"1 + 1": 1 + 1}
    >>> errata.get("sum").show()
    {'1 + 1': 2}
    >>> errata.remove("sum")
    """

    def register(show: Callable[[], Figures]) -> Callable[[], Figures]:
        errata.add(Erratum(name, paper, place, claim, truth, show))
        return show

    return register
