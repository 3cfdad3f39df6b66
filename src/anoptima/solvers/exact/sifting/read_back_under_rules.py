"""Proofs under principles read back: a run goes on from the worths, multipliers of patterns and cases of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from anoptima.answer import Proof
from anoptima.errors import BadInput
from anoptima.principles import Close
from anoptima.proofs.group_cases import GroupCasesProof, GroupLeaf, GroupTree
from anoptima.proofs.groups import GroupProof, record_of_row
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.tree.by_size import At, Decision

End = tuple[tuple[Decision, ...], At]
"""What a case decides, and its multipliers."""


@dataclass(frozen=True, eq=False)
class EarlierWorths:
    """What an earlier run has proved by: worths of records, multipliers of patterns by the number of their rule, the cases of a tree."""

    worth: Numbers
    lam: Mapping[int, Numbers]
    ends: list[End]

    def multipliers(self, pricing: RulePricing) -> Multipliers:
        """Return the worths, and the multipliers that patterns had."""
        nothing = np.zeros(pricing.count)
        lam = [self.lam.get(number, nothing) for number in pricing.trees]
        return Multipliers(self.worth, np.concatenate([nothing[:0], *lam]))


def read_back_worths(proof: Proof | None, instance: Instance) -> EarlierWorths | None:
    """Return what a proof says of the problem; None if it is of another kind, table or principle, or about no pattern of these."""
    if not isinstance(proof, GroupProof | GroupCasesProof):
        return None
    try:
        reading = _Reading(proof, instance)
        if isinstance(proof, GroupProof):
            return EarlierWorths(reading.worth(proof.worth), reading.lam(proof), [])
        ends = list(reading.ends(proof.tree, ()))
    except (BadInput, KeyError, IndexError):
        return None
    return EarlierWorths(np.mean([at.worth for _, at in ends], axis=0), {}, ends)


class _Reading:
    """Says in terms of records and patterns what a proof says in terms of the table."""

    def __init__(self, proof: GroupProof | GroupCasesProof, instance: Instance) -> None:
        GroupProof(0, proof.digest, proof.principle, proof.denominator, ()).require_about(instance.asked)
        self._d, self._instance = proof.denominator, instance
        written = record_of_row(instance.asked)
        of_row = instance.problem.table.records.of_row
        self._written: Counts = written[np.unique(of_row, return_index=True)[1]]
        """The proof's number of each record."""
        self._record: Counts = of_row[np.unique(written, return_index=True)[1]]
        """The record of each of the proof's numbers."""

    def worth(self, worth: tuple[int, ...]) -> Numbers:
        if len(worth) != len(self._record):
            raise IndexError
        return np.array(worth, dtype=float)[self._written] / self._d

    def _pattern(self, kept: frozenset[str], example: int) -> int:
        patterns = self._instance.patterns
        return patterns.find(np.array([name in kept for name in patterns.table.quasi]), int(self._record[example]))

    def lam(self, proof: GroupProof) -> dict[int, Numbers]:
        """Return the multiplier of each pattern: the least that its potentials can come from, by how steep they are."""
        conditions = list(self._instance.asked.principle.conditions(self._instance.asked.table))
        rule_of = {stated: number for number, stated in enumerate(self._instance.stated_by)}
        found: dict[int, Numbers] = {}
        for potentials in proof.potentials:
            condition = conditions[potentials.part]
            assert isinstance(condition, Close)
            steepness = condition.metric.steepness(np.array(potentials.values, dtype=np.int64))
            lam = found.setdefault(rule_of[potentials.part], np.zeros(len(self._instance.arcs)))
            lam[self._pattern(potentials.kept, potentials.example)] = float(steepness or 0) / self._d
        return found

    def ends(self, tree: GroupTree, decisions: tuple[Decision, ...]) -> Iterator[End]:
        """Yield the ends of a tree."""
        if isinstance(tree, GroupLeaf):
            cells = dict.fromkeys((its.pattern, its.value) for its in decisions if its.value is not None)
            prices = {(p, int(v)): price / self._d for (p, v), price in zip(cells, tree.prices, strict=True)}
            yield decisions, At(self.worth(tree.worth), prices)
            return
        pattern = self._pattern(tree.kept, tree.example)
        for side, is_low in ((tree.low, True), (tree.high, False)):
            yield from self.ends(side, (*decisions, Decision(pattern, tree.value, tree.most, is_low)))
