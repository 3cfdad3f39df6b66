"""Branch and bound on columns: what it remembers."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.solvers.exact import attribute_branch_and_bound as searching


@pytest.mark.parametrize("most", [1, 7])
def test_what_it_remembers_has_an_end(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """A search of hours would fill the memory; forgetting costs questions, and no answer."""
    sizes: list[int] = []
    keep = searching._Known.__setitem__

    def watched(known: searching._Known, asked: int, suffices: bool) -> None:
        keep(known, asked, suffices)
        sizes.append(len(known))

    problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))
    monkeypatch.setattr(searching, "_MOST_KNOWN", most)
    monkeypatch.setattr(searching._Known, "__setitem__", watched)
    assert ao.solve(problem, "attribute-branch-and-bound").cost == 7
    assert max(sizes) == most
