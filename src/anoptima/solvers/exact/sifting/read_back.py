"""Proofs read back: a run goes on from the multipliers, cuts and cases of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from anoptima.answer import Proof
from anoptima.errors import BadInput
from anoptima.principles import Close
from anoptima.proofs.branched import BranchedProof, Leaf, Tree
from anoptima.proofs.group_cases import GroupCasesProof, GroupLeaf, GroupTree
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.bound.cuts import Row
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.proofs import has_room
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.tree.cases import At, Decision, Fixed
from anoptima.solvers.exact.sifting.words import Words

End = tuple[Fixed, Multipliers]
"""What a case fixes, and its multipliers in parts of D."""
EndOfSizes = tuple[tuple[Decision, ...], At]
"""What a case decides, and its multipliers."""


@dataclass(frozen=True, eq=False)
class Earlier:
    """What an earlier run has proved: a scaled cost, by cuts and the cases of a tree, of which there is one where nothing was decided."""

    proved: int
    rows: list[Row]
    ends: list[End]
    d: int

    @property
    def has_cases(self) -> bool:
        """Whether a tree was begun."""
        return len(self.ends) > 1

    @property
    def multipliers(self) -> Multipliers:
        """The mean over the cases, which the multipliers of the whole are near; those themselves where there are no cases."""
        worth, prices = (
            np.mean([getattr(at, name) for _, at in self.ends], axis=0) / self.d for name in ("worth", "prices")
        )
        return Multipliers(worth, prices)


def read_back(proof: Proof | None, instance: Instance) -> Earlier | None:
    """Return what a proof says of the problem.

    None if it is of another kind, or about another table, another k, or no pattern of these, or in numbers too large in parts of D.
    """
    problem = instance.asked
    if not isinstance(proof, MultiplierProof | BranchedProof):
        return None
    if proof.digest != problem.table.digest or proof.k != instance.k:
        return None
    words, scale = instance.words, Fraction(instance.d, proof.denominator)

    def whole(numbers: Sequence[int] | Numbers) -> Numbers:
        return np.array([round(number * scale) for number in numbers], dtype=object)

    def ends(tree: Tree, fixed: Fixed) -> Iterator[tuple[Fixed, Leaf]]:
        if isinstance(tree, Leaf):
            yield fixed, tree
            return
        decided = words.read_pattern(tree.kept, tree.example)
        for side, is_open in ((tree.open, True), (tree.shut, False)):
            yield from ends(side, (*fixed, (decided, is_open)))

    tree = proof.tree if isinstance(proof, BranchedProof) else Leaf(proof.worth, proof.prices)
    try:
        rows = [instance.catalogue.row(words.read_cut(cut)) for cut in proof.cuts]
        useful = [place for place, row in enumerate(rows) if row is not None]
        found = [
            (fixed, Multipliers(whole(words.read_worth(leaf.worth)), whole([leaf.prices[place] for place in useful])))
            for fixed, leaf in ends(tree, ())
        ]
    except (KeyError, IndexError):
        return None
    kept = [row for row in rows if row is not None]
    if not has_room(instance, kept, [at for _, at in found]):
        return None
    known = [(fixed, Multipliers(at.worth.astype(np.int64), at.prices.astype(np.int64))) for fixed, at in found]
    return Earlier(int(proof.value * problem.cost_scale), kept, known, instance.d)


@dataclass(frozen=True, eq=False)
class EarlierWorths:
    """What an earlier run has proved by: worths of records, and one of three.

    Multipliers of patterns by the number of their rule, the cases of a tree, or cuts with their prices.
    """

    worth: Numbers
    lam: Mapping[int, Numbers]
    ends: Sequence[EndOfSizes] = ()
    rows: Sequence[Row] = ()
    prices: Numbers = field(default_factory=lambda: np.zeros(0))

    def multipliers(self, pricing: RulePricing) -> Multipliers:
        """Return the worths, and the multipliers that patterns had."""
        nothing = np.zeros(pricing.count)
        lam = [self.lam.get(number, nothing) for number in pricing.trees]
        return Multipliers(self.worth, np.concatenate([nothing[:0], *lam]))


def read_back_worths(proof: Proof | None, instance: Instance) -> EarlierWorths | None:
    """Return what a proof says of the problem; None if it is of another kind, table or principle, or about no pattern of these."""
    if not isinstance(proof, GroupProof | GroupCutsProof | GroupCasesProof):
        return None
    try:
        about = GroupProof(0, proof.digest, proof.principle, proof.denominator, ()).require_about(instance.asked)
        if about not in (instance.asked, instance.asked.plain):
            return None
        words = instance.words
        if isinstance(proof, GroupProof):
            return EarlierWorths(_worth(words, proof.worth, proof.denominator), _lam(words, proof, instance))
        if isinstance(proof, GroupCutsProof):
            return _with_cuts(words, proof, instance)
        ends = list(_ends(words, proof.tree, (), proof.denominator))
    except (BadInput, KeyError, IndexError):
        return None
    return EarlierWorths(np.mean([at.worth for _, at in ends], axis=0), {}, ends)


def _with_cuts(words: Words, proof: GroupCutsProof, instance: Instance) -> EarlierWorths:
    """Return worths, and the cuts that still round something, with their prices."""
    rows = [instance.catalogue.row(words.read_cut(cut)) for cut in proof.cuts]
    kept = [(row, price) for row, price in zip(rows, proof.prices, strict=True) if row is not None]
    prices = np.array([price for _, price in kept], dtype=float) / proof.denominator
    worth = _worth(words, proof.worth, proof.denominator)
    return EarlierWorths(worth, {}, rows=[row for row, _ in kept], prices=prices)


def _worth(words: Words, worth: Sequence[int], d: int) -> Numbers:
    return words.read_worth(worth).astype(float) / d


def _lam(words: Words, proof: GroupProof, instance: Instance) -> dict[int, Numbers]:
    """Return the multiplier of each pattern: the least that its potentials can come from, by how steep they are."""
    conditions = list(instance.asked.principle.conditions(instance.asked.table))
    rule_of = {stated: number for number, stated in enumerate(instance.stated_by)}
    found: dict[int, Numbers] = {}
    for potentials in proof.potentials:
        condition = conditions[potentials.part]
        assert isinstance(condition, Close)
        [steepness] = condition.metric.steepnesses(np.array([potentials.values], dtype=np.int64))
        lam = found.setdefault(rule_of[potentials.part], np.zeros(len(instance.arcs)))
        lam[words.read_pattern(potentials.kept, potentials.example)] = float(steepness or 0) / proof.denominator
    return found


def _ends(words: Words, tree: GroupTree, decisions: tuple[Decision, ...], d: int) -> Iterator[EndOfSizes]:
    """Yield the ends of a tree."""
    if isinstance(tree, GroupLeaf):
        cells = dict.fromkeys((its.pattern, its.value) for its in decisions if its.value is not None)
        prices = {(p, int(v)): price / d for (p, v), price in zip(cells, tree.prices, strict=True)}
        yield decisions, At(_worth(words, tree.worth, d), prices)
        return
    pattern = words.read_pattern(tree.kept, tree.example)
    for side, is_low in ((tree.low, True), (tree.high, False)):
        yield from _ends(words, side, (*decisions, Decision(pattern, tree.value, tree.most, is_low)), d)
