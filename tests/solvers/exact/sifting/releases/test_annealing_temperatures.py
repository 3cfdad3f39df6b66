from __future__ import annotations

import pytest

from anoptima.solvers.exact.sifting.releases.annealing import Cooling
from tests.clocks import Clock


def test_temperatures_fall_from_hot_to_cold_over_all_steps() -> None:
    course = list(Cooling(10, 4.0, 0.25).course(7, 9, 2.0, 1e9, lambda: False))
    assert sum(count for count, _, _ in course) >= 70
    assert course[0][1] == 8.0
    assert course[-1][2] == pytest.approx(0.5)
    assert [one[2] for one in course[:-1]] == [one[1] for one in course[1:]]


def test_where_time_is_short_they_fall_as_it_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, seen = Clock(monkeypatch), []
    for count, _, colder in Cooling(1_000_000, 4.0, 1.0).course(1000, 10, 1.0, 100.0, lambda: False):
        assert count == 10
        seen.append(colder)
        clock.forward(30.0)
    assert len(seen) == 5
    assert seen[-1] == pytest.approx(1.0)
