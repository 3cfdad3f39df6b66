from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.principles import All, Splitting, principle_from_json
from anoptima.principles.principle import MOST_PARTS
from anoptima.table import Groups
from tests.cases import Case
from tests.strategies import cases


def members_of(labels: np.ndarray[Any, Any]) -> list[tuple[int, ...]]:
    return [tuple(int(row) for row in np.flatnonzero(labels == group)) for group in range(int(labels.max()) + 1)]


def parts_of(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [part for size in range(1, len(group) + 1) for part in itertools.combinations(group, size)]


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Case, np.ndarray[Any, Any]]:
    case = draw(cases(most_rows=6))
    labels = draw(st.lists(st.integers(0, 3), min_size=len(case.rows), max_size=len(case.rows)))
    return case, pd.factorize(np.array(labels))[0].astype(np.int64)


@given(grouped())
def test_each_group_is_judged_as_the_definition_says(drawn: tuple[Case, np.ndarray[Any, Any]]) -> None:
    case, labels = drawn
    principle, rule = case.principle(), case.rule()
    groups = case.table().groups(labels)
    expected = [rule(group) for group in members_of(labels)]
    assert principle.holds_each(groups).tolist() == expected
    assert principle.holds(groups) == all(expected)
    assert [principle.why_not(groups, group) is None for group in range(len(groups))] == expected


@given(grouped())
def test_a_group_that_could_not_hold_has_no_part_that_does(drawn: tuple[Case, np.ndarray[Any, Any]]) -> None:
    case, labels = drawn
    rule = case.rule()
    could = case.principle().could_hold_each(case.table().groups(labels))
    for group, maybe in zip(members_of(labels), could, strict=True):
        assert maybe or not any(rule(part) for part in parts_of(group))


@given(cases(most_rows=6))
def test_no_satisfying_group_is_below_the_least_size(case: Case) -> None:
    least, rule = case.principle().least_size(case.table()), case.rule()
    assert not [part for part in parts_of(tuple(range(len(case.rows)))) if rule(part) and len(part) < least]


@given(cases(most_rows=6))
def test_the_union_of_two_satisfying_groups_satisfies(case: Case) -> None:
    table, principle = case.table(), case.principle()
    everyone = tuple(range(table.rows))
    for first in parts_of(everyone):
        others = tuple(row for row in everyone if row not in first)
        if not others or first[0] != 0:
            continue
        labels = np.array([0 if row in first else 1 for row in everyone])
        if principle.holds(table.groups(labels)):
            assert principle.holds(table.whole)


@given(cases(most_rows=6))
def test_a_principle_that_splits_somehow_or_anywhere_does(case: Case) -> None:
    principle, rule, least = case.principle(), case.rule(), case.principle().least_size(case.table())
    for group in parts_of(tuple(range(len(case.rows)))):
        if not rule(group) or len(group) < 2 * least:
            continue
        splits = [(part, tuple(row for row in group if row not in part)) for part in parts_of(group)]
        sound = [rule(a) and rule(b) for a, b in splits if len(a) >= least and len(b) >= least]
        if principle.splitting is Splitting.ANYWHERE:
            assert all(sound)
        if principle.splitting is Splitting.SOMEHOW:
            assert any(sound)


@given(cases())
def test_a_principle_survives_being_written_down(case: Case) -> None:
    principle = case.principle()
    again = principle_from_json(principle.as_json())
    assert again.as_json() == principle.as_json()
    assert str(again) == str(principle)
    assert again.parts == tuple(principle_from_json(part.as_json()) for part in principle.parts) or "tree" in str(
        again.as_json()
    )


# ---- large numbers ------------------------------------------------------------------------------------------------------------


def groups_of(*groups: str) -> Groups:
    """Return groups of one sensitive column, each given by a text with one letter a row."""
    frame = pd.DataFrame([(g, s) for g, members in enumerate(groups) for s in members], columns=["q", "s"])
    table = ao.Table.from_frame(frame, ["q"], "s")
    return table.groups(table.classes())


