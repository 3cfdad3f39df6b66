"""Options that commands share, and the objects built from them: a table, principles, spaces, a budget.

Values are taken as text and made exact here, not by argparse, so that every refusal is one sentence of ours.
"""

from __future__ import annotations

import csv
import functools
import math
import operator
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from anoptima.answer import Budget
from anoptima.cli.principles import Once, named_principle
from anoptima.documents.questions import kinds_with_documents
from anoptima.documents.reading import parse_json, read_json
from anoptima.errors import BadInput
from anoptima.exact import Number, advice
from anoptima.machine import size_in_bytes
from anoptima.naming import did_you_mean, near_names
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness, principle_kinds
from anoptima.principles.in_a_table import space_on
from anoptima.problems.table_problem import TableProblem
from anoptima.spaces import Space, space_from_json, space_kinds
from anoptima.table import Table


def add_json(parser: ArgumentParser) -> None:
    """Add the option that every command has."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def add_roles(parser: ArgumentParser, *, required: bool = True) -> None:
    """Add the roles of columns."""
    group = parser.add_argument_group(
        "columns", "Columns that you do not name are dropped. A name with a comma goes into double quotes."
    )
    group.add_argument(
        "--quasi",
        action="append",
        metavar="COLUMNS",
        required=required,
        help="quasi-identifying columns, separated by commas",
    )
    group.add_argument(
        "--sensitive",
        action="append",
        metavar="COLUMNS",
        help="sensitive columns, for diversity and closeness",
    )
    group.add_argument("--keep", action="append", metavar="COLUMNS", help="columns to release unchanged")
    group.add_argument(
        "--weight",
        action="append",
        metavar="COLUMN=COST",
        help="the cost of a star in this column: 3, 0.5, 1/3 (default: 1)",
    )
    group.add_argument(
        "--missing",
        default="value",
        choices=("value", "refuse"),
        help="treat a missing value as a value like any other (default), or refuse the table",
    )


def add_principles(parser: ArgumentParser, *, several: bool = False) -> None:
    """Add the principles and the spaces of sensitive columns; `several` for a command that takes one value after another."""
    more = " Commas separate values to compare: -k 2,3 or -t pay=0.1,0.2." if several else ""
    group = parser.add_argument_group(
        "principles", f"COLUMN= may be left out where there is one sensitive column.{more}"
    )
    group.add_argument("-k", action=Once, metavar="K", help="k-anonymity: at least K rows in every group")
    group.add_argument(
        "-l",
        action="append",
        metavar="[COLUMN=]L",
        help="l-diversity, by frequency: no value in more than a share 1/L of a group",
    )
    group.add_argument(
        "--distinct-l",
        action="append",
        metavar="[COLUMN=]L",
        help="l-diversity, distinct: at least L values in every group",
    )
    group.add_argument(
        "-t",
        action="append",
        metavar="[COLUMN=]T",
        help="t-closeness: every group's distribution within T of the table's",
    )
    group.add_argument(
        "--principle",
        action="append",
        metavar="NAME[:KEY=VALUE,...]",
        help="one of `anoptima list principles`, such as recursive-diversity:c=2,l=3,column=disease; a JSON object may follow the colon",
    )
    group.add_argument(
        "--space",
        action="append",
        metavar="COLUMN=SPACE",
        help="distances between a column's values, for closeness: equal (default), numeric, ordered:low,mid,high, "
        "hierarchy:FILE.json (a tree of names and leaves), matrix:FILE.json (with 'values' and 'matrix')",
    )


PROBLEMS = {"cells": "cell-suppression", "attributes": "attribute-suppression"}
"""Short words for problems."""


def add_problem(parser: ArgumentParser) -> None:
    """Add what is to be starred."""
    parser.add_argument(
        "--problem",
        metavar="NAME",
        help="star single cells (cells, the default), or whole columns (attributes); or a problem of a plug-in that is stated by a table "
        "and principles, from `anoptima list problems`",
    )


def kind_of_problem(word: str | None) -> type[TableProblem[Any]]:
    """Return the kind of problem that `--problem` asks for, which is stated by a table and principles.

    >>> kind_of_problem("cells").name
    'cell-suppression'
    """
    name = PROBLEMS.get(word or "cells", word)
    kinds = kinds_with_documents(TableProblem)  # type: ignore[type-abstract]
    known = {each: kind for each, kind in kinds.items() if not kind.asks_more()}
    if name not in known:
        raise BadInput(f"--problem is {word!r}; it must be one of {', '.join([*PROBLEMS, *known])}")
    return known[name]


def problem_of(arguments: Namespace, table: Table) -> TableProblem[Any]:
    """Return the problem that was asked for, on `table`."""
    spaces = spaces_of(arguments, table)
    principles = principles_of(arguments, spaces, table)
    refuse_idle_spaces(spaces, principles, table)
    return kind_of_problem(arguments.problem)(table, all_of(principles))


def add_solver(parser: ArgumentParser) -> None:
    """Add who is to solve, and from what."""
    parser.add_argument(
        "--solver",
        default="auto",
        metavar="NAME",
        help="one of `anoptima list solvers` (default: auto, which says what it chose)",
    )
    parser.add_argument(
        "--start",
        default="auto",
        choices=("auto", "none"),
        help="start from a quick approximation (default), or from nothing",
    )


def add_cross_check(parser: ArgumentParser) -> None:
    """Add whether somebody else is to confirm the bound."""
    parser.add_argument(
        "--cross-check",
        action="store_true",
        help="in the remaining time, confirm a bound that a solver only claims, by a proof or another backend",
    )


def add_proof(parser: ArgumentParser) -> None:
    """Add where the proof of the bound goes."""
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="write the proof of the bound as JSON, for `anoptima verify`; auto then chooses a solver that gives one",
    )


def add_checkpoint(parser: ArgumentParser) -> None:
    """Add where a run keeps what it has."""
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="keep the best solution and proof, not unproved claims of backends, in this file; continue from it if it exists",
    )


def add_budget(parser: ArgumentParser, *, gap: bool = True) -> None:
    """Add what a solver may spend; without `gap` where every solver is to run to its end."""
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--time-limit",
        metavar="SECONDS",
        help="stop after this many seconds and return the best solution found (default: no limit)",
    )
    if gap:
        group.add_argument(
            "--gap",
            default="0",
            metavar="GAP",
            help="stop once (cost - bound) / cost is at most this: 0.01 (default: 0)",
        )
    else:
        parser.set_defaults(gap="0")
    group.add_argument("--threads", metavar="N", help="threads that a solver may use (default: the solver decides)")
    group.add_argument(
        "--memory",
        metavar="SIZE",
        help="memory that a model and a backend may take: 500M, 4G (default: all that is available)",
    )
    group.add_argument(
        "--seed",
        default="0",
        metavar="N",
        help="most runs with the same seed, one thread and no time limit repeat (default: 0)",
    )


def names(lists: Iterable[str] | None) -> list[str]:
    r"""Return the column names in lists, separated by commas or lines; double quotes hold a name with either together.

    >>> names(["zip, age", '"income, yearly"', "ward\nbed"])
    ['zip', 'age', 'income, yearly', 'ward', 'bed']
    """
    lines = (f"{line}\n" for line in "\n".join(lists or ()).replace("\r", "\n").split("\n"))
    return [name for row in csv.reader(lines, skipinitialspace=True) for name in row]


def weights_of(arguments: Namespace) -> dict[str, Number]:
    """Return the weights by column, still as text."""
    return by_column(arguments.weight, "--weight", "COLUMN=COST, such as age=3")


def spaces_of(arguments: Namespace, table: Table) -> dict[str, Space]:
    """Return the spaces by sensitive column."""
    texts = by_column(arguments.space, "--space", "COLUMN=SPACE, such as disease=numeric", last=False)
    for column in texts:
        if column not in table.sensitive:
            raise BadInput(
                f"--space names {column!r}, which is no sensitive column; those are {', '.join(table.sensitive) or 'none'}"
            )
    return {
        column: space_from_json(space_on(table, column, _space_data(column, text))) for column, text in texts.items()
    }


def _space_data(column: str, text: str) -> dict[str, Any]:
    kind, _, rest = text.partition(":")
    match kind:
        case "equal" | "numeric" if not rest:
            return {"kind": kind}
        case "ordered" if rest:
            return {"kind": kind, "order": names([rest])}
        case "hierarchy" if rest:
            return {"kind": "hierarchical", "tree": read_json(rest)}
        case "matrix" if rest:
            data = read_json(rest)
            if not (isinstance(data, dict) and _is_flat(data.get("values")) and _is_rows(data.get("matrix"))):
                raise BadInput(f"{rest} must hold an object with 'values', a list, and 'matrix', a list of lists")
            return {"kind": kind, "values": data["values"], "matrix": data["matrix"]}
        case _ if kind in space_kinds and (not rest or rest.endswith(".json")):
            data = read_json(rest) if rest else {}
            if not isinstance(data, dict):
                raise BadInput(f"{rest} must hold an object, with what the space {kind} needs")
            return {**data, "kind": kind}
        case _:
            raise BadInput(
                f"the space of {column!r} is {text!r}; it must be equal, numeric, ordered:FIRST,...,LAST, hierarchy:FILE, matrix:FILE, "
                "or KIND:FILE.json for one of `anoptima list spaces`"
            )


def _is_flat(thing: Any) -> bool:
    return isinstance(thing, list) and not any(isinstance(member, list | dict) for member in thing)


def _is_rows(thing: Any) -> bool:
    return isinstance(thing, list) and all(_is_flat(row) for row in thing)


def principles_of(arguments: Namespace, spaces: Mapping[str, Space], table: Table) -> list[Principle]:
    """Return the principles that were asked for, in the order k, l, t, others."""
    found: list[Principle] = [] if arguments.k is None else [KAnonymity(whole(arguments.k, "k"))]
    found += [LDiversity(value, column) for column, value in _per_column(arguments.l, "l")]
    found += [LDiversity(value, column, "distinct") for column, value in _per_column(arguments.distinct_l, "l")]
    for column, value in _per_column(arguments.t, "t"):
        only = table.sensitive[0] if column is None and len(table.sensitive) == 1 else column
        try:
            found.append(TCloseness(value, column, spaces.get(only) if only is not None else None))
        except BadInput as error:
            meant = "; --time-limit limits the time" if value.isdigit() and hasattr(arguments, "time_limit") else ""
            raise BadInput(f"{error}{meant}") from None
    return found + [named_principle(text, principle_data(text), table) for text in arguments.principle or ()]


def principle_data(text: str) -> dict[str, Any]:
    """Return what `--principle` says as a document would; whole numbers are numbers, everything else is text.

    >>> principle_data("recursive-diversity:c=3/2,l=3")
    {'principle': 'recursive-diversity', 'c': '3/2', 'l': 3}
    """
    name, _, rest = text.partition(":")
    if name not in principle_kinds:
        near = did_you_mean(near_names(name, principle_kinds.names())) or "see `anoptima list principles`"
        raise BadInput(f"--principle is {text!r}; there is no principle named {name!r}; {near}")
    if rest.startswith("{"):
        found: dict[str, Any] = parse_json(rest, f"--principle {name}", parse_float=str)
        return {**found, "principle": name}
    data: dict[str, Any] = {"principle": name}
    for word in names([rest]):
        key, equals, value = word.partition("=")
        if not (key and equals) or key in data:
            raise BadInput(f"--principle is {text!r}; after the colon it must have KEY=VALUE, each key once")
        data[key] = int(value) if value.isascii() and value.isdigit() else value
    return data


def all_of(principles: Sequence[Principle]) -> Principle:
    """Return the conjunction of principles; `BadInput` if there is none."""
    if not principles:
        raise BadInput("no principle is named; give at least one of -k, -l, --distinct-l, -t, --principle")
    return functools.reduce(operator.and_, principles)


def refuse_idle_spaces(spaces: Mapping[str, Space], principles: Iterable[Principle], table: Table) -> None:
    """Refuse a space that no principle looks at: whoever gave it expects that one does."""
    close = [principle for principle in principles if isinstance(principle, TCloseness)]
    used = {principle.column or table.sensitive[0] for principle in close if table.sensitive}
    for column in spaces:
        if column not in used:
            raise BadInput(f"a space is given for {column!r}, and no -t names that column")


def budget_of(arguments: Namespace) -> Budget:
    """Return what a solver may spend."""
    return Budget.of(
        seconds=None if arguments.time_limit is None else seconds_of(arguments.time_limit),
        gap=arguments.gap,
        threads=None if arguments.threads is None else from_1(whole(arguments.threads, "--threads"), "--threads"),
        memory=None if arguments.memory is None else from_1(size_in_bytes(arguments.memory), "--memory"),
        seed=whole(arguments.seed, "the seed"),
    )


def whole(text: str, what: str) -> int:
    """Return the whole number that a text writes."""
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"{what} is {text!r}; it must be a whole number") from None


def from_1(number: int, option: str) -> int:
    """Return a number that an option gives, if it is at least 1.

    >>> from_1(3, "--threads")
    3
    """
    if number < 1:
        raise BadInput(f"{option} is {number}; it must be at least 1")
    return number


def seconds_of(text: str, what: str = "the time limit") -> float:
    """Return the seconds that a text writes.

    >>> seconds_of("0.5")
    0.5
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise BadInput(f"{what} is {text!r}; {advice(text) or 'it must be a number of seconds from 0 up'}")
    return seconds


def _per_column(texts: Iterable[str] | None, letter: str) -> list[tuple[str | None, str]]:
    """Split `[COLUMN=]VALUE` at the last equals sign: a value has none."""
    found = []
    for text in texts or ():
        column, equals, value = text.rpartition("=")
        if equals and not column:
            raise BadInput(f"-{letter} is {text!r}; it must be {letter.upper()} or COLUMN={letter.upper()}")
        found.append((column if equals else None, value))
    return found


def by_column(texts: Iterable[str] | None, option: str, form: str, *, last: bool = True) -> dict[str, Any]:
    """Return values by column, split at the last equals sign or at the first one: whichever cannot be the value's own."""
    found: dict[str, Any] = {}
    for text in texts or ():
        column, equals, value = text.rpartition("=") if last else text.partition("=")
        if not (column and equals and value):
            raise BadInput(f"{option} is {text!r}; it must be {form}")
        if column in found:
            raise BadInput(f"{option} is given twice for {column!r}")
        found[column] = value
    return found
