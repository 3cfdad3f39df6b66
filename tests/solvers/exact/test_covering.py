from __future__ import annotations

import gc
import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.problems.columns import mask_of
from anoptima.solvers.exact import covering, covering_kernel
from anoptima.solvers.exact.covering import Proof, Split, bits, greedy_hit, lightest_hit, with_minimal

Instance = tuple[list[int], list[int]]


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    columns = draw(st.integers(1, 7))
    sets = draw(st.lists(st.integers(1, (1 << columns) - 1), max_size=12))
    return sets, draw(st.lists(st.integers(1, 5), min_size=columns, max_size=columns))


def price(chosen: int, weights: list[int]) -> int:
    return sum(weights[c] for c in bits(chosen))


def optimum(sets: list[int], weights: list[int]) -> int:
    return min(
        price(chosen, weights) for chosen in range(1 << len(weights)) if all(members & chosen for members in sets)
    )


def check_proof(proof: Proof, sets: list[int], weights: list[int], value: int, taken: int = 0, left: int = 0) -> None:
    """Every end: shares of sets that miss what is taken, no column charged above its weight, and in sum the value."""
    if isinstance(proof, Split):
        check_proof(proof.taken, sets, weights, value, taken | 1 << proof.column, left)
        check_proof(proof.left, sets, weights, value, taken, left | 1 << proof.column)
        return
    charged = [0] * len(weights)
    for number, share in proof.shares:
        assert share >= 0
        assert not sets[number] & taken
        for c in bits(sets[number] & ~left):
            charged[c] += share
    assert all(charge <= weight for charge, weight in zip(charged, weights, strict=True))
    assert price(taken, weights) + sum(share for _, share in proof.shares) >= value


@given(instances())
def test_the_lightest_hitting_set_is_found_and_proved(instance: Instance) -> None:
    sets, weights = instance
    best = optimum(sets, weights)
    hit = lightest_hit(sets, weights, below=sum(weights) + 1)
    assert hit.weight == best
    assert hit.chosen is not None
    assert price(hit.chosen, weights) == best
    assert all(members & hit.chosen for members in sets)
    assert hit.proof is not None
    check_proof(hit.proof, sets, weights, best)


@given(instances())
def test_that_there_is_none_below_the_optimum_is_proved(instance: Instance) -> None:
    sets, weights = instance
    best = optimum(sets, weights)
    hit = lightest_hit(sets, weights, below=best)
    assert hit.weight is None
    assert hit.proof is not None
    check_proof(hit.proof, sets, weights, best)


@given(instances())
def test_what_is_known_to_be_enough_needs_no_proof(instance: Instance) -> None:
    sets, weights = instance
    best = optimum(sets, weights)
    hit = lightest_hit(sets, weights, below=sum(weights) + 1, enough=best)
    assert (hit.weight, hit.proof) == (best, None)


@given(instances())
def test_greedy_hits_everything_and_nothing_is_superfluous(instance: Instance) -> None:
    sets, weights = instance
    chosen = greedy_hit(sets, weights, list(range(len(weights))))
    assert all(members & chosen for members in sets)
    assert all(any(not members & (chosen & ~(1 << c)) for members in sets) for c in bits(chosen))


@given(instances(), st.booleans())
@example(([0b111_1111_1011, 0b110, 0b101], [1, 1, 1, *[5] * 8]), False)  # the first node leaves out eight columns
def test_the_loops_write_what_there_is_room_for(instance: Instance, is_compiled: bool) -> None:
    """Compiled loops look at no bounds: what one writes beyond an array is lost, or worse. Uncompiled, it is an error."""
    sets, weights = instance
    best = optimum(sets, weights)
    with pytest.MonkeyPatch.context() as patches:
        if not is_compiled:
            patches.setattr(covering_kernel, "compiled", lambda loop: loop)
        found = covering_kernel.Search(sets, weights, best, -1).run()
    assert found is not None
    check_proof(covering._read(*found, list(range(len(sets)))), sets, weights, best)


def test_a_deadline_ends_the_search() -> None:
    sets = [sum(1 << c for c in members) for members in itertools.combinations(range(12), 4)]
    with within(lambda: True), pytest.raises(OutOfTime):
        lightest_hit(sets, [1] * 12, below=99)


def test_a_long_search_leaves_the_garbage_collector_no_more_to_look_through() -> None:
    """More than the compiled search has room for. As objects, the proof so far would be three objects a node and more."""
    chance = np.random.default_rng(5)
    sets = [mask_of(chance.choice(70, 8, replace=False).tolist()) for _ in range(300)]
    objects: list[int] = []
    nodes = itertools.count(1)

    def is_over() -> bool:
        node = next(nodes)
        if node % 400 == 0:
            gc.collect()
            objects.append(len(gc.get_objects()))
        return node == 2_000

    with within(is_over), pytest.raises(OutOfTime):
        lightest_hit(sets, [1] * 70, below=15)
    assert max(objects) - objects[0] < 1_000, objects


def test_sets_that_share_no_small_structure_are_searched_to_the_end() -> None:
    sets = [sum(1 << c for c in members) for members in itertools.combinations(range(11), 5)]
    hit = lightest_hit(sets, [1] * 11, below=99)
    assert hit.weight == 7
    assert hit.proof is not None
    check_proof(hit.proof, sets, [1] * 11, 7)


@given(instances(), st.integers(1, 12), st.sampled_from([-1, 3]))
@settings(deadline=None)
def test_the_compiled_search_takes_the_same_steps(instance: Instance, below: int, enough: int) -> None:
    sets, weights = instance
    assert (
        covering._compiled_search(sets, weights, below, enough) == covering._Search(sets, weights, below, enough).run()
    )


@pytest.mark.parametrize("columns", [30, 70])  # the compiled search, and the one in Python
def test_a_proof_that_is_too_large_is_given_up(columns: int) -> None:
    chance = np.random.default_rng(5)
    sets = [mask_of(chance.choice(columns, 5, replace=False).tolist()) for _ in range(200)]
    with pytest.raises(OverflowError):
        lightest_hit(sets, [1] * columns, below=columns, most_shares=1_000)


def test_a_long_search_goes_on_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    sets, weights = [0b011, 0b110, 0b101], [1, 1, 1]
    plain = lightest_hit(sets, weights, below=9)
    monkeypatch.setattr(covering, "_FEW_NODES", 1)
    assert lightest_hit(sets, weights, below=9) == plain


@given(instances(), instances())
def test_minimal_sets_of_two_lists(one: Instance, other: Instance) -> None:
    columns = max(len(one[1]), len(other[1]))
    first = with_minimal([], one[0], columns)
    union = with_minimal(first, other[0], columns)
    every = {*one[0], *other[0]}
    assert sorted(union) == sorted(mask for mask in every if not any(mask & o == o for o in every - {mask}))
