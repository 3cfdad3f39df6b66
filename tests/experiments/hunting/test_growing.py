from __future__ import annotations

import anoptima as ao
from anoptima.experiments.hunting.archive import Champion, HuntArchive
from anoptima.experiments.hunting.asked import Asked
from anoptima.experiments.hunting.grids import Grid
from anoptima.experiments.hunting.growing import growths
from anoptima.experiments.hunting.score import Score
from anoptima.instances.worst_cases import far_class
from anoptima.problems.cell_suppression import CellSuppression


def archive(quarry: ao.WorstRatio, grid: Grid, score: Score) -> HuntArchive:
    found = HuntArchive(quarry.name, quarry.seeks, Asked("cell-suppression", ao.KAnonymity(2)))
    found.offer(Champion(grid, score, None, 1, 0))
    return found


def test_a_family_is_guessed_from_a_champion() -> None:
    quarry = ao.WorstRatio("classes")
    grid = Grid(((0, 0), (1, 1), (1, 1), (0, 1), (0, 1)))
    grown = growths(archive(quarry, grid, Score(6, 3)), quarry)
    assert str(grown[0]) == "column 1 repeated: 2, 3, 4, 5: 1 more each time"
    family = far_class(5)
    assert isinstance(family, CellSuppression)
    wide = Grid(tuple((row[0],) * 4 + row[1:] for row in grid.rows))
    assert wide.key == Grid(tuple(tuple(map(int, row)) for row in family.table.frame.itertuples(index=False))).key


def test_what_does_not_grow_is_no_family() -> None:
    quarry = ao.WorstRatio("subset-dp")
    assert growths(archive(quarry, Grid(((0, 0), (0, 1), (1, 1))), Score(1, 1)), quarry) == []
