"""Runs under every kind of principle: bounds are never above the optimum, releases are legal, and small tables are mostly closed."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anoptima.answer import BoundRaised, Budget, Claim, Event, Origin, Stop
from anoptima.errors import NotApplicable, OutOfTime
from anoptima.principles import Condition, KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.groups import GroupProof
from anoptima.solvers.exact.sifting import run, standing
from anoptima.solvers.exact.sifting.algorithm import Sifting
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels import pricing
from anoptima.solvers.exact.sifting.proofs import proof_at
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.release import partition_of
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.first_release import GreedyRelease
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.solvers.ledger import Ledger
from anoptima.table import Table
from tests.clocks import Clock
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of


@each("seed", range(25))
def test_bound_and_release_hold_the_optimum_between_them(seed: int) -> None:
    problem = problem_of(seed + 100, 7)
    best = optimum_of(problem)
    answer = Sifting().solve(problem, Budget(seconds=0.6))
    assert answer.cost is not None
    assert answer.bound is not None
    assert answer.bound.value <= best <= answer.cost
    assert not answer.verify().wrong


@each("seed", range(25))
def test_a_greedy_release_is_legal(seed: int) -> None:
    problem = problem_of(seed + 200)
    instance = instance_of(problem)
    chance = np.random.default_rng(seed)
    for favoured in (np.zeros(len(instance.arcs)), chance.integers(0, 2, len(instance.arcs)).astype(float)):
        release = greedy_release(instance, favoured, chance)
        assert not problem.violations(partition_of(instance.patterns, release))


def raises_a_bound(event: Event) -> bool:
    return isinstance(event, BoundRaised)


def middling(rows: int = 120) -> Table:
    chance = np.random.default_rng(7)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (rows, 4)), columns=list("abcd"))
    frame["ill"] = chance.choice(list("vwxyz"), rows, p=[0.4, 0.2, 0.2, 0.1, 0.1])
    frame["other"] = chance.integers(0, 50, rows)
    return Table.from_frame(frame, list("abcd"), ["ill", "other"])


@pytest.mark.parametrize("principle", [LDiversity(2, "ill"), LDiversity(3, "ill", version="distinct") & KAnonymity(4)])
def test_a_column_that_plays_no_part_is_left_out_and_the_bound_is_proved(principle: LDiversity) -> None:
    near = Budget(seconds=PATIENCE, gap=Fraction("0.1"))
    answer = Sifting().solve(CellSuppression(middling(60), principle), near)
    assert answer.bound is not None
    assert answer.bound.origin is Origin.BACKEND or isinstance(
        answer.proof, GroupProof | GroupCutsProof | GroupCasesProof
    )
    assert answer.gap is not None
    assert answer.gap <= near.gap
    assert not answer.verify().wrong


def test_equal_closeness_is_proved_by_cases() -> None:
    answer = Sifting().solve(CellSuppression(middling(30), TCloseness("1/4", column="ill")), Budget(seconds=PATIENCE))
    assert answer.claim is Claim.OPTIMAL
    assert isinstance(answer.proof, GroupCasesProof | GroupProof)
    assert not answer.verify().wrong


def test_what_worths_are_worth_is_proved() -> None:
    problem = CellSuppression(middling(), LDiversity(2, "ill") & KAnonymity(5))
    ledger = Ledger(problem, "sifting", Budget(seconds=PATIENCE))
    ledger.begin(None)
    one = StandingUnderRules(instance_of(problem), ledger, pricing.is_prepared())
    GreedyRelease(one).run(0.0)
    AscendWorths(one, None).run(0.0)
    assert ledger.bound is not None
    assert ledger.bound.value == math.ceil(one.point.value)
    assert ledger.solution is not None
    assert ledger.proof is not None
    assert ledger.proof.proved(problem) == ledger.bound.value


def test_without_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "is_prepared", lambda: False)
    problem = CellSuppression(middling(60), TCloseness("1/3", column="ill"))
    answer = Sifting().solve(problem, Budget(seconds=3))
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.PROOF, Origin.BACKEND)
    assert not answer.verify().wrong


def test_a_start_is_kept_and_a_listener_stops_it() -> None:
    problem = CellSuppression(middling(60), LDiversity(2, "ill"))
    start = Sifting().solve(problem, None, None, raises_a_bound).require_solution()
    answer = Sifting().solve(problem, None, start, raises_a_bound)
    assert answer.cost is not None
    assert answer.cost <= problem.cost(start)
    assert answer.claim in (Claim.FEASIBLE, Claim.OPTIMAL)


def test_what_it_is_not_for() -> None:
    class Odd(Principle):
        """A principle of somebody else's."""

        holds_each = could_hold_each = why_not = as_json = None  # type: ignore[assignment]

        def conditions(self, table: Table) -> list[Condition]:
            return [Condition()]

        def least_size(self, table: Table) -> int:
            return 1

        def require_columns(self, table: Table) -> None:
            """Nothing is needed."""

        def __str__(self) -> str:
            return "oddness"

    with pytest.raises(
        NotApplicable,
        match=r"sifting prices groups by rules, and no rule is known for the condition .* of oddness and 2-anonymity;",
    ):
        Sifting().solve(CellSuppression(middling(10), Odd() & KAnonymity(2)))


def test_a_proof_that_takes_too_long_leaves_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[GroupProof] = []

    def proof_at_first(*arguments: Any) -> GroupProof | None:
        if made:
            raise OutOfTime
        proof = proof_at(*arguments)
        assert proof is not None
        made.append(proof)
        return proof

    def search(self: Sifting, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        one = StandingUnderRules(instance_of(problem), ledger, pricing.is_prepared())
        arcs, priced = one.instance.arcs, rule_pricing(one.instance, False)
        found = ascend(arcs, priced, first_multipliers(arcs), lambda: False, Course(passes=20))
        for value in (1.0, 2.0):
            one.prove(replace(found, value=value))

    monkeypatch.setattr(standing, "proof_at", proof_at_first)
    monkeypatch.setattr(Sifting, "search", search)
    answer = Sifting().solve(problem_of(3), Budget(seconds=PATIENCE))
    assert (answer.stop, answer.proof) == (Stop.TIME, made[0])
    assert answer.proved is not None
    assert not answer.verify().wrong


def test_slow_passes_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, passes = Clock(monkeypatch), 0
    instance = instance_of(problem_of(3))
    priced = rule_pricing(instance, False)

    def is_over() -> bool:
        nonlocal passes
        passes += 1
        clock.forward(1)
        return False

    ascend(instance.arcs, priced, first_multipliers(instance.arcs), is_over, Course(seconds=4, pace=priced.pace))
    assert passes == 8
