"""Formulas from files and into files: DIMACS and JSON."""

from __future__ import annotations

import os
from pathlib import Path

from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.problems.sources.formats.blame import MOST, blamed
from anoptima.problems.sources.formats.dimacs import lines_of, number_in, promise, require_kept
from anoptima.problems.sources.formats.json_objects import json_object, lists_at
from anoptima.problems.sources.formula import Formula


def read_formula(path: str | os.PathLike[str]) -> Formula:
    """Read a formula: JSON by the suffix `.json`, DIMACS otherwise."""
    read = formula_from_json if Path(path).suffix.lower() == ".json" else formula_from_dimacs
    return read(read_utf8(path), str(path))


def formula_from_dimacs(text: str, where: str = "the formula") -> Formula:
    r"""Read a formula in DIMACS form; clauses may run over several lines.

    >>> formula_from_dimacs("p cnf 2 2\n1 -2 0 2\n0").clauses
    ((1, -2), (2,))
    """
    clauses: list[list[int]] = []
    clause: list[int] = []
    promised: tuple[int, int, int] | None = None
    line = 0
    for line, words in lines_of(text):
        here = f"{where}, line {line}"
        if words[0] == "p":
            promised = promise(words, ("cnf",), "clauses", here, line, promised)
            continue
        if promised is None:
            raise BadInput(f"{here}: a clause comes before the line 'p cnf VARIABLES CLAUSES'")
        for word in words:
            literal = number_in(word, here, -promised[1], promised[1], "a literal")
            if literal:
                clause.append(literal)
            elif not clause:
                raise BadInput(f"{here}: clause {len(clauses) + 1} is empty; a clause must have a literal before its 0")
            else:
                clauses.append(clause)
                clause = []
    if clause:
        raise BadInput(f"{where}, line {line}: clause {len(clauses) + 1} has no 0 at its end")
    require_kept(promised, len(clauses), "clause", "p cnf VARIABLES CLAUSES", where)
    assert promised is not None
    return Formula(promised[1], clauses)


def formula_to_dimacs(formula: Formula) -> str:
    """Write a formula in DIMACS form, a clause a line."""
    lines = [f"p cnf {formula.variables} {len(formula.clauses)}"]
    lines += [" ".join(map(str, (*clause, 0))) for clause in formula.clauses]
    return "\n".join(lines) + "\n"


def formula_from_json(text: str, where: str = "the formula") -> Formula:
    """Read `{"variables": 3, "clauses": [[1, -2], ...]}`; an embedding that is there, too, is left aside."""
    data = json_object(text, where, "variables", "clauses", also=("embedding",))
    variables = data["variables"]
    if not isinstance(variables, int) or variables > MOST:
        raise BadInput(
            f"{where}: the number of variables is {shown(variables)}; it must be a whole number of at most {MOST:,}"
        )
    return blamed(where, lambda: Formula(variables, lists_at(data, "clauses")))
