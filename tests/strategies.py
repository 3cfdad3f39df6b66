"""Hypothesis strategies for whole cases."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.cases import Case, make_case


@st.composite
def cases(draw: st.DrawFn, most_rows: int = 7, most_columns: int = 4) -> Case:
    """Tiny tables with demands on them; shrinks to fewer rows and simpler demands."""
    return make_case(lambda options: draw(st.sampled_from(options)), most_rows, most_columns)