HAIR = Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("principle", "expected"),
    [
        (ao.LDiversity(2), [True, False]),
        (ao.LDiversity(2 - HAIR), [True, False]),
        (ao.LDiversity(2 + HAIR), [False, False]),
        (ao.LDiversity(Fraction(3, 2) - HAIR), [True, True]),
        (ao.LDiversity(Fraction(3, 2)), [True, True]),
        (ao.LDiversity(Fraction(3, 2) + HAIR), [True, False]),
        (ao.LDiversity("2.0000000000000001"), [False, False]),
        (ao.LDiversity("1.4999999999999999"), [True, True]),
        (ao.TCloseness(Fraction(3, 20)), [True, True]),
        (ao.TCloseness(Fraction(3, 20) - HAIR), [True, False]),
        (ao.TCloseness(Fraction(1, 10)), [True, False]),
        (ao.TCloseness(Fraction(1, 10) - HAIR), [False, False]),
        (ao.TCloseness("0.1499999999999999"), [True, False]),
        (ao.KAnonymity(2**70), [False, False]),
    ],
    ids=str,
)
def test_a_hair_decides_whatever_its_denominator(principle: ao.Principle, expected: list[bool]) -> None:
    # The share of a is 1/2 and 2/3; or 1/2 and 3/4 where it is 3/5 in the whole.
    groups = groups_of("ababab", "aaab" if isinstance(principle, ao.TCloseness) else "aab")
    assert principle.holds_each(groups).tolist() == expected


def test_values_at_distance_zero_are_one_value_to_exact_closeness() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"q": [1, 2], "s": ["3", "3.0"]}), ["q"], "s")
    principle = ao.TCloseness(0, space=ao.Numeric())
    assert principle.holds(table.groups(np.array([0, 1])))
    assert principle.least_size(table) == 1


def test_exact_closeness_asks_for_multiples_of_the_reduced_counts() -> None:
    frame = pd.DataFrame({"q": range(6), "s": ["a", "a", "a", "a", "b", "b"]})
    assert ao.TCloseness(0).least_size(ao.Table.from_frame(frame, ["q"], "s")) == 3


# ---- words and refusals -------------------------------------------------------------------------------------------------------


def test_reasons_name_the_numbers() -> None:
    groups = groups_of("a", "aab")
    assert ao.KAnonymity(4).why_not(groups, 0) == "k = 4 but there is only 1 row"
    assert ao.KAnonymity(4).why_not(groups, 1) == "k = 4 but there are only 3 rows"
    assert (
        ao.LDiversity(2).why_not(groups, 1) == "l = 2 but the value 'a' of 's' is in 2 of 3 rows, more than 1/2 of them"
    )
    assert ao.LDiversity(3, version="distinct").why_not(groups, 1) == "l = 3 but only 2 values of 's' in 3 rows"
    assert (
        ao.TCloseness("1/5").why_not(groups, 0) == "t = 1/5 but the distribution of 's' is 1/4 from the whole table's"
    )
    both = ao.KAnonymity(2) & ao.LDiversity(2, version="distinct")
    assert both.why_not(groups, 0) == "k = 2 but there is only 1 row; l = 2 but only 1 value of 's' in 1 rows"
    assert both.why_not(groups, 1) is None


def test_principles_read_as_they_are_said() -> None:
    spoken = ao.KAnonymity(3) & ao.LDiversity("5/2", "ill") & ao.TCloseness(0.2, space=ao.Numeric(), column="pay")
    assert str(spoken) == "3-anonymity and frequency 5/2-diversity of ill and 1/5-closeness of pay (numeric distance)"
    assert repr(ao.KAnonymity(3) & ao.KAnonymity(2)) == "KAnonymity(k=3) & KAnonymity(k=2)"


def test_a_conjunction_is_flat_and_speaks_of_its_members() -> None:
    spoken = (ao.KAnonymity(2) & ao.LDiversity(2)) & (ao.KAnonymity(3) & ao.TCloseness(1))
    assert [type(part) for part in spoken.parts] == [ao.KAnonymity, ao.LDiversity, ao.KAnonymity, ao.TCloseness]
    assert isinstance(spoken, All)


