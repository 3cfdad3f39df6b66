"""What is taken from outside, at most: the digits of a number, the size and the depth of a file, and what a packed file may unpack to.

Every reader goes by these limits and no other. So reading takes time and memory in proportion to the file: at most `UNPACKED` times its
size, and a few dozen bytes of memory for each byte of that.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from itertools import islice
from typing import Any

DIGITS = 400
"""Digits of a numerator and of a denominator. All finite floats have fewer, and Python writes numbers of up to 4,300 digits as text."""

DEPTH = 500
"""Levels of a JSON document: half of what Python lets functions call each other, since proofs are trees and are read by recursion."""

DOCUMENT_BYTES = 1 << 30
"""Bytes of a JSON document, a source problem or a solution file, all of which are held in memory."""

LINE_CHARACTERS = 1 << 24
"""Characters of a line of a CSV file. A field has at most 131,072: the limit of Python's reader."""

UNPACKED = 200
"""How many times its size a packed file (.gz, .bz2, .xz, .zip, .parquet) may unpack to, if that is more than `UNPACKED_BYTES`."""

UNPACKED_BYTES = 1 << 28
"""What a packed file of any size may unpack to."""

_CHARACTERS = 60
"""How much of a value a message quotes."""

_NAMES = 20
"""How many names a message lists."""

_FAULTS = 100
"""How many faults are told one by one. Telling one may take as long as reading the solution, and nobody reads thousands."""


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = _CHARACTERS

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to write numbers of more than 4,300 digits.
        return repr(x) if x.bit_length() < 3 * _CHARACTERS else f"a number of {x.bit_length():,} bits"


_SHORT = _Short()


def shown(value: Any) -> str:
    """Write what somebody gave, cut to a length that fits into a sentence.

    >>> shown("1/x"), shown(2**1000), shown([1, 2])
    ("'1/x'", 'a number of 1,001 bits', '[1, 2]')
    """
    return _SHORT.repr(value)


def first_of(names: Iterable[Any], most: int = _NAMES) -> str:
    """Write names one after the other, and the number of those beyond the first `most`.

    >>> first_of(["zip", "age"]), first_of(range(100), 3)
    ('zip, age', '0, 1, 2 and 97 more')
    """
    rest = iter(names)
    first = ", ".join(str(name) for name in islice(rest, most))
    more = sum(1 for _ in rest)
    return f"{first} and {more:,} more" if more else first


def said(faults: Iterable[str], what: str, number: int | None = None) -> list[str]:
    """Return faults, the first hundred one by one and the others as a number of `what`; no more are looked at if their `number` is given.

    >>> said(["no a", "no b"], "letters"), said(map(str, range(103)), "numbers")[-2:]
    (['no a', 'no b'], ['99', '3 more numbers'])
    """
    rest = iter(faults)
    found = list(islice(rest, _FAULTS))
    more = sum(1 for _ in rest) if number is None else number - len(found)
    return [*found, f"{more:,} more {what}"] if more else found


def unpacked_bytes(packed: int) -> int:
    """Return the largest size that a packed file of this size may unpack to, in bytes.

    >>> unpacked_bytes(1_000) == UNPACKED_BYTES, unpacked_bytes(10**9)
    (True, 200000000000)
    """
    return max(UNPACKED_BYTES, UNPACKED * packed)
