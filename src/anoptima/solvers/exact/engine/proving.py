"""From multipliers found in floats to a proof in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anoptima.certificates.multipliers import Cut as WrittenCut
from anoptima.certificates.multipliers import MultiplierProof
from anoptima.certificates.multipliers import Term as WrittenTerm
from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.engine.cuts import Catalogue, Cut, Named, Row, Terms
from anoptima.solvers.exact.engine.dual import Multipliers
from anoptima.solvers.exact.engine.kernels import Arcs

DENOMINATOR = 5040
"""Divisible by 1 to 10: duals of the core program are fractions with small denominators."""


def bound_in_integers(arcs: Arcs, terms: Terms, at: Multipliers) -> tuple[int, Multipliers]:
    """Round multipliers to parts of `DENOMINATOR` and return the scaled bound that they prove, with them. One pass.

    Any rounding is valid: multipliers are never wrong, only better or worse.
    """
    worth = np.rint(at.worth * DENOMINATOR).astype(np.int64)
    prices = np.rint(at.prices * DENOMINATOR).astype(np.int64)
    exact = Arcs(arcs.start, arcs.member, arcs.cost * DENOMINATOR, arcs.copies, arcs.k)
    charge, surcharge = terms.charges(prices)
    total, _, _ = terms.kernels.activity(exact, worth, charge, surcharge)
    value = int(arcs.copies @ worth) + int(total) - int(terms.most @ prices)
    return -(-value // DENOMINATOR), Multipliers(worth, prices)


def proof_of(
    problem: CellSuppression, patterns: Patterns, k: int, scaled: int, rows: Sequence[Cut], at: Multipliers
) -> MultiplierProof:
    """Write the proof of a scaled bound, in terms of the table: row types and columns; cuts of price 0 are left out."""
    type_of = patterns.table.records.type
    worth = np.zeros(len(patterns.table.types), dtype=np.int64)
    worth[type_of] = at.worth

    def written(term: Named) -> WrittenTerm:
        kept = frozenset(
            name for name, keeps in zip(patterns.table.quasi, patterns.kept[term.pattern], strict=True) if keeps
        )
        example = int(type_of[patterns.member[patterns.start[term.pattern]]])
        return WrittenTerm(kept, example, term.inside, tuple(int(type_of[t]) for t in term.records))

    priced = [(cut, int(price)) for cut, price in zip(rows, at.prices, strict=True) if price]
    return MultiplierProof(
        problem.unscale(scaled),
        problem.table.digest,
        k,
        DENOMINATOR,
        tuple(map(int, worth)),
        tuple(
            WrittenCut(tuple(int(type_of[t]) for t in cut.records), cut.divisor, tuple(map(written, cut.named)))
            for cut, _ in priced
        ),
        tuple(price for _, price in priced),
    )


def multipliers_of(
    proof: MultiplierProof, problem: CellSuppression, patterns: Patterns, catalogue: Catalogue
) -> tuple[list[Row], Multipliers] | None:
    """Read a proof back as multipliers and the rows of its cuts; None if it is about another table, another k, or no pattern of these."""
    if proof.digest != problem.table.digest or proof.k != catalogue.arcs.k:
        return None
    type_of = patterns.table.records.type
    record_of = np.zeros(len(patterns.table.types), dtype=np.int64)
    record_of[type_of] = np.arange(len(type_of))

    def records(types: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(record_of[t]) for t in types)

    def named(term: WrittenTerm) -> Named:
        kept = np.array([name in term.kept for name in patterns.table.quasi])
        return Named(patterns.find(kept, int(record_of[term.example])), term.inside, records(term.types))

    rows, prices = [], []
    for cut, price in zip(proof.cuts, proof.prices, strict=True):
        try:
            row = catalogue.row(Cut(records(cut.types), cut.divisor, tuple(map(named, cut.terms))))
        except (KeyError, IndexError):
            return None
        if row is not None:
            rows.append(row)
            prices.append(price / proof.denominator)
    worth = np.array(proof.worth, dtype=float)[type_of] / proof.denominator
    return rows, Multipliers(worth, np.array(prices))
