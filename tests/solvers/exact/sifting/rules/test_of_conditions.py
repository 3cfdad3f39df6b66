"""The rule of each sort of condition: which it is, of which values, and what has none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.principles import (
    AtLeastEntropy,
    AtLeastRows,
    AtLeastValues,
    AtMostShare,
    AtMostShareOf,
    Close,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    NotLinear,
    Outweighed,
)
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.solvers.exact.sifting.rules.entropy import Entropy
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of, value_of_record, why_no_rule
from anoptima.solvers.exact.sifting.rules.outweighed import OutweighedMost
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from anoptima.table import Table
from tests.solvers.exact.sifting.principles_from_outside import Even


def table_of(values: str) -> Table:
    frame = pd.DataFrame({"q": range(len(values)), "r": ["u"] * len(values), "s": list(values)})
    return Table.from_frame(frame, ["q"], ["r", "s"])


def test_conditions_have_the_rules_of_their_sort_and_some_ask_for_nothing() -> None:
    table = table_of("wwxxyyzz")
    (equal,) = ao.TCloseness("1/4", column="s").conditions(table)
    (along,) = ao.TCloseness("1/4", space=ao.Ordered(list("wxyz")), column="s").conditions(table)
    assert isinstance(equal, CloseOnTree)
    assert isinstance(along, CloseOnTree)
    sorts: list[tuple[Condition, type[Any] | None]] = [
        (AtLeastRows(5), None),
        (AtLeastValues("s", 3), DifferentValues),
        (AtMostShare("s", Fraction(1, 2)), Shares),
        (AtMostShare("s", Fraction(1)), None),
        (AtMostShareOf("s", Fraction(3, 2), (0,)), None),
        (Outweighed("s", Fraction(2), 3), OutweighedMost),
        (AtLeastEntropy("s", Fraction(2)), Entropy),
        (equal, TotalVariation),
        (CloseOnTree("s", equal.metric, equal.whole, Fraction(1)), None),
        (along, Tree),
        (along.by_flow(), Tree),
    ]
    assert {type(condition) for condition, _ in sorts} >= {CloseByFlow, CloseOnTree}
    for condition, sort in sorts:
        rule = rule_of(condition, table)
        assert type(rule) is (type(None) if sort is None else sort)
        if rule is not None:
            assert isinstance(condition, AtLeastValues | LimitedShares | Outweighed | AtLeastEntropy | Close)
            assert (rule.column, rule.values, rule.value.tolist()) == ("s", 4, value_of_record(table, "s").tolist())


def test_values_of_records_are_in_one_piece_whatever_the_column() -> None:
    table = table_of("xwxw")
    values = table.sensitive_column("s").values
    found = value_of_record(table, "s")
    rows = table.records.sensitive[:, table.sensitive.index("s")]
    assert found.flags.c_contiguous
    assert found.dtype == np.int32
    assert found.tolist() == rows.tolist()
    assert sorted(values[code] for code in found) == ["w", "w", "x", "x"]
    assert not value_of_record(table, "r").any()


@dataclass(frozen=True)
class Stating(Even):
    """The same principle, which states a condition that it is told."""

    told: Condition

    def conditions(self, table: Table) -> list[Condition]:
        return [self.told]


def test_what_has_no_rule_is_named() -> None:
    table = table_of("wwxx")
    assert why_no_rule(ao.KAnonymity(2) & ao.LDiversity(2, "s"), table) is None
    principle = Even()
    assert why_no_rule(principle, table) == "no rule is known for the condition EvenSize() of even groups"
    assert why_no_rule(ao.KAnonymity(2) & principle, table) is not None
    words = NotLinear("it is odd")
    assert why_no_rule(Stating(words), table) == "no rule is known for even groups: it is odd"
    with pytest.raises(NotImplementedError, match="there is no rule for it is odd"):
        rule_of(words, table)


def test_a_share_of_the_whole_asks_nothing() -> None:
    table = ao.ten_rows()
    (limit,) = AlphaKAnonymity(1, 1, values=["cancer"]).conditions(table)
    assert rule_of(limit, table) is None


def test_a_value_near_the_largest_share_of_the_table_is_scarce() -> None:
    frame = pd.DataFrame({"a": range(10), "ill": list("xxxxyyzzww")})
    table = ao.Table.from_frame(frame, ["a"], "ill")
    for l, scarce in (("5/2", "x"), (2, ""), ("9/4", "x")):  # noqa: E741
        (condition,) = ao.LDiversity(l).conditions(table)
        rule = rule_of(condition, table)
        assert isinstance(rule, Shares)
        values = table.sensitive_column("ill").values
        assert [value for value, is_scarce in zip(values, rule.scarce, strict=True) if is_scarce] == list(scarce)


@dataclass(frozen=True)
class Counted(Condition):
    """A condition whose rule cannot be made."""

    merge_closed = True


@dataclass(frozen=True)
class Counting(Even):
    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(2), Counted()]

    def holds_for(self, groups: Any, group: int) -> bool:
        return bool(groups.sizes[group] >= 2)


@rule_of.register
def _(condition: Counted, table: Table) -> None:
    raise ZeroDivisionError("nothing to divide by")


def test_an_error_in_a_rule_from_outside_names_its_condition() -> None:
    problem = ao.CellSuppression(table_of("wwxxyyzz"), Counting())
    with pytest.raises(ao.SolverFailure) as failed:
        ao.solve(problem, "sifting")
    assert str(failed.value) == (
        "the condition Counted (of tests): the function that is registered for it raises ZeroDivisionError: nothing to divide by"
    )
