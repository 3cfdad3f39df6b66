"""Residues: the least there is by trying everything, phase 1, the program, and what is said of it."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.answer import Origin
from anoptima.solvers.approximate.residue import phase_1, split_starred
from benchmarks.guarantees import cases
from tests import brute_force
from tests.cases import Case


def least_residue(case: Case) -> int | None:
    """Return the size of a least residue, by trying all sets of rows."""
    rule = case.rule()
    n = len(case.rows)
    for size in range(n + 1):
        for chosen in itertools.combinations(range(n), size):
            rest = [i for i in range(n) if i not in chosen]
            kept = [tuple(rest[i] for i in group) for group in brute_force.classes([case.rows[i] for i in rest])]
            if (not chosen or rule(chosen)) and all(map(rule, kept)):
                return size
    return None


def least_taken(case: Case) -> int:
    """Return how few rows must leave their classes, one class at a time, by trying all parts of each."""
    rule = case.rule()
    return sum(
        min(
            len(group) - size
            for size in range(len(group) + 1)
            for part in itertools.combinations(group, size)
            if not part or rule(part)
        )
        for group in brute_force.classes(case.rows)
    )


@given(st.integers(0, 10**9))
def test_phase_1_takes_as_few_as_can_be(seed: int) -> None:
    for _, case in cases(random.Random(seed), 8):
        assert int(phase_1(case.cells()).sum()) == least_taken(case), case


@settings(max_examples=8)
@given(st.integers(0, 10**9))
def test_the_bound_is_a_least_residue(seed: int) -> None:
    """With equal weights: |R| <= OPT <= cost <= m |R|, and the bound of the program is |R| unless the problem's own is better."""
    for _, case in cases(random.Random(seed), 6):
        plain = Case(case.rows, case.demands, case.sensitive)
        problem, size = plain.cells(), least_residue(plain)
        if size is None:
            continue
        answer = ao.solve(problem, "least-residue")
        assert answer.bound is not None
        assert answer.cost is not None
        assert answer.bound.value >= size
        assert answer.cost <= len(plain.rows[0]) * size


def test_no_ratio_is_promised_where_phase_1_is_no_residue() -> None:
    """Three rows a in one class and none to balance them: the class of b must give rows, too."""
    frame = pd.DataFrame({"zip": [1, 1, 1, 2, 2, 3, 3], "ill": list("aaabaab")})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["zip"], "ill"), ao.LDiversity("7/5"))
    assert phase_1(problem).tolist() == [True, True, True, False, False, False, False]
    assert ao.get_solver("residue").ratio(problem) is None
    assert ao.get_solver("least-residue").ratio(problem) == 1
    answer = ao.solve(problem, "least-residue")
    assert answer.cost == ao.solve(problem, "pattern/highs").cost


@pytest.mark.usefixtures("weak_bound")
def test_the_bound_says_where_it_is_from() -> None:
    """From the theorem where phase 1 suffices, from the backend where a program had to be solved."""
    frame = pd.DataFrame({"a": [0, 0, 1, 1, 2, 2], "b": [0, 0, 1, 1, 2, 2], "ill": list("xxyyxy")})
    table = ao.Table.from_frame(frame, ["a", "b"], "ill", weights={"b": 3})
    answer = ao.solve(ao.CellSuppression(table, ao.LDiversity(2)), "least-residue")
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.THEOREM, Origin.PROBLEM)
    close = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/5")), "least-residue")
    assert close.bound is not None
    assert (close.bound.value, close.bound.origin, close.bound.by) == (10, Origin.BACKEND, "highs")


def test_a_diverse_residue_is_dealt_out() -> None:
    """All values different within parts of l to 2l - 1 rows."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    parts = split_starred(problem, problem.trivial())
    assert problem.violations(parts) == []
    assert np.bincount(parts.labels).tolist() == [2] * 5
    assert problem.cost(parts) < problem.cost(problem.trivial())


def test_it_is_for_sizes_and_one_column() -> None:
    frame = ao.ten_rows().frame.assign(ward=[1, 2] * 5)
    table = ao.Table.from_frame(frame, ao.ten_rows().quasi, ["disease", "ward"])
    for principle in (ao.TCloseness("1/5", column="ward"), ao.LDiversity(2, "disease") & ao.LDiversity(2, "ward")):
        problem = ao.CellSuppression(table, principle)
        said = rf"^residue is for l-diversity of one column and k-anonymity, not for {principle}$"
        with pytest.raises(ao.NotApplicable, match=said):
            ao.solve(problem, "residue")
        assert ao.solve(problem, "least-residue").verify()


def test_a_program_too_large_for_memory_is_refused() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/5"))
    with pytest.raises(ao.ModelTooLarge, match=r"^the residue program has [\d,]+ variables, .* 0 MiB are allowed$"):
        ao.solve(problem, "least-residue", memory=1)
