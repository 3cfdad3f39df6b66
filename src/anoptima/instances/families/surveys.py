"""Three surveys, in samples, under k-anonymity, diversity, and closeness over numbers."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.instances.drawn import sampled
from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member, cells
from anoptima.instances.surveys import SURVEYS, survey
from anoptima.principles import KAnonymity, LDiversity, TCloseness
from anoptima.spaces import Numeric
from anoptima.table import Table


def asked(name: str, rows: int) -> Table:
    """Return some persons of a survey."""
    return sampled(survey(name), rows)


def _members() -> Iterator[Member]:
    principles = {
        "k3": KAnonymity(3), "k5": KAnonymity(5), "l2-distinct": LDiversity(2, version="distinct"),
        "t0.3-numeric": TCloseness("0.3", space=Numeric()),
    }  # fmt: skip
    for name in SURVEYS:
        for rows in (60, 300):
            for word, principle in principles.items():
                yield f"{name}-{rows}-{word}", f"{name}, rows={rows}, {principle}", cells(principle, asked, name, rows)


FAMILY = add_family(Family("survey", "persons drawn from a survey", "statsmodels, public domain", _members))
