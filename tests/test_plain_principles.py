"""What a principle comes to: the same groups satisfy it, by brute force, and solvers choose by it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given

import anoptima as ao
from anoptima.plain_principles import plain_principle
from anoptima.principles import All, AtLeastRows, AtLeastValues, AtMostShare, Condition, Principle, Truths
from anoptima.solvers.lookup import get_solver
from anoptima.table import Groups, Table
from tests.cases import Case, make_case
from tests.strategies import cases

T = TypeVar("T")

EDUCATION = ao.Table.from_frame(
    ao.ten_rows().frame.assign(salary=range(10)), ["zip4", "zip5", "age1", "age2"], ["education", "salary"]
)
"""Ten rows: education has values that repeat, and no two salaries are alike."""


def require_same(principle: Principle, table: ao.Table) -> Principle:
    """Compare a principle with what it comes to on every group of the table's rows."""
    plain = plain_principle(principle, table)
    for size in range(1, table.rows + 1):
        for group in itertools.combinations(range(table.rows), size):
            one = table.groups(np.zeros(size, dtype=np.int64), np.array(group))
            assert principle.holds(one) == plain.holds(one), (principle, plain, group)
    assert plain_principle(plain, table) == plain
    return plain


@given(cases(most_rows=6))
def test_the_same_groups_satisfy_it(case: Case) -> None:
    require_same(case.principle(), case.table())


def test_the_same_groups_satisfy_joined_principles_with_much_in_common() -> None:
    shorter = 0
    for seed in range(80):
        chance = random.Random(seed)

        def choose(options: Sequence[T], chance: random.Random = chance) -> T:
            return chance.choice(options)

        case = make_case(choose, 6)
        names = [f"s{c}" for c in range(len(case.sensitive))]
        parts: list[Principle] = [ao.KAnonymity(chance.randint(1, 4))]
        for name in chance.choices(names, k=4) if names else []:
            values = case.sensitive[int(name[1:])]
            different = list(dict.fromkeys(values))
            parts.append(
                chance.choice(
                    (
                        ao.LDiversity(chance.choice((1, "4/3", "3/2", 2, "5/2", 3)), name),
                        ao.LDiversity(chance.choice((1, 2, 3)), name, "distinct"),
                        ao.TCloseness(chance.choice((1, "9/10", "2/3", "1/2", "1/3", 0)), column=name),
                        ao.TCloseness(chance.choice(("2/3", "1/2", "1/3")), space=ao.Ordered(different), column=name),
                        ao.TCloseness(chance.choice(("2/3", "1/2", "1/3")), space=_matrix(different), column=name),
                    )
                )
            )
        chance.shuffle(parts)
        principle = All((*parts[1:], All((parts[0],)))) if len(parts) > 1 else parts[0]
        plain = require_same(principle, case.table())
        shorter += len(plain.parts) < len(parts)
    assert shorter > 30


def _matrix(values: Sequence[Any]) -> ao.Explicit:
    return ao.Explicit(
        values,
        [[0 if v is w else "1/2" if 0 in (i, j) else 1 for j, w in enumerate(values)] for i, v in enumerate(values)],
    )


@pytest.mark.parametrize(
    ("principle", "text"),
    [
        (ao.KAnonymity(3) & ao.KAnonymity(2), "3-anonymity"),
        (ao.LDiversity(1, "education"), "1-anonymity"),
        (ao.TCloseness(1, column="education"), "1-anonymity"),
        (ao.KAnonymity(4) & ao.LDiversity(1, "education") & ao.TCloseness(1, column="education"), "4-anonymity"),
        (ao.KAnonymity(2) & ao.LDiversity(3, "education"), "frequency 3-diversity of education"),
        (ao.KAnonymity(3) & ao.LDiversity("5/2", "education"), "frequency 5/2-diversity of education"),
        (ao.KAnonymity(2) & ao.LDiversity(2, "education", "distinct"), "distinct 2-diversity of education"),
        (
            ao.LDiversity(2, "education", "distinct") & ao.LDiversity(2, "education"),
            "frequency 2-diversity of education",
        ),
        (ao.LDiversity(3, "salary"), "3-anonymity"),
        (ao.TCloseness("7/10", column="salary"), "3-anonymity"),
        (
            ao.TCloseness("1/2", column="education") & ao.TCloseness("2/5", column="education"),
            "2/5-closeness of education",
        ),
        (ao.KAnonymity(5) & ao.LDiversity(2, "education"), "5-anonymity and frequency 2-diversity of education"),
    ],
    ids=str,
)
def test_what_principles_come_to(principle: Principle, text: str) -> None:
    assert str(require_same(principle, EDUCATION)) == text


