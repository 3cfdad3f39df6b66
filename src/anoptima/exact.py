"""Exact numbers: the only ones that decide anything here.

Costs, thresholds, distances and bounds are `int` or `Fraction`. Floats enter in one place, `as_fraction`, and leave in none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

from anoptima.errors import BadInput
from anoptima.limits import DIGITS, shown

Exact = int | Fraction
"""A cost, threshold, distance or bound."""

Number = int | float | str | Decimal | Fraction
"""What a person may type where an exact number is meant."""


_BITS = (10**DIGITS).bit_length()
_HUGE = Fraction(1 << _BITS)
_DECIMAL_COMMA = re.compile(r"\s*([-+]?\d{1,20}),(\d{1,20})\s*")
_LARGE_EXPONENT = re.compile(r"[eE][-+]?[0_]*[1-9](_?\d){3}")
"""An exponent of four digits or more; Python takes underscores between digits."""


def as_fraction(value: Number, what: str) -> Fraction:
    """Return the number that a person means by `value`: the float 0.2 means 1/5, as do "0.2" and "1/5".

    Raises `BadInput`, naming `what`, when it is no finite number, or one of more than `limits.DIGITS` digits.

    >>> as_fraction(0.2, "t"), as_fraction("1/3", "t"), as_fraction(2, "l")
    (Fraction(1, 5), Fraction(1, 3), Fraction(2, 1))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, Rational):
            # NumPy's integers are rational, too, and would overflow inside a fraction.
            number = Fraction(int(value.numerator), int(value.denominator))
        elif isinstance(value, Decimal | str):
            text = str(value)
            # A short text can stand for a number that takes minutes to build.
            number = _HUGE if len(text) > 3 * DIGITS or _LARGE_EXPONENT.search(text) else Fraction(text)
        else:
            number = Fraction(repr(float(value)))
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        allowed = advice(value) or "it must be a finite number, such as 2, 0.2 or '1/5'"
        raise BadInput(f"{what} is {shown(value)}; {allowed}") from None
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _BITS:
        raise BadInput(f"{what} is {shown(value)}; a number may have {DIGITS} digits before its point and after it")
    return number


def advice(value: object) -> str:
    """Say how a number with a decimal comma is written here; the empty text if `value` is none.

    >>> advice("0,2"), advice("0.2")
    ('write decimals with a point: 0.2', '')
    """
    comma = _DECIMAL_COMMA.fullmatch(value) if isinstance(value, str) else None
    return f"write decimals with a point: {comma[1]}.{comma[2]}" if comma else ""


