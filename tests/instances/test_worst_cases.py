from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.experiments.hunting.known import families_frame, is_promised, known_frame, score_of
from anoptima.experiments.hunting.score import Score
from anoptima.instances.champions import known_champions, principle_word
from anoptima.instances.library import instances_named
from anoptima.instances.worst_cases import CASES, crossed_pairs, divided_values, doubled_line, far_class, inner_first
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.table import Table
from tests import brute_force


def optimum(problem: CellSuppression, k: int) -> object:
    table: Table = problem.table
    rows = [tuple(row) for row in table.frame[list(table.quasi)].itertuples(index=False)]
    best = brute_force.best_partition(rows, table.weights, brute_force.k_anonymous(k))
    return None if best is None else best[0]


def test_every_member_costs_what_its_family_says() -> None:
    frame = families_frame()
    assert len(frame) == sum(len(case.sizes) * len(case.solvers) for case in CASES)
    # `families_frame` refuses a member whose proven optimum is another; what solvers pay is the other half.
    costs = frame.set_index(["family", "size", "solver"])["cost"].to_dict()
    for case in CASES:
        for size in case.sizes:
            for solver in case.solvers:
                assert costs[case.name, f"{case.knob}={size}", solver] == str(case.cost(size)), (case.name, size)


def test_ratios_grow_with_the_size_and_stay_within_their_theorems() -> None:
    for case in CASES:
        ratios = [Score(case.cost(size), case.optimum(size)) for size in case.sizes]
        assert ratios == sorted(ratios)
        assert ratios[0] < ratios[-1]
        for solver in case.solvers:
            theorem = ao.get_solver(solver).ratio(case.problem(case.sizes[-1]))
            assert theorem is None or ratios[-1] <= Score(theorem, 1)


def test_tight_families_reach_their_theorems() -> None:
    for columns in (2, 4):
        for k in (2, 3):
            problem = far_class(columns, k)
            assert isinstance(problem, CellSuppression)
            assert optimum(problem, k) == k + 1
            assert ao.solve(problem, "classes").cost == (k + 1) * columns
            assert ao.get_solver("classes").ratio(problem) == columns


def test_optima_by_brute_force() -> None:
    for problem, least in ((crossed_pairs(3), 4), (doubled_line(2), 8), (doubled_line(3), 16)):
        assert isinstance(problem, CellSuppression)
        assert optimum(problem, 2) == least
    assert [inner_first(p) for p in (1, 2, 3, 4)] == [4, 12, 40, 132]
    dear = divided_values(5)
    assert ao.solve(dear, "subset-dp").cost == 16
    assert isinstance(dear, CellSuppression)
    assert optimum(dear, 2) == 4


def test_champions_are_as_bad_as_is_said() -> None:
    champions = known_champions()
    names = [known.name for known in champions]
    assert len(names) == len(set(names)) >= 20
    bad = 0
    for known in champions:
        score = score_of(known)
        assert score >= Score(1, 1), known.name
        bad += score > Score(1, 1)
        if is_promised(known):
            theorem = ao.get_solver(known.solver).ratio(known.problem())
            assert theorem is not None
            assert score <= Score(theorem, 1), known.name
    # A solver that becomes better leaves its champions behind; most of them are still bad.
    assert bad >= 0.9 * len(champions)
    frame = known_frame(list(champions))
    tight = frame[frame["share"] == "100%"]["solver"].unique()
    assert {"classes", "forest", "least-residue"} <= set(tight)


def test_members_of_both_families_are_in_the_library() -> None:
    assert len(instances_named("champion")) == len(known_champions())
    for known in instances_named("worst"):
        if known.name.startswith("worst-far-class"):
            assert known.best == known.bound == 3


def test_principles_have_words() -> None:
    assert principle_word(ao.KAnonymity(2) & ao.LDiversity(3, version="distinct")) == "k2-l3-distinct"
    with pytest.raises(ao.NotApplicable, match="there is no word for"):
        principle_word(ao.EntropyDiversity(2))
