"""A proof by cases: a tree that decides of one pattern after another whether it has a group, and multipliers for each end of it.

Groups of one pattern may be merged, so a release gives every pattern one group or none, and falls under one end of the tree. So no
release costs less than the least of what the ends prove (`multipliers`), each for the releases that its decisions describe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from anoptima.exact import Exact, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.cuts import Cut, charged_to_group
from anoptima.proofs.explaining import GroupCost, explained, prices_of_rows
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import MultiplierProof, of_sizes, require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, rounded_to, with_less
from anoptima.proofs.trees import ends


@dataclass(frozen=True, slots=True)
class Leaf(PlainData):
    """An end of the tree: D times what a row of each type is worth, and D times the price of each cut, as in `MultiplierProof`."""

    worth: tuple[int, ...]
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fork(PlainData):
    """The pattern that keeps `kept` at the values of row type `example` has a group on one side, and none on the other."""

    kept: frozenset[str]
    example: int
    open: Tree
    shut: Tree

    value: ClassVar[None] = None
    most: ClassVar[int] = 0


Tree = Fork | Leaf


@register
@dataclass(frozen=True)
class BranchedProof(PlainData):
    """No k-anonymous release costs less than `value`: by a tree of cases, with multipliers and prices of the same cuts at each end."""

    value: Exact
    digest: str
    k: int
    denominator: int
    cuts: tuple[Cut, ...]
    tree: Tree

    kind: ClassVar[str] = "branched-multipliers"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. What `MultiplierProof.proved` takes, for each end.

        >>> from anoptima import CellSuppression, KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> nothing = Leaf((0,) * 10, ())
        >>> tree = Fork(frozenset(), 0, nothing, nothing)
        >>> BranchedProof(0, problem.table.digest, 3, 1, (), tree).proved(problem)
        0
        """
        said = Said(self.denominator, self.cuts, is_lenient=True)
        every = (Ended(leaf.worth, leaf.prices, (), path) for leaf, path in ends(self.tree, "shut", "open"))
        require_proved(self.value, bound(of_sizes(problem, self.digest, self.k), said, every), problem)
        return self.value

    def explain(self, group: Iterable[int], problem: CellSuppression) -> str:
        """Say in words what a group of rows, numbered from 0, costs beside its rows' prices, case by case.

        Cases in which the group's pattern has no group are left out. Of the others the one in which the group costs least beyond its
        rows' prices is told in full.
        """
        rows = sorted(group)
        found = GroupCost.of(problem, rows)
        every, told = list(ends(self.tree, "open", "shut")), list[tuple[Fraction, str]]()
        for leaf, path in every:
            if any(_names(fork, found, problem) for fork, is_open in path if not is_open):
                continue
            prices = prices_of_rows(problem, leaf.worth, problem.table.type_of_row, self.denominator)
            charged = Fraction(
                charged_to_group(problem, self.k, self.cuts, leaf.prices, rows), self.denominator * problem.cost_scale
            )
            beyond = Fraction(found.cost) + charged - sum(map(Fraction, (prices[row] for row in rows)))
            told.append((beyond, explained(problem, rows, prices, self.value, simplest(charged))))
        if not told:
            return f"In each of the proof's {len(every)} cases the pattern of these rows has no group."
        return (
            f"The proof has {len(every)} cases; {len(told)} allow this group, and this is the tightest.\n{min(told)[1]}"
        )

    def simplified(self, problem: CellSuppression, checks: int = MOST_CHECKS) -> BranchedProof | MultiplierProof:
        """Return a proof of the same value with fewer cases and cuts and a smaller denominator, as far as `checks` tries find one.

        >>> from anoptima import CellSuppression, KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> nothing = Leaf((20,) * 10, ())
        >>> BranchedProof(20, problem.table.digest, 3, 10, (), Fork(frozenset(), 0, nothing, nothing)).simplified(problem).worth
        (2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
        """
        left = Checks(problem, checks)
        shorter = with_less(self, lambda proof: proof._fewer(), left)
        if isinstance(shorter.tree, Leaf):
            leaf = shorter.tree
            alone = MultiplierProof(
                self.value, self.digest, self.k, self.denominator, leaf.worth, shorter.cuts, leaf.prices
            )
            return alone.simplified(problem, left.left)

        def rounded(smaller: int) -> Iterator[BranchedProof]:
            for way in range(3):
                yield replace(
                    shorter, denominator=smaller, tree=_rounded(shorter.tree, shorter.denominator, smaller, way)
                )

        return in_smaller_parts(shorter, shorter.denominator, rounded, left)

    def _fewer(self) -> Iterator[BranchedProof]:
        """Yield the proof with a side in the place of its fork, and without one of its cuts."""
        yield from (replace(self, tree=tree) for tree in _smaller(self.tree))
        for i in range(len(self.cuts)):
            yield replace(self, cuts=(*self.cuts[:i], *self.cuts[i + 1 :]), tree=_without_price(self.tree, i))


def _names(fork: Fork, group: GroupCost, problem: CellSuppression) -> bool:
    """Tell whether a fork decides on the pattern of a group."""
    table = problem.table
    if fork.kept != set(group.agree):
        return False
    columns = [j for j, name in enumerate(table.quasi) if name in fork.kept]
    own = table.types[table.type_of_row[group.rows[0]]][columns]
    return bool((own == table.types[fork.example][columns]).all())


def _smaller(tree: Tree) -> Iterator[Tree]:
    """Yield the tree with one of its forks replaced by either of its sides, outer forks first."""
    if isinstance(tree, Leaf):
        return
    yield tree.open
    yield tree.shut
    yield from (replace(tree, open=side) for side in _smaller(tree.open))
    yield from (replace(tree, shut=side) for side in _smaller(tree.shut))


def _without_price(tree: Tree, cut: int) -> Tree:
    if isinstance(tree, Leaf):
        return Leaf(tree.worth, (*tree.prices[:cut], *tree.prices[cut + 1 :]))
    return replace(tree, open=_without_price(tree.open, cut), shut=_without_price(tree.shut, cut))


def _rounded(tree: Tree, denominator: int, smaller: int, way: int) -> Tree:
    """Return the tree with its numbers in parts of `smaller`, rounded in one of the ways of `rounded_to`."""
    if isinstance(tree, Leaf):
        ways = list(rounded_to((*tree.worth, *tree.prices), denominator, smaller))
        numbers = ways[min(way, len(ways) - 1)]
        return Leaf(numbers[: len(tree.worth)], numbers[len(tree.worth) :])
    return replace(
        tree,
        open=_rounded(tree.open, denominator, smaller, way),
        shut=_rounded(tree.shut, denominator, smaller, way),
    )
