from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import anoptima as ao
from anoptima.experiments.hunting.archive import Champion
from anoptima.experiments.hunting.asked import EXACT, Asked, kind_for
from anoptima.experiments.hunting.engine import Standing
from anoptima.experiments.hunting.grids import Grid
from anoptima.experiments.hunting.known import front, keep, known_frame, score_of
from anoptima.experiments.hunting.moves import MOVES, child, random_grid, side_by_side, stacked
from anoptima.experiments.hunting.places import EveryPointSet, Places, changed, drawn
from anoptima.experiments.hunting.quarry import Oracle
from anoptima.experiments.hunting.score import Score
from anoptima.instances.champions import read_champions
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.algorithm import ExactAlgorithm
from anoptima.solvers.exact.subset_dp import SubsetDp
from anoptima.solvers.ledger import Ledger
from tests import brute_force

SMALL = ao.HuntSizes(rows=5, columns=2, values=3)


def optimum(grid: Grid, k: int) -> Fraction:
    """Return the true optimum under k-anonymity, by a search that shares no code with the package."""
    rows = [row[: grid.columns] for row in grid.rows]
    best = brute_force.best_partition(rows, [1] * grid.columns, brute_force.k_anonymous(k))
    assert best is not None
    return best[0]


def test_scores_are_what_they_say_and_are_found_again() -> None:
    found = ao.hunt("mondrian", sizes=SMALL, limits=ao.HuntLimits(steps=70, seed=3))
    again = ao.hunt("mondrian", sizes=SMALL, limits=ao.HuntLimits(steps=70, seed=3))
    other = ao.hunt("mondrian", sizes=SMALL, limits=ao.HuntLimits(steps=70, seed=4))
    assert found.text() == again.text() != other.text()
    assert found.steps >= 70
    assert len(found.champions) > 10
    for champion in found.champions[::4]:
        assert isinstance(champion.subject, Grid)
        assert champion.score.over == optimum(champion.subject, 2)
        problem = ao.CellSuppression(champion.subject.data(), ao.KAnonymity(2))
        assert ao.solve(problem, "mondrian").cost == champion.score.of


def test_an_optimum_is_of_its_own_values_where_the_distance_tells_them_apart() -> None:
    principle = ao.TCloseness("1/3", space=ao.Numeric())
    sizes = ao.HuntSizes(rows=4, columns=2, values=2, sensitive=4)
    found = ao.hunt("mondrian", principle, sizes=sizes, limits=ao.HuntLimits(steps=300))
    for champion in found.champions:
        problem = ao.CellSuppression(champion.subject.data(), principle)
        assert champion.score.over == ao.solve(problem, "subset-dp").cost
    assert found.complete == [], "tables were tried up to the names of values, which is not all of them"
    assert not Asked("cell-suppression", principle).values_alike
    counting = ao.KAnonymity(2) & ao.LDiversity(2, version="distinct") & ao.TCloseness("1/4")
    assert Asked("cell-suppression", counting).values_alike


def test_all_small_tables_come_first_and_the_worst_is_the_worst_of_all() -> None:
    sizes = ao.HuntSizes(rows=4, columns=2, values=2)
    found = ao.hunt("classes", sizes=sizes, limits=ao.HuntLimits(steps=60))
    assert sorted(found.complete) == [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)]
    grids: dict[Any, Grid] = {}
    for bits in range(4**4):
        cells = [bits >> place & 1 for place in range(8)]
        grid = Grid(tuple((cells[2 * i], cells[2 * i + 1]) for i in range(4)))
        grids.setdefault(grid.key, grid)
    worst = max(
        Score(ao.solve(ao.CellSuppression(grid.data(), ao.KAnonymity(2)), "classes").cost or 0, optimum(grid, 2))
        for grid in grids.values()
    )
    assert found.worst is not None
    assert found.worst.score >= worst


