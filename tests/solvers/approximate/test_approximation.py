"""What approximations share: what cannot stay a group takes in others until it can."""

from __future__ import annotations

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.solvers.approximate.approximation import merge_until_it_holds
from tests.loops import each


def test_where_a_value_is_too_frequent_those_join_that_can_hold_more_of_it() -> None:
    ills = ["flu"] * 3 + ["flu", "gout"] * 2 + ["cold", "gout"] * 2 + ["flu", "cold"] * 2
    places = ["x", "y", "z", *"aabb", *"cccc", *"dddd"]
    table = ao.Table.from_frame(pd.DataFrame({"place": places, "ill": ills}), ["place"], "ill")
    labels = np.array([0] * 3 + [1] * 2 + [2] * 2 + [3] * 4 + [4] * 4)
    found = merge_until_it_holds(ao.CellSuppression(table, ao.LDiversity(2)), labels, 0)
    assert [0, 1, 2, 7, 8, 9, 10] in found.groups(), "the group without flu has room; none of the others has"


@each("seed", range(40))
def test_what_is_merged_holds_and_the_rest_stays(seed: int) -> None:
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": chance.integers(0, 6, 40), "b": chance.integers(0, 3, 40)})
    frame["ill"] = chance.choice(4, 40, p=[0.4, 0.3, 0.2, 0.1])
    table = ao.Table.from_frame(frame, ["a", "b"], "ill")
    for principle in (ao.LDiversity(2), ao.LDiversity("3/2"), ao.KAnonymity(4) & ao.LDiversity(2)):
        problem = ao.CellSuppression(table, principle)
        classes = table.classes()
        holds = principle.holds_each(table.groups(classes))
        if holds.all() or problem.why_infeasible() is not None:
            continue
        rest = len(holds)
        found = merge_until_it_holds(problem, np.where(holds[classes], classes, rest), rest)
        assert problem.is_feasible(found)
        together = found.labels[np.flatnonzero(~holds[classes])]
        assert len(set(together.tolist())) == 1
