"""What the rule of cases allows together is sound, and all three checkers prove the same by it."""

from __future__ import annotations

from pathlib import Path

from tests.proofs.combinations import Combined, Shape, faults
from tests.proofs.javascript import Checker


def test_no_combination_proves_more_than_the_least_cost(tmp_path: Path) -> None:
    proving = set[Shape]()
    with Checker() as node:
        for seed in range(60):
            combined = Combined(tmp_path, seed)
            some, found = faults(combined, 12, lambda table, proof: node.says(table=table, proof=proof)[0])
            assert not found, (seed, found)
            proving |= some
    assert len(proving) > 15, proving
