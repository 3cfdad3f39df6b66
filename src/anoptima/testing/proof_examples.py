"""Proofs of every kind of ours, on problems small enough to try every solution: those that solvers give, and others made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from anoptima.instances.papers import ten_rows
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.proofs.all_partitions import AllPartitions
from anoptima.proofs.blocks import Block, BlockProof
from anoptima.proofs.branched import BranchedProof, Fork, Leaf
from anoptima.proofs.cases import CasesEnd, CasesFork, CasesProof
from anoptima.proofs.cuts import Cut
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.kinds import WrittenProof
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.rounded import RoundedProof, lighter
from anoptima.proofs.worths import WorthEnd, WorthFork, WorthProof
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.table import Table
from anoptima.testing.examples import optimum

Case = tuple[Problem[Any], WrittenProof]

ROWS = 6
"""The rows of the table of proofs that are made here."""

HEAVY = 10**15
"""A weight of a column that is rounded off."""


def proofs_of(kind: str) -> tuple[Case, ...]:
    """Return proofs of a kind, each with its problem; none of a kind that nothing here makes.

    >>> {proof.kind for _, proof in proofs_of("own-bound")}
    {'own-bound'}
    """
    return (*found_by_solvers().get(kind, ()), *(MADE[kind]() if kind in MADE else ()))


@cache
def found_by_solvers() -> dict[str, tuple[Case, ...]]:
    """Return, by kind, the proofs that algorithms give for the examples of problems."""
    found: dict[str, tuple[Case, ...]] = {}
    for problem in (example for kind in problem_kinds.all() for example in kind.examples()):
        if problem.why_infeasible() is not None or optimum(problem) is None:
            continue
        for algorithm in algorithms.all():
            if algorithm.gives_proofs and is_for(algorithm, problem):
                proof: Any = algorithm.solve(problem).proof
                if proof is not None:
                    found[proof.kind] = (*found.get(proof.kind, ()), (problem, proof))
    return found


def _small(*weights: int) -> CellSuppression:
    """Return the question how to make the first rows of the papers' table 2-anonymous, on as many columns as there are weights."""
    table = ten_rows()
    rows = Table.from_frame(table.frame.head(ROWS), quasi=table.quasi)
    return CellSuppression(rows.restricted(table.quasi[: len(weights)], weights), KAnonymity(2))


def _all_partitions() -> Iterator[Case]:
    problem = _small(1, 2, 1)
    least = optimum(problem)
    assert least is not None
    yield problem, AllPartitions(least)


def _blocks() -> Iterator[Case]:
    problem = _small(1, 2, 1)
    names = problem.table.quasi
    parts = [CellSuppression(problem.table.restricted(part), problem.principle) for part in (names[:1], names[1:])]
    yield problem, BlockProof.of(problem, [Block(part.table.quasi, OwnBound(part.lower_bound())) for part in parts])


def _branched() -> Iterator[Case]:
    """A tree of one fork: either side has the multipliers of a proof without one."""
    for problem, proof in found_by_solvers()[MultiplierProof.kind]:
        assert isinstance(problem, CellSuppression)
        assert isinstance(proof, MultiplierProof)
        leaf = Leaf(proof.worth, proof.prices)
        tree = Fork(frozenset(problem.table.quasi[:1]), 0, leaf, leaf)
        about = (proof.value, proof.digest, proof.k, proof.denominator, proof.cuts)
        yield problem, BranchedProof(*about, tree)


def _mixed_cases() -> Iterator[Case]:
    """The worths of a proof about groups, at both ends of a fork, beside a cut."""
    for problem, proof in found_by_solvers()[GroupProof.kind]:
        assert isinstance(problem, CellSuppression)
        assert isinstance(proof, GroupProof)
        end = CasesEnd(proof.worth, (1,), ())
        kept = [name for name in problem.table.quasi if len(set(problem.table.frame[name])) == 1]
        fork = CasesFork(frozenset(kept), 0, None, 0, end, end)
        about = (0, proof.digest, proof.principle, proof.denominator)
        cases = CasesProof(*about, None, False, (Cut((0, 1, 2), 2),), proof.potentials, fork)
        yield problem, replace(cases, value=problem.unscale(max(0, cases.proves(problem))))


def _groups_with_cuts() -> Iterator[Case]:
    """The worths of a proof without cuts, beside a cut at the price of one part."""
    for problem, proof in found_by_solvers()[GroupProof.kind]:
        assert isinstance(problem, CellSuppression)
        assert isinstance(proof, GroupProof)
        about = (proof.digest, proof.principle, proof.denominator, proof.worth)
        cut = GroupCutsProof(0, *about, (Cut((0, 1, 2), 2),), (1,))
        yield problem, replace(cut, value=problem.unscale(max(0, -(-cut.proves(problem) // proof.denominator))))


def _worths() -> Iterator[Case]:
    """Two rows together and apart, and an odd set at a price: of diameters, and of stars."""
    cells = _small(1, 2, 1)
    end = WorthEnd((1,) * ROWS, (1,))
    for problem in (DiameterSum(cells.table, 2), cells):
        yield problem, WorthProof(0, 2, WorthFork((0, 1), end, end), ((0, 1, 2),))


def _own_bound() -> Iterator[Case]:
    for problem in (_small(1, 2, 1), *(one for one, _ in found_by_solvers()["hitting-set"])):
        yield problem, OwnBound(problem.lower_bound())


def _rounded() -> Iterator[Case]:
    problem = _small(HEAVY, HEAVY + 1, HEAVY)
    yield problem, RoundedProof.of(problem, HEAVY, OwnBound(lighter(problem, HEAVY).lower_bound()))


MADE: dict[str, Callable[[], Iterator[Case]]] = {
    "all-partitions": _all_partitions,
    "blocks": _blocks,
    "branched-multipliers": _branched,
    "groups-with-cuts": _groups_with_cuts,
    "mixed-cases": _mixed_cases,
    "own-bound": _own_bound,
    "rounded-weights": _rounded,
    "worths": _worths,
}
"""The kinds that solvers give on larger tables only."""
