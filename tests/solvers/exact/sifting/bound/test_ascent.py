from __future__ import annotations

import numpy as np
import pytest

from anoptima.answer import Budget
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs, part_of
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.releases.region_graph import RegionGraph
from anoptima.solvers.exact.sifting.stages import core_rounds, rounds
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.bound.test_cuts import random_cut
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def some_rows(catalogue: Catalogue, seed: int) -> list[Row]:
    chance = np.random.default_rng(seed)
    if catalogue.arcs.k < 2:
        return []
    return [row for _ in range(8) if (row := catalogue.row(random_cut(catalogue, chance))) is not None]


def optimum(seed: int) -> float:
    problem = problem_of(seed)
    return float(min(cost for cost, _ in every_release(problem)) * problem.cost_scale)


@each("seed", range(20))
def test_charges_and_left_sides_are_those_of_the_rows_one_by_one(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed))
    rows = some_rows(Catalogue(arcs), seed)
    terms, chance = Terms(arcs, kernels, rows), np.random.default_rng(seed)
    for prices in (chance.random(len(rows)), chance.integers(0, 5, len(rows))):
        charge, surcharge = terms.charges(prices)
        naive_charge, naive_surcharge = np.zeros(len(arcs.cost)), np.zeros(len(arcs.member))
        for price, row in zip(prices, rows, strict=True):
            naive_charge[row.patterns] += price * row.on_pattern
            naive_surcharge[row.arcs] += price * row.on_arc
        assert charge.tolist() == pytest.approx(naive_charge.tolist())
        assert charge.dtype == prices.dtype
        assert (np.zeros(len(arcs.member)) if surcharge is None else surcharge).tolist() == pytest.approx(
            naive_surcharge.tolist()
        )
    x, y = chance.random(len(arcs.member)), chance.random(len(arcs.cost))
    assert (terms.most - terms.left_sides(y, x)).tolist() == pytest.approx([row.slack(x, y) for row in rows])
    some, taken = np.flatnonzero(chance.random(len(arcs.member)) < 0.3), np.zeros(len(arcs.member))
    open_patterns = np.flatnonzero(chance.random(len(arcs.cost)) < 0.3)
    taken[some] = 3
    found = terms.left_sides_of(open_patterns, some, np.full(len(some), 3))
    assert found.tolist() == terms.left_sides(np.isin(np.arange(len(arcs.cost)), open_patterns), taken).tolist()
    part = part_of(arcs, np.flatnonzero(chance.random(len(arcs.member)) < 0.5))
    if rows:
        inside, outside = np.zeros(len(arcs.member)), np.zeros(len(arcs.cost))
        inside[part.chosen], outside[part.patterns] = x[part.chosen], y[part.patterns]
        left = terms.within(part).left_sides(y[part.patterns], x[part.chosen])
        assert left.tolist() == pytest.approx(terms.left_sides(outside, inside).tolist())


@each("seed", range(asked(15, 30)))
def test_ascent_in_worths_and_prices_never_passes_the_optimum_and_never_falls(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed))
    terms = Terms(arcs, kernels, some_rows(Catalogue(arcs), seed))
    start = Multipliers(first_multipliers(arcs).worth, np.full(len(terms.rows), 0.1))
    before = terms.look(arcs, start)
    after = ascend(arcs, terms, start, lambda: False, Course(120))
    assert before.value <= after.value <= optimum(seed) + 1e-6
    assert (after.at.prices >= 0).all()
    assert terms.look(arcs, after.at).value == pytest.approx(after.value)


def test_without_time_for_all_passes_there_are_fewer_and_their_steps_fall_all_the_same() -> None:
    _, arcs = arcs_of(problem_of(1))
    terms, start = Terms(arcs, kernels), first_multipliers(arcs)
    looks = [ascend(arcs, terms, start, lambda: False, Course(seconds=seconds)).value for seconds in (0.0, 1e6, np.inf)]
    assert terms.look(arcs, start).value <= looks[0] < looks[1] == pytest.approx(looks[2])


@each("seed", range(asked(6, 20)))
def test_a_table_without_a_core_program_is_solved_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_rounds, "WHOLE_RECORDS", 0)
    monkeypatch.setattr(rounds, "FINE_UNITS", 1)
    answer = Sifting().solve(problem_of(seed), Budget(seconds=5))
    assert answer.cost is not None
    assert float(answer.cost * problem_of(seed).cost_scale) >= optimum(seed)
    assert not answer.verify().wrong


def test_neighbours_come_over_cheap_arcs_first() -> None:
    arcs = Arcs(
        np.array([0, 2, 4, 9]),
        np.array([0, 1, 1, 2, 0, 1, 2, 3, 4], np.int32),
        np.array([1, 1, 5]),
        np.ones(5, dtype=np.int64),
        np.full(3, 2),
    )
    cheap = np.arange(9) < 4
    neighbours, chance = RegionGraph(arcs, cheap), np.random.default_rng(0)
    assert neighbours.around(np.array([0]), 2, chance).tolist() == [0, 1]
    assert neighbours.around(np.array([0]), 3, chance).tolist() == [0, 1, 2]
    assert len(neighbours.around(np.array([0]), 4, chance)) == 4
    assert neighbours.around(np.array([0]), 99, chance).tolist() == [0, 1, 2, 3, 4]
    assert sorted(neighbours.arcs_of(np.array([1])).tolist()) == [1, 2]
