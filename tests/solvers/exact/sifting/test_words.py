"""What a proof says of a table is read back as what arrays said, also of tables with columns that the principle does not speak of."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.cuts import Cut, Named
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.words import Words
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


def both(seed: int) -> tuple[Words, Words]:
    problem = problem_of(seed)
    of_size = CellSuppression(problem.table, KAnonymity(2))
    return instance_of(problem).words, instance_of(of_size).words


@each("seed", range(25))
def test_worths_and_patterns_come_back(seed: int) -> None:
    for words in both(seed):
        worth = np.random.default_rng(seed).integers(-(2**62), 2**62, len(words.patterns.table.records))
        assert words.read_worth(words.worth(worth)).tolist() == worth.tolist()
        for pattern in range(len(words.patterns)):
            assert words.read_pattern(*words.pattern(pattern)) == pattern


@each("seed", range(25))
def test_cuts_come_back(seed: int) -> None:
    chance = np.random.default_rng(seed)
    for words in both(seed):
        records = np.arange(len(words.patterns.table.records))
        some = tuple(chance.permutation(records)[: 1 + len(records) // 2].tolist())
        named = [Named(p, bool(chance.random() < 0.5), some[:1]) for p in range(min(2, len(words.patterns)))]
        cut = Cut(some, 2, tuple(named))
        assert words.read_cut(words.cut(cut)) == cut


def test_what_is_about_another_table_is_no_pattern_of_this_one() -> None:
    words = both(0)[0]
    with pytest.raises(IndexError):
        words.read_worth((1,) * (len(words.record) + 1))
    with pytest.raises(IndexError):
        words.read_pattern(frozenset(), len(words.record))
