from __future__ import annotations

import sys

import numpy as np
import pytest

from anoptima.solvers.compiling import loops as compiling
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.kernels import sizes as kernels_compiled
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling


def test_kernels_have_their_compiled_twins_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "is_ready", lambda *loops: False)
    assert compiling.kernels_here(kernels) is kernels
    asked: list[object] = []

    def is_ready(*loops: object) -> bool:
        asked.extend(loops)
        return True

    monkeypatch.setattr(compiling, "is_ready", is_ready)
    assert compiling.kernels_here(kernels) is kernels_compiled
    assert asked


def test_every_loop_is_marked_once_and_says_how_long_it_takes() -> None:
    names = [loop.name for loop in compiling.loops()]
    assert len(set(names)) == len(names) > 10
    assert all(loop.seconds > 0 for loop in compiling.loops())
    assert {loop.function.__module__ for loop in compiling.loops()} == set(compiling.MODULES)


def test_why_numba_cannot_be_imported_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiling.why_no_numba() == ""
    monkeypatch.setitem(sys.modules, "numba", None)
    assert compiling.why_no_numba.__wrapped__() == "import of numba halted; None in sys.modules"


def test_nothing_is_ready_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "why_no_numba", lambda: "it is broken")
    for loop in compiling.loops():
        assert not compiling.is_ready(loop.function)
        assert compiling.fastest(loop.function) is loop.function


def test_what_is_sorted_falls_and_equals_stay_in_order() -> None:
    chance = np.random.default_rng(1)
    for count in [*range(20), 63, 64, 65, 1000]:
        key = chance.integers(0, max(1, count // 2) + 1, count + 3).astype(float)
        order, spare = np.arange(count), np.zeros(count, dtype=np.int64)
        sort_falling(order, count, key, spare)
        assert order.tolist() == sorted(range(count), key=lambda i: -key[i])


def test_loops_are_compiled_for_the_types_of_their_examples_and_no_others() -> None:
    """What has run in this process by now has found all its types prepared, or is not here yet."""
    for loop in compiling.loops():
        twin = compiling._twins.get(loop.function)
        if twin is not None:
            known = {tuple(twin.typeof_pyval(one) for one in arguments) for arguments in loop.examples()}
            assert set(twin.signatures) <= known, loop.name
