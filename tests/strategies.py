"""Hypothesis strategies for whole cases and point sets."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from anoptima import FakePoints, Regime
from tests.cases import Case, make_case
from tests.problems.point_sets import draw as draw_points


@st.composite
def cases(draw: st.DrawFn, most_rows: int = 7, most_columns: int = 4) -> Case:
    """Tiny tables with demands on them; shrinks to fewer rows and simpler demands."""
    return make_case(lambda options: draw(st.sampled_from(options)), most_rows, most_columns)


def point_problems(dimensions: int) -> st.SearchStrategy[FakePoints]:
    """Small point sets of up to this many dimensions, in every regime."""
    return st.builds(
        lambda seed, dimensions, regime: draw_points(random.Random(seed), dimensions, regime),
        st.integers(0, 10**9),
        st.integers(1, dimensions),
        st.sampled_from(Regime),
    )
