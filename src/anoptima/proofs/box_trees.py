"""Trees of cases of how many fakes lie where, with shares of test boxes at their ends (`proofs.box_shares`): data, and smaller ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from anoptima.errors import BadInput
from anoptima.exact import as_integer
from anoptima.problems.depths import Point
from anoptima.proofs.reading import Fields


@dataclass(frozen=True, slots=True)
class Share:
    """A corner, bare corners beside it, in order, and the share of the box."""

    corner: Point
    bare: tuple[Point, ...]
    share: int


@dataclass(frozen=True, slots=True)
class BoxEnd:
    """An end of the tree: shares, and the prices of the decisions that lead to it, from the root on."""

    shares: tuple[Share, ...]
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoxFork:
    """Places with at most `most` fakes on one side and more on the other."""

    lower: Point
    upper: Point
    most: int
    few: BoxTree
    many: BoxTree


BoxTree = BoxFork | BoxEnd


@dataclass(frozen=True, slots=True)
class Decision:
    """One side of a fork."""

    lower: Point
    upper: Point
    most: int
    is_few: bool


def places(tree: BoxTree) -> Iterator[Point]:
    """Yield every place that a tree names."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, BoxFork):
            yield from (node.lower, node.upper)
            waiting += [node.few, node.many]
        else:
            for its in node.shares:
                yield from (its.corner, *its.bare)


def smaller(tree: BoxTree, depth: int = 0) -> Iterator[BoxTree]:
    """Yield the tree with a side in the place of its fork, without one of its shares, and without bare corners beside one.

    >>> end = BoxEnd((Share((Fraction(1),), (), 2),), (3,))
    >>> list(smaller(BoxFork((Fraction(0),), (Fraction(1),), 0, end, end)))[0]
    BoxEnd(shares=(Share(corner=(Fraction(1, 1),), bare=(), share=2),), prices=())
    """
    if isinstance(tree, BoxFork):
        for side in (tree.few, tree.many):
            yield changed(side, lambda end: replace(end, prices=(*end.prices[:depth], *end.prices[depth + 1 :])))
        yield from (replace(tree, few=side) for side in smaller(tree.few, depth + 1))
        yield from (replace(tree, many=side) for side in smaller(tree.many, depth + 1))
        return
    for i, one in enumerate(tree.shares):
        before, after = tree.shares[:i], tree.shares[i + 1 :]
        yield replace(tree, shares=(*before, *after))
        if one.bare:
            yield replace(tree, shares=(*before, replace(one, bare=()), *after))


def changed(tree: BoxTree, change: Callable[[BoxEnd], BoxEnd]) -> BoxTree:
    """Return the tree with changed ends."""
    if isinstance(tree, BoxEnd):
        return change(tree)
    return replace(tree, few=changed(tree.few, change), many=changed(tree.many, change))


def tree_as_json(tree: BoxTree) -> dict[str, Any]:
    """Return everything as plain data."""
    if isinstance(tree, BoxEnd):
        shares = [[_pairs(its.corner), [_pairs(corner) for corner in its.bare], its.share] for its in tree.shares]
        return {"shares": shares, "prices": list(tree.prices)}
    sides = {"few": tree_as_json(tree.few), "many": tree_as_json(tree.many)}
    return {"lower": _pairs(tree.lower), "upper": _pairs(tree.upper), "most": tree.most, **sides}


def _pairs(point: Point) -> list[list[int]]:
    return [[x.numerator, x.denominator] for x in point]


def tree_from_json(data: Any, where: str) -> BoxTree:
    """Return the tree that `tree_as_json` wrote, unchecked; `where` is what to call it."""
    fields = Fields(data, where)
    tree: BoxTree
    if fields.has("shares"):
        tree = BoxEnd(fields.each("shares", _share_from_json), fields.wholes("prices"))
    else:
        tree = BoxFork(
            _point_from_json(fields.take("lower"), f"'lower' in {where}"),
            _point_from_json(fields.take("upper"), f"'upper' in {where}"),
            fields.whole("most"),
            tree_from_json(fields.take("few"), f"{where}, few"),
            tree_from_json(fields.take("many"), f"{where}, many"),
        )
    fields.end()
    return tree


def _share_from_json(data: Any, what: str) -> Share:
    if not isinstance(data, list) or len(data) != 3 or not isinstance(data[1], list):
        raise BadInput(f"{what} must be a corner, a list of bare corners and a whole number")
    bare = tuple(_point_from_json(corner, f"a bare corner of {what}") for corner in data[1])
    return Share(_point_from_json(data[0], f"the corner of {what}"), bare, as_integer(data[2], what))


def _point_from_json(data: Any, what: str) -> Point:
    if not isinstance(data, list):
        raise BadInput(f"{what} must be a list of coordinates")
    found = []
    for pair in data:
        if not isinstance(pair, list) or len(pair) != 2 or any(type(part) is not int for part in pair) or pair[1] < 1:
            raise BadInput(f"{what} has the coordinate {pair!r}; it must be a numerator and a positive denominator")
        found.append(Fraction(*pair))
    return tuple(found)
