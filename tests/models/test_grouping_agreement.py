"""Every grouping formulation finds the true optimum, on each backend in its turn; `benchmarks/agreement_groups.py` tries many more."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.cases import seeded
from tests.grouping import KINDS, judge
from tests.loops import each

# A solve is some hundred times dearer than whatever else tests do with an instance. In four turns every backend has every formulation.
SEEDS = range(max(4, settings().max_examples // 8))


@pytest.mark.parametrize("kind", KINDS)
@each("seed", SEEDS)
def test_the_optimum_is_found(kind: str, seed: int) -> None:
    make, formulations = KINDS[kind]
    instance = make(seeded(seed))
    for solver, wrong in judge(instance, formulations, turn=seed):
        assert not wrong, f"{solver}: {wrong}\n{instance.told}"
