"""Every backend finds what enumeration finds, on random small integer programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anoptima.answer import Budget, Stop
from anoptima.models.base import Language
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.testing.programs import Program, linear, solutions

BACKENDS = [
    get_backend(name)
    for name in backend_names()
    # Those that start a program for every run are slow: they have the suite, and benchmarks/backends.py.
    if Language.PYOMO in get_backend(name).languages and not name.startswith("pyomo:")
]

small = st.integers(-4, 4)


@st.composite
def integer_programs(draw: st.DrawFn) -> dict[str, Any]:
    columns = draw(st.integers(0, 5))
    row = st.lists(small, min_size=columns, max_size=columns)
    side = st.integers(-8, 8)
    ranges = st.one_of(
        st.tuples(st.none(), side),
        st.tuples(side, st.none()),
        st.tuples(side, side).map(lambda pair: (min(pair), max(pair))),
    )
    lower = draw(st.integers(-2, 1))
    return {
        "costs": draw(row),
        "rows": [(a, *draw(ranges)) for a in draw(st.lists(row, max_size=4))],
        "lower": lower,
        "upper": draw(st.integers(lower, 3)),
        "constant": draw(small),
    }


def check(program: Program, start: np.ndarray | None) -> None:
    found = {objective for objective, _ in solutions(program)}
    for backend in BACKENDS:
        outcome = backend.solve(program, Budget(seconds=3600), start)
        assert outcome.stop is Stop.PROVED, backend.name
        assert outcome.infeasible == (not found), backend.name
        if found:
            assert outcome.objective == outcome.bound == min(found), backend.name
            assert outcome.values is not None
            assert any((x == outcome.values).all() for _, x in solutions(program)), backend.name


@given(integer_programs())
@example({"costs": [], "rows": [([], 1, None)], "lower": 0, "upper": 1, "constant": 0})
@example({"costs": [0, 0], "rows": [], "lower": 1, "upper": 1, "constant": -4})
def test_backends_agree_with_enumeration(data: dict[str, Any]) -> None:
    check(linear(**data), None)


@given(integer_programs(), st.randoms(use_true_random=False))
def test_starts_change_nothing(data: dict[str, Any], random: Any) -> None:
    program = linear(**data)
    known = [x for _, x in solutions(program)]
    columns = program.matrix.columns
    start = (
        random.choice(known)
        if known and random.random() < 0.7
        else np.array([float(random.randint(-2, 3)) for _ in range(columns)])
    )
    check(program, start)


@pytest.mark.parametrize("backend", BACKENDS, ids=[backend.name for backend in BACKENDS])
@given(data=integer_programs())
def test_a_bound_at_the_limit_is_a_bound(backend: Any, data: dict[str, Any]) -> None:
    """Whatever was reached when time is up at once: the bound is below the optimum, the objective not."""
    program = linear(**data)
    found = [objective for objective, _ in solutions(program)]
    outcome = backend.solve(program, Budget(seconds=0.002))
    if found and outcome.bound is not None:
        assert outcome.bound <= min(found)
    if outcome.objective is not None:
        assert outcome.objective in found
