"""Least residues by counting: as small as trying all sets of rows finds them, under closeness by every distance and other principles."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Origin
from anoptima.solvers.approximate.counted_residue import _Counted, least_counted
from benchmarks.guarantees import cases
from tests.cases import Case, Closeness, Equal, Ground, Numbers, Tree
from tests.solvers.approximate.test_residue import least_residue
from tests.trial import Cells, judge_solver

GROUNDS: list[Ground] = [Equal(), Numbers(), Tree({"L": ["1", "2"], "R": ["4"]})]


def close_case(seed: int) -> Case:
    """Return a table of up to three values under closeness, every fourth time with t = 0."""
    chance = random.Random(seed)
    ground, n = GROUNDS[seed % 3], chance.randint(2, 7)
    named = isinstance(ground, Tree)
    ill = tuple(chance.choice(["1", "2", "4"] if named else [1, 2, 4]) for _ in range(n))
    rows = tuple((chance.choice("ab"), chance.choice("xy")) for _ in range(n))
    t = Fraction(0) if seed % 4 == 0 else Fraction(chance.randint(1, 5), 8)
    return Case(rows, (Closeness(t, 0, ground),), (ill,))


def test_no_set_of_rows_is_a_smaller_residue() -> None:
    solver = ao.get_solver("counted-residue")
    for seed in range(60):
        some = [close_case(seed)] if seed % 6 else [case for _, case in cases(random.Random(seed), 6)]
        for case in some:
            problem, size = case.cells(), least_residue(case)
            assert (size is None) == (problem.why_infeasible() is not None)
            if size is not None:
                assert int(least_counted(problem.plain).sum()) == size, case
                assert list(judge_solver(Cells(case), solver)) == []


def test_every_table_of_one_binary_column_and_two_values() -> None:
    """All tables of up to five rows, by the numbers of their four records, at every t where closeness changes: m = 1, so it is optimal."""
    for numbers in itertools.product(range(4), repeat=4):
        n = sum(numbers)
        if not 2 <= n <= 5:
            continue
        pairs = [(i // 2, i % 2) for i in range(4) for _ in range(numbers[i])]
        for t in sorted(
            {
                abs(Fraction(a, b) - Fraction(c, d))
                for b, d in ((n, n), (1, n), (2, n))
                for a in (0, 1)
                for c in (1, d - 1)
            }
        ):
            case = Case(
                tuple((own,) for own, _ in pairs), (Closeness(t, 0, Equal()),), (tuple(ill for _, ill in pairs),)
            )
            size = least_residue(case)
            taken = least_counted(case.cells().plain)
            assert int(taken.sum()) == size, case


def test_no_closer_than_the_table_for_many_values() -> None:
    """t = 0 for twelve values: far too many vectors, and none is needed; the program finds no smaller residue."""
    chance = random.Random(1)
    for space in (ao.EqualDistance(), ao.Numeric()):
        rows = [(q, value) for q in range(4) for value in range(12) for _ in range(chance.randint(1, 3))]
        rows += [(4, value) for value in range(12) for _ in range(6 - sum(row[1] == value for row in rows) % 6)]
        table = ao.Table.from_frame(pd.DataFrame(rows, columns=["q", "s"]), ["q"], "s")
        problem = ao.CellSuppression(table, ao.TCloseness(0, space=space))
        assert _Counted(problem.plain).size()[1] > 2**27
        answer, program = (ao.solve(problem, name, start=None) for name in ("counted-residue", "least-residue"))
        assert answer.cost == program.cost
        assert answer.cost is not None
        assert 0 < answer.cost < table.rows
        assert answer.bound is not None
        assert (answer.bound.value, answer.claim) == (answer.cost, ao.Claim.OPTIMAL)


def test_two_values_and_hundreds_of_rows() -> None:
    """As least as the program's, with the bound from the theorem and not from a backend."""
    chance = random.Random(2)
    rows = [(chance.choice("abcdefghij"), chance.choice("uvw"), int(chance.random() < 0.3)) for _ in range(150)]
    table = ao.Table.from_frame(pd.DataFrame(rows, columns=["q", "r", "s"]), ["q", "r"], "s")
    for t in ("1/20", "1/5"):
        problem = ao.CellSuppression(table, ao.TCloseness(t))
        answer, program = (ao.solve(problem, name, start=None) for name in ("counted-residue", "least-residue"))
        assert answer.verify()
        assert answer.bound is not None
        assert program.bound is not None
        assert answer.bound.value == program.bound.value
        assert answer.bound.origin is Origin.THEOREM


def test_too_many_vectors_are_refused_with_their_number() -> None:
    table = ao.Table.from_frame(
        pd.DataFrame({"q": [i % 9 for i in range(99)], "s": [i % 7 for i in range(99)]}), ["q"], "s"
    )
    said = r"^counted-residue takes 90,126,733,320 looks at .* and keeps 321,334,465 vectors; 4,294,967,296 and 134,217,728 are the most$"
    with pytest.raises(ao.NotApplicable, match=said):
        ao.solve(ao.CellSuppression(table, ao.TCloseness("1/5")), "counted-residue")
    with pytest.raises(
        ao.NotApplicable, match=r"^counted-residue is for cell-suppression, not for attribute-suppression$"
    ):
        ao.solve(ao.AttributeSuppression(table, ao.KAnonymity(2)), "counted-residue")
