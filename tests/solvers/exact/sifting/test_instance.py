"""What a run works on: patterns in which a legal group fits, the least size of such groups, and no column that plays no part."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.records import Ground
from anoptima.solvers.exact.sifting.instance import counts_of, instance_of, without_others
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


@each("seed", range(12))
def test_every_group_of_every_legal_release_is_in_its_patterns_and_large_enough(seed: int) -> None:
    problem = problem_of(seed, 6)
    instance = instance_of(problem)
    known = {
        (tuple(kept), tuple(sorted(instance.arcs.member[start:end].tolist()))): least
        for kept, start, end, least in zip(
            instance.patterns.kept,
            instance.arcs.start[:-1],
            instance.arcs.start[1:],
            instance.arcs.least,
            strict=True,
        )
    }
    table = instance.problem.table
    rows = {(kept, member): least for (kept, member), least in known.items()}
    for release in instance.problem.solutions():
        if not instance.problem.is_feasible(release):
            continue
        stars = instance.problem.stars(release)
        for label in np.unique(release.labels):
            own = np.flatnonzero(release.labels == label)
            kept = tuple((~stars[own[0]]).tolist())
            matched = {
                int(record)
                for record in table.records.of_row
                if all(
                    table.types[table.records.type[record], j]
                    == table.types[table.records.type[table.records.of_row[own[0]]], j]
                    for j in np.flatnonzero(kept)
                )
            }
            assert rows[kept, tuple(sorted(matched))] <= len(own)


@each("seed", range(6))
def test_values_are_counted_in_blocks_as_all_at_once(seed: int) -> None:
    instance = instance_of(problem_of(seed))
    arcs = instance.arcs
    for rule in instance.rules:
        counted = np.concatenate([counts for _, counts in counts_of(instance.patterns, rule)])
        expected = np.zeros((len(arcs), rule.values), dtype=np.int64)
        np.add.at(expected, (arcs.pattern_of, rule.value[arcs.member]), arcs.copies[arcs.member])
        assert (counted == expected).all()


def test_columns_that_the_principle_does_not_speak_of_play_no_part() -> None:
    problem = problem_of(0)
    assert without_others(CellSuppression(problem.table, KAnonymity(2))).table.sensitive == ()
    assert without_others(problem).table.sensitive == ("s",)
    assert instance_of(CellSuppression(problem.table, KAnonymity(2))).is_of_size


@pytest.mark.parametrize(
    "principle",
    [
        ao.LDiversity("40/13"),
        ao.RecursiveDiversity("0.37", 2),
        ao.AlphaKAnonymity("0.31", 3),
        ao.EntropyDiversity("5/2"),
    ],
    ids=str,
)
def test_groups_have_the_least_sizes_that_the_checker_finds(principle: ao.Principle) -> None:
    """Prices are rounded where l is no simple fraction, but both sides must agree on which patterns can hold a group at all."""
    chance = np.random.default_rng(0)
    frame = pd.DataFrame({name: chance.integers(0, 3, 40) for name in ("a", "b", "c", "s")})
    problem = CellSuppression(ao.Table.from_frame(frame, ["a", "b", "c"], ["s"]), principle)
    instance = instance_of(problem)
    plain = instance.problem
    ground = Ground(plain)
    found: Counter[int] = Counter()
    for on in ground.patterns():
        found.update(ground.least_rows(on.owner, on.types, len(on.start)).tolist())
    del found[0]
    assert found == Counter(instance.arcs.least.tolist())
