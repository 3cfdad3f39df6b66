"""The pattern program with big-M links.

The program of `pattern`, with one number of rows M in all links:

    (link)      x_pr <= M z_p                   with M the number of rows of the table

The same solutions and the same number of rows. Under k-anonymity its relaxation is worth no more than publishing every row as its
cheapest closed pattern, alone: z_p = max_r x_pr / M satisfies sum_r x_pr >= k z_p. Closed patterns that fewer than k rows match are not
listed, and so it is worth what `pattern-aggregated` is.

Size: that of `pattern`.
"""

from __future__ import annotations

from anoptima.models import models
from anoptima.models.links import Links
from anoptima.models.pattern import PatternModel


@models.register
class PatternBigMModel(PatternModel):
    """Rows to closed patterns, big-M links; for cell suppression, to compare with `pattern`."""

    name = "pattern-big-m"
    links = Links.BIG_M
    for_study = True
