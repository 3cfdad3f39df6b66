"""Models as files for any solver.

`export_model` writes a model in a format that solvers read (MPS and LP for programs in Pyomo, text protos for CP-SAT) and its sidecar
(`sidecars`) beside it. `imports.import_solution` reads what a solver wrote, with the sidecar, and gives an `Answer` that has passed the
problem's own checker: it does not matter what solved the file, or where.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from anoptima.arguments import checked
from anoptima.documents.questions import problem_document, table_document
from anoptima.documents.sidecars import EXPORT_SCHEMA, sidecar_path
from anoptima.documents.writing import atomic, require_room, to_json
from anoptima.errors import BadInput, NotApplicable
from anoptima.machine import available_memory
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model
from anoptima.models.languages import pyo
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem

FORMATS: Mapping[str, Language] = {"mps": Language.PYOMO, "lp": Language.PYOMO, "pbtxt": Language.CP_SAT}
"""The formats, by the ending of their files, and the language of the models that can be written so."""

_MOST_CHARACTERS = 200
"""Names in LP files may have 255 characters, and Pyomo adds a few around those of rows."""


@checked
def export_model(
    problem: Problem[Any],
    model_name: str,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002  (the word a person types)
    *,
    source: Mapping[str, Any] | None = None,
    memory: int | None = None,
) -> Path:
    """Write a model of `problem` to `path`, and its sidecar beside it; return the sidecar's path.

    Parameters
    ----------
    model_name
        One of `anoptima list models`.
    format
        'mps' or 'lp' for models written in Pyomo, 'pbtxt' for CP-SAT; None takes the ending of `path`.
    source
        Where the table came from, for people and for the command line.
    memory
        Bytes that the model may take; None means what the machine has.

    Raises `BadInput`, `NotApplicable` or `ModelTooLarge` before anything is written. The objective is `problem.cost_scale` times the
    cost. Time and room are O(coefficients) of the model.

    Examples
    --------
    >>> import anoptima as ao, tempfile
    >>> from anoptima.documents.sidecars import read_sidecar
    >>> folder = Path(tempfile.mkdtemp())
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> export_model(problem, "pattern", folder / "model.mps").name
    'model.json'
    >>> read_sidecar(folder / "model.json").columns[0]
    ('x(0)', "rows of record 0 (9 8 7 6 5 3 8 Bachelor) published as '9 * * * * * * *'")
    """
    path = Path(path)
    model: Model[Any] = models.get(model_name)
    chosen = _format(path, format, model)
    require_room(path, "model")
    sidecar = sidecar_path(path)
    reason = model.why_not(problem)
    if reason is not None:
        raise NotApplicable(reason)
    problem.require_feasible()
    built = model.build(problem, available_memory() if memory is None else memory)
    document = {
        "schema": EXPORT_SCHEMA,
        "problem": problem_document(problem),
        "table": table_document(problem.table, source) if isinstance(problem, TableProblem) else None,
        "model": model.name,
        "format": chosen,
        "file": path.name,
        "objective scale": problem.cost_scale,
        "unit": problem.unit,
        "size": built.size.as_dict(),
        "columns": [[name, built.meaning(j)] for j, name in enumerate(column_names(built))],
    }
    with ExitStack() as files:
        files.enter_context(atomic(sidecar)).write(f"{to_json(document)}\n".encode())
        stream = files.enter_context(atomic(path))
        if model.language is Language.CP_SAT:
            stream.write(str(built.program.proto).encode())
        else:
            with tempfile.TemporaryDirectory(prefix=".", dir=path.parent) as folder:
                draft = Path(folder, f"model.{chosen}")
                _write_linear(built, draft, f"{problem.name}_{model.name}")
                with draft.open("rb") as written:
                    for line in written:
                        # GLPK refuses this section, and without it every reader minimises.
                        if line.split() not in ([b"OBJSENSE"], [b"MIN"]):
                            stream.write(line)
    return sidecar


def _format(path: Path, asked: str | None, model: Model[Any]) -> str:
    chosen = path.suffix.removeprefix(".").lower() if asked is None else asked
    if chosen not in FORMATS:
        where = f"{path} ends in {path.suffix!r}" if asked is None else f"the format is {asked!r}"
        raise BadInput(f"{where}; a model is written as one of {', '.join(FORMATS)}")
    if FORMATS[chosen] is not model.language:
        able = ", ".join(name for name, language in FORMATS.items() if language is model.language)
        raise NotApplicable(
            f"the {model.name} model is written in {model.language.value}, and {chosen} is for {FORMATS[chosen].value}; "
            f"it can be written as {able}"
        )
    return chosen


_SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_(),]*")
_LIKE_A_NUMBER = re.compile(
    r"[eE]\d*|inf(inity)?|free|bin(ary|aries)?|gen(eral|erals)?|int(eger|egers)?|st|end|bounds?"
)
"""What a reader of LP files takes for a number such as 3e2, or for a word of its own."""


def column_names(built: BuiltModel[Any]) -> list[str]:
    """Return the columns' names in the file: the program's own, with round brackets; `column(j)` where those would not survive."""
    if built.language is Language.CP_SAT:
        return built.names
    found: list[str] = []
    taken: set[str] = set()
    for j, own in enumerate(built.names):
        name = own.replace("[", "(").replace("]", ")")
        if not _survives(name) or name in taken:
            name = f"column({j})"
        taken.add(name)
        found.append(name)
    return found


def _survives(name: str) -> bool:
    return (
        len(name) <= _MOST_CHARACTERS
        and _SAFE.fullmatch(name) is not None
        and _LIKE_A_NUMBER.fullmatch(name.partition("(")[0].lower()) is None
    )


def _write_linear(built: BuiltModel[Any], path: Path, title: str) -> None:
    program = built.program
    variables = program.component_data_objects(pyo.Var, descend_into=True, sort=False)
    name_of = {id(variable): name for variable, name in zip(variables, column_names(built), strict=True)}
    rows = 0

    def label(component: Any) -> str:
        nonlocal rows
        if id(component) in name_of:
            return name_of[id(component)]
        rows += 1
        name = str(component.name).replace("[", "(").replace("]", ")")
        return name if _survives(name) else f"row({rows})"

    # A title with spaces is quoted in MPS files, which not every reader takes.
    program.name = title
    program.write(str(path), io_options={"labeler": label})
