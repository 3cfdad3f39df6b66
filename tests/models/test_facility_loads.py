from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from tests.grouping import facilities
from tests.loops import each
from tests.trial import evaluate

MODEL: Any = models.get("facility-loads")


@given(st.data())
def test_connections_go_in_at_their_cost_and_come_out_the_same(data: st.DataObject) -> None:
    problem: Any = facilities(lambda options: data.draw(st.sampled_from(options))).problem
    if problem.why_infeasible() is not None:
        return
    built, solution = MODEL.build(problem), problem.trivial()
    values = built.encode(solution)
    assert evaluate(built, values) == (problem.cost(solution) * problem.cost_scale, None)
    assert built.decode(values) == solution
    proto, size = built.program.proto, built.size
    assert (size.variables, size.constraints) == (len(proto.variables), len(proto.constraints))
    assert size.coefficients == sum(len(row.linear.vars) for row in proto.constraints)


def test_a_load_below_the_least_is_no_solution() -> None:
    problem = ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (0, 1, 5), (1, 0, 1), (1, 1, 1)], 2)
    built = MODEL.build(problem)
    assert evaluate(built, built.encode(ao.Connections(((0, 0, 2), (1, 1, 1)))))[1] is not None
    assert evaluate(built, built.encode(ao.Connections(((0, 0, 2), (0, 1, 1))))) == (Fraction(5), None)


@each("seed", range(4))
def test_both_languages_agree_on_more_than_can_be_tried(seed: int) -> None:
    chance = random.Random(seed)
    clients = [chance.randint(1, 4) for _ in range(10)]
    connections = [(f, c, chance.randint(0, 9)) for f in range(8) for c in range(10) if f == 0 or chance.random() < 0.5]
    problem = ao.LowerBoundedFacilities(clients, connections, 6)
    found = {
        name: ao.solve(problem, name, start=None, threads=1)
        for name in ("facility-loads/cp-sat", "facilities/highs", "facilities/cp-sat", "facilities-aggregated/highs")
    }
    assert {answer.claim for answer in found.values()} == {ao.Claim.OPTIMAL}
    assert len({answer.cost for answer in found.values()}) == 1, found


def test_it_is_for_facilities() -> None:
    assert MODEL.why_not(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))) == (
        "the facility-loads model is for lower-bounded-facilities, not for cell-suppression"
    )
