from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.library import instances


def test_every_instance_is_there_and_says_what_it_is() -> None:
    names = [known.name for known in instances.all()]
    assert len(names) == len(set(names)) > 150
    for known in instances.all():
        assert known.about
        assert known.source


def test_small_instances_cost_what_is_said() -> None:
    for k in (2, 3):
        known = ao.instance(f"ten-rows-k{k}")
        assert ao.solve(known.load(), "subset-dp").cost == known.best


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(
        ao.BadInput,
        match=r"there is no instance named 'eleven-rows'; there are census-eight-k2, .* and \d+ more",
    ):
        ao.instance("eleven-rows")
