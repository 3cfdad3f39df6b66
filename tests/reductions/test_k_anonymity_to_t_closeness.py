"""Lemma 1 of Liang and Yuan, by exhaustion on small tables."""

from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.reductions import reductions
from anoptima.reductions.k_anonymity_to_t_closeness import KAnonymityToTCloseness
from tests.loops import each


def problem(rows: list[list[int]], k: int) -> ao.CellSuppression:
    frame = pd.DataFrame(rows).rename(columns=str)
    return ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(k))


@each("k", [1, 2, 3, 4, 5])
def test_the_same_partitions_are_feasible_at_the_same_costs(k: int) -> None:
    source = problem([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 0]], k)
    reduced = KAnonymityToTCloseness().apply(source)
    for partition in source.solutions():
        pushed = reduced.forward(partition)
        assert source.is_feasible(partition) == reduced.target.is_feasible(pushed)
        assert reduced.target.cost(pushed) == reduced.target_cost(source.cost(partition))
        if source.is_feasible(partition):
            assert reduced.pull(reduced.push(partition)) == partition


def test_a_smaller_t_forbids_groups_of_k() -> None:
    """The threshold is exact: a hair below 1 - k / n and the lemma fails."""
    source = problem([[0], [0], [1], [1]], 2)
    target = KAnonymityToTCloseness().apply(source).target
    assert isinstance(target, ao.CellSuppression)
    halves = ao.Partition.from_groups([[0, 1], [2, 3]], 4)
    assert target.is_feasible(halves)
    stricter = ao.CellSuppression(target.table, ao.TCloseness(Fraction(1, 2) - Fraction(1, 10**9)))
    assert not stricter.is_feasible(halves)


def test_what_it_is_not_for_is_refused_with_the_reason() -> None:
    lemma = reductions.get("k-anonymity-to-t-closeness")
    with pytest.raises(ao.NotApplicable, match="under k-anonymity"):
        lemma.apply(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)))
    with pytest.raises(ao.NotApplicable, match="k = 3 but there are only 2 rows"):
        lemma.apply(problem([[0], [1]], 3))