def test_the_worst_is_as_small_as_it_can_be() -> None:
    found = ao.hunt("forest", sizes=ao.HuntSizes(rows=6, columns=2, values=3), limits=ao.HuntLimits(steps=400, seed=1))
    assert found.worst is not None
    assert found.worst.score == Score(3, 1)
    assert found.worst.promised == 3
    for smaller in found.worst.subject.smaller():
        assert isinstance(smaller, Grid)
        if len(smaller.rows) >= 2:
            cost = ao.solve(ao.CellSuppression(smaller.data(), ao.KAnonymity(2)), "forest").cost
            assert Score(cost or 0, optimum(smaller, 2)) < Score(3, 1)


def test_a_hunt_goes_on_from_a_file_whose_scores_nobody_believes(tmp_path: Path) -> None:
    limits = ao.HuntLimits(steps=40)
    found = ao.hunt("peel", ao.KAnonymity(2) & ao.LDiversity(2), sizes=SMALL, limits=limits)
    path = tmp_path / "peel.json"
    found.save(path)
    read = ao.read_archive(path)
    assert read.text() == found.text()
    data = json.loads(path.read_text())
    assert data["asked"]["problem"] == "cell-suppression"
    data["champions"][0]["score"] = {"of": 1000, "over": 1}
    path.write_text(json.dumps(data))
    lied = ao.read_archive(path)
    assert lied.worst is not None
    assert lied.worst.score.of == 1000
    more = ao.hunt("peel", sizes=SMALL, limits=limits, archive=lied)
    assert more.steps > found.steps
    assert more.worst is not None
    assert more.worst.score < Score(1000, 1)
    with pytest.raises(ao.BadInput, match="is of a hunt for peel, and this is one for mondrian"):
        ao.hunt("mondrian", archive=ao.read_archive(path))
    found.save(tmp_path / "peel.csv")
    assert len((tmp_path / "peel.csv").read_text().splitlines()) == len(found.champions) + 1
    path.write_text('{"schema": "anoptima/hunt/1"}')
    with pytest.raises(ao.BadInput, match="no whole archive of a hunt"):
        ao.read_archive(path)


def test_ctrl_c_keeps_what_was_found() -> None:
    def interrupt(standing: Standing) -> None:
        if standing.steps == 25 and standing.phase != "interrupted":
            raise KeyboardInterrupt

    found = ao.hunt("peel", sizes=SMALL, on_standing=interrupt)
    assert found.steps == 25
    assert found.champions


def test_seconds_end_a_hunt() -> None:
    found = ao.hunt("peel", sizes=SMALL, limits=ao.HuntLimits(seconds=0.2))
    assert found.steps > 0


def test_every_approximation_can_be_hunted() -> None:
    principles = (ao.KAnonymity(2), ao.LDiversity(2))
    hunted = set()
    for solver in algorithms.all():
        if solver.kind is not Kind.APPROXIMATE:
            continue
        for principle in principles:
            try:
                kind = kind_for(solver, principle)
            except ao.BadInput:
                continue
            assert kind in EXACT
            hunted.add(solver.name)
            break
    assert {"cover", "residue", "greedy-descent", "shifted-grid", "local-search", "facility-stars"} <= hunted
    with pytest.raises(ao.BadInput, match="can be hunted"):
        ao.hunt("forest", ao.LDiversity(2))


def test_rows_are_hunted_as_facilities() -> None:
    sizes = ao.HuntSizes(rows=4, columns=1, values=2)
    found = ao.hunt("facility-gather", ao.KAnonymity(2), sizes=sizes, limits=ao.HuntLimits(steps=20))
    assert found.worst is not None
    assert str(found.worst.score) == "unbounded (2 / 0)"
    assert str(found.asked) == "lower-bounded-facilities, 2-anonymity"


def test_moves_stay_within_the_sizes() -> None:
    chance = Random(1)
    sizes = ao.HuntSizes(rows=7, columns=3, values=3, sensitive=2, least_rows=3)
    grids = [random_grid(sizes, chance) for _ in range(20)]
    for _ in range(500):
        parents = [grids[int(chance.random() * len(grids))] for _ in range(2)]
        first, second = parents
        for grid in (child(parents, sizes, chance), stacked(first, second, sizes), side_by_side(first, second, sizes)):
            assert 3 <= len(grid.rows) <= 7
            assert 1 <= grid.columns <= 3
            assert all(0 <= row[-1] < 2 for row in grid.rows)
            assert all(0 <= value < 3 for row in grid.rows for value in row[: grid.columns])
            grids[int(chance.random() * len(grids))] = grid
    assert len({move.__name__ for move in MOVES}) == 8
    points = drawn(ao.HuntSizes(rows=4, columns=2, values=12), chance)
    for _ in range(200):
        points = changed(points, ao.HuntSizes(rows=4, columns=2, values=12), chance)
        assert 2 <= len(points.places) <= 4
        assert all(0 <= x <= 12 for place in points.places for x in place)