def test_what_says_nothing_twice_is_left_as_it_is() -> None:
    for principle in (
        ao.KAnonymity(2),
        ao.LDiversity(2, "education"),
        ao.KAnonymity(3) & ao.LDiversity(2, "education"),
    ):
        assert plain_principle(principle, EDUCATION) is principle
        problem = ao.CellSuppression(EDUCATION, principle)
        assert problem.plain is problem


@dataclass(frozen=True)
class Outside(Principle):
    """A principle from outside: at least four rows and two educations, said as conditions."""

    said: tuple[Condition, ...]

    def holds_each(self, groups: Groups) -> Truths:
        """Four rows, and what else is said."""
        truths = groups.sizes >= 4
        for condition in self.said:
            if isinstance(condition, AtLeastValues):
                tally = groups.tally(condition.column)
                truths &= np.bincount(tally.group, minlength=len(groups)) >= condition.values
        return np.asarray(truths, dtype=bool)

    could_hold_each = holds_each

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Name the group."""
        return None if self.holds_each(groups)[group] else f"group {group} is too small or too uniform"

    def conditions(self, table: Table) -> list[Condition]:
        """Return what is said."""
        return list(self.said)

    def require_columns(self, table: Table) -> None:
        """Nothing is needed."""

    def least_size(self, table: Table) -> int:
        """Return 4."""
        return 4

    def as_json(self) -> dict[str, Any]:
        """Return a name."""
        return {"principle": "outside"}


def test_a_principle_from_outside_is_what_its_conditions_say() -> None:
    size = Outside((AtLeastRows(4),))
    assert require_same(size, EDUCATION) == ao.KAnonymity(4)
    both = Outside((AtLeastRows(4), AtLeastValues("education", 2)))
    assert str(require_same(both, EDUCATION)) == "4-anonymity and distinct 2-diversity of education"
    for principle, same in (
        (size, ao.KAnonymity(4)),
        (both, ao.KAnonymity(4) & ao.LDiversity(2, "education", "distinct")),
    ):
        problem = ao.CellSuppression(EDUCATION, principle)
        assert get_solver("sifting").why_not(problem) is None
        answer = ao.solve(problem, "sifting", time_limit=60)
        assert answer.cost == ao.solve(ao.CellSuppression(EDUCATION, same), "subset-dp").cost
        assert answer.claim is ao.Claim.OPTIMAL
        verified = answer.verify()
        assert verified
        assert verified.proved is not None
        assert verified.proved.value == answer.proved == answer.cost


def test_a_share_from_outside_is_diversity() -> None:
    assert plain_principle(Outside((AtMostShare("education", Fraction(2, 5)),)), EDUCATION) == ao.LDiversity(
        "5/2", "education"
    )


def test_every_algorithm_takes_a_principle_as_what_it_comes_to() -> None:
    """Solvers for k-anonymity alone are for what comes to it, and answer the problem as it was given."""
    problem = ao.CellSuppression(EDUCATION, ao.KAnonymity(3) & ao.KAnonymity(2) & ao.LDiversity(1, "education"))
    plain = ao.CellSuppression(EDUCATION, ao.KAnonymity(3))
    assert {solver.name for solver in ao.solvers_for(problem)} == {solver.name for solver in ao.solvers_for(plain)}
    best = ao.solve(plain, "subset-dp").cost
    for name in ("near-patterns", "greedy-patterns", "sifting", "pattern/highs", "residue"):
        answer = ao.solve(problem, name, time_limit=60)
        assert answer.problem is problem
        assert answer.verify()
        assert answer.cost is not None
        assert best is not None
        assert answer.cost >= best
        if answer.claim is ao.Claim.OPTIMAL:
            assert answer.cost == best
