"""A proof that no sufficient set of columns weighs less than a value.

It has two parts, checked apart. First, sets of columns that are *barriers*: all columns outside one together do not suffice, so every
solution meets it. The problem's own checker decides that. Second, a proof that whatever meets these barriers weighs at least the
value: a tree that takes or leaves one column after another, and shares of barriers at its ends. At an end where the columns I are
taken and the columns O left out, let each barrier B that misses I have a share s_B >= 0, such that

    sum_{B contains c} s_B <= D w_c     for each column c neither in I nor in O.

Then a set that contains I, avoids O and meets all barriers pays, beyond I, for each of those barriers at least s_B / D. So it weighs at
least w(I) + sum s_B / D. (The shares are a feasible solution of the dual of the linear program; D makes them whole.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer, exact_plain, exact_text
from anoptima.problems.base import Problem
from anoptima.problems.column_choice import ColumnChoice
from anoptima.proofs.kinds import register
from anoptima.proofs.reading import Fields
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, with_less
from anoptima.proofs.trees import ends


@dataclass(frozen=True, slots=True)
class End:
    """An end of the tree: shares, by the barrier's number."""

    shares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A column that is taken on one side and left out on the other."""

    column: str
    taken: Tree
    left: Tree


Tree = Branch | End


@register
@dataclass(frozen=True)
class HittingProof:
    """No choice of columns costs less than `value`: by sets of columns that every solution meets.

    Attributes
    ----------
    value
        The bound.
    barriers
        Sets of columns, by name, that every solution meets.
    denominator
        D: what a share is counted in parts of.
    tree
        Why everything that meets the barriers costs at least `value`.
    """

    value: Exact
    barriers: Sequence[frozenset[str]]
    denominator: int
    tree: Tree

    kind: ClassVar[str] = "hitting-set"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "value": exact_plain(self.value),
            "barriers": [sorted(barrier) for barrier in self.barriers],
            "denominator": self.denominator,
            "tree": _tree_as_json(self.tree),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> HittingProof:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(
            fields.exact("value"),
            fields.each("barriers", _barrier_from_json),
            fields.whole("denominator"),
            _tree_from_json(fields.take("tree"), "the tree"),
        )
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. One question to the checker a barrier, O(tree).

        >>> import pandas as pd
        >>> from anoptima.problems.quasi_identifier import IdentifyingColumns
        >>> from anoptima.table import Table
        >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
        >>> problem = IdentifyingColumns(Table.from_frame(frame, quasi=["a", "b"]))
        >>> barriers = [frozenset({"a"}), frozenset({"b"})]
        >>> HittingProof(2, barriers, 1, End(((0, 1), (1, 1)))).proved(problem)
        2
        >>> HittingProof(2, barriers, 1, End(((0, 1),))).proved(problem)
        Traceback (most recent call last):
        anoptima.errors.BadInput: taking no column and leaving none, the shares prove 1, not 2
        """
        if not isinstance(problem, ColumnChoice):
            raise BadInput(f"the proof is about a choice of columns, and {problem.name} is none")
        if why := problem.why_not_monotone():
            raise BadInput(f"barriers prove nothing here: {why}")
        weights = dict(zip(problem.table.quasi, map(Fraction, problem.table.weights), strict=True))
        for number, barrier in enumerate(self.barriers):
            if not barrier <= weights.keys():
                raise BadInput(f"barrier {number} names {sorted(barrier - weights.keys())[0]!r}, which is no column")
        others = [[j for j, name in enumerate(problem.table.quasi) if name not in barrier] for barrier in self.barriers]
        for number in problem.suffice_each(others).nonzero()[0].tolist():
            named = _listed(self.barriers[number])
            raise BadInput(f"barrier {number} ({named}) is none: all other columns together suffice")
        self._walk(weights)
        return self.value

    def explain(self, columns: Iterable[str], problem: ColumnChoice[Any]) -> str:
        """Say in words why a set of columns costs `value` or more, or is no solution.

        >>> import anoptima as ao
        >>> problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))
        >>> proof = ao.solve(problem, "hitting-set").proof
        >>> print(proof.explain(["zip3", "age1"], problem))
        age1, zip3 has no column of barrier 1 (zip4): all columns outside it together do not suffice, so this set is no solution.
        >>> print(proof.explain(problem.table.quasi, problem))
        age1, age2, education, zip1, zip2, zip3, zip4, zip5: weight 8; the proof says that each solution weighs 6 or more.
        Its columns pay for the barriers zip3; zip4; zip5; age1; age2; education, zip2, at least 1 + 1 + 1 + 1 + 1 + 1 = 6.
        """
        self.proved(problem)
        weights = dict(zip(problem.table.quasi, map(Fraction, problem.table.weights), strict=True))
        chosen = frozenset(columns)
        if not chosen <= weights.keys():
            raise BadInput(f"{sorted(chosen - weights.keys())[0]!r} is no column that can be chosen")
        said = _listed(chosen) or "the empty set"
        for number, barrier in enumerate(self.barriers):
            if barrier.isdisjoint(chosen):
                return (
                    f"{said} has no column of barrier {number} ({_listed(barrier)}): "
                    "all columns outside it together do not suffice, so this set is no solution."
                )
        node, taken = self.tree, list[str]()
        while isinstance(node, Branch):
            inside = node.column in chosen
            taken += [node.column] if inside else []
            node = node.taken if inside else node.left
        own = sum((weights[name] for name in chosen), Fraction(0))
        terms = [weights[name] for name in taken] + [Fraction(share, self.denominator) for _, share in node.shares]
        barriers = [f"the barriers {'; '.join(_listed(self.barriers[number]) for number, _ in node.shares)}"]
        paid = " and ".join([*(barriers if node.shares else []), *([f"the taken {', '.join(taken)}"] if taken else [])])
        total = f"{' + '.join(map(exact_text, terms)) or '0'} = {exact_text(sum(terms, Fraction(0)))}"
        return (
            f"{said}: weight {exact_text(own)}; the proof says that each solution weighs {exact_text(self.value)} or more.\n"
            f"Its columns pay for {paid or 'nothing'}, at least {total}."
        )

    def simplified(self, problem: ColumnChoice[Any], checks: int = MOST_CHECKS) -> HittingProof:
        """Return a proof of the same value with a smaller denominator and fewer cases and barriers, as far as `checks` tries find one."""
        self.proved(problem)
        left = Checks(problem, checks)
        shorter = with_less(self._without_idle(), lambda proof: proof._fewer(), left)

        def rounded(smaller: int) -> Iterator[HittingProof]:
            yield replace(shorter, denominator=smaller, tree=_scaled(shorter.tree, shorter.denominator, smaller))

        return in_smaller_parts(shorter, shorter.denominator, rounded, left)._without_idle()

    def _fewer(self) -> Iterator[HittingProof]:
        for tree in _smaller(self.tree):
            yield replace(self, tree=tree)._without_idle()

    def _without_idle(self) -> HittingProof:
        """Return the proof without barriers that have no share."""
        used = sorted(set(_shared(self.tree)))
        number = {old: new for new, old in enumerate(used)}
        barriers = tuple(self.barriers[old] for old in used)
        return replace(self, barriers=barriers, tree=_renumbered(self.tree, number))

    def _walk(self, weights: dict[str, Fraction]) -> None:
        if self.denominator < 1:
            raise BadInput(f"the denominator is {self.denominator}; it must be at least 1")
        for end, path in ends(self.tree, "left", "taken"):
            left, taken = (frozenset(fork.column for fork, its in path if its is side) for side in (True, False))
            for fork, _ in path:
                if fork.column not in weights:
                    raise BadInput(f"the tree branches on {fork.column!r}, which is no column")
            if taken.isdisjoint(left):
                self._check_end(end, weights, taken, left)

    def _check_end(self, end: End, weights: dict[str, Fraction], taken: frozenset[str], left: frozenset[str]) -> None:
        where = f"taking {_listed(taken) or 'no column'} and leaving {_listed(left) or 'none'}"
        charged = dict.fromkeys(weights.keys() - left, 0)
        total = 0
        for number, share in end.shares:
            if share < 0 or not 0 <= number < len(self.barriers) or not self.barriers[number].isdisjoint(taken):
                raise BadInput(f"{where}, barrier {number} cannot have the share {share}")
            for column in self.barriers[number] - left:
                charged[column] += share
            total += share
        for column, share in charged.items():
            if column not in taken and share > self.denominator * weights[column]:
                raise BadInput(
                    f"{where}, shares of {exact_text(Fraction(share, self.denominator))} fall on {column!r}, more than it weighs"
                )
        least = sum((weights[column] for column in taken), Fraction(total, self.denominator))
        if least < self.value:
            raise BadInput(f"{where}, the shares prove {exact_text(least)}, not {exact_text(self.value)}")


