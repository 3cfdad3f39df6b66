"""Facilities by prices: a case without solutions is told from one in which nothing is left to decide."""

from __future__ import annotations

import pandas as pd

import anoptima as ao
from anoptima.solvers.approximate.facilities import rows_as_facilities


def test_more_open_facilities_than_clients_can_fill_do_not_end_the_search() -> None:
    """A program without solutions was taken for one that is solved: 13 was found, and 7 proved. Three places of three need nine rows."""
    rows = ["cbb", "cab", "acb", "abc", "acb", "bbb", "aac", "ccc"]
    table = ao.Table.from_frame(pd.DataFrame(map(list, rows), columns=["x", "y", "z"]), ["x", "y", "z"])
    problem = rows_as_facilities(table, 3)
    answer = ao.solve(problem, "place-prices")
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == ao.solve(problem, "facilities/cp-sat").cost == 8