def test_another_order_is_the_same_table() -> None:
    chance = Random(2)
    for _ in range(50):
        grid = random_grid(ao.HuntSizes(rows=6, columns=3, sensitive=2), chance)
        assert grid.reordered(chance).key == grid.key
        assert grid.reordered(chance).features() == grid.features()


class Stars(ao.Quarry):
    """As many stars as can be: a quarry of one's own takes a line."""

    name = "stars"
    seeks = "stars of an optimum"

    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Return the optimum."""
        return Score(optimum(problem), 1)


def test_other_quarries() -> None:
    limits, sizes = ao.HuntLimits(steps=12), ao.HuntSizes(rows=4, columns=2, values=2)
    found = ao.hunt(Stars(), sizes=sizes, limits=ao.HuntLimits(steps=60))
    assert found.worst is not None
    assert found.worst.score == Score(6, 1)
    agreed = ao.hunt(ao.Disagreement(["subset-dp", "halving"]), sizes=sizes, limits=limits)
    assert agreed.worst is not None
    assert agreed.worst.score == Score(1, 1)
    gap = ao.hunt(ao.LpGap("pattern"), sizes=sizes, limits=limits)
    assert gap.worst is not None
    assert isinstance(gap.worst.subject, Grid)
    bounds = ao.lp_bounds(ao.CellSuppression(gap.worst.subject.data(), ao.KAnonymity(2)))["LP bound"].to_dict()
    assert float(gap.worst.score.over) == pytest.approx(bounds["pattern"])
    assert ao.LpGap("assignment").seeks.startswith("optimum / LP bound of ")
    dear = ao.hunt(ao.DearestPrinciple(2), ao.TCloseness(0), sizes=sizes, limits=ao.HuntLimits(steps=60))
    assert str(dear.asked) == "cell-suppression, 0-closeness and 2-anonymity"
    assert dear.worst is not None
    assert dear.worst.score > Score(1, 1)
    longest = ao.hunt(ao.LongestRun("subset-dp"), sizes=sizes, limits=ao.HuntLimits(steps=3))
    assert longest.worst is not None


class Liar(SubsetDp):
    """Calls the whole table as one group optimal."""

    name = "liar"

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> ao.Partition:
        """Return the trivial partition."""
        assert isinstance(problem, ao.CellSuppression)
        return problem.trivial()

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Leave out the proof."""
        ExactAlgorithm.search(self, problem, ledger, start)


@pytest.mark.parametrize("quarry", [ao.WorstRatio("mondrian"), ao.LpGap("pattern"), ao.Disagreement(["subset-dp"])])
def test_an_oracle_that_says_no_number_is_refused(quarry: ao.Quarry) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    with pytest.raises(ao.BadInput, match=r"^the optimum is 'many'; it must be a finite number"):
        quarry.score(problem, lambda problem: "many")  # type: ignore[arg-type, return-value]


def test_a_wrong_method_disagrees() -> None:
    found = ao.hunt(ao.Disagreement([Liar()]), sizes=SMALL, limits=ao.HuntLimits(steps=60))
    assert found.worst is not None
    assert found.worst.score > Score(1, 1)
    honest = ao.Disagreement(["peel"]).score(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), lambda problem: 54)
    assert honest == Score(54, 54)


