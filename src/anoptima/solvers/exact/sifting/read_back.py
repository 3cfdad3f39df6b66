"""Proofs under k-anonymity read back: a run goes on from the multipliers, cuts and cases of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anoptima.answer import Proof
from anoptima.proofs.branched import BranchedProof, Leaf, Tree
from anoptima.proofs.cuts import Cut as WrittenCut
from anoptima.proofs.cuts import Term as WrittenTerm
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.bound.cuts import Cut, Named, Row
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.proofs import Fixed

End = tuple[Fixed, Multipliers]
"""What a case fixes, and its multipliers in parts of D."""


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
    """Return what a proof says of the problem; None if it is of another kind, or about another table, another k, or no pattern of these."""
    problem, patterns = instance.asked, instance.patterns
    if not isinstance(proof, MultiplierProof | BranchedProof):
        return None
    if proof.digest != problem.table.digest or proof.k != instance.k:
        return None
    type_of = patterns.table.records.type
    record_of = np.zeros(len(patterns.table.types), dtype=np.int64)
    record_of[type_of] = np.arange(len(type_of))

    def records(types: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(record_of[t]) for t in types)

    def pattern(kept: frozenset[str], example: int) -> int:
        return patterns.find(np.array([name in kept for name in patterns.table.quasi]), int(record_of[example]))

    def named(term: WrittenTerm) -> Named:
        return Named(pattern(term.kept, term.example), term.inside, records(term.types))

    def row_of(cut: WrittenCut) -> Row | None:
        return instance.catalogue.row(Cut(records(cut.types), cut.divisor, tuple(map(named, cut.terms))))

    def ends(tree: Tree, fixed: Fixed) -> Iterator[tuple[Fixed, Leaf]]:
        if isinstance(tree, Leaf):
            yield fixed, tree
            return
        decided = pattern(tree.kept, tree.example)
        for side, is_open in ((tree.open, True), (tree.shut, False)):
            yield from ends(side, (*fixed, (decided, is_open)))

    tree = proof.tree if isinstance(proof, BranchedProof) else Leaf(proof.worth, proof.prices)
    try:
        rows = [row_of(cut) for cut in proof.cuts]
        leaves = list(ends(tree, ()))
    except (KeyError, IndexError):
        return None
    useful = [place for place, row in enumerate(rows) if row is not None]
    scale = Fraction(instance.d, proof.denominator)

    def whole(numbers: Sequence[int]) -> np.ndarray:
        if scale == 1:
            return np.array(numbers, dtype=np.int64)
        return np.array([round(number * scale) for number in numbers], dtype=np.int64)

    return Earlier(
        int(proof.value * problem.cost_scale),
        [row for row in rows if row is not None],
        [
            (fixed, Multipliers(whole(leaf.worth)[type_of], whole([leaf.prices[place] for place in useful])))
            for fixed, leaf in leaves
        ],
        instance.d,
    )
