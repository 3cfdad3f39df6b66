"""Hypothesis strategies for source problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

from tests.sources.instances import SourceCase, make

T = TypeVar("T")


@st.composite
def source_cases(draw: st.DrawFn, name: str) -> SourceCase:
    """Small instances of the source problem called `name`; shrinks towards few and plain."""

    def choose(options: Sequence[T]) -> T:
        return draw(st.sampled_from(options))

    return make[name](choose)
