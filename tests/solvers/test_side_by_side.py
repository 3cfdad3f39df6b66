"""Work in pieces on several threads: in order, all of it, and a failure is raised."""

from __future__ import annotations

import threading

import pytest

from anoptima.solvers.side_by_side import side_by_side


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_pieces_come_back_in_their_order(threads: int) -> None:
    assert side_by_side(lambda piece: piece * piece, range(20), threads) == [piece * piece for piece in range(20)]


def test_pieces_are_worked_on_at_once() -> None:
    both = threading.Barrier(2, timeout=60)
    assert sorted(side_by_side(lambda _: both.wait(), [1, 2], 2)) == [0, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failure_is_raised(threads: int) -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda piece: 1 // piece, [1, 0, 2], threads)
