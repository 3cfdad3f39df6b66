"""A proof by multipliers that no release costs less than a value: one number a row type, one a cut, and nothing to believe.

Every row is worth pi_t to whoever publishes it. A release consists of groups of at least k rows; a group that keeps the columns K pays
c_K a row, the weight of all others. So a release costs at least

    sum_t s_t pi_t + sum_p min(0, v_p),    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= s_t, sum z_t >= k },

one term for each pattern p that could have a group: groups of one pattern count as one. Only closed patterns count, those that no further
column could be fixed in: a group's own pattern is closed. Cuts, inequalities that hold for every release, add a charge to patterns, a
surcharge to rows published as one, and take their right side away, all times a price of 0 or more (see `Cut`).

This checker walks through all patterns by itself, by refining classes column by column, and counts in whole numbers. It uses nothing of
the engine that found the multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.certificates.proofs import register
from anoptima.certificates.reading import Fields, TooLarge, require_few_patterns
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, exact_text, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression

Whole = NDArray[np.int64]

_NOTHING: Whole = np.zeros(0, dtype=np.int64)
_ROOM = 2**62
"""What sums must stay below, so that 64-bit integers hold them."""


@dataclass(frozen=True)
class Term:
    """The term that a cut names for one pattern: the one that keeps `kept` at the values of row type `example`.

    `together` (inside true): the row types `types` lie in the cut's set. `outside`: they do not.
    """

    kept: frozenset[str]
    example: int
    inside: bool
    types: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        side = "together" if self.inside else "outside"
        return {"kept": sorted(self.kept), "example": self.example, side: list(self.types)}

    @classmethod
    def from_json(cls, data: Any, what: str) -> Term:
        """Return the term that `as_json` wrote, unchecked; `what` is what to call it."""
        fields = Fields(data, what)
        inside = fields.has("together")
        term = cls(
            frozenset(fields.texts("kept")),
            fields.whole("example"),
            inside,
            fields.wholes("together" if inside else "outside"),
        )
        fields.end()
        return term


@dataclass(frozen=True)
class Cut:
    """A rounding cut. For the row types W = `types`, with s(W) = q d + r rows, d = `divisor` in 2..k and 1 <= r < d:

        sum_p [ F(a_p) y_p - e_p / (d - r) ] <= q,     F(a) = floor(a / d) + max(0, a mod d - r) / (d - r),

    where y_p says whether pattern p has a group, and a_p y_p - e_p is at most what the group takes of W, for one of these reasons. By
    *together*, a = s(S), e = sum over S of (s_t y - x_t), with S inside W: what lacks of S is all that is not taken. By *outside*, a = k -
    s(O), e = sum of x_t over its row types neither in W nor in O: a group has k rows, and what is not of W is of O or paid. Patterns that
    no term is named for take *outside* with O all they have outside of W, where that leaves a > 0. Adding up over all patterns gives
    sum (a_p y_p - e_p) <= s(W), and mixed-integer rounding (Nemhauser and Wolsey) the cut. Kept times d - r, in whole numbers.
    """

    types: tuple[int, ...]
    divisor: int
    terms: tuple[Term, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"types": list(self.types), "divisor": self.divisor, "terms": [term.as_json() for term in self.terms]}

    @classmethod
    def from_json(cls, data: Any, what: str) -> Cut:
        """Return the cut that `as_json` wrote, unchecked; `what` is what to call it."""
        fields = Fields(data, what)
        cut = cls(fields.wholes("types"), fields.whole("divisor"), fields.each("terms", Term.from_json))
        fields.end()
        return cut


@register
@dataclass(frozen=True)
class MultiplierProof:
    """A proof that no k-anonymous release costs less than `value`.

    Attributes
    ----------
    digest
        The table's.
    denominator
        D: what worths and prices are counted in parts of.
    worth
        D pi_t for each row type, in the table's order. In parts of the table's cost unit (`Problem.cost_scale`).
    cuts, prices
        Cuts, and D times the price of each.
    """

    value: Exact
    digest: str
    k: int
    denominator: int
    worth: tuple[int, ...]
    cuts: tuple[Cut, ...] = ()
    prices: tuple[int, ...] = ()

    kind: ClassVar[str] = "multipliers"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "value": exact_plain(self.value),
            "digest": self.digest,
            "k": self.k,
            "denominator": self.denominator,
            "worth": list(self.worth),
            "cuts": [cut.as_json() for cut in self.cuts],
            "prices": list(self.prices),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MultiplierProof:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(
            value=fields.exact("value"),
            digest=fields.text("digest"),
            k=fields.whole("k"),
            denominator=fields.whole("denominator"),
            worth=fields.wholes("worth"),
            cuts=fields.each("cuts", Cut.from_json),
            prices=fields.wholes("prices"),
        )
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. O(2^m T (m + log T)) for T row types, m columns.

        >>> from anoptima import KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> MultiplierProof(0, problem.table.digest, 3, 1, (0,) * 10).proved(problem)
        0
        """
        about = require_about(problem, self.digest, self.k)
        case = Multipliers(about, self.denominator, Cuts(about, self.k, self.cuts), self.worth, self.prices)
        require_proved(self.value, self.denominator, least_of_all([case]), problem)
        return self.value


