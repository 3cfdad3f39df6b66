"""Closeness as rows of a program, held against the earth mover's distance of a transportation problem: no solver is asked."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models.conditions import GroupTerms, write_conditions
from anoptima.principles import CloseByFlow, CloseOnTree, Condition
from anoptima.spaces import transport

ORDER = ["c", "a", "e", "b", "d"]
SPACES: dict[str, ao.Space] = {
    "equal": ao.EqualDistance(),
    "ordered": ao.Ordered(ORDER),
    "one depth": ao.Hierarchical({"x": [["a", "b"], ["c"]], "y": [["d", "e"]]}),
    "a star of two levels": ao.Hierarchical([["a", "b", "c"], ["d"], ["e"]]),
}


class Recorder:
    """A writer that keeps rows in plain numbers: variables are numbered, terms first."""

    def __init__(self, terms: int) -> None:
        self.limits = [(0, 10**9)] * terms
        self.rows: list[tuple[list[int], list[int], int | None, int | None]] = []

    def flag(self, family: str) -> int:
        return self.amount(family, 1)

    def amount(self, family: str, most: int) -> int:
        self.limits.append((0, most))
        return len(self.limits) - 1

    def row(
        self, family: str, coefficients: Sequence[int], variables: Sequence[int], least: int | None, most: int | None
    ) -> None:
        assert all(isinstance(c, int) for c in coefficients)
        self.rows.append((list(coefficients), list(variables), least, most))

    def broken(self, values: dict[int, int]) -> bool:
        if any(not low <= values[v] <= high for v, (low, high) in enumerate(self.limits)):
            return True
        for coefficients, variables, least, most in self.rows:
            total = sum(c * values[v] for c, v in zip(coefficients, variables, strict=True))
            if (least is not None and total < least) or (most is not None and total > most):
                return True
        return False


def is_allowed(condition: Condition, there: Sequence[int], taken: Sequence[int]) -> tuple[bool, Recorder]:
    """Tell whether a group that takes so many rows of each value, out of those there, satisfies the rows as they are filled in."""
    values = [v for v, count in enumerate(there) if count]
    recorder = Recorder(len(values))
    group: GroupTerms[int] = GroupTerms(
        variables=list(range(len(values))),
        rows=np.ones(len(values), dtype=np.int64),
        codes={"ill": np.array(values)},
        open=None,
        capacity=sum(there),
    )
    fills = write_conditions(recorder, [condition], group)
    brought = np.array([taken[v] for v in values])
    filled: dict[int, int] = dict(enumerate(brought.tolist()))
    for fill in fills:
        filled.update(fill(brought))
    return not recorder.broken(filled), recorder


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], Fraction]:
    """The table's counts of five values, those that can occur in a group, those that do, and a limit."""
    whole = [draw(st.integers(1, 4)) for _ in ORDER]
    there = [draw(st.integers(0, most)) for most in whole]
    taken = [draw(st.integers(0, most)) for most in there]
    return whole, there, taken, Fraction(draw(st.integers(0, 12)), draw(st.sampled_from([12, 10, 7])))


def condition_for(space: ao.Space, whole: list[int], t: Fraction) -> Any:
    frame = pd.DataFrame({"a": 0, "ill": np.repeat(sorted(ORDER), whole)})
    (condition,) = ao.TCloseness(min(t, Fraction(1)), space=space).conditions(ao.Table.from_frame(frame, ["a"], "ill"))
    return condition


def is_close(condition: CloseByFlow, taken: list[int], t: Fraction) -> bool:
    n, size = sum(condition.whole), sum(taken)
    supply, demand = [n * count for count in taken], [size * count for count in condition.whole]
    return transport(supply, demand, condition.distances.tolist())[0] <= t * n * condition.scale * size


@pytest.mark.parametrize("name", SPACES)
@given(drawn=groups())
def test_one_sided_surpluses_say_what_flows_say(
    name: str, drawn: tuple[list[int], list[int], list[int], Fraction]
) -> None:
    whole, there, taken, t = drawn
    if not any(there):
        return
    tree = condition_for(SPACES[name], whole, t)
    assert isinstance(tree, CloseOnTree)
    expected = is_close(tree.by_flow(), taken, min(t, Fraction(1)))
    assert is_allowed(tree, there, taken)[0] == expected
    assert is_allowed(tree.by_flow(), there, taken)[0] == expected


@given(st.lists(st.sampled_from(["1", "2", "4", "9/2", "8"]), min_size=1, max_size=8), st.data())
def test_numbers_too(ill: list[str], data: st.DataObject) -> None:
    frame = pd.DataFrame({"a": 0, "ill": ill})
    t = data.draw(st.fractions(0, 1, max_denominator=9))
    table = ao.Table.from_frame(frame, ["a"], "ill")
    principle = ao.TCloseness(t, space=ao.Numeric())
    (tree,) = principle.conditions(table)
    assert isinstance(tree, CloseOnTree)
    taken = [data.draw(st.integers(0, count)) for count in tree.whole]
    assert is_allowed(tree, list(tree.whole), taken)[0] == is_close(tree.by_flow(), taken, t)


def test_by_flow_has_the_lengths_of_the_paths() -> None:
    for space in SPACES.values():
        tree = condition_for(space, [1, 1, 1, 1, 1], Fraction(1, 2))
        expected = space.fit(sorted(ORDER)).distances()
        assert (tree.by_flow().distances == expected).all()


@given(groups())
def test_a_surplus_is_made_only_where_it_can_be_either_way(
    drawn: tuple[list[int], list[int], list[int], Fraction],
) -> None:
    """In a star: one variable and one row for each value that can occur, unless it is the only one; plus the totals and the limit."""
    whole, there, taken, t = drawn
    if not any(there):
        return
    _, recorder = is_allowed(condition_for(ao.EqualDistance(), whole, t), there, taken)
    values = sum(count > 0 for count in there)
    surpluses = values if values > 1 else 0
    assert len(recorder.limits) == values + (values + 1) + surpluses
    assert len(recorder.rows) == (values + 1) + surpluses + 1
