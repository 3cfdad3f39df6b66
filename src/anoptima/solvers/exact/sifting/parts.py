"""The parts of the method that a study may leave out, one at a time: a part without which nothing is lost is not worth its lines."""

from __future__ import annotations

from enum import Enum


class Part(Enum):
    """A part of the method; its value is what it is called in a table."""

    CORE = "core program"
    ROUNDS = "averaged rounds"
    CUTS = "cuts"
    ROW_ANNEALING = "row annealing"
    PATTERN_ANNEALING = "pattern annealing"
    PROGRAM_NEAR = "program near a solution"
    BACKGROUND = "search on a second thread"
    TREE = "tree of cases"
    DIVING = "diving"
    CLOSING = "closing the gap"
    MOVING_ROWS = "moving single rows"
    REPAIR = "repair"
