"""What a principle implies and what implies it, held against every group of small tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import anoptima as ao
from anoptima.implied_principles import implies, stricter_principle, weaker_principle
from anoptima.principles import Principle
from anoptima.solvers.exact.sifting.rules.of_conditions import why_no_rule
from anoptima.table import Groups, Table
from tests.principles.brute_force import random_table

PARTIAL = (
    ao.EntropyDiversity(2),
    ao.EntropyDiversity("5/2"),
    ao.RecursiveDiversity(2, 3),
    ao.RecursiveDiversity("3/4", 3),
    ao.RecursiveDiversity(5, 4),
    ao.RecursiveDiversity(2, 3) & ao.AlphaKAnonymity("1/2", 3, values=[1]),
    ao.EntropyDiversity(2) & ao.KAnonymity(4),
    ao.RecursiveDiversity(2, 3) & ao.TCloseness("1/2"),
)
STATED = (
    ao.KAnonymity(1),
    ao.KAnonymity(3),
    ao.LDiversity(2),
    ao.LDiversity("3/2"),
    ao.LDiversity(2, version="distinct"),
    ao.LDiversity(3, version="distinct"),
    ao.TCloseness("1/2"),
    ao.TCloseness("1/4"),
    ao.TCloseness("1/4", space=ao.Numeric()),
    ao.TCloseness("1/2", space=ao.Numeric()),
    ao.KAnonymity(3) & ao.LDiversity("3/2"),
    ao.AlphaKAnonymity("1/2", 3, values=[1]),
)


def every_group(table: Table) -> Groups:
    sets = [rows for size in range(1, table.rows + 1) for rows in itertools.combinations(range(table.rows), size)]
    return table.groups(np.repeat(np.arange(len(sets)), [len(rows) for rows in sets]), np.concatenate(sets))


def holds(principle: Principle, groups: Groups) -> np.ndarray:
    return np.asarray(principle.holds_each(groups), dtype=bool)


@pytest.mark.parametrize("principle", PARTIAL, ids=str)
def test_a_principle_is_between_what_it_implies_and_what_implies_it(principle: Principle) -> None:
    between = 0
    for seed in range(6):
        table = random_table(seed, rows=9, values=5)

        def is_known(part: Principle, table: Table = table) -> bool:
            return why_no_rule(part, table) is None and not isinstance(
                part, ao.RecursiveDiversity | ao.EntropyDiversity
            )

        groups = every_group(table)
        own, weaker = holds(principle, groups), weaker_principle(principle, table, is_known)
        stricter = stricter_principle(principle, table, is_known)
        assert stricter is not None
        assert not (own & ~holds(weaker, groups)).any()
        assert not (holds(stricter, groups) & ~own).any()
        assert implies(principle, weaker, table)
        assert why_no_rule(weaker, table) is None
        between += int((holds(weaker, groups) & ~holds(stricter, groups)).sum())
    assert between > 0


def test_what_is_said_to_follow_follows() -> None:
    found = 0
    for seed in range(3):
        table = random_table(seed, rows=8, values=4)
        groups = every_group(table)
        truths = {principle: holds(principle, groups) for principle in (*STATED, *PARTIAL)}
        for one, other in itertools.permutations(truths, 2):
            if implies(one, other, table):
                found += 1
                assert not (truths[one] & ~truths[other]).any(), (seed, str(one), str(other))
    assert found > 60


def test_every_part_must_have_a_stricter_one() -> None:
    table = random_table(0)
    assert stricter_principle(ao.KAnonymity(2) & ao.EntropyDiversity(2), table, lambda part: False) is None
