"""A proof by cases: a tree that decides of one pattern after another whether it has a group, and multipliers for each end of it.

Groups of one pattern may be merged, so a release gives every pattern one group or none, and falls under one end of the tree. So no
release costs less than the least of what the ends prove (`multipliers`), each for the releases that its decisions describe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from anoptima.exact import Exact, exact_plain
from anoptima.problems.base import Problem
from anoptima.proofs.cuts import Cut, Cuts
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import Decision, Multipliers, least_of_all, require_about, require_proved
from anoptima.proofs.reading import Fields


@dataclass(frozen=True, slots=True)
class Leaf:
    """An end of the tree: D times what a row of each type is worth, and D times the price of each cut, as in `MultiplierProof`."""

    worth: tuple[int, ...]
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fork:
    """The pattern that keeps `kept` at the values of row type `example` has a group on one side, and none on the other."""

    kept: frozenset[str]
    example: int
    open: Tree
    shut: Tree


Tree = Fork | Leaf


@register
@dataclass(frozen=True)
class BranchedProof:
    """A proof that no k-anonymous release costs less than `value`. The cuts hold for every release, and each end prices them anew."""

    value: Exact
    digest: str
    k: int
    denominator: int
    cuts: tuple[Cut, ...]
    tree: Tree

    kind: ClassVar[str] = "branched-multipliers"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "value": exact_plain(self.value),
            "digest": self.digest,
            "k": self.k,
            "denominator": self.denominator,
            "cuts": [cut.as_json() for cut in self.cuts],
            "tree": _as_json(self.tree),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BranchedProof:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(
            value=fields.exact("value"),
            digest=fields.text("digest"),
            k=fields.whole("k"),
            denominator=fields.whole("denominator"),
            cuts=fields.each("cuts", Cut.from_json),
            tree=_from_json(fields.take("tree"), "the tree"),
        )
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. What `MultiplierProof.proved` takes, for each end.

        >>> from anoptima import CellSuppression, KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> nothing = Leaf((0,) * 10, ())
        >>> tree = Fork(frozenset(), 0, nothing, nothing)
        >>> BranchedProof(0, problem.table.digest, 3, 1, (), tree).proved(problem)
        0
        """
        about = require_about(problem, self.digest, self.k)
        cuts = Cuts(about, self.k, self.cuts)
        cases = [
            Multipliers(about, self.denominator, cuts, leaf.worth, leaf.prices, decisions)
            for leaf, decisions in _ends(self.tree, ())
        ]
        require_proved(self.value, self.denominator, least_of_all(cases), problem)
        return self.value


def _ends(tree: Tree, decisions: tuple[Decision, ...]) -> Iterator[tuple[Leaf, tuple[Decision, ...]]]:
    """Yield the ends of a tree, each with what leads there."""
    if isinstance(tree, Leaf):
        yield tree, decisions
        return
    for side, is_open in ((tree.open, True), (tree.shut, False)):
        yield from _ends(side, (*decisions, Decision(tree.kept, tree.example, is_open)))


def _as_json(tree: Tree) -> dict[str, Any]:
    if isinstance(tree, Leaf):
        return {"worth": list(tree.worth), "prices": list(tree.prices)}
    return {
        "kept": sorted(tree.kept),
        "example": tree.example,
        "open": _as_json(tree.open),
        "shut": _as_json(tree.shut),
    }


def _from_json(data: Any, where: str) -> Tree:
    fields = Fields(data, where)
    tree: Tree
    if fields.has("worth"):
        tree = Leaf(fields.wholes("worth"), fields.wholes("prices"))
    else:
        tree = Fork(
            frozenset(fields.texts("kept")),
            fields.whole("example"),
            _from_json(fields.take("open"), f"the open side of {where}"),
            _from_json(fields.take("shut"), f"the shut side of {where}"),
        )
    fields.end()
    return tree
