"""Runs that are stopped and go on from their proofs: whatever its kind, what it proves is there at once, and is taken further."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import BoundRaised, Budget, Event, Log, Proof
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.branched import BranchedProof, Leaf
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.rounded import RoundedProof
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import Sifting, arcs
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.kernels import pricing
from anoptima.solvers.exact.sifting.lightened import sift_lightened, unit_of
from anoptima.solvers.exact.sifting.proofs import branched_proof_of, proof_by_cases
from anoptima.solvers.exact.sifting.read_back import read_back, read_back_worths
from anoptima.solvers.exact.sifting.stages.ascend import Ascend
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease
from anoptima.solvers.exact.sifting.standing import StandingUnderSize
from anoptima.solvers.exact.sifting.tree.by_pattern import TreeByPattern
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from anoptima.solvers.ledger import Ledger
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.test_run_under_rules import middling

SOME_CASES = 6


def of_size(rows: int = 120, weight: int = 1) -> CellSuppression:
    """A table whose bound is raised by cuts and by cases."""
    chance, names = np.random.default_rng(3), list("abcdef")
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 6, 3, 4], (rows, 6)), columns=names)
    return CellSuppression(ao.Table.from_frame(frame, names, weights=dict.fromkeys(names, weight)), KAnonymity(3))


def under(principle: Principle, rows: int = 60) -> CellSuppression:
    table = middling(rows)
    codes = {"v": 1, "w": 2, "x": 3, "y": 5, "z": 9}
    frame = table.frame.assign(ill=table.frame["ill"].map(codes).astype(int))
    return CellSuppression(ao.Table.from_frame(frame, table.quasi, "ill"), principle)


def stopped(
    problem: CellSuppression, at: Callable[[Event], bool], proof: Proof | None = None
) -> tuple[ao.Answer[Partition], list[Event]]:
    """Run on one thread until an event, from a proof on."""
    events: list[Event] = []

    def hear(event: Event) -> bool:
        events.append(event)
        return at(event)

    return Sifting().solve(problem, Budget(seconds=PATIENCE, threads=1), None, hear, proof), events


def brings(kind: type[Any]) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, BoundRaised) and isinstance(event.proof, kind)


def goes_on(problem: CellSuppression, proof: Proof, words: str) -> str:
    """Check that a run from a proof begins with its bound, and never says less; return the first line that it logs with some words."""
    answer, events = stopped(problem, lambda event: isinstance(event, Log) and words in event.line, proof)
    raised = [event for event in events if isinstance(event, BoundRaised)]
    first = next(number for number, event in enumerate(events) if isinstance(event, BoundRaised) and event.proof)
    assert events[first].bound == proof.value  # type: ignore[union-attr]
    assert not any(isinstance(event, Log) for event in events[:first])
    assert all(event.bound >= proof.value for event in raised if event.proof is not None)
    assert answer.proof is not None
    assert answer.proof.value >= proof.value
    assert not answer.verify().wrong
    lines = [event.line for event in events if isinstance(event, Log)]
    assert not any("the earlier proof" in line for line in lines)
    return next((line for line in lines if words in line), "")


def test_multipliers_and_their_cuts_are_taken_over() -> None:
    problem = of_size()

    def has_cuts(event: Event) -> bool:
        return brings(MultiplierProof)(event) and bool(event.proof.cuts)  # type: ignore[union-attr]

    proof = stopped(problem, has_cuts)[0].proof
    assert isinstance(proof, MultiplierProof)
    assert proof.cuts
    instance = instance_of(problem)
    earlier = read_back(proof, instance)
    assert earlier is not None
    assert not earlier.has_cases
    found = Terms(instance.arcs, kernels_here(arcs), earlier.rows).look(instance.arcs, earlier.multipliers)
    assert math.ceil(found.value - 1e-6) >= proof.value
    goes_on(problem, proof, "core of")


def stopped_tree(problem: CellSuppression) -> tuple[Instance, TreeByPattern]:
    """A tree that is stopped when it has solved some cases."""
    ledger: Ledger[Partition] = Ledger(problem, "sifting", Budget(threads=1))
    ledger.open(None, None)
    standing = StandingUnderSize(instance_of(problem), ledger, kernels_here(arcs))
    for stage in (FirstRelease(standing, started=False), Ascend(standing, None)):
        stage.run(0.0)
    branch = Branch(standing, None)
    branch._until = math.inf
    tree, seen = branch._rooted(), []

    def hint(x: np.ndarray) -> None:
        seen.append(x)
        ledger.cancelled = len(seen) >= SOME_CASES

    tree.around.hint = hint
    tree.run(1)
    return standing.instance, tree


def test_a_tree_of_cases_is_taken_over() -> None:
    problem = of_size()
    instance, tree = stopped_tree(problem)
    assert len(tree.cases) > 1
    scaled = -(-tree.proved // instance.d)
    assert scaled > problem.lower_bound()
    proof = branched_proof_of(instance, scaled, tree.rows, list(tree.cases))
    earlier = read_back(proof, instance_of(problem))
    assert earlier is not None
    assert earlier.has_cases
    _, again = stopped_tree(problem)
    again.go_on_from(earlier.rows, earlier.ends)
    assert again.proved == tree.proved
    assert {case.fixed: case.proved for case in again.cases} == {case.fixed: case.proved for case in tree.cases}
    line = goes_on(problem, proof, "core of")
    assert not line, "cuts from the core are behind it"
    line = goes_on(problem, proof, " of them open")
    assert not line or int(line.split()[0].replace(",", "")) >= len(tree.cases)


def test_a_tree_about_another_table_is_left_aside() -> None:
    leaf = Leaf((0,) * 10, ())
    for digest, k in (("another", 3), (of_size().table.digest, 4)):
        assert read_back(BranchedProof(0, digest, k, 1, (), leaf), instance_of(of_size())) is None


@pytest.mark.parametrize(
    "principle",
    [
        LDiversity(2, "ill"),
        LDiversity(3, "ill", version="distinct") & KAnonymity(4),
        TCloseness("1/4", column="ill"),
        TCloseness("1/5", column="ill", space=ao.Numeric()),
    ],
    ids=str,
)
def test_worths_are_taken_over(principle: Principle) -> None:
    problem = under(principle)
    proof = stopped(problem, brings(GroupProof))[0].proof
    assert isinstance(proof, GroupProof)
    instance = instance_of(problem)
    earlier = read_back_worths(proof, instance)
    assert earlier is not None
    priced = rule_pricing(instance, pricing.is_prepared())
    assert priced.look(instance.arcs, first_multipliers(instance.arcs, len(priced.steps))).value <= proof.value - 1
    assert math.ceil(priced.look(instance.arcs, earlier.multipliers(priced)).value - 1e-6) >= proof.value
    line = goes_on(problem, proof, "proved ")
    assert math.ceil(float(line.removeprefix("proved ")) - 1e-6) >= proof.value


def test_cases_by_size_are_taken_over() -> None:
    problem = under(TCloseness("1/4", column="ill"), 40)
    instance = instance_of(problem)

    def begun() -> TreeBySize:
        trees: list[TreeBySize] = []
        trees.append(
            TreeBySize(
                instance,
                rule_pricing(instance, is_compiled=False),
                first_multipliers(instance.arcs).worth,
                lambda: math.inf,
                lambda release: None,
                lambda: len(trees[0].cases) >= SOME_CASES,
            )
        )
        return trees[0]

    tree = begun()
    tree.run(seconds=PATIENCE)
    assert len(tree.cases) >= SOME_CASES
    proof = proof_by_cases(instance, list(tree.cases))
    assert isinstance(proof, GroupCasesProof)
    earlier = read_back_worths(proof, instance)
    assert earlier is not None
    again = begun()
    again.go_on_from(earlier.ends)
    assert again.proved == pytest.approx(tree.proved, abs=1e-2)
    assert {case.decisions for case in again.cases} == {case.decisions for case in tree.cases}
    line = goes_on(problem, proof, " of them open")
    assert not line or int(line.split()[0].replace(",", "")) >= len(tree.cases)


def test_a_proof_under_another_principle_is_left_aside() -> None:
    problem = under(LDiversity(2, "ill"))
    other = under(LDiversity(3, "ill"))
    proof = stopped(other, brings(GroupProof))[0].proof
    assert isinstance(proof, GroupProof)
    assert read_back_worths(proof, instance_of(problem)) is None


def test_lighter_weights_are_gone_on_with_from_their_own_proof() -> None:
    problem = of_size(weight=10**15 + 7)
    unit = unit_of(problem)
    assert unit > 1

    def is_more(event: Event) -> bool:
        return brings(RoundedProof)(event) and isinstance(event.proof.proof, MultiplierProof)  # type: ignore[union-attr]

    proof = stopped(problem, is_more)[0].proof
    assert isinstance(proof, RoundedProof)
    assert isinstance(proof.proof, MultiplierProof)
    ledger: Ledger[Partition] = Ledger(problem, "sifting", Budget())
    ledger.open(None, proof)
    begun: list[Proof | None] = []
    sift_lightened(problem, unit, ledger, lambda light, own: begun.append(own.proof))
    assert begun[0] == proof.proof
    goes_on(problem, proof, "core of")


def test_once_the_weights_themselves_are_proved_with_the_lighter_ones_are_left_out() -> None:
    problem = of_size(weight=2**25)
    proof = MultiplierProof(1, problem.table.digest, 3, 1, (0,) * len(problem.table.types))
    ledger: Ledger[Partition] = Ledger(problem, "sifting", Budget())
    ledger.open(None, None)
    ledger.known.proof = proof
    begun: list[tuple[CellSuppression, Proof | None]] = []
    sift_lightened(problem, 2**25, ledger, lambda light, own: begun.append((light, own.proof)))
    assert [light for light, _ in begun] == [problem]


@pytest.mark.parametrize("worth", [10**6, 10**13, 10**14, 10**17])
def test_a_proof_in_numbers_that_are_too_large_for_the_run_is_left_aside(worth: int) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": [1, 2], "b": [1, 1]}), ["a", "b"])
    problem = CellSuppression(table, KAnonymity(2))
    proof = MultiplierProof(2, table.digest, 2, 1, (worth, 2 - worth), (), ())
    assert proof.proved(problem) == 2
    earlier = read_back(proof, instance_of(problem))
    if worth == 10**6:
        assert earlier is not None
        assert earlier.multipliers.worth.tolist() == [worth, 2 - worth]
    else:
        assert earlier is None