def test_points_are_hunted() -> None:
    asked = Asked("fake-points", ao.KAnonymity(2))
    assert asked.optimum(asked.problem(Places(((0,), (2,))))) == 2
    assert Places(((0, 4), (5, 1))).key == Places(((5, 5), (8, 8 - 8))).key
    quarry = ao.WorstRatio("shifted-grid")
    score = quarry.score(asked.problem(Places(((0,), (2,)))), asked.optimum)
    assert score is not None
    assert 1 <= (score.value or 0) <= (quarry.promised(asked.problem(Places(((0,), (2,))))) or 0)


def test_every_set_of_points_is_tried_once() -> None:
    sizes = ao.HuntSizes(rows=3, columns=2, values=6)
    every = EveryPointSet(sizes, most=2_000)
    found = [points.key for points in every.sets()]
    assert every.done == [(2, 1), (3, 1), (2, 2)]
    assert len(set(found)) == len(found)
    chance = Random(5)
    for _ in range(300):
        points = drawn(sizes, chance)
        if (len(points.places), len(points.places[0])) in every.done:
            assert points.key in found
    hunted = ao.hunt("one-offset-grid", sizes=ao.HuntSizes(rows=2, columns=1, values=3), limits=ao.HuntLimits(steps=24))
    assert hunted.complete == [(2, 1)]


def test_champions_are_kept_where_they_are_worse(tmp_path: Path) -> None:
    path = tmp_path / "champions.json"
    found = ao.hunt("clustering", sizes=ao.HuntSizes(rows=5, columns=1, values=2), limits=ao.HuntLimits(steps=30))
    kept = front(found)
    assert [champion.size[1] for champion in kept] == sorted({champion.size[1] for champion in kept})
    assert all(a.score < b.score for a, b in itertools.pairwise(kept))
    assert keep(found, path, "a command") == len(kept)
    assert keep(found, path, "another") == 0
    champions = read_champions(path)
    assert {known.found_by for known in champions} == {"a command"}
    assert [score_of(known) for known in champions] == [champion.score for champion in kept]
    frame = known_frame(champions)
    assert frame[["solver", "cost", "optimum", "ratio", "theorem"]].values.tolist() == [
        ["clustering", "5", "2", "5/2", "none"]
    ]
    of_model = ao.hunt(Stars(), sizes=SMALL, limits=ao.HuntLimits(steps=2))
    with pytest.raises(ao.BadInput, match="champions of algorithms are kept; this hunt was for stars"):
        keep(of_model, path, "")


def test_scores_compare_exactly() -> None:
    scores = [Score(1, 2), Score(0, 0), Score(10**30 + 1, 10**30), Score(4, 3), Score(1, 0)]
    assert sorted([scores[i] for i in (3, 0, 4, 2, 1)]) == scores
    assert Score(2, 0) == Score(1, 0)
    assert hash(Score(2, 4)) == hash(Score(1, 2))
    assert Score.from_json(Score(Fraction(1, 3), 2).as_json()) == Score(1, 6)
    assert Champion.from_json(
        Champion(Places(((1,),)), Score(1, 2), None, 3, 4).as_json(), Asked("fake-points", ao.KAnonymity(2))
    ) == Champion(Places(((1,),)), Score(1, 2), None, 3, 4)


def test_what_cannot_be_hunted_is_said() -> None:
    with pytest.raises(ao.BadInput, match="values is 1; it must be at least 2"):
        ao.HuntSizes(values=1)
    with pytest.raises(ao.BadInput, match="at most 2 rows; the principle needs 3"):
        ao.hunt("forest", ao.KAnonymity(3), sizes=ao.HuntSizes(rows=2))
    with pytest.raises(ao.BadInput, match="orders is 0"):
        ao.HuntLimits(orders=0)
    with pytest.raises(ao.BadInput, match="'vertex-cover' cannot be hunted"):
        ao.hunt("forest", problem="vertex-cover")
    with pytest.raises(ao.BadInput, match="stated by k alone"):
        ao.hunt(Stars(), ao.LDiversity(2), problem="diameter-sum", limits=ao.HuntLimits(steps=1))
    with pytest.raises(ao.BadInput, match="no solver is named that may disagree"):
        ao.Disagreement([])
    with pytest.raises(ao.BadInput, match="may be dear is closeness or diversity"):
        ao.hunt(ao.DearestPrinciple(2))
