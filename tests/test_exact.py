from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoptima.errors import BadInput
from anoptima.exact import as_fraction, as_integer, exact_plain, floor_within


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (0.2, Fraction(1, 5)),
        (np.float64(0.2), Fraction(1, 5)),
        ("0.2", Fraction(1, 5)),
        ("2e-1", Fraction(1, 5)),
        (" 1/5 ", Fraction(1, 5)),
        (Decimal("0.20"), Fraction(1, 5)),
        (Fraction(1, 5), Fraction(1, 5)),
        (2, Fraction(2)),
        (np.int64(2), Fraction(2)),
    ],
)
def test_a_number_means_what_it_writes(value: Any, meant: Fraction) -> None:
    fraction = as_fraction(value, "t")
    assert fraction == meant
    assert type(fraction.numerator) is type(fraction.denominator) is int


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), "nan", "Infinity", "", "x", "1/0", None, True, [1], 1j, Decimal("NaN")]
)
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match=r"t is .*; it must be a finite number, such as 2, 0.2 or '1/5'"):
        as_fraction(value, "t")


@pytest.mark.parametrize(
    "value",
    [
        "1e999999999",
        "-1E+9_9_9_9",
        "1e-401",
        "1e401",
        "0e1000",
        10**401,
        f"1/{'3' * 401}",
        "7" * 5000,
        Decimal("1e99999"),
    ],
    ids=lambda value: str(value)[:12] if isinstance(value, str) else type(value).__name__,
)
def test_numbers_of_too_many_digits_are_refused_before_they_are_built(value: Any) -> None:
    with pytest.raises(
        BadInput, match=r"t is .*; a number may have 400 digits before its point and after it"
    ) as caught:
        as_fraction(value, "t")
    assert len(str(caught.value)) < 200


def test_every_float_is_taken() -> None:
    for value in (sys.float_info.max, -sys.float_info.min, 5e-324):
        assert float(as_fraction(value, "t")) == value


@pytest.mark.parametrize("value", [2.0, "2", True, None, Fraction(2)])
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match=r"k is .*; it must be a whole number"):
        as_integer(value, "k")


@given(st.fractions(0, 3, max_denominator=10**6), st.integers(1, 12))
def test_a_tamed_limit_decides_the_same(value: Fraction, most: int) -> None:
    tamed = floor_within(value, most)
    assert tamed.denominator <= most
    for b in range(1, most + 1):
        for a in range(3 * b + 2):
            assert (Fraction(a, b) <= value) == (Fraction(a, b) <= tamed)


@given(st.fractions(0, 3, max_denominator=20))
def test_a_limit_with_small_terms_stays(value: Fraction) -> None:
    assert floor_within(value, 20) == value


def test_exact_numbers_as_plain_data() -> None:
    assert [exact_plain(value) for value in (None, 3, Fraction(4, 2), Fraction(-1, 3))] == [None, 3, 2, "-1/3"]
