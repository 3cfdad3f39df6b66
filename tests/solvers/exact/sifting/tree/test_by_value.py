"""The best group of whole rows along edges, by a loop: the same as the checker's, and one that satisfies what is asked."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.principles import Principle
from anoptima.solvers.exact.sifting.kernels import by_value
from anoptima.solvers.exact.sifting.tree.by_value import ByValue
from anoptima.table import Table
from tests.loops import each
from tests.proofs.test_whole_rows import NOTHING, best_of_all, drawn, found_by

PLAIN = 6


def best_of(
    table: Table, principle: Principle, gains: dict[int, int], least: int, known: int, lift: int = 0
) -> tuple[int, list[int]]:
    """Return what the loop finds, and the rows that it takes."""
    rows = sorted(gains)
    gain, taken = np.array([gains[row] for row in rows]), np.zeros(len(rows), dtype=np.int64)
    codes = table.sensitive_column("s").codes.astype(np.int64)
    priced = ByValue(principle.conditions(table), table.rows)
    lifts = np.full(len(priced.order), lift)
    found = priced.best(gain, np.ones_like(taken), codes[rows], lifts, (least, len(rows)), known, taken)
    return found, [row for row, its in zip(rows, taken, strict=True) if its]


@each("seed", range(120))
def test_it_finds_what_the_checker_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed < PLAIN:
        monkeypatch.setattr("anoptima.solvers.exact.sifting.tree.by_value.compiled", lambda loop: loop)
    table, principle, gains = drawn(seed)
    least = 1 + seed % 3
    found, rows = best_of(table, principle, gains, least, NOTHING, lift=seed % 2)
    assert [found] == found_by(table, principle, [gains], least, NOTHING)
    if found > NOTHING:
        assert found == sum(gains[row] for row in rows)
        assert len(rows) >= least
        assert (
            best_of_all(table, principle, {row: gains[row] for row in rows}, range(len(rows), len(rows) + 1)) == found
        )


def test_what_is_known_before_is_kept_where_it_is_more() -> None:
    table, principle, gains = drawn(5)
    best, _ = best_of(table, principle, gains, 1, NOTHING)
    for known in (best - 1, best, best + 1):
        found, rows = best_of(table, principle, gains, 1, known)
        assert found == max(best, known)
        assert bool(rows) == (known < best)


@each("room", [3, 12, 40])
def test_too_many_parts_are_worth_what_they_promise(room: int) -> None:
    """No group gains more than what comes back, whatever there is room for."""
    for seed in range(20):
        table, principle, gains = drawn(seed)
        priced, taken = ByValue(principle.conditions(table), table.rows), np.zeros(len(gains), dtype=np.int64)
        parts, pairs, order, spare, looks = priced.bench
        priced.bench = by_value.Bench(parts[:, :room].copy(), pairs[:, :room].copy(), order[:room], spare[:room], looks)
        rows = sorted(gains)
        gain, codes = np.array([gains[row] for row in rows]), table.sensitive_column("s").codes.astype(np.int64)
        lift = np.zeros(len(priced.order), dtype=np.int64)
        found = priced.best(gain, np.ones_like(taken), codes[rows], lift, (1, len(rows)), NOTHING, taken)
        assert [found] >= found_by(table, principle, [gains], 1, NOTHING)
        assert found <= sum(its for its in gains.values() if its > 0) or found <= max(gains.values())


def test_numbers_that_do_not_fit_into_the_loop_are_worth_all_that_is_gained() -> None:
    table, principle, gains = drawn(5)
    priced, taken = ByValue(principle.conditions(table), 2**40), np.zeros(len(gains), dtype=np.int64)
    gain, lift = np.array([gains[row] for row in sorted(gains)]), np.zeros(9, dtype=np.int64)
    found = priced.best(gain, np.ones_like(taken), taken, lift, (1, len(gains)), NOTHING, taken)
    assert found == sum(its for its in gains.values() if its > 0)
    assert not taken.any()
