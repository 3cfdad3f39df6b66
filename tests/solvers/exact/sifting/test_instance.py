"""What a run works on: patterns in which a legal group fits, the least size of such groups, and no column that plays no part."""

from __future__ import annotations

import numpy as np

from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
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
