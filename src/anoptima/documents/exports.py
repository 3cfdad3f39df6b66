"""Models as files for any solver, and the solutions that come back.

`export_model` writes a model in a format that solvers read (MPS and LP for programs in Pyomo, text protos for CP-SAT) and beside it a
*sidecar*: a JSON document that says which problem and table the model is of, and what every column means. `import_solution` reads
what a solver wrote, with the sidecar, and gives an `Answer` that has passed the problem's own checker: nothing is taken on trust, so
it does not matter what solved the file, or where.
"""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from anoptima.answer import Answer, Budget, Origin, Stop
from anoptima.arguments import checked
from anoptima.documents.answers import (
    TABLE_PROBLEMS,
    principle_on,
    problem_document,
    table_document,
    to_json,
)
from anoptima.documents.reading import read_json, read_utf8
from anoptima.documents.writing import atomic, require_room
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Number
from anoptima.limits import shown
from anoptima.machine import available_memory
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, Values
from anoptima.models.languages import pyo
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.ledger import Ledger
from anoptima.table import Table

S = TypeVar("S")

EXPORT_SCHEMA = "anoptima/export/1"
"""What a sidecar says that it is. The number grows when a reader of the old one would be misled."""

FORMATS: Mapping[str, Language] = {"mps": Language.PYOMO, "lp": Language.PYOMO, "pbtxt": Language.CP_SAT}
"""The formats, by the ending of their files, and the language of the models that can be written so."""

_MOST_CHARACTERS = 200
"""Names in LP files may have 255 characters, and Pyomo adds a few around those of rows."""

_TOLERANCE = 1e-4
"""How far from whole, from its limits and (relatively) from a row's limits a value may be: solvers promise 1e-5 or better."""


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
        "columns": [[name, built.meaning(j)] for j, name in enumerate(_names(built))],
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


def sidecar_path(path: Path) -> Path:
    """Return where the sidecar of a model's file goes: beside it, ending in .json."""
    sidecar = path.with_suffix(".json")
    if sidecar == path:
        raise BadInput(f"{path} is where the sidecar must go; give the model a name with another ending than .json")
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


def _names(built: BuiltModel[Any]) -> list[str]:
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
    name_of = {id(variable): name for variable, name in zip(variables, _names(built), strict=True)}
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


@dataclass(frozen=True)
class Sidecar:
    """What a sidecar says; `columns` are pairs of a name in the file and what it means."""

    where: str
    problem: Mapping[str, Any]
    table: Mapping[str, Any] | None
    model: str
    format: str
    columns: Sequence[tuple[str, str]]

    def problem_on(self, table: Table) -> TableProblem[Any]:
        """Return the problem whose model was exported, on `table`; `BadInput` if `table` is another one."""
        if self.problem["name"] not in TABLE_PROBLEMS:
            raise BadInput(
                f"{self.where} is of a problem {self.problem['name']!r}, which a document does not hold in full; "
                f"it must be one of {', '.join(TABLE_PROBLEMS)}"
            )
        self._require_table(table)
        try:
            principle = principle_on(table, self.problem["principle"])
        except (KeyError, AttributeError, TypeError) as error:
            raise BadInput(f"{self.where} has a principle that makes no sense: {error!r}") from None
        return TABLE_PROBLEMS[self.problem["name"]](table, principle)

    def require(self, problem: Problem[Any]) -> None:
        """Refuse a problem that is another than the one whose model was exported."""
        if problem.name != self.problem["name"]:
            raise BadInput(f"{self.where} is of the problem {self.problem['name']!r}, and this one is {problem.name!r}")
        if isinstance(problem, TableProblem):
            self._require_table(problem.table)
        own = json.loads(to_json(problem_document(problem)), parse_float=str)
        for what in ("principle", "size"):
            if own[what] != self.problem[what]:
                raise BadInput(f"{self.where} has {what} {self.problem[what]}, and this problem has {own[what]}")

    def _require_table(self, table: Table) -> None:
        digest = "" if self.table is None else str(self.table["digest"])
        if table.digest != digest:
            raise BadInput(
                f"{self.where} is of another table: it speaks of a table with digest {digest[:12]}..., "
                f"and this one has {table.digest[:12]}..."
            )

    def weights(self) -> dict[str, Number]:
        """Return the weights of the table's columns as they are written."""
        return {} if self.table is None else dict(self.table["weights"])


def read_sidecar(path: str | os.PathLike[str]) -> Sidecar:
    """Read what `export_model` wrote beside a model; `BadInput` says what is wrong with it."""
    data = read_json(path)
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != EXPORT_SCHEMA:
        raise BadInput(
            f"{path} is no sidecar that can be read here: its schema is {schema!r}; it must be {EXPORT_SCHEMA!r}"
        )
    try:
        problem, table = data["problem"], data["table"]
        _ = problem["name"], problem["principle"], problem["size"]
        if table is not None:
            _ = str(table["digest"]), list(table["quasi"]), list(table["sensitive"]), list(table["keep"])
            _ = dict(table["weights"]), dict(table["source"])
        columns = [(str(name), str(meaning)) for name, meaning in data["columns"]]
        return Sidecar(str(path), problem, table, str(data["model"]), str(data["format"]), columns)
    except KeyError as error:
        raise BadInput(f"{path} is no whole sidecar: {error} is not in it") from None
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"{path} is no sidecar that makes sense: {error}") from None


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
    names = _names(built)
    _require_names(side, names)
    text = read_utf8(solution_file)
    if side.format == "pbtxt":
        values = _response_values(text, len(names), str(solution_file))
        _require_domains(built, names, values, str(solution_file))
    else:
        values = _listed_values(text, names, str(solution_file))
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


