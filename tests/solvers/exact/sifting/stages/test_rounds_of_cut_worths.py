"""From what rounds of cuts and worths begin, one after the other, and when they come to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.bound.averaged_rounds import AveragedRounds, Round
from anoptima.solvers.exact.sifting.bound.dual import DualPoint
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.read_back import EarlierWorths
from anoptima.solvers.exact.sifting.stages.cut_worths import LITTLE_UNITS, PATIENCE, CutWorths
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from tests.solvers.exact.sifting.cases_under_rules import problem_of
from tests.solvers.exact.sifting.stages.test_cut_worths import ascended

Begun = tuple[DualPoint, TermsUnderRules]


def watched(
    standing: StandingUnderRules, earlier: EarlierWorths | None, gains: Sequence[float]
) -> tuple[CutWorths, list[Begun]]:
    """Let rounds gain so much each, in units, and return what each has begun with; they come to rest before they run out."""
    begun: list[Begun] = []

    def go_round(self: AveragedRounds, near: DualPoint, terms: TermsUnderRules) -> Round:
        begun.append((near, terms))
        look = replace(near, value=near.value + gains[len(begun) - 1] * standing.instance.unit)
        return Round(look, terms, np.zeros(0), 0)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(AveragedRounds, "go_round", go_round)
        cuts = CutWorths(standing, earlier)
        cuts.run(1.0)
    return cuts, begun


def test_rounds_come_to_rest_after_some_in_a_row_that_gain_little() -> None:
    standing = ascended(problem_of(28))
    before, little = standing.point.value, LITTLE_UNITS / 2
    cuts, begun = watched(standing, None, [1, little, 1, *[little] * PATIENCE])
    assert len(begun) == 3 + PATIENCE
    assert cuts.why_not() == "rounds have come to rest"
    values = [near.value for near, _ in begun]
    assert np.allclose(np.diff(values) / standing.instance.unit, [1, little, 1, *[little] * (PATIENCE - 1)])
    assert values[0] == pytest.approx(before)


def test_an_earlier_runs_cuts_are_gone_on_from_unless_worths_alone_are_better() -> None:
    first, fresh = ascended(problem_of(28)), ascended(problem_of(28))
    cuts = CutWorths(first, None)
    cuts.run(1.0)
    assert cuts.reached is not None
    point, terms = cuts.reached
    assert point.value > fresh.point.value + 1
    earlier = EarlierWorths(point.at.worth, {}, (), terms.rows, point.at.prices)
    _, begun = watched(fresh, earlier, [0] * PATIENCE)
    assert begun[0][0].value == pytest.approx(point.value)
    assert list(begun[0][1].rows) == list(terms.rows)
    assert fresh.point.value == pytest.approx(point.value)
    late = ascended(problem_of(28))
    late.is_over = lambda: True  # type: ignore[method-assign]
    CutWorths(late, earlier).run(1.0)
    assert late.point.value == pytest.approx(point.value), "what is known is proved before any round"
    worse = replace(earlier, worth=0 * point.at.worth)
    fresh = ascended(problem_of(28))
    for none_better in (worse, replace(earlier, rows=[], prices=np.zeros(0)), None):
        _, begun = watched(fresh, none_better, [0] * PATIENCE)
        assert begun[0][0].value == pytest.approx(fresh.point.value)
        assert not begun[0][1].rows