def require_about(problem: Problem[Any], digest: str, k: int) -> CellSuppression:
    """Return `problem` if a proof is about it: cell suppression of the table with this digest, in groups of at least k rows.

    Any principle that asks for as many rows will do, whatever else it asks for. Refuse the problem if it is another one.
    """
    if not isinstance(problem, CellSuppression):
        raise BadInput(f"the proof is about cell-suppression, and this is {problem.name}")
    if problem.table.digest != digest:
        raise BadInput(f"the proof is about another table, with digest {digest[:12]}...")
    least = problem.plain.principle.least_size(problem.table)
    if least < k:
        raise BadInput(f"the proof is for groups of at least k = {k} rows, and the problem allows groups of {least}")
    return problem


def least_of_all(cases: Sequence[Multipliers]) -> int:
    """Return the least of D times the bounds of some cases, on one walk through the patterns."""
    first = cases[0]
    require_few_patterns(len(first.names), len(first.copies))
    totals = [case.outset() for case in cases]
    for on in _walk(first.codes, first.copies, first.k):
        closed = on.closed(first.codes)
        if closed.any():
            patterns = on.only(closed)
            charges = first.cuts.charges(patterns)
            for number, case in enumerate(cases):
                totals[number] += case.of_patterns(patterns, charges)
    return min(totals)


