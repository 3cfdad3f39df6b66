"""Cuts, inequalities that hold for every release, and what they charge each pattern."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.reading import Fields
from anoptima.proofs.refinement import Classes, Whole, sums

_NOTHING: Whole = np.zeros(0, dtype=np.int64)


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
class Cut(PlainData):
    """A rounding cut. For the row types W = `types`, with s(W) = q d + r rows, d = `divisor` from 2 to the table's rows and 1 <= r < d:

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


class _Checked:
    """A cut that is what it must be; whether its terms fit their patterns is seen when those come up."""

    def __init__(self, of: Cuts, number: int, cut: Cut) -> None:
        types = len(of.copies)
        where = f"cut {number}"
        if not cut.types or len(set(cut.types)) != len(cut.types) or not all(0 <= t < types for t in cut.types):
            raise BadInput(f"{where} names no set of row types from 0 to {types - 1}")
        if not 2 <= cut.divisor <= of.rows:
            raise BadInput(f"{where} has the divisor {cut.divisor}; it must be from 2 to {of.rows}, the number of rows")
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
class Charges:
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
    """All cuts of a proof, side by side: of row types, or of records, each with its number of `copies`."""

    def __init__(self, problem: CellSuppression, k: int, cuts: Sequence[Cut], copies: Whole | None = None) -> None:
        self.k = k
        self.names = problem.table.quasi
        self.copies: Whole = np.asarray(problem.table.multiplicity, dtype=np.int64) if copies is None else copies
        self.rows = int(self.copies.sum())
        self.all = [_Checked(self, number, cut) for number, cut in enumerate(cuts)]
        self._divisor = np.array([cut.divisor for cut in self.all], dtype=np.int64)
        self._rest = np.array([cut.rest for cut in self.all], dtype=np.int64)
        self._cut = np.repeat(np.arange(len(cuts)), [len(cut.types) for cut in self.all])
        self._type = np.concatenate([_NOTHING, *(cut.types for cut in self.all)])
        self._named: dict[frozenset[int], list[tuple[int, Term]]] = {}
        for number, cut in enumerate(self.all):
            for kept, term in cut.terms:
                self._named.setdefault(kept, []).append((number, term))

    def charges(self, on: Classes, least: Whole | None = None) -> Charges:
        """Return what the cuts charge these classes, whose groups have `least` rows at least; k unless it is said."""
        if least is None:
            least = np.full(len(on.start), self.k)
        place = np.full(len(self.copies), -1)
        place[on.types] = np.arange(len(on.types))
        named, entries, surcharges = self._named_charges(on, place, least)
        # All others: what a cut's set holds of a class, and the rest of the class taken as outside.
        met = np.flatnonzero(place[self._type] >= 0)
        classes = len(on.start)
        key = self._cut[met] * classes + on.owner[place[self._type[met]]]
        order = np.argsort(key, kind="stable")
        key, met = key[order], met[order]
        start = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else key
        within = sums(self.copies[self._type[met]], start)
        key = key[start]
        free = ~np.isin(key, named)
        key, within = key[free], within[free]
        cut, owner = key // classes, key % classes
        amount = np.maximum(0, least[owner] - (on.sums(self.copies[on.types])[owner] - within))
        charge = _rounded(amount, self._divisor[cut], self._rest[cut])
        own = np.array(entries, dtype=np.int64).reshape(-1, 3)
        by, at, surcharge = (np.concatenate(column) for column in zip((_NOTHING,) * 3, *surcharges, strict=True))
        return Charges(
            np.concatenate([cut, own[:, 0]]),
            np.concatenate([owner, own[:, 1]]),
            np.concatenate([charge, own[:, 2]]),
            by,
            at,
            surcharge,
        )

    def is_named(self, on: Classes) -> NDArray[np.bool_]:
        """Tell which of these classes some cut has a term for."""
        named = [term.example for _, term in self._named.get(on.kept, ())]
        found = np.zeros(len(on.start), dtype=np.bool_)
        found[on.owner[np.isin(on.types, named)]] = True
        return found

    def _named_charges(
        self, on: Classes, place: Whole, least: Whole
    ) -> tuple[list[int], list[tuple[int, int, int]], list[tuple[Whole, Whole, Whole]]]:
        """Return where terms are named here (number of cut times classes, plus class), and what those charge classes and copies."""
        copies, classes = self.copies, len(on.start)
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
                entries.append((number, owner, cut.rounded(max(0, int(least[owner]) - amount))))
                first = int(on.start[owner])
                members = on.types[first : first + int(on.length[owner])]
                spared[types] = spared[cut.types] = True
                at, surcharge = place[members[~spared[members]]], -1
                spared[types] = spared[cut.types] = False
            surcharges.append((np.full(len(at), number), at, np.full(len(at), surcharge)))
        return sorted(named), entries, surcharges


def charged_to_group(
    problem: CellSuppression, k: int, cuts: Sequence[Cut], prices: Sequence[int], group: Iterable[int]
) -> int:
    """Return what cuts at these prices add to the cost of a group of rows, by its pattern and by its rows."""
    if not cuts:
        return 0
    table = problem.table
    taken = table.type_of_row[np.array(sorted(group))]
    agree = (table.types[taken] == table.types[taken[0]]).all(axis=0)
    members = np.flatnonzero((table.types[:, agree] == table.types[taken[0], agree]).all(axis=1))
    kept = frozenset(np.flatnonzero(agree).tolist())
    found = Cuts(problem, k, cuts).charges(Classes(kept, members, np.array([0]), np.array([len(members)])))
    copies = np.bincount(np.searchsorted(members, taken), minlength=len(members))
    of_pattern = zip(found.charged_by.tolist(), found.charge.tolist(), strict=True)
    of_rows = zip(found.surcharged_by.tolist(), found.surcharge.tolist(), copies[found.at].tolist(), strict=True)
    pattern: int = sum(prices[cut] * charge for cut, charge in of_pattern)
    rows: int = sum(prices[cut] * surcharge * number for cut, surcharge, number in of_rows)
    return pattern + rows


def _rounded(amount: Whole, divisor: Whole, rest: Whole) -> Whole:
    found: Whole = (divisor - rest) * (amount // divisor) + np.maximum(0, amount % divisor - rest)
    return found
