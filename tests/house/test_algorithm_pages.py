"""Pages of algorithms and problems say which principles each algorithm is for, in words."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anoptima.solvers import algorithms

SITE = Path(__file__).parents[2] / "docs" / "_site"


@pytest.fixture(name="pages")
def pages_of_algorithms(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(SITE))
    yield importlib.import_module("algorithm_pages")
    for name in ("algorithm_pages", "problem_pages", "docstrings", "formulas"):
        sys.modules.pop(name, None)


def test_every_algorithm_is_for_some_problem(pages: Any) -> None:
    """`bracketing` is for none of the principles here, and is said to be for those of plug-ins."""
    for solver in algorithms.all():
        assert pages._takes(solver).startswith(" for ["), solver.name
    assert "under principles of plug-ins" in pages._takes(algorithms.get("bracketing"))


def test_principles_are_in_words(pages: Any) -> None:
    said = pages._takes(algorithms.get("peel"))
    assert "conjunctions, distinct l-diversity" in said
    assert "recursive-diversity with l = 2, t-closeness" in said


def test_problems_point_to_the_principles(pages: Any) -> None:
    """A line of the table of algorithms may hold under k-anonymity alone."""
    for name, some_only in (("cell-suppression", True), ("fake-points", False)):
        said = "\n".join(importlib.import_module("problem_pages").sections(name))
        assert ("the page of each says for which" in said) is some_only
