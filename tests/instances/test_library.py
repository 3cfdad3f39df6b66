from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.library import instances


def test_every_instance_is_there_and_can_be_so_good() -> None:
    for known in instances.all():
        name = known.name
        problem = known.load()
        assert isinstance(problem, ao.CellSuppression), name
        assert problem.lower_bound() <= known.bound <= known.best <= problem.cost(problem.trivial()), name
        assert known.is_solved == (known.best == known.bound)
        assert known.by
        assert known.source


def test_small_instances_cost_what_is_said() -> None:
    for k in (2, 3):
        known = ao.instance(f"ten-rows-k{k}")
        assert ao.solve(known.load(), "subset-dp").cost == known.best


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(
        ao.BadInput,
        match="there is no instance named 'eleven-rows'; there are census-eight-k2, census-eight-k3, census-eight-k5, ",
    ):
        ao.instance("eleven-rows")
