"""2-diversity to simplex matching (Liang and Yuan 2013, section 6), which makes it polynomial.

Construction: as for 2-anonymity, but rows of one sensitive value are in no common pair or triple.
Why: a 2-diverse group of 4 or more rows, sorted by value and dealt out into parts, half the number of its rows, falls into pairs and
triples of pairwise different values, for no value has more than half of the rows; none of them stars a further column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.models.group_lists import RowKinds
from anoptima.reductions import reductions
from anoptima.reductions.two_anonymity_to_simplex_matching import ToSimplexMatching


@reductions.register
class TwoDiversityToSimplexMatching(ToSimplexMatching):
    """Cell suppression under frequency 2-diversity as simplex matching: rows of one sensitive value are in no common pair.

    >>> import anoptima as ao
    >>> reduced = TwoDiversityToSimplexMatching().apply(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)))
    >>> ao.solve(reduced.target, "simplex-matching").cost
    50
    """

    name = "2-diversity-to-simplex-matching"
    apart = True
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), section 6"

    def together(self, kinds: RowKinds, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Kinds are sorted by value: after one of them comes the first of the next value."""
        of_row = np.sort(kinds.of_row[rows], axis=1)
        return rows[(kinds.after[of_row[:, :-1]] <= of_row[:, 1:]).all(axis=1)]
