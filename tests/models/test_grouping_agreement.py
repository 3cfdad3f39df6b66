"""Every grouping formulation on every backend finds the true optimum; `benchmarks/agreement_groups.py` tries many more instances."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grouping import KINDS, judge

# A solve is some hundred times dearer than whatever else tests do with an example.
FEWER = settings(max_examples=max(1, settings().max_examples // 8))


@pytest.mark.parametrize("kind", KINDS)
@FEWER
@given(data=st.data())
def test_the_optimum_is_found(kind: str, data: st.DataObject) -> None:
    make, formulations = KINDS[kind]
    instance = make(lambda options: data.draw(st.sampled_from(options)))
    for solver, wrong in judge(instance, formulations):
        assert not wrong, f"{solver}: {wrong}\n{instance.told}"
