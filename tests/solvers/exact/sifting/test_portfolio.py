from __future__ import annotations

import pytest

from anoptima.solvers.exact.sifting.portfolio import Portfolio


def both() -> Portfolio[str]:
    return Portfolio({"bound": (0.2, 1.0), "release": (0.2, 1.0)})


def test_a_long_turn_without_a_gain_makes_earlier_gains_forgotten() -> None:
    turns = both()
    turns.note("bound", 3.0, 10.0)
    turns.note("release", 10.0, 2.0)
    turns.note("release", 0.0, 1.0)
    assert turns.next() == "release"
    turns.note("release", 0.0, 7.0)
    assert turns.next() == "bound"


def test_a_side_that_gains_nothing_has_its_share_all_the_same() -> None:
    turns, spent = both(), {"bound": 0, "release": 0}
    for _ in range(1000):
        way = turns.next()
        turns.note(way, float(way == "release"), 1.0)
        spent[way] += 1
    assert 190 <= spent["bound"] <= 210


@pytest.mark.parametrize(("gain", "share"), [(5.0, 0.6), (0.0, 0.1), (1.0, 0.5)])
def test_a_way_has_no_more_than_its_largest_share_and_equals_have_as_much(gain: float, share: float) -> None:
    turns, spent = Portfolio({"one": (0.1, 0.6), "other": (0.0, 1.0)}), {"one": 0, "other": 0}
    for _ in range(1000):
        way = turns.next()
        turns.note(way, gain if way == "one" else 1.0, 1.0)
        spent[way] += 1
    assert spent["one"] / 1000 == pytest.approx(share, abs=0.02)


def test_only_some_are_asked_and_a_renewed_way_is_next() -> None:
    turns = Portfolio({"one": (0.1, 1.0), "other": (0.1, 1.0), "third": (0.1, 1.0)})
    for way in ("one", "other", "third"):
        turns.note(way, float(way == "one"), 1.0)
    assert turns.next() == "one"
    assert turns.next({"other", "third"}) == "other"
    turns.renew("third")
    assert turns.next() == "third"
    assert turns.spent == 3.0
