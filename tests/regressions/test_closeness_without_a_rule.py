"""Of two closenesses, `sifting` once moved rows and branched by the one that it has a rule for, and forgot the other."""

from __future__ import annotations

import pandas as pd

import anoptima as ao


def test_a_closeness_without_a_rule_is_not_forgotten() -> None:
    frame = pd.DataFrame({"a": list("pqqqqp"), "b": list("pqqppp"), "s": list("yxyyyy")})
    table = ao.Table.from_frame(frame, ["a", "b"], ["s"])
    spelled = ao.TCloseness(0, space=ao.Explicit(["x", "y"], [[0, 1], [1, 0]]))
    problem = ao.CellSuppression(table, ao.TCloseness("1/3") & spelled)
    answer = ao.solve(problem, "sifting")
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == ao.solve(problem, "subset-dp").cost == 12
    assert not answer.verify().wrong
