"""Rows of a group may have more in common than the pattern that a search found them for; `sifting` once lost its way over that."""

from __future__ import annotations

import pandas as pd

import anoptima as ao


def test_the_ledger_publishes_what_groups_have_in_common() -> None:
    frame = pd.DataFrame({"a": list("bbbaca"), "b": list("bbbaba"), "c": list("022000"), "s": [2, 2, 2, 2, 4, 4]})
    table = ao.Table.from_frame(frame, ["a", "b", "c"], ["s"], weights={"a": "1/3", "b": "7/4", "c": "1/2"})
    space = ao.Hierarchical({"R": [2, 4], "L": ["unseen"]})
    problem = ao.CellSuppression(table, ao.LDiversity("3/2") & ao.TCloseness("1/3", space=space))
    answer = ao.solve(problem, "sifting", start=None)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == ao.solve(problem, "subset-dp").cost
    assert not answer.verify().wrong
