"""Classes on sets of columns, and indispensable columns, against counting by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from anoptima.principles import KAnonymity, LDiversity
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.columns import classes_of_types, count_on, identify_each, is_small_each, keys_of_types, sizes_on
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns
from anoptima.table import Table
from tests.loops import each


def table_of(seed: int, rows: int = 60, columns: int = 7, values: int = 3) -> Table:
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, values, (rows, columns)), columns=[f"q{j}" for j in range(columns)])
    return Table.from_frame(frame, list(frame.columns))


@each("seed", range(12))
def test_classes_are_those_of_equal_values(seed: int) -> None:
    table = table_of(seed, columns=5, values=2 + 3 * (seed % 2))
    chance = np.random.default_rng(seed)
    for _ in range(5):
        chosen = [j for j in range(5) if chance.random() < 0.5]
        images = [tuple(row) for row in table.types[:, chosen].tolist()]
        labels, count = classes_of_types(table, chosen)
        assert (
            len(set(zip(images, labels.tolist(), strict=True))) == count == len(set(images)) == count_on(table, chosen)
        )
        rows: Counter[tuple[int, ...]] = Counter()
        for image, copies in zip(images, table.multiplicity.tolist(), strict=True):
            rows[image] += copies
        assert sorted(sizes_on(table, chosen).tolist()) == sorted(rows.values())


def test_keys_that_62_bits_do_not_hold_are_numbered_on_the_way() -> None:
    chance = np.random.default_rng(0)
    cells = np.column_stack([chance.permutation(300) for _ in range(12)])
    cells[150:] = cells[:150]
    cells[200:, 11] = 0
    frame = pd.DataFrame(cells, columns=[f"q{j}" for j in range(12)])
    table = Table.from_frame(frame, list(frame.columns))
    key, below = keys_of_types(table, range(12))
    assert below < 2**62
    assert len(np.unique(key)) == len(table.types) == count_on(table, range(12))


@each("seed", range(30))
def test_indispensable_columns_are_those_without_which_the_others_do_not_suffice(seed: int) -> None:
    table = table_of(seed, rows=3 + 2 * seed)
    problems: list[ColumnChoice[QuasiIdentifier]] = [IdentifyingColumns(table), WitnessColumns(table, 2)]
    for problem in problems:
        everything = range(len(table.quasi))
        needed = {c for c in everything if not problem.suffices([j for j in everything if j != c])}
        assert problem.indispensable((), everything) == needed or not problem.suffices(everything)


@each("seed", range(16))
def test_many_sets_at_once_are_answered_as_one_by_one(seed: int) -> None:
    table = table_of(seed, rows=[1, 4, 30, 200][seed % 4], columns=6, values=2 + seed % 3)
    chance = np.random.default_rng(seed)
    sets = [[j for j in range(6) if chance.random() < 0.6] for _ in range(25)]
    assert identify_each(table, sets).tolist() == [count_on(table, chosen) == len(table.types) for chosen in sets]
    for k in (1, 2, 5):
        assert is_small_each(table, sets, k).tolist() == [int(sizes_on(table, chosen).min()) < k for chosen in sets]


@each("seed", range(8))
def test_problems_answer_for_many_sets_as_for_one(seed: int) -> None:
    plain = table_of(seed, rows=25, columns=5)
    frame = plain.frame.assign(ill=np.random.default_rng(seed).integers(0, 3, 25))
    table = Table.from_frame(frame, list(plain.quasi), "ill")
    problems: list[ColumnChoice[Any]] = [
        IdentifyingColumns(table),
        WitnessColumns(table, 3),
        AttributeSuppression(table, KAnonymity(3)),
        AttributeSuppression(table, KAnonymity(2) & LDiversity(2)),
    ]
    sets = [[j for j in range(5) if number >> j & 1] for number in range(32)]
    for problem in problems:
        assert problem.suffice_each(sets).tolist() == [problem.suffices(chosen) for chosen in sets]
