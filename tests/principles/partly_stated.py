"""Files that speak of a principle from outside that states a part of what it asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from anoptima.principles import principle_kinds
from anoptima.testing.partly_stated import PartlyStated


@contextmanager
def known() -> Iterator[None]:
    """Let files speak of it."""
    principle_kinds.add(PartlyStated)
    try:
        yield
    finally:
        principle_kinds.remove(PartlyStated.kind)
