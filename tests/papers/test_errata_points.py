"""The errata on fake points: each claim fails by the figures that are computed, and what is said to be true holds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from anoptima.exact import Exact
from anoptima.instances import errata_points
from anoptima.instances.errata import errata

EXPECTED: dict[str, Mapping[str, Exact | str]] = {
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
    here = [found for found in errata.all() if found.show.__module__ == errata_points.__name__]
    assert sorted(found.name for found in here) == sorted(EXPECTED)
    assert all(found.paper and found.place and found.claim and found.truth for found in here)
