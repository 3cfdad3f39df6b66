"""What solvers write: a value for each column of a model, in listings of several makes and in responses of CP-SAT."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.models.base import Values

_HEADER = re.compile(
    r"model status|solution status|optimal|feasible|infeasible|none|valid|stopped|unbounded|basis|integer (optimal|feasible)"
    r"|objective|obj\b|problem|rows|columns|non-zeros|status|=obj=|no solution|time|end of output|primal|partial|integer undefined"
    r"|unknown|undefined|quality|page|-+",
    re.IGNORECASE,
)
"""How lines begin that are about the solution, or between its parts."""


_OUTSIDE = frozenset({"ONE_VAR_CONSTANT"})
"""Columns that a writer adds and that mean nothing."""


_MARKS = frozenset({"*", "B", "NL", "NU", "NF", "NS"})


Line = tuple[int, list[str]]


def listed_values(text: str, names: Sequence[str], where: str) -> Values:
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


_SOLUTION = re.compile(r"^solution:\s*(\S.*)$")


def response_values(text: str, columns: int, where: str) -> Values:
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
