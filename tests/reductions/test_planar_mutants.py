"""Every broken construction of boxes from formulas is noticed, and the unbroken ones are not."""

from __future__ import annotations

import pytest

from tests.reductions.planar_mutants import MUTANTS, UNBROKEN, noticed


@pytest.mark.parametrize("name", MUTANTS)
def test_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[name](monkeypatch)
    assert noticed(monkeypatch) is not None


@pytest.mark.parametrize("name", UNBROKEN)
def test_nothing_to_notice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    UNBROKEN[name](monkeypatch)
    assert noticed(monkeypatch) is None