def require_proved(value: Exact, denominator: int, least: int, problem: Problem[Any]) -> None:
    """Refuse a value that is more than what was proved."""
    proved = -(-least // denominator)
    if proved < value * problem.cost_scale:
        raise BadInput(
            f"the multipliers prove {exact_text(simplest(Fraction(proved, problem.cost_scale)))}, not {exact_text(simplest(value))}"
        )


@dataclass(frozen=True)
class Decision:
    """What a case supposes of one pattern, that which keeps `kept` at the values of row type `example`: it has a group, or none."""

    kept: frozenset[str]
    example: int
    is_open: bool


@dataclass(frozen=True, eq=False)
class _Classes:
    """The classes of at least k rows on the columns `kept`: row types, class by class, and where each class starts and how long it is."""

    kept: frozenset[int]
    types: Whole
    start: Whole
    length: Whole

    @cached_property
    def owner(self) -> Whole:
        """The class of each of `types`, by its place."""
        return np.repeat(np.arange(len(self.start)), self.length)

    def only(self, chosen: NDArray[np.bool_]) -> _Classes:
        """Return some of the classes."""
        length = self.length[chosen]
        return _Classes(self.kept, self.types[chosen[self.owner]], np.cumsum(length) - length, length)

    def sums(self, amounts: Whole) -> Whole:
        """Return the sum of each class, of one amount for each of `types`."""
        return _sums(amounts, self.start)

    def closed(self, codes: Whole) -> NDArray[np.bool_]:
        """Tell of each class whether its row types differ in every column that is not kept."""
        found = np.ones(len(self.start), dtype=np.bool_)
        for column in range(codes.shape[1]):
            if column not in self.kept:
                own = codes[self.types, column]
                found &= np.maximum.reduceat(own, self.start) != np.minimum.reduceat(own, self.start)
        return found


def _walk(codes: Whole, copies: Whole, k: int) -> Iterator[_Classes]:
    """Yield the classes on every set of columns. Classes of fewer than k rows are left out at once: refined, they only become smaller."""
    types = len(copies)

    def refined(first: int, on: _Classes) -> Iterator[_Classes]:
        yield on
        for column in range(first, codes.shape[1]):
            own = codes[on.types, column]
            key = np.repeat(np.arange(len(on.start)), on.length) * (int(own.max()) + 1) + own
            order = np.argsort(key, kind="stable")
            found, key = on.types[order], key[order]
            start = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
            length = np.diff(start, append=len(found))
            enough = _sums(copies[found], start) >= k
            if enough.any():
                length, found = length[enough], found[np.repeat(enough, length)]
                yield from refined(column + 1, _Classes(on.kept | {column}, found, np.cumsum(length) - length, length))

    if copies.sum() >= k:
        yield from refined(0, _Classes(frozenset(), np.arange(types), np.array([0]), np.array([types])))


class Multipliers:
    """Multipliers that are what they must be, ready to be applied to classes of row types.

    With decisions they are for one case. A pattern that has no group adds nothing, one that has a group adds v_p whatever its sign. A
    decision about what is no closed pattern of k rows or more is left aside: the bound then holds beyond the case, too.
    """

    def __init__(
        self,
        problem: CellSuppression,
        denominator: int,
        cuts: Cuts,
        worth: Sequence[int],
        prices: Sequence[int],
        decisions: Sequence[Decision] = (),
    ) -> None:
        table = problem.table
        self.k, self.d, self.cuts = cuts.k, denominator, cuts
        self.names = table.quasi
        self.codes: Whole = table.types.astype(np.int64)
        self.copies = cuts.copies
        self.weights = [int(weight) for weight in table.scaled_weights]
        self.worth = self._whole(worth, len(self.copies), "worths")
        if self.d < 1:
            raise BadInput(f"the denominator is {self.d}; it must be at least 1")
        if len(prices) != len(cuts.all) or any(price < 0 for price in prices):
            raise BadInput("there must be one price a cut, and none below 0")
        self._require_room(prices)
        self.prices: Whole = np.array(prices, dtype=np.int64)
        self._decisions = self._by_columns(decisions)

    def _by_columns(self, decisions: Sequence[Decision]) -> dict[frozenset[int], list[Decision]]:
        found: dict[frozenset[int], list[Decision]] = {}
        position = {name: j for j, name in enumerate(self.names)}
        for decision in decisions:
            if not decision.kept <= position.keys() or not 0 <= decision.example < len(self.copies):
                raise BadInput("a case decides on a pattern with a column or a row type that is not there")
            found.setdefault(frozenset(position[name] for name in decision.kept), []).append(decision)
        return found

    @staticmethod
    def _whole(numbers: Sequence[int], length: int, what: str) -> Whole:
        if len(numbers) != length:
            raise BadInput(f"there are {len(numbers):,} {what} for {length:,} row types")
        if any(abs(number) >= _ROOM for number in numbers):
            raise BadInput(f"one of the {what} is too large to be counted in 64 bits")
        return np.array(numbers, dtype=np.int64)

    def _require_room(self, prices: Sequence[int]) -> None:
        """Refuse numbers with which some sum might not fit.

        Times its price, a cut charges a copy at most 1, and a class at most the rows a that it rounds, since 0 <= (d - r) F(a) <= a. On
        one set of columns these are s(W) in all for *together*, whose sets are parts of W, and at most k for every class that has a
        type of W or a term *outside*. So rows gain at most `gain` each in size, and no sum over classes, in whatever order, reaches
        2 (gain (n + k) + charges).
        """
        rows = int(self.copies.sum())
        gain = max(map(abs, (int(self.worth.max()), int(self.worth.min())))) + self.d * sum(self.weights) + sum(prices)
        charges = sum(
            price * (cut.size + self.k * (len(cut.types) + len(cut.terms)))
            for price, cut in zip(prices, self.cuts.all, strict=True)
        )
        if 2 * (gain * (rows + self.k) + charges) >= _ROOM:
            raise TooLarge("the multipliers")

    def outset(self) -> int:
        """Return D times the bound before any pattern has been looked at."""
        total: int = sum(s * w for s, w in zip(self.copies.tolist(), self.worth.tolist(), strict=True))
        for price, cut in zip(self.prices.tolist(), self.cuts.all, strict=True):
            total -= price * cut.most
        return total

    def of_patterns(self, on: _Classes, charges: _Charges) -> int:
        """Return the sum of min(0, D v_p), or what is decided, over closed patterns that keep the columns `on.kept`."""
        starred = sum(weight for column, weight in enumerate(self.weights) if column not in on.kept)
        gain = (self.worth - self.d * starred)[on.types]
        np.add.at(gain, charges.at, -self.prices[charges.surcharged_by] * charges.surcharge)
        charge = np.zeros(len(on.start), dtype=np.int64)
        np.add.at(charge, charges.owner, self.prices[charges.charged_by] * charges.charge)
        is_open, is_shut = self._decided(on)
        values = self._values(on, gain, charge, is_open)
        return int(np.where(is_open, values, np.where(is_shut, 0, np.minimum(0, values))).sum())

    def _decided(self, on: _Classes) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which classes are decided to have a group, and which to have none."""
        found = np.zeros((2, len(on.start)), dtype=np.bool_)
        for decision in self._decisions.get(on.kept, ()):
            place = np.flatnonzero(on.types == decision.example)
            if len(place):
                found[0 if decision.is_open else 1, on.owner[place[0]]] = True
        if (found[0] & found[1]).any():
            raise BadInput("a case decides that a pattern has a group, and that it has none")
        return found[0], found[1]

    def _values(self, on: _Classes, gain: Whole, charge: Whole, is_open: NDArray[np.bool_]) -> Whole:
        """Return D v_p for every class, or 0 or more where that is 0 or more and the class is not decided to have a group."""
        copies = self.copies[on.types]
        taken = on.sums(np.where(gain > 0, copies, 0))
        value = charge - on.sums(np.where(gain > 0, copies * gain, 0))
        # A class with fewer than k copies of some gain takes its k best copies instead.
        short = (taken < self.k) & ((taken > 0) | (charge < 0) | is_open)
        among = np.flatnonzero(short[on.owner])
        if len(among):
            among = among[np.lexsort((-gain[among], on.owner[among]))]
            start = np.cumsum(on.length[short]) - on.length[short]
            before = np.cumsum(copies[among]) - copies[among]
            before -= np.repeat(before[start], on.length[short])
            z = np.clip(self.k - before, 0, copies[among])
            value[short] = charge[short] - _sums(z * gain[among], start)
        value[(taken < self.k) & ~short] = 0
        return value


class _Checked:
    """A cut that is what it must be; whether its terms fit their patterns is seen when those come up."""

    def __init__(self, of: Cuts, number: int, cut: Cut) -> None:
        types = len(of.copies)
        where = f"cut {number}"
        if not cut.types or len(set(cut.types)) != len(cut.types) or not all(0 <= t < types for t in cut.types):
            raise BadInput(f"{where} names no set of row types from 0 to {types - 1}")
        if not 2 <= cut.divisor <= of.k:
            raise BadInput(f"{where} has the divisor {cut.divisor}; it must be from 2 to k = {of.k}")
        self.divisor = cut.divisor
        self.types = np.array(cut.types)
        self.size = int(of.copies[self.types].sum())
        whole, self.rest = divmod(self.size, cut.divisor)
        if not self.rest:
            raise BadInput(f"{where} rounds nothing: its divisor divides its number of rows")
        self.most = (self.divisor - self.rest) * whole
        inside = set(cut.types)
        position = {name: j for j, name in enumerate(of.names)}
        self.terms: list[tuple[frozenset[int], Term]] = []
        for term in cut.terms:
            if not term.kept <= position.keys() or not 0 <= term.example < types:
                raise BadInput(f"{where} names a pattern with a column or a row type that is not there")
            if len(set(term.types)) != len(term.types) or not all(0 <= t < types for t in term.types):
                raise BadInput(f"{where} has a term with no set of row types")
            if any((t in inside) != term.inside for t in term.types):
                raise BadInput(f"{where} has a term with a row type on the wrong side")
            self.terms.append((frozenset(position[name] for name in term.kept), term))

    def rounded(self, amount: int) -> int:
        """Return (d - r) F(a)."""
        return int(_rounded(np.array(amount), np.array(self.divisor), np.array(self.rest)))


@dataclass(frozen=True, eq=False)
class _Charges:
    """What cuts of price 1 charge the classes of one set of columns, and what copies of their row types, entry by entry.

    Cut `charged_by` charges class `owner`; cut `surcharged_by` a copy of the row type at the place `at`.
    """

    charged_by: Whole
    owner: Whole
    charge: Whole
    surcharged_by: Whole
    at: Whole
    surcharge: Whole


class Cuts:
    """All cuts of a proof, side by side."""

    def __init__(self, problem: CellSuppression, k: int, cuts: Sequence[Cut]) -> None:
        self.k = k
        self.names = problem.table.quasi
        self.copies: Whole = np.asarray(problem.table.multiplicity, dtype=np.int64)
        self.all = [_Checked(self, number, cut) for number, cut in enumerate(cuts)]
        self._divisor = np.array([cut.divisor for cut in self.all], dtype=np.int64)
        self._rest = np.array([cut.rest for cut in self.all], dtype=np.int64)
        self._cut = np.repeat(np.arange(len(cuts)), [len(cut.types) for cut in self.all])
        self._type = np.concatenate([_NOTHING, *(cut.types for cut in self.all)])
        self._named: dict[frozenset[int], list[tuple[int, Term]]] = {}
        for number, cut in enumerate(self.all):
            for kept, term in cut.terms:
                self._named.setdefault(kept, []).append((number, term))

    def charges(self, on: _Classes) -> _Charges:
        """Return what the cuts charge these classes."""
        place = np.full(len(self.copies), -1)
        place[on.types] = np.arange(len(on.types))
        named, entries, surcharges = self._named_charges(on, place)
        # All others: what a cut's set holds of a class, and the rest of the class taken as outside.
        met = np.flatnonzero(place[self._type] >= 0)
        classes = len(on.start)
        key = self._cut[met] * classes + on.owner[place[self._type[met]]]
        order = np.argsort(key, kind="stable")
        key, met = key[order], met[order]
        start = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else key
        within = _sums(self.copies[self._type[met]], start)
        key = key[start]
        free = ~np.isin(key, named)
        key, within = key[free], within[free]
        cut, owner = key // classes, key % classes
        amount = np.maximum(0, self.k - (on.sums(self.copies[on.types])[owner] - within))
        charge = _rounded(amount, self._divisor[cut], self._rest[cut])
        own = np.array(entries, dtype=np.int64).reshape(-1, 3)
        by, at, surcharge = (np.concatenate(column) for column in zip((_NOTHING,) * 3, *surcharges, strict=True))
        return _Charges(
            np.concatenate([cut, own[:, 0]]),
            np.concatenate([owner, own[:, 1]]),
            np.concatenate([charge, own[:, 2]]),
            by,
            at,
            surcharge,
        )

    def _named_charges(
        self, on: _Classes, place: Whole
    ) -> tuple[list[int], list[tuple[int, int, int]], list[tuple[Whole, Whole, Whole]]]:
        """Return where terms are named here (number of cut times classes, plus class), and what those charge classes and copies."""
        copies, k, classes = self.copies, self.k, len(on.start)
        named: set[int] = set()
        entries: list[tuple[int, int, int]] = []
        surcharges: list[tuple[Whole, Whole, Whole]] = []
        spared = np.zeros(len(copies), dtype=np.bool_)
        for number, term in self._named.get(on.kept, ()):
            if place[term.example] < 0:
                continue  # No closed pattern, or too few rows for a group.
            cut, owner = self.all[number], int(on.owner[place[term.example]])
            types = np.array(term.types, dtype=np.int64)
            key = number * classes + owner
            if key in named or (place[types] < 0).any() or (on.owner[place[types]] != owner).any():
                raise BadInput("a cut names two terms for a pattern, or a row type that the pattern does not match")
            named.add(key)
            amount = int(copies[types].sum())
            if term.inside:
                entries.append((number, owner, cut.rounded(amount) - amount))
                at, surcharge = place[types], 1
            else:
                entries.append((number, owner, cut.rounded(max(0, k - amount))))
                first = int(on.start[owner])
                members = on.types[first : first + int(on.length[owner])]
                spared[types] = spared[cut.types] = True
                at, surcharge = place[members[~spared[members]]], -1
                spared[types] = spared[cut.types] = False
            surcharges.append((np.full(len(at), number), at, np.full(len(at), surcharge)))
        return sorted(named), entries, surcharges


def _rounded(amount: Whole, divisor: Whole, rest: Whole) -> Whole:
    found: Whole = (divisor - rest) * (amount // divisor) + np.maximum(0, amount % divisor - rest)
    return found


def _sums(amounts: Whole, start: Whole) -> Whole:
    """Return the sums of stretches that begin at `start`, none of them empty."""
    return np.add.reduceat(amounts, start) if len(start) else np.zeros(0, dtype=np.int64)
