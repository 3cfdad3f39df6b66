"""The ten patients of Liang and Yuan's Table 1, under every principle, as cells, as columns, as keys and by diameters."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member, about, cells, columns, key
from anoptima.instances.papers import ten_rows
from anoptima.principles import KAnonymity, LDiversity, TCloseness
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.problems.quasi_identifier import WitnessColumns

_SOURCE = "Table 1 of Liang and Yuan (2013)"


def _ten_rows() -> Iterator[Member]:
    for k in (2, 3):
        yield f"k{k}", f"k={k}", cells(KAnonymity(k), ten_rows)


def _patients() -> Iterator[Member]:
    principles = {
        "k4": KAnonymity(4), "k5": KAnonymity(5), "l2": LDiversity(2), "l3-distinct": LDiversity(3, version="distinct"),
        "t0.1": TCloseness("0.1"), "t0.3": TCloseness("0.3"), "t0.5": TCloseness("0.5"), "k2-l2": KAnonymity(2) & LDiversity(2),
        "k3-t0.4": KAnonymity(3) & TCloseness("0.4"),
    }  # fmt: skip
    for word, principle in principles.items():
        yield word, str(principle), cells(principle, ten_rows)
    for k in (2, 3, 5):
        yield f"columns-k{k}", f"whole columns, k={k}", columns(KAnonymity(k), ten_rows)
        yield f"witness-k{k}", f"witness columns, k={k}", about(WitnessColumns, k, ten_rows)
    yield "key", "identifying columns", key(ten_rows)
    for k in (2, 3):
        yield f"diameters-k{k}", f"diameters, k={k}", about(DiameterSum, k, ten_rows)


TEN_ROWS = add_family(Family("ten-rows", "the papers' ten patients, eight columns", _SOURCE, _ten_rows))
PATIENTS = add_family(Family("patients", "the papers' ten patients, asked in other ways", _SOURCE, _patients))
