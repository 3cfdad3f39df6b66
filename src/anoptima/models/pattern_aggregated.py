"""The pattern program with one link for each pattern.

The program of `pattern`, except that the links x_pr <= s_r z_p of each pattern are added up:

    (link)      sum_r x_pr <= S_p z_p           with S_p = sum of s_r over the records that p matches

The same solutions and fewer rows. Under k-anonymity its relaxation is worth no more than publishing every row as its cheapest pattern that
matches k rows, alone: z_p = sum_r x_pr / S_p satisfies sum_r x_pr >= k z_p.

Size, for P closed patterns, R records and A pairs r ~ p: A + P variables, R + P rows, 2 A + P coefficients, and what the principle's
conditions add.
"""

from __future__ import annotations

from anoptima.models import models
from anoptima.models.links import Links
from anoptima.models.pattern import PatternModel


@models.register
class PatternAggregatedModel(PatternModel):
    """Rows to closed patterns, one link for each pattern; for cell suppression, to compare with `pattern`."""

    name = "pattern-aggregated"
    links = Links.AGGREGATED
    for_study = True
