"""Whole groups along edges: exactly what the best of all sets of rows gains, as each checker says, whatever it is told to know before."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anoptima.principles import LDiversity, Principle, TCloseness
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.proofs import check_anoptima, whole_rows
from anoptima.proofs.reading import TooLarge
from anoptima.proofs.statements import principle_statement
from anoptima.proofs.views import View
from anoptima.proofs.whole_rows import WholeRows
from anoptima.spaces import Hierarchical, Numeric, Ordered
from anoptima.table import Table
from tests.loops import each

SPACES: list[dict[str, Any]] = [
    {},
    {"space": Numeric()},
    {"space": Ordered(list("41352"))},
    {"space": Hierarchical({"x": ["1", "2"], "y": ["3"], "z": ["4", "5"]})},
]
NOTHING = -(10**9)


def drawn(seed: int) -> tuple[Table, Principle, dict[int, int]]:
    """Return a table of one group, a principle that asks for closeness, and what some of its rows gain."""
    chance = random.Random(seed)
    rows = chance.randrange(5, 10)
    frame = pd.DataFrame({"a": [0] * rows, "s": [chance.choice("12345") for _ in range(rows)]})
    principle: Principle = TCloseness(chance.choice(("1/10", "1/5", "1/3", "2/5")), **SPACES[seed % 4])
    diverse = LDiversity(2, version="distinct"), LDiversity("3/2"), LDiversity(2)
    if seed % 3:
        principle = principle & chance.choice(diverse)
    gains = {row: chance.randrange(-9, 9) for row in range(rows) if chance.random() < 0.8}
    return Table.from_frame(frame, ["a"], "s"), principle, gains


def best_of_all(table: Table, principle: Principle, gains: dict[int, int], sizes: range) -> int:
    """Try every set of rows."""
    codes = table.sensitive_column("s").codes.tolist()
    own = check_anoptima.Table([], [Fraction(1)], {"s": check_anoptima.Column(table.frame["s"].tolist())})
    conditions = [check_anoptima.read_condition(one, own) for one in principle_statement(principle, table)]
    best = NOTHING
    for size in sizes:
        for rows in itertools.combinations(gains, size):
            counts = [sum(codes[row] == v for row in rows) for v in range(max(codes) + 1)]
            if all(condition.holds(size, counts) for condition in conditions):
                best = max(best, sum(gains[row] for row in rows))
    return best


def view_of(table: Table, all_gains: list[dict[int, int]]) -> View:
    """Return patterns whose records are rows of a table, with what these gain in each."""
    codes = table.sensitive_column("s").codes
    records = [(p, -gain, row) for p, gains in enumerate(all_gains) for row, gain in gains.items()]
    owner, falling, rows = np.array(sorted(records), dtype=np.int64).T
    return View(owner, -falling, np.ones(len(rows), dtype=np.int64), codes[rows].astype(np.int64), len(all_gains))


def found_by(table: Table, principle: Principle, gains: list[dict[int, int]], least: int, known: int) -> list[int]:
    view, every = view_of(table, gains), np.ones(len(gains), dtype=np.int64)
    rows = view.total(view.copies)
    found: list[int] = WholeRows(principle.conditions(table)).best(view, least * every, rows, known * every).tolist()
    return found


@each("seed", range(36))
def test_no_set_of_rows_gains_more_or_less(seed: int) -> None:
    table, principle, gains = drawn(seed)
    if seed % 5 < 2:
        principle = principle & AlphaKAnonymity(
            "1/4", 1, values=[table.frame["s"][max(gains, key=lambda row: gains[row])]]
        )
    codes = table.sensitive_column("s").codes.tolist()
    sizes = range(1 + seed % 3, len(gains) + 1)
    expected = best_of_all(table, principle, gains, sizes)
    assert found_by(table, principle, [gains], sizes.start, NOTHING) == [expected]
    own = check_anoptima.Table([], [Fraction(1)], {"s": check_anoptima.Column(table.frame["s"].tolist())})
    conditions = [check_anoptima.read_condition(one, own) for one in principle_statement(principle, table)]
    lots = sorted(((gain, 1, codes[row]) for row, gain in gains.items()), reverse=True)
    assert check_anoptima.WholeRows(conditions).best(lots, sizes.start, len(gains), NOTHING) == expected


@each("pairs", [1, 200, 1 << 21])
def test_many_patterns_are_looked_at_together(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gains what it does alone, also where pairs of parts are so many that sizes are looked at one by one."""
    table, principle, _ = drawn(7)
    chance = random.Random(pairs)
    some = [
        {row: chance.randrange(-9, 9) for row in range(table.rows) if chance.random() < 0.8 or row == 0}
        for _ in range(40)
    ]
    alone = [found_by(table, principle, [gains], 1, NOTHING) for gains in some]
    monkeypatch.setattr(whole_rows, "_MOST_PAIRS", pairs)
    if pairs == 1:
        with pytest.raises(TooLarge, match="the parts of groups"):
            found_by(table, principle, some, 1, NOTHING)
    else:
        assert [[its] for its in found_by(table, principle, some, 1, NOTHING)] == alone


def test_what_is_known_before_is_kept_where_it_is_more() -> None:
    table, principle, gains = drawn(5)
    [best] = found_by(table, principle, [gains], 1, NOTHING)
    for known in (best - 1, best, best + 1):
        assert found_by(table, principle, [gains], 1, known) == [max(best, known)]
