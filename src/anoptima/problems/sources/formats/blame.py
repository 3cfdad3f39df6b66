"""The common part of the formats: errors in the data name the file, and announced numbers stay small enough to use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from anoptima.errors import BadInput

T = TypeVar("T")

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""A whole number as it is written, of few enough digits for any machine."""

MOST = 1_000_000
"""The most vertices or variables that a file may announce: each takes memory before the first is used."""


def blamed(where: str, make: Callable[[], T]) -> T:
    """Let an error of the data's own name the file that the data are from."""
    try:
        return make()
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
