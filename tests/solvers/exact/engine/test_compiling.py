from __future__ import annotations

import pytest

from anoptima.solvers.exact.engine import compiling, kernels
from anoptima.solvers.exact.engine.principled import pricing


def test_kernels_have_their_compiled_twins_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for reference in (kernels, pricing):
        monkeypatch.setattr(compiling, "is_installed", lambda name: False)
        assert compiling.kernels_here(reference) is reference
        pytest.importorskip("numba")
        monkeypatch.setattr(compiling, "is_installed", lambda name: True)
        assert compiling.kernels_here(reference).__name__ == f"{reference.__name__}_compiled"
