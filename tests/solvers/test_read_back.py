"""Releases as they come back: in order, in another order, generalised, false."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.problems.released import false_cells
from anoptima.solvers.read_back import read_back
from anoptima.solvers.row_order import in_table_order
from tests.sizing import asked

MANY = asked(60, 150)


def test_a_release_is_found_in_any_order_and_nothing_else_is() -> None:
    found = 0
    for seed in range(MANY):
        chance = np.random.default_rng(seed)
        rows = int(chance.integers(1, 6))
        frame = pd.DataFrame({name: chance.integers(0, 2, rows) for name in "abs"})
        table = ao.Table.from_frame(frame, ["a", "b"], "s")
        release = frame.astype(object).mask(
            pd.DataFrame({"a": chance.random(rows) < 0.5, "b": chance.random(rows) < 0.5, "s": [False] * rows}), "*"
        )
        release = release.sample(frac=1, random_state=seed).reset_index(drop=True)
        if seed % 3 == 0:
            release.iloc[0, int(chance.integers(0, 3))] = int(chance.integers(0, 2))
        possible = any(
            not false_cells(table, release.iloc[list(order)]) for order in itertools.permutations(range(rows))
        )
        ordered = in_table_order(table, release)
        assert (ordered is not None) == possible, seed
        if ordered is not None:
            found += 1
            assert not false_cells(table, ordered), seed
            assert sorted(map(str, ordered.values.tolist())) == sorted(map(str, release.values.tolist())), seed
    assert 2 * MANY / 3 < found < MANY


def test_equal_cells_that_are_written_differently_are_not_the_tables() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"q": [1, 1, 1, 1], "r": [1.0, 2.0, 3.0, 3.0]}), ["q", "r"])
    problem = ao.CellSuppression(table, ao.KAnonymity(2))
    release = problem.release(problem.trivial())
    assert not problem.violations_of_release(release)
    shown = release.assign(q=pd.Series([1, True, 1.0, 1], dtype=object))
    wrong = ["row 2, column 'q': published True where the table has 1"]
    assert problem.violations_of_release(shown)[:1] == wrong
    assert list(read_back(table, shown).wrong[:1]) == wrong
    assert in_table_order(table, shown) is None


def test_dates_are_found_as_files_write_them_in_any_order() -> None:
    day = pd.to_datetime(pd.Series(["2020-01-01", "2020-01-01", "2020-01-02", "2020-01-03"]))
    small = pd.Series([0.1, 0.1, 0.2, 0.3], dtype="float32")
    table = ao.Table.from_frame(pd.DataFrame({"day": day, "x": small}), ["day", "x"])
    texts = pd.DataFrame({"day": ["2020-01-03", "2020-01-02", "2020-01-01", "*"], "x": ["*", "0.2", "0.1", "0.1"]})
    assert read_back(table, texts).reordered


def test_values_of_every_type_are_found_again_also_as_texts() -> None:
    frame = pd.DataFrame(
        {
            "n": pd.array([1, 2, None, 3], dtype="Int64"),
            "x": [0.5, 1.5, float("nan"), 2.5],
            "day": pd.to_datetime(pd.Series(["2020-01-01", "2020-01-02", None, "2020-01-03"])),
            "c": pd.Categorical(["u", "v", None, "u"]),
            "kept": ["p", None, "q", "r"],
        }
    )
    table = ao.Table.from_frame(frame, ["n", "x", "day"], "c", keep=["kept"])
    shuffled = table.release(np.eye(4, 3, dtype=bool)).iloc[[3, 2, 0, 1]]
    for release in (shuffled.reset_index(drop=True), shuffled.astype(object).where(shuffled.notna(), "").astype(str)):
        assert not false_cells(table, read_back(table, release).release)
        assert read_back(table, release).reordered


@pytest.mark.parametrize(
    ("cell", "is_generalised"),
    [
        ("47**", True),
        ("*11", True),
        ("[30-40)", True),
        ("(30, 40]", True),
        ("30-40", True),
        ("30..40", True),
        (">=30", True),
        ("< 18.5", True),
        ("65+", True),
        ("{flu, measles}", True),
        ("**", True),
        ("elsewhere", False),
        ("31", False),
    ],
)
def test_generalised_cells_are_told_from_false_ones(cell: str, is_generalised: bool) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"q": ["4711", "30 years"], "r": ["1", "2"]}), ["q", "r"])
    wrong = read_back(table, pd.DataFrame({"q": [cell, cell], "r": ["*", "*"]})).wrong
    if is_generalised:
        assert wrong == (
            f"2 cells of column 'q' are generalised, not suppressed (row 1: {cell!r}); a release here shows a cell as it is, or '*' alone",
        )
    else:
        assert wrong[0] == f"row 1, column 'q': published {cell!r} where the table has '4711'"
        assert wrong[-1] == "in no other order of its rows is it a release of this table either"


def test_a_value_that_looks_generalised_and_is_the_tables_is_a_value() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"age": ["30-40", "40-50"]}), ["age"])
    back = read_back(table, pd.DataFrame({"age": ["40-50", "30-40"]}))
    assert back.reordered
    assert not back.wrong


def test_a_large_release_in_another_order_is_found() -> None:
    chance = np.random.default_rng(7)
    frame = pd.DataFrame({name: chance.integers(0, 30, 3_000).astype(str) for name in "abcd"})
    table = ao.Table.from_frame(frame, ["a", "b", "c"], "d")
    release = table.release(chance.random((3_000, 3)) < 0.4)
    back = read_back(table, release.sample(frac=1, random_state=1).reset_index(drop=True))
    assert back.reordered
    assert not false_cells(table, back.release)
