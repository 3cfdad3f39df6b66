"""The errata on proofs of hardness: each claim fails by the figures that are computed, and what is said to be true holds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from anoptima.exact import Exact
from anoptima.instances import errata_hardness
from anoptima.instances.errata import errata

EXPECTED: dict[str, Mapping[str, Exact | str]] = {
    "matching-alphabet": {
        "rows": 6,
        "symbols": 7,
        "symbols, numbered anew in each column": 4,
        "optimum": 12,
        "optimum with fewer symbols": 12,
    },
    "matching-divisibility": {
        "two edges: largest matching": 2,
        "two edges: optimum of the table as printed": 11,
        "two edges: optimum with two vertices more": 12,
        "two that meet: largest matching": 1,
        "two that meet: optimum of the table as printed": 11,
        "two that meet: optimum with two vertices more": 15,
    },
    "partition-sizes": {
        "|V| - k": 2,
        "feasible partitions": 1,
        "rows in the largest group, at least": 5,
    },
    "patterns-attached": {"optimum": 0, "rows attached to 00": 2, "row patterns attached to 00": 1},
    "special-symbols": {
        "names in the second column of a vertex's rows ⟨?, u, ?⟩": 1,
        "vertices that share a name there": 0,
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_figures_come_out_again(name: str) -> None:
    assert dict(errata.get(name).show()) == EXPECTED[name]


def test_none_is_left_out() -> None:
    here = [found for found in errata.all() if found.show.__module__ == errata_hardness.__name__]
    assert sorted(found.name for found in here) == sorted(EXPECTED)
    assert all(found.paper and found.place and found.claim and found.truth for found in here)
