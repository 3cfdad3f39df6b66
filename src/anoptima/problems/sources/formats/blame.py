"""What every format shares: an error of the data's own names the file, and numbers are small enough to be used."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from anoptima.errors import BadInput

T = TypeVar("T")

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""A whole number as it is written, of few enough digits for any machine."""

MOST = 1_000_000
"""How many vertices or variables a file may announce: each of them takes memory before one is used."""


def blamed(where: str, make: Callable[[], T]) -> T:
    """Let an error of the data's own name the file that the data are from."""
    try:
        return make()
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
