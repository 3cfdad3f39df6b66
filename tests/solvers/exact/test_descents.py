from __future__ import annotations

from collections.abc import Sequence

import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.solvers.exact.descents import Descents
from anoptima.solvers.ledger import Ledger
from benchmarks.synthetic import skewed


@pytest.mark.parametrize("seed", range(3))
def test_exchanges_find_keys_that_descents_from_all_columns_do_not(seed: int) -> None:
    """Descents from all columns alone leave 10, 11 and 11 columns of these."""
    frame = skewed(1_000, (2, 3, 5, 4, 2, 6) * 5, 1_000)
    problem = ao.IdentifyingColumns(ao.Table.from_frame(frame, list(frame.columns)))
    ledger = Ledger(problem, "descents", Budget.of(None, 0, None, None, seed))
    ledger.open(None, None)
    descents = Descents(problem, ledger)
    for _ in range(300):
        descents.once()
    assert ledger.cost == 10


def test_where_exchanges_bring_nothing_descents_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = skewed(100, [4] * 12, 1)
    problem = ao.IdentifyingColumns(ao.Table.from_frame(frame, list(frame.columns)))
    ledger = Ledger(problem, "descents", Budget())
    ledger.open(None, None)
    begun: list[int] = []
    descend = Descents.descend

    def descending(self: Descents, columns: Sequence[int], dearness: Sequence[float]) -> frozenset[int]:
        begun.append(len(columns))
        return descend(self, columns, dearness)

    monkeypatch.setattr(Descents, "descend", descending)
    descents = Descents(problem, ledger)
    for _ in range(200):
        descents.once()
    assert begun[0] == 12
    assert 3 <= begun.count(12) < 20
