"""All minimal keys: against every set of columns tried by hand, and against a miner of unique column combinations that others wrote."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.proofs.key_families import KeyFamilies
from tests.column_sets import Choice, choices, table_of
from tests.loops import each
from tests.sizing import asked


def random_choices(seed: int) -> list[Choice]:
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 6))
    cells = rng.integers(0, int(rng.integers(1, 4)), (int(rng.integers(1, 13)), columns))
    weights = [Fraction(int(rng.integers(1, 6)), int(rng.integers(1, 4))) for _ in range(columns)]
    rows = [tuple(row) for row in cells.tolist()]
    return choices(rows, weights if seed % 2 else [1] * columns, int(rng.integers(1, 5)))


def by_hand(choice: Choice) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """Return all minimal good sets and all maximal bad ones."""
    good = [set(chosen) for chosen in choice.sets() if choice.good(chosen)]
    bad = [set(chosen) for chosen in choice.sets() if not choice.good(chosen)]
    least = [chosen for chosen in good if not any(other < chosen for other in good)]
    most = [chosen for chosen in bad if not any(chosen < other for other in bad)]
    named = [{frozenset(f"q{j}" for j in chosen) for chosen in sets} for sets in (least, most)]
    return named[0], named[1]


def weights_in_order(choice: Choice, found: ao.MinimalKeys) -> list[Fraction]:
    return [choice.price(int(name[1:]) for name in key) for key in found]


@each("seed", range(asked(100, 350)))
def test_both_families_are_those_found_by_hand_and_the_proof_holds(seed: int) -> None:
    for choice in random_choices(seed):
        keys, non_keys = by_hand(choice)
        found = ao.minimal_keys(choice.problem, seed=seed)
        assert (len(found), set(found)) == (len(keys), keys)
        assert (len(found.families.non_keys), set(found.families.non_keys)) == (len(non_keys), non_keys)
        assert (found.complete, found.stop) == (True, ao.Stop.PROVED)
        found.families.check(choice.problem)
        assert weights_in_order(choice, found) == sorted(weights_in_order(choice, found))
        assert KeyFamilies.from_json(found.families.as_json()) == found.families


@each("seed", range(asked(40, 120)))
def test_a_run_that_is_cut_short_says_what_is_complete_and_proves_it(seed: int) -> None:
    for choice in random_choices(seed):
        keys, _ = by_hand(choice)
        prices = {key: choice.price(int(name[1:]) for name in key) for key in keys}
        heaviest = Fraction(seed % 7, 2)
        light = ao.minimal_keys(choice.problem, heaviest=heaviest)
        assert set(light) == {key for key in keys if prices[key] <= heaviest}
        assert light.families.below is None or light.families.below > heaviest
        for most in (1, 3):
            few = ao.minimal_keys(choice.problem, most=most)
            assert len(few) == min(most, len(keys))
            assert set(few) <= keys
            assert sorted(prices[key] for key in few) == sorted(prices.values())[:most]
            below = few.families.below
            assert {key for key in keys if below is None or prices[key] < below} <= set(few)
            few.families.check(choice.problem)
        light.families.check(choice.problem)


@each("seed", range(asked(25, 60)))
def test_a_list_that_lacks_something_is_refused(seed: int) -> None:
    for choice in random_choices(seed):
        families = ao.minimal_keys(choice.problem).families
        keys, non_keys = list(families.keys), list(families.non_keys)
        for i in range(len(keys)):
            assert not holds(KeyFamilies(keys[:i] + keys[i + 1 :], non_keys), choice.problem)
        for i in range(len(non_keys)):
            assert not holds(KeyFamilies(keys, non_keys[:i] + non_keys[i + 1 :]), choice.problem)
        everything = frozenset(choice.problem.table.quasi)
        for key in keys:
            if key != everything:
                assert not holds(
                    KeyFamilies([*(other for other in keys if other != key), everything], non_keys), choice.problem
                )
            assert not holds(KeyFamilies(keys, [*non_keys, key]), choice.problem)
        for columns in non_keys:
            assert not holds(KeyFamilies([*keys, columns], non_keys), choice.problem)


def holds(families: KeyFamilies, problem: Any) -> bool:
    try:
        families.check(problem)
    except ao.BadInput:
        return False
    return True


def test_many_columns_are_split_before_a_table_of_their_sets_is_filled() -> None:
    rng = np.random.default_rng(8)
    wide = table_of([tuple(row) for row in rng.integers(0, 2, (9, 70)).tolist()])
    for columns, size in ((15, 4), (70, 2)):
        problem = ao.IdentifyingColumns(wide.restricted(wide.quasi[:columns]))
        found = ao.minimal_keys(problem, heaviest=size)
        assert found.verify()
        families = found.families
        if families.keys:
            assert not holds(KeyFamilies(families.keys[1:], families.non_keys, families.below), problem)
    problem = ao.IdentifyingColumns(wide.restricted(wide.quasi[:15]))
    found = ao.minimal_keys(problem)
    assert found.complete
    assert found.verify()
    assert len(found) > 100
    for i in range(0, len(found), 37):
        keys = list(found)
        assert not holds(KeyFamilies(keys[:i] + keys[i + 1 :], found.families.non_keys), problem)


def test_without_time_nothing_is_claimed_and_that_is_proved() -> None:
    rng = np.random.default_rng(3)
    problem = ao.IdentifyingColumns(table_of([tuple(row) for row in rng.integers(0, 2, (60, 14)).tolist()]))
    found = ao.minimal_keys(problem, time_limit=0)
    assert (found.stop, len(found), found.complete, found.extent()) == (ao.Stop.TIME, 0, False, "not all of any size")
    assert found.verify()


def test_a_table_that_has_no_key_says_so_by_its_one_maximal_non_key() -> None:
    found = ao.minimal_keys(ao.WitnessColumns(table_of([(0, 0), (0, 0), (1, 0), (1, 0)]), 2))
    assert (list(found), found.families.non_keys, found.complete) == ([], [frozenset({"q0", "q1"})], True)
    assert found.verify()
    assert str(found) == "0 minimal keys: all there are"


def test_the_example_of_yuan_and_wang_has_five_minimal_keys() -> None:
    rows = ["x1x6x", "xx27x", "x3x8x", "xx4x9", "5xxx0"]
    found = ao.minimal_keys(ao.IdentifyingColumns(table_of([tuple(row) for row in rows])))
    pairs = {
        frozenset({f"q{'abcde'.index(first)}", f"q{'abcde'.index(second)}"})
        for first, second in ("ad", "bc", "be", "cd", "de")
    }
    assert {key for key in found if len(key) == 2} == pairs
    assert found.frame.columns.tolist() == ["columns", "size", "weight"]
    assert found.frame["size"].tolist() == found.frame["weight"].tolist() == [len(key) for key in found]


def test_bad_input() -> None:
    problem = ao.IdentifyingColumns(table_of([(0,), (1,)]))
    with pytest.raises(ao.BadInput, match="most is 0; it must be at least 1"):
        ao.minimal_keys(problem, most=0)
    with pytest.raises(ao.BadInput, match="problem is 3"):
        ao.minimal_keys(3)  # type: ignore[arg-type]
    with pytest.raises(ao.BadInput, match="names 'z', which is no quasi-identifying column"):
        KeyFamilies([frozenset("z")], []).check(problem)


@each("seed", range(asked(15, 40)))
def test_they_are_the_minimal_unique_column_combinations_of_desbordante(seed: int) -> None:
    desbordante = pytest.importorskip(
        "desbordante", reason="desbordante, which mines unique column combinations, is not installed"
    )
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(2, 13))
    widths = rng.integers(2, 9, columns)
    rows = int(rng.integers(5, 400))
    frame = pd.DataFrame({f"c{j}": rng.integers(0, widths[j], rows) for j in range(columns)}).drop_duplicates(
        ignore_index=True
    )
    miner = desbordante.ucc.algorithms.Default()
    miner.load_data(table=frame)
    miner.execute()
    theirs = {frozenset(f"c{j}" for j in unique.indices) for unique in miner.get_uccs()}
    found = ao.minimal_keys(ao.IdentifyingColumns(ao.Table.from_frame(frame, quasi=list(frame.columns))))
    assert set(found) == theirs
    assert found.verify()
