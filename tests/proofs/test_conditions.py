"""What `check_anoptima.py` derives from a condition, held against the principles themselves and against trying all groups."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.principles import Principle
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.in_a_table import principle_on
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.proofs import check_anoptima
from anoptima.proofs.statements import places_of_conditions, principle_json, principle_statement

PRINCIPLES = (
    ao.LDiversity("3/2"),
    ao.LDiversity(2, version="distinct"),
    EntropyDiversity(1),
    EntropyDiversity("9/5"),
    EntropyDiversity(3),
    RecursiveDiversity(1, 2),
    RecursiveDiversity("1/2", 2),
    RecursiveDiversity("5/2", 2),
    RecursiveDiversity(1, 3),
    RecursiveDiversity("2/5", 3),
    RecursiveDiversity(3, 4),
    AlphaKAnonymity("2/5", 1, "ill", ["a"]),
    AlphaKAnonymity("1/2", 1, "ill", ["b", "a"]),
    AlphaKAnonymity("1/3", 1, "ill", ["c", "b"]),
)


@pytest.mark.parametrize("principle", PRINCIPLES, ids=str)
@pytest.mark.parametrize("total", [(2, 2, 1, 1), (3, 2, 2, 0), (4, 1, 1, 1)])
def test_a_condition_holds_where_its_principle_does_and_what_is_priced_is_implied(
    principle: Principle, total: tuple[int, ...]
) -> None:
    ill = [value for value, count in zip("abcd", total, strict=True) for _ in range(count)]
    table = ao.Table.from_frame(pd.DataFrame({"q": range(len(ill)), "ill": ill}), ["q"], "ill")
    (stated,) = principle_statement(principle, table)
    column = check_anoptima.Column(ill)
    made: Any = check_anoptima.Table([check_anoptima.Column([*map(str, range(len(ill)))])], [], {"ill": column})
    condition: Any = check_anoptima.read_condition(stated, made)
    groups = []
    for counts in itertools.product(*(range(count + 1) for count in column.counts)):
        size = sum(counts)
        if not size:
            continue
        rows = [row for v, count in enumerate(counts) for row in np.flatnonzero(np.array(column.codes) == v)[:count]]
        part = ao.Table.from_frame(table.frame.iloc[rows], ["q"], "ill").whole
        assert condition.holds(size, counts) == principle.holds(part), counts
        if condition.holds(size, counts):
            groups.append((size, counts))
            assert size >= condition.least_rows
            assert condition.could_hold(size, sum(map(bool, counts)))
            most = condition.largest(counts)
            assert not condition.shares or (size >= condition.need(most) and most <= condition.most(size))
    for size, counts in groups:
        rest = tuple(all_ - count for all_, count in zip(column.counts, counts, strict=True))
        if (len(ill) - size, rest) in groups:
            assert condition.divides(size, len(ill)), counts
    assert not condition.shares or all(
        condition.most(size) == max(count for count in range(size + 1) if condition.need(count) <= size)
        for size in range(condition.least_rows, 30)
    )


def test_a_principle_that_is_two_conditions_is_stated_as_these() -> None:
    table = ao.ten_rows()
    stated = principle_statement(AlphaKAnonymity("2/5", 3) & EntropyDiversity(2) & ao.TCloseness("0.3"), table)
    assert [one["kind"] for one in stated] == [
        "k-anonymity", "frequency-l-diversity", "entropy-l-diversity", "t-closeness",
    ]  # fmt: skip
    assert stated[1]["l"] == [5, 2]
    principle = EntropyDiversity(2) & ao.TCloseness("0.3")
    assert places_of_conditions(principle, table) == [0, 2]
    assert len(principle.conditions(table)) == 3
    rare = AlphaKAnonymity("2/5", 3, values=["heart", "viral"]) & ao.TCloseness("0.3")
    stated = principle_statement(rare, table)
    assert [one["kind"] for one in stated] == ["k-anonymity", "rare-values", "t-closeness"]
    assert stated[1] == {"kind": "rare-values", "l": [5, 2], "column": "disease", "values": ["viral", "heart"]}
    assert places_of_conditions(rare, table) == [0, 1, 2]
    assert len(rare.conditions(table)) == 3
    assert principle_statement(principle_on(table, principle_json(stated)), table) == stated

    class Odd(ao.LDiversity):
        """What nobody knows."""

    with pytest.raises(ao.NotApplicable, match="no word"):
        principle_statement(Odd(2), table)


def test_rare_values_that_are_not_the_columns_are_malformed() -> None:
    ill = check_anoptima.Column(list("aabbc"))
    table: Any = check_anoptima.Table([check_anoptima.Column(list("12345"))], [], {"ill": ill})
    asked = {"kind": "rare-values", "l": [2, 1], "column": "ill", "values": ["a", "c"]}
    assert check_anoptima.read_condition(asked, table).free == {1}
    for values in ([], ["c", "a"], ["a", "a"], ["a", "d"], [1], "a"):
        with pytest.raises(check_anoptima.Malformed):
            check_anoptima.read_condition({**asked, "values": values}, table)
    with pytest.raises(check_anoptima.Malformed, match="at least 1"):
        check_anoptima.read_condition({**asked, "l": [1, 2]}, table)


def test_entropy_is_decided_in_whole_numbers() -> None:
    """Groups whose entropy is log l exactly, where logarithms that are rounded go wrong either way."""
    for values in range(2, 9):
        for copies in (1, 7, 1_000):
            condition = object.__new__(check_anoptima.Entropy)
            condition.asked = Fraction(values)
            counts = [copies] * values
            assert condition.holds(sum(counts), counts)
            assert not condition.holds(sum(counts), [copies + 1, *counts[1:-1], copies - 1])


MISSING = (
    AlphaKAnonymity("2/5", 2, values=[None]),
    ao.TCloseness("1/8", space=ao.Ordered([None, "x", "y"])),
    ao.TCloseness("1/8", space=ao.Explicit([None, "x", "y"], [[0, 1, 1], [1, 0, 1], [1, 1, 0]])),
)


@pytest.mark.parametrize("principle", MISSING, ids=lambda principle: principle.kind)
def test_a_proof_under_what_names_a_missing_value_is_read_back(tmp_path: Path, principle: Principle) -> None:
    frame = pd.DataFrame({"z": [*"aabbccdd"], "ill": [None, "x", None, "x", None, "x", "y", "x"]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["z"], "ill"), principle)
    ao.save_proof(ao.solve(problem), tmp_path / "proof.json")
    document = ao.read_proof(tmp_path / "proof.json")
    assert document.proved(problem) == document.proved(document.problem_on(problem.table)) > 0
