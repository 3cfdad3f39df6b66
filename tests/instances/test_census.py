from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.census import COLUMNS


def test_the_table_is_the_one_that_figures_speak_of() -> None:
    table = ao.census()
    assert (table.rows, len(table.types), set(table.weights)) == (30_162, 18_109, {1})
    assert table.quasi == COLUMNS["eight"]
    assert [*table.frame.iloc[0]] == [
        "Male", "39", "White", "Never-married", "Bachelors", "United-States", "State-gov", "Adm-clerical",
    ]  # fmt: skip
    assert table.digest == "7e9e799bc16f47b10504d542141a98e5c92e6207af3a83d50a85bd3961768c31"
    assert (len(ao.census("six").types), len(ao.census("four").types)) == (2_814, 1690)


def test_columns_may_be_named_and_others_be_sensitive() -> None:
    table = ao.census(["age", "sex"], sensitive=["salary-class"])
    assert (table.quasi, table.sensitive) == (("age", "sex"), ("salary-class",))
    assert "occupation" not in COLUMNS["seven"]


def test_a_choice_that_is_none_is_refused() -> None:
    with pytest.raises(ao.BadInput) as refused:
        ao.census("nine")
    assert str(refused.value) == (
        "columns is 'nine'; it must be one of eight, seven, six, four, or a list of column names"
    )
