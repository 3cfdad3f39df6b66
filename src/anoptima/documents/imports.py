"""Solutions of exported models: read, held against the model, decoded, and checked by the problem. Nothing is taken on trust."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from anoptima.answer import Answer, Budget, Origin, Stop
from anoptima.arguments import checked
from anoptima.documents.exports import FORMATS, column_names
from anoptima.documents.reading import read_utf8
from anoptima.documents.sidecars import Sidecar, read_sidecar
from anoptima.documents.solution_files import listed_values, response_values
from anoptima.errors import BadInput, NotApplicable
from anoptima.machine import available_memory
from anoptima.models import models
from anoptima.models.base import BuiltModel, Model, Values
from anoptima.models.languages import pyo
from anoptima.problems.base import Problem
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")


_TOLERANCE = 1e-4
"""How far from whole, from its limits and (relatively) from a row's limits a value may be: solvers promise 1e-5 or better."""


@checked
def import_solution(
    problem: Problem[S],
    sidecar: str | os.PathLike[str] | Sidecar,
    solution_file: str | os.PathLike[str],
    *,
    memory: int | None = None,
) -> Answer[S]:
    """Answer `problem` by a solution that a solver found of the exported model.

    The model is built again, the file's values are held against its limits and rows, decoded, and the solution is checked and costed
    by the problem. The bound is the problem's own, for a file proves nothing.

    Parameters
    ----------
    sidecar
        What `export_model` wrote beside the model, or its path.
    solution_file
        For 'mps' and 'lp': a solution file of HiGHS, SCIP, CBC, GLPK or Gurobi, or any listing of `name value` lines; a column that is
        not in it is 0. For 'pbtxt': a CP-SAT response as a text proto.
    memory
        Bytes that the model may take; None means what the machine has.

    Raises `BadInput` where table, sidecar and solution do not fit together, and `FalseClaim` where the problem's checker refutes what
    they say.

    Examples
    --------
    >>> import anoptima as ao, highspy, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> sidecar = ao.export_model(problem, "pattern", f"{folder}/model.mps")
    >>> elsewhere = highspy.Highs()
    >>> _ = elsewhere.setOptionValue("output_flag", False), elsewhere.readModel(f"{folder}/model.mps"), elsewhere.run()
    >>> _ = elsewhere.writeSolution(f"{folder}/model.sol", 0)
    >>> import_solution(problem, sidecar, f"{folder}/model.sol").cost
    54
    """
    side = sidecar if isinstance(sidecar, Sidecar) else read_sidecar(sidecar)
    side.require(problem)
    model: Model[S] = models.get(side.model)
    if side.format not in FORMATS or FORMATS[side.format] is not model.language:
        raise BadInput(f"{side.where} has the format {side.format!r}, which the {side.model} model is not written in")
    reason = model.why_not(problem)
    if reason is not None:
        raise NotApplicable(reason)
    ledger = Ledger(problem, "imported", Budget())
    impossible = problem.why_infeasible()
    if impossible is not None:
        return ledger.infeasible(impossible)
    ledger.raise_bound(problem.lower_bound(), Origin.PROBLEM, problem.name)
    built = model.build(problem, available_memory() if memory is None else memory)
    names = column_names(built)
    _require_names(side, names)
    text = read_utf8(solution_file)
    if side.format == "pbtxt":
        values = response_values(text, len(names), str(solution_file))
        _require_domains(built, names, values, str(solution_file))
    else:
        values = listed_values(text, names, str(solution_file))
        _require_rows(built, names, values, str(solution_file))
    ledger.offer(built.decode(values), str(solution_file))
    ledger.notes.append(f"the solution is from {Path(solution_file).name}, for the {side.model} model")
    return ledger.answer(Stop.COMPLETE, model_size=built.size.as_dict())


def _require_names(side: Sidecar, names: Sequence[str]) -> None:
    if len(side.columns) != len(names):
        raise BadInput(f"{side.where} has {len(side.columns)} columns, and the {side.model} model has {len(names)}")
    for j, ((said, _), name) in enumerate(zip(side.columns, names, strict=True)):
        if said != name:
            raise BadInput(f"{side.where} calls column {j} {said!r}, and the {side.model} model calls it {name!r}")


def _require_rows(built: BuiltModel[Any], names: Sequence[str], values: Values, where: str) -> None:
    """Refuse values that the program does not allow: decoding relies on its rows."""
    form = built.matrix
    off = np.abs(values - np.rint(values)) > _TOLERANCE
    _refuse_first(form.integer & off, lambda j: f"{where}: {names[j]} is {values[j]:g}; it must be whole")
    outside = (values < form.lower - _TOLERANCE) | (values > form.upper + _TOLERANCE)
    _refuse_first(
        outside,
        lambda j: f"{where}: {names[j]} is {values[j]:g}; it must lie between {form.lower[j]:g} and {form.upper[j]:g}",
    )
    terms = form.coefficient * values[form.column]
    sums = np.concatenate([[0.0], np.cumsum(terms)])
    sizes = np.concatenate([[0.0], np.cumsum(np.abs(terms))])
    body = sums[form.row_start[1:]] - sums[form.row_start[:-1]]
    room = _TOLERANCE * (1 + sizes[form.row_start[1:]] - sizes[form.row_start[:-1]])
    broken = (body < form.row_lower - room) | (body > form.row_upper + room)
    _refuse_first(broken, lambda i: f"{where}: the values break the model's row {_row_name(built, i)}")


def _row_name(built: BuiltModel[Any], row: int) -> str:
    rows = built.program.component_data_objects(pyo.Constraint, active=True, sort=False)
    return next(str(component.name) for i, component in enumerate(rows) if i == row)


def _refuse_first(wrong: Any, words: Callable[[int], str]) -> None:
    places = np.flatnonzero(wrong)
    if len(places):
        raise BadInput(words(int(places[0])))


def _require_domains(built: BuiltModel[Any], names: Sequence[str], values: Values, where: str) -> None:
    for j, variable in enumerate(built.program.proto.variables):
        ends = list(variable.domain)
        if not any(low <= values[j] <= high for low, high in zip(ends[::2], ends[1::2], strict=True)):
            raise BadInput(f"{where}: {names[j]} is {values[j]:g}; it must lie between {ends[0]} and {ends[-1]}")