def as_integer(value: Any, what: str) -> int:
    """Return `value` as a Python integer, or raise `BadInput` when it is not one.

    >>> as_integer(3, "k")
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise BadInput(f"{what} is {shown(value)}; it must be a whole number")
    return int(value)


def is_exact(value: object) -> bool:
    """Tell whether a value is an exact number, as costs, bounds and ratios must be: no float, and no truth.

    >>> is_exact(2), is_exact(Fraction(1, 3)), is_exact(2.0), is_exact(True)
    (True, True, False, False)
    """
    return isinstance(value, Exact) and not isinstance(value, bool)


def simplest(value: Exact) -> Exact:
    """Return an `int` where `value` is whole.

    >>> simplest(Fraction(4, 2)), simplest(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return int(value) if value.denominator == 1 else value


def common_denominator(values: Iterable[Exact]) -> int:
    """Return the least D >= 1 such that D times every value is whole.

    >>> common_denominator([Fraction(1, 4), Fraction(5, 6), 2])
    12
    """
    return math.lcm(*(value.denominator for value in values))


def in_whole_numbers(values: Sequence[Exact], beside: Iterable[Exact] = ()) -> tuple[int, list[int]]:
    """Return the common denominator of values and of what is `beside` them, and the values times it; tens of thousands take little time.

    >>> in_whole_numbers([Fraction(1, 4), Fraction(5, 6), 2])
    (12, [3, 10, 24])
    """
    parts = [value.as_integer_ratio() for value in values]
    unit = math.lcm(*{b for _, b in parts}, common_denominator(beside))
    return unit, [a * (unit // b) for a, b in parts]


def floor_within(value: Fraction, most: int) -> Fraction:
    """Return the largest fraction of at most `value` with a denominator of at most `most`.

    For whole a and b <= most, `a / b <= value` says the same with it in place of `value`: a limit with huge terms, tamed exactly.

    >>> floor_within(Fraction("0.4999999999999999"), 10), floor_within(Fraction(1, 2), 10)
    (Fraction(4, 9), Fraction(1, 2))
    """
    near = value.limit_denominator(most)
    if near <= value:
        return near
    # The next smaller one in the Farey sequence: a / b with near - a / b = 1 / (b * denominator), and b as large as allowed.
    least = pow(near.numerator, -1, near.denominator)
    b = most - (most - least) % near.denominator
    return Fraction((near.numerator * b - 1) // near.denominator, b)


def exact_text(value: Exact) -> str:
    """Write an exact number for people, digits in threes; `str` writes it for machines and for the names of things.

    >>> exact_text(54), exact_text(17032), exact_text(Fraction(1, 3)), exact_text(Fraction(3400, 3))
    ('54', '17,032', '1/3', '3,400/3')
    """
    whole = simplest(value)
    return f"{whole:,}" if isinstance(whole, int) else f"{whole.numerator:,}/{whole.denominator:,}"


def short_text(value: float, form: str = ".4g") -> str:
    """Write a number in few digits, and in more where 1 would be read that is not meant: who has a ratio of 1 has the optimum.

    >>> short_text(1.33333), short_text(1.0), short_text(1.000032), short_text(1.000032, ".3f")
    ('1.333', '1', '1.00003', '1.00003')
    """
    text, decimals = f"{value:{form}}", 3
    while value != 1 and float(text) == 1:
        decimals += 1
        text = f"{value:.{decimals}f}"
    return text


def decimal_text(value: Exact, decimals: int = 0) -> str:
    """Write an exact number as a decimal with at least `decimals` digits after the point, or as a fraction where no decimal is exact.

    >>> decimal_text(Fraction(12, 5)), decimal_text(3, 1), decimal_text(Fraction(-1, 8)), decimal_text(Fraction(1, 3), 2)
    ('2.4', '3.0', '-0.125', '1/3')
    """
    number = Fraction(value)
    digits = decimals_of(number)
    if digits is None:
        return str(number)
    places = max(digits, decimals)
    whole, rest = divmod(abs(number.numerator) * 10**places // number.denominator, 10**places)
    return f"{'-' if number < 0 else ''}{whole}" + (f".{rest:0{places}}" if places else "")


def decimals_of(value: Exact) -> int | None:
    """Return how many digits after the point an exact number needs; None if it is no decimal.

    >>> decimals_of(3), decimals_of(Fraction(1, 40)), decimals_of(Fraction(1, 3))
    (0, 3, None)
    """
    rest, counts = Fraction(value).denominator, []
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        counts.append(count)
    return max(counts) if rest == 1 else None


def counted(number: Exact, things: str) -> str:
    """Write a number of things, given in the plural.

    >>> counted(3000, "columns"), counted(1, "columns"), counted(1, "vertices outside"), counted(1, "fake boxes")
    ('3,000 columns', '1 column', '1 vertex outside', '1 fake box')
    """
    if number == 1:
        words = things.split(" ")
        at = next((i for i, word in enumerate(words) if word.endswith("s")), None)
        if at is not None:
            words[at] = _SINGULAR.get(words[at], words[at].removesuffix("s"))
        things = " ".join(words)
    return f"{exact_text(number)} {things}"


_SINGULAR = {"boxes": "box", "classes": "class", "vertices": "vertex"}


def exact_plain(value: Exact | None) -> int | str | None:
    """Return an exact number as JSON has it: an integer where it is whole, and otherwise a text that no reader rounds.

    >>> exact_plain(Fraction(4, 2)), exact_plain(Fraction(1, 3)), exact_plain(None)
    (2, '1/3', None)
    """
    if value is None:
        return None
    whole = simplest(value)
    return whole if isinstance(whole, int) else str(whole)