def _shared(tree: Tree) -> Iterator[int]:
    """Yield the numbers of the barriers that have a share at some end."""
    if isinstance(tree, Branch):
        yield from _shared(tree.taken)
        yield from _shared(tree.left)
    else:
        yield from (number for number, share in tree.shares if share)


def _renumbered(tree: Tree, number: Mapping[int, int]) -> Tree:
    if isinstance(tree, Branch):
        return replace(tree, taken=_renumbered(tree.taken, number), left=_renumbered(tree.left, number))
    return End(tuple((number[old], share) for old, share in tree.shares if share))


def _smaller(tree: Tree) -> Iterator[Tree]:
    """Yield the tree with one of its branches replaced by either of its sides, outer branches first."""
    if isinstance(tree, Branch):
        yield tree.taken
        yield tree.left
        yield from (replace(tree, taken=side) for side in _smaller(tree.taken))
        yield from (replace(tree, left=side) for side in _smaller(tree.left))


def _scaled(tree: Tree, denominator: int, smaller: int) -> Tree:
    """Return the tree with its shares in parts of `smaller`, rounded down."""
    if isinstance(tree, Branch):
        return replace(
            tree, taken=_scaled(tree.taken, denominator, smaller), left=_scaled(tree.left, denominator, smaller)
        )
    scaled = ((number, share * smaller // denominator) for number, share in tree.shares)
    return End(tuple((number, share) for number, share in scaled if share))


def _tree_as_json(tree: Tree) -> dict[str, Any]:
    if isinstance(tree, End):
        return {"shares": [list(share) for share in tree.shares]}
    return {"column": tree.column, "taken": _tree_as_json(tree.taken), "left": _tree_as_json(tree.left)}


def _tree_from_json(data: Any, where: str) -> Tree:
    fields = Fields(data, where)
    tree: Tree
    if fields.has("shares"):
        tree = End(fields.each("shares", _share_from_json))
    else:
        column = fields.text("column")
        tree = Branch(
            column,
            _tree_from_json(fields.take("taken"), f"the tree where {column!r} is taken"),
            _tree_from_json(fields.take("left"), f"the tree where {column!r} is left"),
        )
    fields.end()
    return tree


def _share_from_json(data: Any, what: str) -> tuple[int, int]:
    if not isinstance(data, list) or len(data) != 2:
        raise BadInput(f"{what} must be two whole numbers: a barrier's number, and its share")
    return as_integer(data[0], f"the barrier of {what}"), as_integer(data[1], f"the share of {what}")


def _barrier_from_json(data: Any, what: str) -> frozenset[str]:
    if not isinstance(data, list) or not all(isinstance(name, str) for name in data):
        raise BadInput(f"{what} must be a list of column names")
    return frozenset(data)


def _listed(columns: frozenset[str]) -> str:
    return ", ".join(sorted(columns))
