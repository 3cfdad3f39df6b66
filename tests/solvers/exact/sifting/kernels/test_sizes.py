from __future__ import annotations

import itertools

import numpy as np
import pytest

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels import sizes as compiled
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of

SEEDS = range(60)


def least(arcs: Arcs, p: int, worth: np.ndarray, charge: np.ndarray, surcharge: np.ndarray) -> float:
    """What the best group of a pattern is worth, by trying every one."""
    own = range(arcs.start[p], arcs.start[p + 1])
    choices = itertools.product(*(range(arcs.copies[arcs.member[a]] + 1) for a in own))
    return min(  # type: ignore[no-any-return]
        charge[p]
        + sum(z * (arcs.cost[p] + surcharge[a] - worth[arcs.member[a]]) for z, a in zip(taken, own, strict=True))
        for taken in choices
        if sum(taken) >= arcs.k
    )


def drawn(arcs: Arcs, seed: int, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    sizes = len(arcs.copies), len(arcs.cost), len(arcs.member)
    found = [chance.integers(-1, 6, sizes[0]), chance.integers(-2, 2, sizes[1]), chance.integers(-1, 2, sizes[2])]
    if kind == "f":
        return tuple(numbers + chance.random(len(numbers)) for numbers in found)  # type: ignore[return-value]
    return tuple(found)  # type: ignore[return-value]


@pytest.mark.parametrize("kind", ["i", "f"])
@each("seed", SEEDS)
def test_every_pattern_is_priced_as_by_trying(seed: int, kind: str) -> None:
    _, arcs = arcs_of(problem_of(seed))
    worth, charge, surcharge = drawn(arcs, seed, kind)
    expected = np.array([least(arcs, p, worth, charge, surcharge) for p in range(len(arcs.cost))])
    for module in (kernels, compiled):
        values, lowest = module.opened(arcs, worth, charge, surcharge)
        taken = np.zeros(len(arcs.member), dtype=np.int64)
        total, used, negative = module.activity(arcs, worth, charge, surcharge, taken)
        assert np.bincount(arcs.member, taken, len(arcs.copies)).tolist() == used.tolist()
        reduced = module.reduced_costs(arcs, worth, surcharge, values, lowest)
        assert (reduced >= 0).all()
        assert reduced.tolist() == pytest.approx(kernels.reduced_costs(arcs, worth, surcharge, values, lowest).tolist())
        assert values == pytest.approx(expected)
        assert values.dtype == worth.dtype
        assert negative.tolist() == (expected < 0).tolist()
        assert total == pytest.approx(np.minimum(0, expected).sum())
        assert (used <= arcs.copies.max(initial=0) * len(arcs.cost)).all()
        assert lowest.tolist() == pytest.approx(kernels.opened(arcs, worth, charge, surcharge)[1].tolist())


@each("seed", SEEDS)
def test_what_is_used_is_a_slope(seed: int) -> None:
    """The sum of min(0, v_p) is concave in the worths, with minus the used copies as a supergradient."""
    _, arcs = arcs_of(problem_of(seed))
    worth, charge, surcharge = drawn(arcs, seed, "f")
    other, _, _ = drawn(arcs, seed + 1000, "f")
    for module in (kernels, compiled):
        total, used, _ = module.activity(arcs, worth, charge, surcharge)
        elsewhere, _, _ = module.activity(arcs, other, charge, surcharge)
        assert elsewhere <= total - used @ (other - worth) + 1e-9


def test_no_pattern_at_all() -> None:
    _, arcs = arcs_of(problem_of(1))
    total, used, negative = kernels.activity(arcs, np.zeros(len(arcs.copies)), np.zeros(len(arcs.cost)))
    assert total == 0
    assert not used.any()
    assert not negative.any()
