"""The errata on quasi-identifiers, proofs of hardness and fake points: each claim fails by the figures that are computed.

What is said to be true holds by the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from anoptima.exact import Exact
from anoptima.instances import errata_columns, errata_hardness, errata_points
from anoptima.instances.errata import errata

MODULES = [module.__name__ for module in (errata_columns, errata_hardness, errata_points)]

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
    "bare-patch": {
        "fewest fakes, k = 3": 1,
        "boxes on the grid of fifths that cover the patch": 25,
        "of these, boxes that repair it alone": 1,
    },
    "grid-common-offset": {
        "ε, with L = 2d/ε = 6 in space": 1,
        "mean penalty of a box with one offset for all axes": Fraction(7, 6),
        "mean penalty with independent offsets": Fraction(127, 216),
    },
    "grid-ratio": {
        "d = 1, ε = 1, L = 2: ratio claimed": 2,
        "d = 1, ε = 1, L = 2: ratio of the best grid, 10 fakes where 4 are enough": Fraction(5, 2),
        "d = 1, ε = 1, L = 2: ratio proved for independent offsets": Fraction(5, 2),
        "d = 1, ε = 1/2, L = 4: ratio claimed": Fraction(3, 2),
        "d = 1, ε = 1/2, L = 4: ratio of the best grid, 14 fakes where 8 are enough": Fraction(7, 4),
        "d = 1, ε = 1/2, L = 4: ratio proved for independent offsets": Fraction(7, 4),
        "d = 2, ε = 1, L = 4: ratio claimed": 2,
        "d = 2, ε = 1, L = 4: ratio of the best grid, 10 fakes where 4 are enough": Fraction(5, 2),
        "d = 2, ε = 1, L = 4: ratio proved for independent offsets": Fraction(41, 16),
        "d = 2, ε = 1/2, L = 8: ratio claimed": Fraction(3, 2),
        "d = 2, ε = 1/2, L = 8: ratio of the best grid, 14 fakes where 8 are enough": Fraction(7, 4),
        "d = 2, ε = 1/2, L = 8: ratio proved for independent offsets": Fraction(113, 64),
    },
    "grid-residues": {
        "fewest fakes for 0 and 1 in [0, 3/2), k = 2, on the data's grid": 2,
        "fewest fakes": 1,
    },
    "loop-states": {
        "pairs printed for six patches": 5,
        "pairs that are enough": 3,
        "patches that these cover": 6,
    },
    "primal-dual-border": {
        "fewest fakes for 0.5 and 0.7 in [0, 1.2), k = 2, test boxes in the domain": 0,
        "fewest fakes with all test boxes": 2,
    },
    "query-count": {"v V for n = 8, V = 8, v = 2": 16, "points of the grid in such a range": 2, "n v/V": 2},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_figures_come_out_again(name: str) -> None:
    assert dict(errata.get(name).show()) == EXPECTED[name]


def test_none_is_left_out() -> None:
    here = [found for found in errata.all() if found.show.__module__ in MODULES]
    assert sorted(found.name for found in here) == sorted(EXPECTED)
    assert all(found.paper and found.place and found.claim and found.truth for found in here)
