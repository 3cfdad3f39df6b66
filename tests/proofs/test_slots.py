"""Closeness at equal distance, where checkers bound what a group gains: against all groups, and the two that stand alone on each other."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.documents.proofs import proof_document
from anoptima.proofs import check_anoptima
from anoptima.proofs.group_cases import GroupCasesProof, GroupLeaf
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.records import record_of_row
from tests.proof_agreement import VERIFIED, Proved
from tests.proofs.javascript import Checker


def best_group(lots: list[tuple[int, int, int]], total: list[int], limit: Fraction) -> int | None:
    """Return what the best group within `limit` of the counts `total` gains, by trying every one."""
    n, best = sum(total), None
    for taken in itertools.product(*(range(copies + 1) for _, copies, _ in lots)):
        size = sum(taken)
        counts = [0] * len(total)
        for z, (_, _, v) in zip(taken, lots, strict=True):
            counts[v] += z
        if size and sum(abs(n * c - size * m) for c, m in zip(counts, total, strict=True)) <= 2 * n * size * limit:
            gain = sum(z * gain for z, (gain, _, _) in zip(taken, lots, strict=True))
            best = gain if best is None else max(best, gain)
    return best


def test_slots_bound_every_group_and_whole_rows_find_the_best() -> None:
    chance = random.Random(4)
    held = 0
    for _ in range(250):
        total = [chance.randrange(1, 7) for _ in range(chance.choice((2, 3, 4)))]
        limit = chance.choice((Fraction(1, 5), Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)))
        slots = check_anoptima.Slots(SimpleNamespace(total=total, limit=limit))  # type: ignore[arg-type]
        own = [chance.randrange(count + 1) for count in total]
        lots = sorted(
            (
                (chance.randrange(-3, 4), part, v)
                for v, count in enumerate(own)
                for part in (count // 2, count - count // 2)
                if part
            ),
            reverse=True,
        )
        counts = [sum(copies for _, copies, v in lots if v == value) for value in range(len(total))]
        best, least = best_group(lots, total, limit), slots.smallest(counts, 1)
        assert (best is None) == (least == 0)
        if best is not None:
            held += 1
            nothing = -1000
            assert slots.best(lots, least, nothing) >= best
            every = list(range(len(total)))
            space = SimpleNamespace(scale=2, order=every, edges=[(1, v, v + 1) for v in every])
            close = object.__new__(check_anoptima.Closeness)
            vars(close).update(total=total, limit=limit, space=space)
            assert check_anoptima.WholeRows([close]).best(lots, 1, sum(counts), nothing) == best
    assert held > 100


def documents(chance: random.Random) -> Iterator[tuple[ao.Table, Any]]:
    """Yield proofs with small worths: what a price says is then seldom whole, and sizes that split slots tell apart lie close together."""
    for _ in range(14):
        rows = chance.choice((8, 9, 10, 11))
        data = {"a": [chance.choice("ab") for _ in range(rows)], "ill": [chance.choice("1123") for _ in range(rows)]}
        table = ao.Table.from_frame(pd.DataFrame(data), ["a"], "ill")
        problem = ao.CellSuppression(table, ao.TCloseness(chance.choice(("1/5", "1/4", "1/3", "2/5", "1/2"))))
        if problem.plain.principle != problem.principle:
            continue
        for _ in range(4):
            worth = tuple(chance.choice((0, 0, 1, 1, 2, 3, -1)) for _ in set(record_of_row(problem).tolist()))
            about = (0, table.digest, problem.principle.as_json(), chance.choice((1, 2, 3)))
            for proof in (GroupProof(*about, worth), GroupCasesProof(*about, GroupLeaf(worth, ()))):
                answer: Any = Proved(problem, proof)
                yield table, json.loads(json.dumps(proof_document(answer)))


def test_both_checkers_prove_the_same_number(tmp_path: Path) -> None:
    table_path, path = tmp_path / "table.csv", tmp_path / "proof.json"
    kinds, highest = set(), 0
    with Checker() as node:
        for table, document in documents(random.Random(7)):
            table_path.write_text(table_text(table))
            value = 0
            while True:
                document["proof"]["value"] = value
                document["claim"]["bound"] = [value, 1]
                path.write_text(json.dumps(document))
                alone = is_verified(table_path, path)
                said, words = node.says(table=table_path, proof=path)
                assert alone == (said == VERIFIED), (words, document)
                if not alone:
                    break
                value += 1
            kinds.add((document["proof"]["kind"], document["proof"]["whole"]))
            highest = max(highest, value)
    assert kinds == {("cases", False), ("cases", True)}
    assert highest > 3


def is_verified(table: Path, proof: Path) -> bool:
    """Tell whether `check_anoptima.py` verifies a proof."""
    try:
        check_anoptima.check(str(table), str(proof))
    except check_anoptima.Refused:
        return False
    return True
