from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given

import anoptima as ao
from tests import brute_force
from tests.cases import Case
from tests.strategies import cases


@given(cases())
def test_the_largest_k_and_l_and_the_smallest_t_are_those_of_the_worst_class(case: Case) -> None:
    table = case.table()
    found = ao.check(table, case.principle())
    classes = brute_force.classes(case.rows)
    assert (found.rows, found.classes) == (len(case.rows), len(classes))
    assert found.k == min(map(len, classes))
    assert found.holds() == all(case.rule()(group) for group in classes)
    for c, checked in enumerate(found.columns):
        values = case.sensitive[c]
        different = [*dict.fromkeys(values)]
        counted = [Counter(values[row] for row in group) for group in classes]
        assert checked.frequency_l == min(Fraction(sum(n.values()), max(n.values())) for n in counted)
        assert checked.distinct_l == min(map(len, counted))
        whole = brute_force.shares(values, different)
        shares = [brute_force.shares([values[row] for row in group], different) for group in classes]
        assert checked.t == max(sum(abs(p - q) for p, q in zip(share, whole, strict=True)) / 2 for share in shares)


@given(cases())
def test_what_is_found_holds_and_a_hair_more_does_not(case: Case) -> None:
    table = case.table()
    found = ao.check(table)
    assert found.holds()
    assert not found.failures
    hair = Fraction(1, 10**9)
    assert ao.check(table, ao.KAnonymity(found.k)).holds()
    assert not ao.check(table, ao.KAnonymity(found.k + 1)).holds()
    for column in found.columns:
        assert ao.check(table, ao.LDiversity(column.frequency_l, column.column)).holds()
        assert not ao.check(table, ao.LDiversity(column.frequency_l + hair, column.column)).holds()
        assert ao.check(table, ao.TCloseness(column.t, column=column.column)).holds()
        if column.t > 0:
            assert not ao.check(table, ao.TCloseness(column.t - hair, column=column.column)).holds()


TABLE = ao.Table.from_frame(
    pd.DataFrame({"zip": [1, 1, 2, 3], "pay": [0, 10, 0, 5], "ill": ["a", "b", "a", "a"]}), ["zip"], ["pay", "ill"]
)


def test_a_failure_names_a_row_of_the_class_and_counts_the_others() -> None:
    found = ao.check(TABLE, ao.KAnonymity(2), ao.LDiversity(1, "ill"))
    assert found.failures == {
        "2-anonymity": "the class of row 3: k = 2 but there is only 1 row (and 1 other class)",
        "frequency 1-diversity of ill": None,
    }
    assert str(found).splitlines()[-2:] == [
        "2-anonymity: does not hold: the class of row 3: k = 2 but there is only 1 row (and 1 other class)",
        "frequency 1-diversity of ill: holds",
    ]


def test_the_smallest_t_is_in_the_space_that_is_asked_for() -> None:
    by_column = {column.column: column for column in ao.check(TABLE, spaces={"pay": ao.Numeric()}).columns}
    # The worst class is row 3, pay 0: a quarter must come from 5, half as far as the quarter from 10.
    assert (by_column["pay"].t, by_column["pay"].space) == (Fraction(3, 8), "numeric")
    assert (by_column["ill"].t, by_column["ill"].space) == (Fraction(1, 4), "equal")


def test_the_plain_data_has_exact_numbers() -> None:
    assert ao.check(TABLE, ao.KAnonymity(1)).as_dict() == {
        "rows": 4,
        "classes": 3,
        "k": 1,
        "columns": {
            "pay": {"frequency l": 1, "distinct l": 1, "t": "3/4", "space": "equal"},
            "ill": {"frequency l": 1, "distinct l": 1, "t": "1/4", "space": "equal"},
        },
        "principles": {"1-anonymity": {"holds": True, "why not": None}},
    }


def test_a_principle_without_its_column_is_refused() -> None:
    with pytest.raises(ao.BadInput, match="l-diversity must name its column"):
        ao.check(TABLE, ao.LDiversity(2))


def test_stars_are_values_like_any_other() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"zip": ["*", "*", "2"]}), ["zip"])
    assert ao.check(table).classes == 2
