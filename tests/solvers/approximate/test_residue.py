"""Residues: the least there is by trying everything, phase 1, the program, and what is said of it."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.answer import Origin
from anoptima.instances.drawn import thin
from anoptima.solvers.approximate.residue import split_starred
from anoptima.solvers.approximate.residue_phases import ClassCounts, by_phases, phase_1
from benchmarks.guarantees import Record, cases, hold, thin_case
from tests import brute_force
from tests.cases import Case
from tests.trial import Cells


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
        table = case.cells().table
        conditions = case.cells().principle.conditions(table)
        counts = ClassCounts(table, next((name for c in conditions for name in c.columns), None))
        left = phase_1(counts, conditions)
        assert int(counts.taken(left).sum()) == table.rows - int(left.sum()) == least_taken(case), case


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


def least_of_counts(pairs: list[tuple[int, int]], l: Fraction) -> int | None:  # noqa: E741
    """Return the size of a least residue under l-diversity, by all numbers of rows that each class can lose of each value."""
    values = sorted({value for _, value in pairs})
    reached = {(0,) * len(values)}
    for own in {own for own, _ in pairs}:
        counts = [pairs.count((own, value)) for value in values]
        losses = [
            lost
            for lost in itertools.product(*(range(count + 1) for count in counts))
            if diverse([count - less for count, less in zip(counts, lost, strict=True)], l)
        ]
        reached = {tuple(map(sum, zip(before, lost, strict=True))) for before in reached for lost in losses}
    return min((sum(lost) for lost in reached if diverse(lost, l)), default=None)


def diverse(counts: Sequence[int], l: Fraction) -> bool:  # noqa: E741
    return l * max(counts) <= sum(counts)


def made(chance: random.Random, whole: bool) -> tuple[list[tuple[int, int]], Fraction]:
    """Return pairs of a class and a value, half of them sets of different values, and l."""
    l = Fraction(chance.randint(2, 4), 1 if whole else chance.randint(1, 3))  # noqa: E741
    values, classes, pairs = chance.randint(2, 5), chance.randint(1, 3), list[tuple[int, int]]()
    while len(pairs) < 5:
        chosen = chance.sample(range(values), min(values, math.ceil(l)))
        pairs += [(chance.randrange(classes), 0)] * chance.randint(0, 2)
        own = chance.randrange(classes)
        pairs += [(own, value) for value in chosen]
    return pairs, max(l, Fraction(1))


def test_three_phases_stay_within_l_of_a_least_residue() -> None:
    """For whole l, l - 1 / l; for l = a / b, a (a - 1). Phases 2 and 3 are needed for many of these tables."""
    harsh = 0
    for seed in range(250):
        pairs, l = made(random.Random(seed), whole=seed % 2 == 0)  # noqa: E741
        frame = pd.DataFrame(pairs, columns=["q", "s"])
        problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"], "s"), ao.LDiversity(l))
        counts, least = ClassCounts(problem.table, "s"), least_of_counts(pairs, l)
        found = by_phases(counts, 1 / l)
        assert (found is None) == (least is None) == (problem.why_infeasible() is not None), (pairs, l)
        if found is None or least is None:
            continue
        taken = counts.taken(found.left)
        rows = [i for i, gone in enumerate(taken) if gone]
        assert not rows or diverse([sum(pairs[i][1] == value for i in rows) for value in range(5)], l)
        factor = l - 1 / l if l.denominator == 1 else l.numerator * (l.numerator - 1)
        assert found.least <= least <= len(rows), (pairs, l)
        assert len(rows) <= max(factor, 1) * found.least, (pairs, l)
        answer = ao.solve(problem, "residue", start=None)
        assert answer.verify()
        assert answer.cost is not None
        assert least <= answer.cost <= len(rows), "in one column a least residue is an optimum"
        first = phase_1(counts, problem.principle.conditions(problem.table))
        harsh += int(first.sum()) < len(pairs) and not diverse(_values(pairs, counts.taken(first)), l)
    assert harsh > 20


def _values(pairs: list[tuple[int, int]], taken: Iterable[object]) -> list[int]:
    return [sum(bool(gone) and pair[1] == value for pair, gone in zip(pairs, taken, strict=True)) for value in range(5)]


def test_thin_classes_have_a_ratio_that_holds() -> None:
    for seed in range(40):
        case = thin_case(random.Random(seed), 7)
        question, record = Cells(case), Record()
        hold(record, ao.get_solver("residue"), question)
        assert not record.wrong, record.wrong[0]
        assert record.promised == record.instances


@pytest.mark.parametrize(
    ("sets", "surplus", "l", "rows", "least"), [(4, 3, 3, 12, 9), (40, 30, 3, 120, 90), (40, 30, 4, 180, 120)]
)
def test_where_phase_1_alone_fails(sets: int, surplus: int, l: int, rows: int, least: int) -> None:  # noqa: E741
    """One column of two values: what phase 1 takes is not diverse, and the ratio is stated all the same."""
    problem = ao.CellSuppression(thin(sets, surplus, l, 5, 43), ao.LDiversity(l))
    counts = ClassCounts(problem.table, "s")
    first = phase_1(counts, problem.principle.conditions(problem.table))
    assert int(counts.taken(first).sum()) == 2 * surplus
    found = by_phases(counts, Fraction(1, l))
    assert found is not None
    assert (int(counts.taken(found.left).sum()), found.least) == (rows, least)
    assert ao.get_solver("residue").ratio(problem) == Fraction(rows, least)
    answer = ao.solve(problem, "residue", start=None)
    assert (answer.cost, ao.solve(problem, "least-residue").cost) == (rows, rows)


def test_no_release_no_residue() -> None:
    """A value of three rows in four is too frequent for l = 2, in whichever classes its rows are."""
    frame = pd.DataFrame({"q": list("aabbcccc"), "s": list("xxxyxxxy")})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"], "s"), ao.LDiversity(2))
    assert by_phases(ClassCounts(problem.table, "s"), Fraction(1, 2)) is None
    assert ao.get_solver("residue").ratio(problem) is None
    assert ao.solve(problem, "residue").claim is ao.Claim.INFEASIBLE


def test_different_values_are_k_anonymity() -> None:
    """Where all values differ, l-diversity comes to k-anonymity, and Liang and Yuan's classes are a least residue."""
    frame = pd.DataFrame({"q": list("aaab"), "s": list("wxyz")})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"], "s"), ao.LDiversity(2))
    assert str(problem.plain.principle) == "2-anonymity"
    assert ao.get_solver("residue").ratio(problem) == 1
    assert ao.solve(problem, "residue", start=None).cost == 2


