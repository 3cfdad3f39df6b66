"""The errata on quasi-identifiers: each claim fails by the figures that are computed, and what is said to be true holds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from anoptima.exact import Exact
from anoptima.instances import errata_columns
from anoptima.instances.errata import errata

EXPECTED: dict[str, Mapping[str, Exact | str]] = {
    "quasi-identifier-cover": {"sets that cover a and b by {a}": "none", "fewest columns that identify": 1},
    "quasi-identifier-minimal": {"minimal sets as printed": 0, "minimal sets with proper subsets": 5},
    "quasi-identifier-notions": {
        "fewest sets that cover": 2,
        "fewest columns that identify every row": 2,
        "fewest columns that show a violation of 2-anonymity": 1,
        "the same with two copies of every element's row": 2,
    },
    "quasi-identifier-sets": {
        "smallest class of 00, 00, 11, 11, counted as often as they occur": 2,
        "smallest class of 00, 00, 11, 11, as a set": 1,
    },
    "quasi-identifier-trace": {
        "distinct rows on {b, c}": 5,
        "the algorithm returns": "bc",
        "fewest columns": 2,
        "all identifying sets of this size": "ad, bc, be, cd, de",
    },
    "quasi-identifier-time": {
        "1 + ... + |D|, for two rows": 3,
        "projections of the algorithm as printed": 12,
        "1 + ... + |C|, for twelve columns": 78,
        "columns left": 1,
        "columns left by one pass": 1,
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_figures_come_out_again(name: str) -> None:
    assert dict(errata.get(name).show()) == EXPECTED[name]


def test_none_is_left_out() -> None:
    here = [found for found in errata.all() if found.show.__module__ == errata_columns.__name__]
    assert sorted(found.name for found in here) == sorted(EXPECTED)
    assert all(found.paper and found.place and found.claim and found.truth for found in here)