def anything(value: Any) -> Any:
    """Hide a wrong type from the type checker."""
    return value


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ao.KAnonymity(0), "k is 0; it must be at least 1"),
        (lambda: ao.KAnonymity(-2), "k is -2; it must be at least 1"),
        (lambda: ao.KAnonymity(anything(2.5)), "k is 2.5; it must be a whole number"),
        (lambda: ao.KAnonymity(True), "k is True; it must be a whole number"),
        (lambda: ao.KAnonymity(anything("3")), "k is '3'; it must be a whole number"),
        (lambda: ao.LDiversity(0.5), "l is 0.5; it must be at least 1"),
        (lambda: ao.LDiversity("many"), "l is 'many'; it must be a finite number"),
        (lambda: ao.LDiversity(float("inf")), "l is inf; it must be a finite number"),
        (
            lambda: ao.LDiversity(2.5, version="distinct"),
            "l is 2.5; distinct l-diversity counts values, so l must be whole",
        ),
        (
            lambda: ao.LDiversity(2, version=anything("entropy")),
            "version is 'entropy'; it must be 'frequency' or 'distinct'",
        ),
        (lambda: ao.TCloseness(-0.1), "t is -0.1; it must lie between 0 and 1"),
        (lambda: ao.TCloseness(1.1), "t is 1.1; it must lie between 0 and 1"),
        (lambda: ao.TCloseness(float("nan")), "t is nan; it must be a finite number"),
        (lambda: All(()), "a conjunction needs at least one principle"),
        (
            lambda: principle_from_json({"principle": "x"}),
            "there is no principle named 'x'; there are all, ",
        ),
    ],
)
def test_what_makes_no_principle_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        make()
    assert str(caught.value).startswith(message)


FRAME = pd.DataFrame({"q": [1, 2], "ill": ["a", "b"], "pay": [1, 2]})


@pytest.mark.parametrize(
    ("sensitive", "principle", "message"),
    [
        ([], ao.LDiversity(2), "l-diversity needs a sensitive column, and the table has none"),
        (
            ["ill", "pay"],
            ao.LDiversity(2),
            "l-diversity must name its column: the table has the sensitive columns ill, pay",
        ),
        (
            ["ill", "pay"],
            ao.TCloseness(0.5),
            "t-closeness must name its column: the table has the sensitive columns ill, pay",
        ),
        (["ill"], ao.LDiversity(2, "q"), "l-diversity speaks of 'q', which is no sensitive column; those are ill"),
        (
            [],
            ao.TCloseness(0.5, column="ill"),
            "t-closeness speaks of 'ill', which is no sensitive column; those are none",
        ),
        (
            ["ill"],
            ao.TCloseness(0.5, space=ao.Numeric()),
            "column 'ill': a value of a numeric sensitive column is 'a'; it must be a finite number",
        ),
        (
            ["ill"],
            ao.KAnonymity(2) & ao.LDiversity(2, "x"),
            "l-diversity speaks of 'x', which is no sensitive column; those are ill",
        ),
    ],
)
def test_a_principle_needs_its_columns(sensitive: list[str], principle: ao.Principle, message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.CellSuppression(ao.Table.from_frame(FRAME, ["q"], sensitive), principle)
    assert str(caught.value).startswith(message)


def test_a_document_that_joins_too_many_principles_is_refused_before_they_are_read() -> None:
    """What is broken comes after the limit, and is never reached; joined in two levels, they count together."""
    one = ao.KAnonymity(2).as_json()
    flat = {"principle": "all", "members": [one] * MOST_PARTS}
    assert len(principle_from_json(flat).parts) == MOST_PARTS
    for members in ([one] * (MOST_PARTS + 1) + ["broken"], [flat, one, "broken"]):
        with pytest.raises(ao.BadInput, match="asks for more than 1,000 conditions together"):
            principle_from_json({"principle": "all", "members": members})