def test_no_ratio_is_promised_where_phase_1_is_no_residue_and_l_is_not_alone() -> None:
    """Phases 2 and 3 are for l-diversity alone: with k-anonymity beside it, other groups join the residue, and nothing is promised."""
    frame = pd.DataFrame({"zip": [1, 1, 1, 2, 2, 3, 3], "ill": list("aaabaab")})
    small = ao.Table.from_frame(frame, ["zip"], "ill")
    for table, principle, ratio in (
        (small, ao.LDiversity("7/5"), Fraction(7, 5)),
        (thin(4, 3, 3, 4, 1), ao.LDiversity(3), Fraction(4, 3)),
        (thin(4, 3, 3, 4, 1), ao.LDiversity(3) & ao.KAnonymity(4), None),
    ):
        problem = ao.CellSuppression(table, principle)
        assert ao.get_solver("residue").ratio(problem) == ratio
        assert ao.get_solver("least-residue").ratio(problem) == 1
        assert ao.solve(problem, "residue", start=None).verify()
        assert ao.solve(problem, "least-residue").cost == ao.solve(problem, "pattern/highs").cost


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


def test_a_residue_is_dealt_out_by_the_column_that_is_asked_about() -> None:
    frame = pd.DataFrame({"q": range(8), "s": list("aabbaabb"), "z": list("00112233")})
    for names in (["s", "z"], ["z", "s"]):
        problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"], names), ao.LDiversity(2, "s"))
        assert len(split_starred(problem, problem.trivial()).groups()) == 4


def test_a_share_that_is_no_whole_number_has_its_own_ratio() -> None:
    """f may be more than l: here a least residue has two rows, and the phases take four."""
    frame = pd.DataFrame({"q": [1, 1, 0, 1], "s": list("aabb")})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"], ["s"]), ao.LDiversity("3/2"))
    assert ao.get_solver("residue").ratio(problem) == 2


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
