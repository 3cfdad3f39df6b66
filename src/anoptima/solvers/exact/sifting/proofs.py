"""From multipliers found in floats to a proof in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.patterns import Patterns
from anoptima.principles import least_rows
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.branched import BranchedProof, Fork, Leaf, Tree
from anoptima.proofs.cuts import Cut as WrittenCut
from anoptima.proofs.cuts import Term as WrittenTerm
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.cuts import Cut, Named, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers

Fixed = tuple[tuple[int, bool], ...]
"""Patterns with whether they are open, in the order in which they were fixed."""

DENOMINATOR = 504_000
"""Divisible by 1 to 10: duals of the core program are fractions with small denominators. Those of rounds are not, and what rounding loses
adds up over all groups."""
_ROOM = 2**62
"""What sums stay below in 64 bits, as those of the checker have to."""
_HEADROOM = 1024
"""So many times the weights of all rows is what multipliers of tables of a million rows come to, most of it by prices of cuts."""


@dataclass(frozen=True, eq=False)
class Case:
    """A case of a tree of decisions: what it fixes, its multipliers in parts of D, and D times what they prove of it."""

    fixed: Fixed
    at: Multipliers
    proved: int


def denominator_of(problem: CellSuppression) -> int:
    """Return D, which multipliers are counted in parts of: `DENOMINATOR`, or less where weights are so large that sums would not fit.

    >>> from anoptima import Table, KAnonymity, ten_rows
    >>> denominator_of(CellSuppression(ten_rows(), KAnonymity(2)))
    504000
    >>> heavy = Table.from_frame(ten_rows().frame, ten_rows().quasi, weights=dict.fromkeys(ten_rows().quasi, 10**12))
    >>> denominator_of(CellSuppression(heavy, KAnonymity(2)))
    56
    """
    most = _HEADROOM * int(problem.table.scaled_weights.sum()) * problem.table.rows
    return max(1, min(DENOMINATOR, _ROOM // max(1, most)))


def why_too_heavy(problem: CellSuppression) -> str | None:
    """Return why costs of releases are too large to be searched for, in floating point; None if they are not.

    >>> from anoptima import Table, KAnonymity, ten_rows
    >>> heavy = Table.from_frame(ten_rows().frame, ten_rows().quasi, weights=dict.fromkeys(ten_rows().quasi, 10**15))
    >>> why_too_heavy(CellSuppression(heavy, KAnonymity(2)))
    'all cells together cost 80,000,000,000,000,000, and costs above 2^53 are no longer told apart; give weights with fewer digits'
    """
    everything = int(problem.table.scaled_weights.sum()) * problem.table.rows
    if everything < 2**53:
        return None
    return f"all cells together cost {everything:,}, and costs above 2^53 are no longer told apart; give weights with fewer digits"


def has_room(problem: CellSuppression, rows: Sequence[Row], cases: Sequence[Multipliers], d: int) -> bool:
    """Tell whether sums over multipliers in parts of `d` surely fit, in the checker too (`proofs.multipliers`).

    The multipliers of a case may have prices for the first rows alone.
    """
    n, k, weights = problem.table.rows, _k_of(problem), d * int(problem.table.scaled_weights.sum())
    # `most` is (d - r) q, so that the q d + r rows of a cut are not more than d (most + 1). Python's integers, which do not overflow.
    charge = np.array(
        [row.cut.divisor * (row.most + 1) + k * (len(row.cut.records) + len(row.cut.named)) for row in rows],
        dtype=object,
    )
    for at in cases:
        gain = int(np.abs(at.worth).max(initial=0)) + weights + sum(at.prices.tolist())
        charges = int(at.prices.astype(object) @ charge[: len(at.prices)]) if len(at.prices) else 0
        if 2 * (gain * (n + k) + charges) >= _ROOM:
            return False
    return True


def bound_in_integers(arcs: Arcs, terms: Terms, at: Multipliers, d: int) -> tuple[int, Multipliers]:
    """Round multipliers to parts of `d` and return the scaled bound that they prove, with them. One pass.

    Any rounding is valid: multipliers are never wrong, only better or worse.
    """
    worth = np.rint(at.worth * d).astype(np.int64)
    prices = np.rint(at.prices * d).astype(np.int64)
    exact = arcs.times(d)
    charge, surcharge = terms.charges(prices)
    total, _, _ = terms.kernels.activity(exact, worth, charge, surcharge)
    value = int(arcs.copies @ worth) + int(total) - int(terms.most @ prices)
    return -(-value // d), Multipliers(worth, prices)


def reduced_in_integers(arcs: Arcs, terms: Terms, at: Multipliers, d: int) -> tuple[int, NDArray[np.int64]]:
    """Return D times the bound that multipliers in parts of D = `d` prove, and D times the reduced cost of every arc.

    Every release with an arc of reduced cost r costs at least the bound plus r, in whole numbers: opening a pattern that is not worth it
    costs v_p, and a copy that its best group does without costs the difference to the worst one it takes. One pass.
    """
    exact = arcs.times(d)
    charge, surcharge = terms.charges(at.prices)
    values, least = terms.kernels.opened(exact, at.worth, charge, surcharge)
    total = int(arcs.copies @ at.worth) + int(np.minimum(0, values).sum()) - int(terms.most @ at.prices)
    lengths = np.diff(arcs.start)
    gain = at.worth[arcs.member] - np.repeat(exact.cost, lengths)
    if surcharge is not None:
        gain -= surcharge
    reduced = np.maximum(0, np.repeat(np.minimum(least, 0), lengths) - gain) + np.repeat(np.maximum(values, 0), lengths)
    return total, reduced


def proof_of(
    problem: CellSuppression, patterns: Patterns, d: int, scaled: int, rows: Sequence[Row], at: Multipliers
) -> MultiplierProof:
    """Write the proof of a scaled bound, in terms of the table: row types and columns; cuts of price 0 are left out."""
    words = _Words(patterns)
    priced = [(row.cut, int(price)) for row, price in zip(rows, at.prices, strict=True) if price]
    return MultiplierProof(
        problem.unscale(scaled),
        problem.table.digest,
        _k_of(problem),
        d,
        words.worth(at),
        tuple(words.cut(cut) for cut, _ in priced),
        tuple(price for _, price in priced),
    )


def branched_proof_of(
    problem: CellSuppression, patterns: Patterns, d: int, scaled: int, rows: Sequence[Row], cases: Sequence[Case]
) -> BranchedProof:
    """Write the proof of a scaled bound by the cases of a tree; cuts that have a price in none of them are left out."""
    words = _Words(patterns)
    prices = np.zeros((len(cases), len(rows)), dtype=np.int64)
    for number, case in enumerate(cases):
        prices[number, : len(case.at.prices)] = case.at.prices
    used = np.flatnonzero(prices.any(axis=0))

    def tree(numbers: list[int], depth: int) -> Tree:
        fixed = cases[numbers[0]].fixed
        if len(fixed) == depth:
            return Leaf(words.worth(cases[numbers[0]].at), tuple(prices[numbers[0], used].tolist()))
        sides = [[n for n in numbers if cases[n].fixed[depth][1] is is_open] for is_open in (True, False)]
        return Fork(*words.pattern(fixed[depth][0]), *(tree(side, depth + 1) for side in sides))

    cuts = tuple(words.cut(rows[number].cut) for number in used.tolist())
    everything = tree(list(range(len(cases))), 0)
    return BranchedProof(problem.unscale(scaled), problem.table.digest, _k_of(problem), d, cuts, everything)


def _k_of(problem: CellSuppression) -> int:
    return least_rows(problem.principle.conditions(problem.table))


class _Words:
    """Says in terms of the table, its row types and columns, what arrays say in terms of records and patterns."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._type_of = patterns.table.records.type

    def worth(self, at: Multipliers) -> tuple[int, ...]:
        worth = np.zeros(len(self._patterns.table.types), dtype=np.int64)
        worth[self._type_of] = at.worth
        return tuple(worth.tolist())

    def pattern(self, pattern: int) -> tuple[frozenset[str], int]:
        """Return the columns that a pattern keeps, and a row type that has its values."""
        patterns = self._patterns
        return patterns.columns(pattern), int(self._type_of[patterns.member[patterns.start[pattern]]])

    def cut(self, cut: Cut) -> WrittenCut:
        return WrittenCut(self._types(cut.records), cut.divisor, tuple(map(self._term, cut.named)))

    def _term(self, term: Named) -> WrittenTerm:
        return WrittenTerm(*self.pattern(term.pattern), term.inside, self._types(term.records))

    def _types(self, records: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(self._type_of[t]) for t in records)
