"""Diving: what comes out whole is legal and of rows that are there, and it goes on until hardly anything does."""

from __future__ import annotations

import numpy as np

from anoptima.principles import LDiversity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release, whole_groups
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region, RegionProgram, Relaxed
from anoptima.solvers.exact.sifting.releases.release import Release, legal_groups, partition_of
from anoptima.solvers.exact.sifting.releases.whole_group_dive import dive, not_in
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of
from tests.solvers.exact.sifting.releases.test_regions import SEEDS, never
from tests.solvers.exact.sifting.test_run_under_rules import middling


def relaxed(instance: Instance, region: Region) -> Relaxed | None:
    return RegionProgram(Programs(Catalogue(instance.arcs), instance.problem), region).relax(60.0, never)


def begun_at(instance: Instance, regions: list[Region], most: int = 100) -> tuple[Release, Release]:
    """Dive from the relaxation of the whole table, with no more than so many programs; return what was whole first, and in the end."""
    everything = np.arange(len(instance.arcs.member))
    first = relaxed(instance, Region(everything, instance.arcs.copies))
    assert first is not None

    def relax(region: Region) -> Relaxed | None:
        regions.append(region)
        return relaxed(instance, region) if len(regions) <= most else None

    whole = whole_groups(instance, everything, first.x)
    return whole, dive(instance, everything, first.x, everything, relax, lambda line: None)


@each("seed", SEEDS)
def test_what_it_begins_is_part_of_a_release(seed: int) -> None:
    problem = problem_of(seed)
    instance = instance_of(problem)
    regions: list[Region] = []
    whole, begun = begun_at(instance, regions)
    assert (not_in(instance, begun) >= 0).all()
    assert begun.count.sum() >= whole.count.sum()
    groups, label = np.unique(instance.arcs.pattern_of[begun.arc], return_inverse=True)
    assert legal_groups(
        instance.problem, label, instance.arcs.member[begun.arc].astype(np.int64), begun.count, len(groups)
    ).all()
    release = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(seed), begun)
    assert not problem.violations(partition_of(instance.patterns, release))


def test_each_program_has_fewer_rows_and_a_program_that_fails_ends_it() -> None:
    instance = instance_of(CellSuppression(middling(400), LDiversity("9/4", "ill")))
    regions: list[Region] = []
    whole, begun = begun_at(instance, regions)
    rows = [int(region.demand.sum()) for region in regions]
    assert len(rows) > 1
    assert rows == sorted(set(rows), reverse=True)
    assert rows[0] == not_in(instance, whole).sum()
    assert begun.count.sum() > whole.count.sum()
    again, stopped = begun_at(instance, [], most=0)
    assert stopped.arc.tolist() == again.arc.tolist()