_HEADER = re.compile(
    r"model status|solution status|optimal|feasible|infeasible|none|valid|stopped|unbounded|basis|integer (optimal|feasible)"
    r"|objective|obj\b|problem|rows|columns|non-zeros|status|=obj=|no solution|time|end of output|primal|partial|integer undefined"
    r"|unknown|undefined|quality|page|-+",
    re.IGNORECASE,
)
"""How lines begin that are about the solution, or between its parts."""

_OUTSIDE = frozenset({"ONE_VAR_CONSTANT"})
"""Columns that a writer adds and that mean nothing."""

Line = tuple[int, list[str]]


def _listed_values(text: str, names: Sequence[str], where: str) -> Values:
    """Read a listing of columns with their values."""
    column = {name: j for j, name in enumerate(names)}
    values = np.zeros(len(names))
    seen: dict[int, int] = {}
    for number, words in _lines(text):
        if words[0] == "**":
            # How CBC marks a value outside its limits, which is for the checks below to judge.
            words = words[1:]
        named = _named(words, column)
        if named is None:
            if _HEADER.match(" ".join(words)):
                continue
            raise BadInput(f"{where}, line {number}: {' '.join(words)[:60]!r} names no column of the model")
        name, value = named
        if name in _OUTSIDE:
            continue
        j = column[name]
        if j in seen:
            raise BadInput(f"{where}, line {number}: {name} has a value on line {seen[j]} already")
        seen[j] = number
        values[j] = _number(value, name, where, number)
    if not seen:
        raise BadInput(f"{where} gives no column of the model a value; it must hold a solution")
    return values


def _named(words: Sequence[str], column: Mapping[str, int]) -> tuple[str, str] | None:
    """Find name and value in a line: `x 3 ...`, `7 x 3 ...` (CBC) or `7 x * 3 ...` (GLPK, with marks before the value)."""
    for place in (0, 1):
        if len(words) > place and (words[place] in column or words[place] in _OUTSIDE):
            if place and not words[0].isdigit():
                return None
            rest = [word for word in words[place + 1 :] if not (place and word in _MARKS)]
            return words[place], rest[0] if rest else ""
    return None


_MARKS = frozenset({"*", "B", "NL", "NU", "NF", "NS"})


def _lines(text: str) -> Iterator[Line]:
    """Yield the lines that may hold columns, with their numbers: sections about rows and about duals are left out.

    HiGHS begins sections with `# Columns`, `# Rows` and `# Dual solution values`; GLPK with `No. Row name` and `No. Column name`, and
    breaks a line after a long name.
    """
    outside, waiting = False, None
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words:
            # A blank line ends a table of GLPK's, and what comes after it says how good the solution is.
            outside = outside or waiting is not None
            continue
        if words[0].startswith("#"):
            title = line.lstrip("# ").lower()
            outside = title.startswith(("rows", "dual", "basis", "hot start")) or (
                outside and not title.startswith(("columns", "primal"))
            )
        elif words[0] == "No.":
            outside = words[1:2] != ["Column"]
        elif line.startswith(("Karush", "Integer feasibility")):
            outside = True
        elif not outside:
            if len(words) == 2 and words[0].isdigit() and waiting is None and not _is_number(words[1]):
                waiting = (number, words)
                continue
            if waiting is not None:
                number, words, waiting = waiting[0], [*waiting[1], *words], None
            yield number, words


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _number(word: str, name: str, where: str, line: int) -> float:
    value = float(word) if _is_number(word) else math.nan
    if not math.isfinite(value):
        raise BadInput(f"{where}, line {line}: the value of {name} is {shown(word)}; it must be a number")
    return value


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


_SOLUTION = re.compile(r"^solution:\s*(\S.*)$")


def _response_values(text: str, columns: int, where: str) -> Values:
    """Read the values of a `CpSolverResponse` in text: `solution: 1` a line, or `solution: [1, 0]`, outside inner messages."""
    found: list[int] = []
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip()
        match = _SOLUTION.match(words) if depth == 0 else None
        if match is not None:
            for word in match[1].strip("[]").split(","):
                try:
                    found.append(int(word))
                except ValueError:
                    raise BadInput(
                        f"{where}, line {number}: a value of the solution is {word.strip()!r}; it must be a whole number"
                    ) from None
        depth += words.endswith("{") - (words == "}")
    if len(found) != columns:
        raise BadInput(f"{where} has a solution of {len(found)} values, and the model has {columns} columns")
    return np.array(found, dtype=float)


def _require_domains(built: BuiltModel[Any], names: Sequence[str], values: Values, where: str) -> None:
    for j, variable in enumerate(built.program.proto.variables):
        ends = list(variable.domain)
        if not any(low <= values[j] <= high for low, high in zip(ends[::2], ends[1::2], strict=True)):
            raise BadInput(f"{where}: {names[j]} is {values[j]:g}; it must lie between {ends[0]} and {ends[-1]}")
