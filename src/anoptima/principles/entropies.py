"""Entropies of counts, compared exactly: n^n >= equal^n prod_v count_v^count_v for n rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

_MANY_ROWS = 2_000
"""From so many rows on logarithms decide first whether a group has an entropy: powers of a million rows take half a minute."""


def has_entropy(counts: Sequence[int], equal: Fraction) -> bool:
    """Tell whether counts, none of which is 0, have at least the entropy of `equal` equal ones, exactly.

    >>> has_entropy([2, 2, 1], Fraction(5, 2)), has_entropy([2, 2, 1], Fraction(3))
    (True, False)
    """
    n, (a, b) = sum(counts), equal.as_integer_ratio()
    if n > _MANY_ROWS:
        if len(set(counts)) == 1:
            return len(counts) >= equal
        spare, near = _spare_entropy(counts, a, b)
        if abs(spare) > near:
            return spare > 0
    enough: bool = _power(n) * b**n >= a**n * math.prod(map(_power, counts))
    return enough


@cache
def _power(count: int) -> int:
    power: int = count**count
    return power


def _spare_entropy(counts: Sequence[int], a: int, b: int) -> tuple[Decimal, Decimal]:
    """Return n log n - n log(a / b) - sum c log c for n rows, and how far off that is at most.

    Decimals round every logarithm, product and sum correctly, so each of the few steps for a count is off by less than 1e-49 of all that is
    added.
    """
    with localcontext(Context(prec=50)):
        n = sum(counts)
        terms = [
            n * Decimal(n).ln(),
            n * Decimal(b).ln(),
            -n * Decimal(a).ln(),
            *(-c * Decimal(c).ln() for c in counts),
        ]
        return sum(terms, Decimal(0)), sum(map(abs, terms), Decimal(0)) * (len(terms) + 2) * Decimal("1e-48")
