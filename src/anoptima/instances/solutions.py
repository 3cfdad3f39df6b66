"""Solutions as plain data, for the records of instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anoptima.errors import BadInput, NotApplicable
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.quasi_identifier import QuasiIdentifier


def solution_as_json(solution: Any) -> dict[str, Any]:
    """Return a solution as plain data; `NotApplicable` for a kind that has no form here.

    >>> solution_as_json(Partition.from_labels([0, 0, 1, 1]))
    {'labels': [0, 0, 1, 1]}
    """
    if isinstance(solution, Partition):
        return {"labels": [int(label) for label in solution.labels]}
    if isinstance(solution, DroppedColumns | QuasiIdentifier):
        return {"columns": sorted(solution.names)}
    if isinstance(solution, AddedPoints):
        return {"points": [[str(coordinate) for coordinate in point] for point in solution.points]}
    raise NotApplicable(f"a {type(solution).__name__} has no form in records; partitions, columns and points do")


def has_form(solution: Any) -> bool:
    """Tell whether a solution can be written down here."""
    return isinstance(solution, Partition | DroppedColumns | QuasiIdentifier | AddedPoints)


def solution_from_json(problem: Problem[Any], data: Any) -> Any:
    """Return the solution that `solution_as_json` wrote; `BadInput` if it is none of this problem's kind."""
    if not isinstance(data, Mapping) or not data.keys() & {"labels", "points", "columns"}:
        raise BadInput(
            f"this is no solution of {problem.name} that can be read here: it must be a JSON object with labels, columns or points"
        )
    try:
        if "labels" in data:
            return Partition.from_labels([int(label) for label in data["labels"]])
        if "points" in data:
            return AddedPoints(data["points"])
        names = frozenset(map(str, data["columns"]))
    except (TypeError, ValueError) as error:
        raise BadInput(f"this is no solution of {problem.name} that can be read here: {error}") from None
    if isinstance(problem, AttributeSuppression):
        return DroppedColumns(names)
    if isinstance(problem, ColumnChoice):
        return QuasiIdentifier(names)
    raise BadInput(f"columns are no solution of {problem.name}")
