"""Parts of the method: a run without any of them is as right as with all."""

from __future__ import annotations

from pathlib import Path

import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.solvers.exact import sifting
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.branch import Branch
from tests.loops import each
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules


@each("part", list(Part))
def test_without_a_part_small_tables_are_right(part: Part) -> None:
    for problem in (problem_of(list(Part).index(part)), problem_under_rules(list(Part).index(part))):
        answer = Sifting(without={part}).solve(problem, Budget(seconds=1, threads=2))
        best = min(cost for cost, _ in every_release(problem))
        assert answer.cost is not None
        assert answer.bound is not None
        assert answer.bound.value <= best <= answer.cost
        assert not answer.verify().wrong


@pytest.mark.parametrize("part", Part)
def test_every_part_is_asked_for_somewhere(part: Part) -> None:
    files = [file for file in Path(sifting.__file__).parent.rglob("*.py") if file.name != "parts.py"]
    assert any(f"Part.{part.name}" in file.read_text() for file in files)


def test_what_is_left_out_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("left out")

    monkeypatch.setattr(Branch, "run", refuse)
    monkeypatch.setattr(separation, "violated", refuse)
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    answer = Sifting(without={Part.TREE, Part.CUTS, Part.CLOSING}).solve(problem, Budget(seconds=1))
    assert answer.cost == 54
    with pytest.raises(AssertionError, match="left out"):
        Sifting(without={Part.CUTS}).solve(problem_of(4), Budget(seconds=1))
