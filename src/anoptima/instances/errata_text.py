"""Errata as text, every figure computed anew."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.arguments import checked
from anoptima.exact import Exact, exact_text, simplest
from anoptima.instances.errata import Erratum, errata


@checked
def errata_text(name: str | None = None) -> str:
    """Return the errors in the papers as Markdown: claim, truth and the figures on which the claim fails, computed now.

    Parameters
    ----------
    name
        One of them, such as 'diameter-lemma'; all unless given, in some seconds.

    Examples
    --------
    >>> print(errata_text("diameter-lemma").splitlines()[0])
    ## diameter-lemma
    """
    found = errata.all() if name is None else [errata.get(name)]
    return "\n\n".join("\n".join(section(erratum)) for erratum in in_order(found)) + "\n"


def in_order(found: list[Erratum]) -> list[Erratum]:
    """Return errata by paper and place."""
    return sorted(found, key=lambda erratum: (erratum.paper, erratum.place, erratum.name))


def section(erratum: Erratum) -> Iterator[str]:
    """Yield the lines about one erratum."""
    yield f"## {erratum.name}"
    yield f"\n*{erratum.paper}, {erratum.place}.*"
    about = (erratum.show.__doc__ or "").strip().splitlines()
    yield f"\n**The paper says.** {erratum.claim}"
    yield f"\n**In fact.** {erratum.truth}"
    yield f"\n**Example.** {about[0] if about else ''}"
    yield "\n| | |\n|---|---:|"
    for what, value in erratum.show().items():
        yield f"| {what.replace('|', '&#124;')} | {said(value)} |"


def said(value: Exact | str) -> str:
    """Return a figure as text: a whole number as it is, a fraction with about what it comes to.

    >>> from fractions import Fraction
    >>> said(1204), said(Fraction(33, 4)), said(Fraction(16563, 110))
    ('1,204', '33/4 (8.25)', '16,563/110 (150.6)')
    """
    if isinstance(value, str):
        return value
    value = simplest(value)
    return exact_text(value) if isinstance(value, int) else f"{exact_text(value)} ({float(value):.4g})"
