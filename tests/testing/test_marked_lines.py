"""Lines that say `no mutant: tests try ...`: the tests that they mean, and that these notice every change of those lines."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from anoptima.reductions import reductions
from anoptima.testing.line_mutants import line_mutants

Functions = Mapping[str, Any]


def nearer_is_the_simplest(functions: Functions) -> bool:
    """All k < n <= 8 and some t: the first denominator with a fraction in (t n / (n - k + 1), t n / (n - k)], and its largest numerator."""
    for n in range(2, 9):
        for k, t in itertools.product(range(1, n), (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(3, 5))):
            if t < 1 - Fraction(k, n):
                above, most = t * n / (n - k + 1), t * n / (n - k)
                simplest = next(
                    max(found)
                    for height in itertools.count(1)
                    if (
                        found := [
                            Fraction(up, height) for up in range(height + 1) if above < Fraction(up, height) <= most
                        ]
                    )
                )
                if functions["nearer"](n, k, t) != simplest:
                    return False
    return True


def values_are_at_the_distance(functions: Functions) -> bool:
    """Two of the values 0, ..., n - 1 are as far apart as asked for, and each of them is 1 from the other value."""
    for n, distance in itertools.product((2, 3), (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(5, 6))):
        space = functions["at_distance"](n, distance)
        here = [int(i == 0) for i in range(n)]
        there = [int(i == 1) for i in range(n)]
        if space.fit(list(range(n))).emd(here, there) != distance:
            return False
    return True


def rows_are_those_of_the_theorem(functions: Functions) -> bool:
    """R with lambda = R / (3 n + R) at most 2 t, (1 - lambda) / 2 at most t, 1/2 - (1 - lambda) / 6 above t."""
    for n, t in itertools.product(range(1, 5), (Fraction(1, 3), Fraction(2, 5), Fraction(3, 7), Fraction(9, 20))):
        shares = ((rows, Fraction(rows, 3 * n + rows)) for rows in range(1, 300))
        allowed = [
            rows
            for rows, share in shares
            if share <= 2 * t and (1 - share) / 2 <= t and Fraction(1, 2) - (1 - share) / 6 > t
        ]
        if list(functions["new_rows"](n, t)) != allowed:
            return False
    return True


CASES: dict[str, tuple[Callable[[Functions], bool], ...]] = {
    "k-anonymity-to-t-closeness": (nearer_is_the_simplest, values_are_at_the_distance),
    "3d-matching-to-looser-t-closeness": (rows_are_those_of_the_theorem,),
}


EQUIVALENT = {"k-anonymity-to-t-closeness": ["1 -> 2"], "3d-matching-to-looser-t-closeness": []}
"""Changes that change nothing. `count(1)`: as 0 < t < 1 - k/n, 0 < t n / (n - k) < 1, so there is no fraction of denominator 1 to find."""


@pytest.mark.parametrize("name", CASES)
def test_every_change_of_a_marked_line_is_noticed(name: str) -> None:
    checks = CASES[name]
    reduction = reductions.get(name)
    original = type(reduction).apply_unchecked.__globals__
    assert all(check(original) for check in checks)
    tried, missed = 0, []
    for mutant in line_mutants(reduction, marked=True):
        functions = type(mutant.broken).apply_unchecked.__globals__
        # A search that would never end ends.
        functions["itertools"] = SimpleNamespace(count=lambda start: iter(range(start, 100)))
        tried += 1
        try:
            noticed = not all(check(functions) for check in checks)
        except Exception:  # noqa: BLE001  (whatever breaks is what is wanted here)
            noticed = True
        if not noticed:
            missed.append(mutant.change)
    assert tried >= 20
    assert [change.partition(": ")[2] for change in missed] == EQUIVALENT[name]
