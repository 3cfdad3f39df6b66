"""What a proof is about, as version 3 of the format says it: the table as texts, the weights, the principle condition by condition."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, as_fraction, common_denominator
from anoptima.implied_principles import implies
from anoptima.limits import shown
from anoptima.packages import pd
from anoptima.principles import All, KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.in_a_table import principle_on
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.problems.base import Problem
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.problems.given_patterns import GivenPatterns
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.plain_data import plain_principle
from anoptima.proofs.reading import Fields
from anoptima.spaces import EqualDistance, Explicit, Hierarchical, Numeric, Ordered, Space
from anoptima.table import STAR, Column, Table

T = TypeVar("T", bound=TableProblem[Any])

SCHEMA = "anoptima/proof/3"
"""What a file says that it is."""

OLD_SCHEMA = "anoptima/proof/2"
"""What files of version 2 say that they are, and what the digest of a table begins with in both versions."""

ON_TABLES = (TableProblem, ColumnChoice, DiameterSum)
"""The problems that proofs in files are about."""

ON_POINTS = (FakePoints, FakeBoxes)
"""The problems that proofs in files are about by a table of coordinates."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]([+-]?\d+))?|-?\d+/0*[1-9]\d*", re.ASCII)
_MOST_CHARACTERS = 400
"""How many characters a number in a cell may have, and how far its exponent may be from 0."""


def why_no_number(column: Column) -> str:
    """Say which value of a column is written as no number of the format, in which `+1`, `1.`, `.5` and ` 2` are none; '' if all are.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": ["-1.50", "2e+3"], "b": ["1/3", "1_0"]}), ["a", "b"])
    >>> [why_no_number(column) for column in table.quasi_columns]
    ['', "the value '1_0' of 'b' is no number as the proof format has it, such as -12, 1.50, 2e3 or 1/3"]
    """
    for text in map(text_of, column.values):
        found = _NUMBER.fullmatch(text)
        if not found or len(text) > _MOST_CHARACTERS or abs(int(found[1] or 0)) > _MOST_CHARACTERS:
            return (
                f"the value {shown(text)} of {column.name!r} is no number as the proof format has it, "
                "such as -12, 1.50, 2e3 or 1/3"
            )
    return ""


def table_of(problem: Problem[Any], axes: Sequence[str] = ()) -> Table:
    """Return the table that a proof is about; for points or corners of boxes that of coordinates, `axes` or x1, x2 and so on its columns.

    >>> table_of(FakePoints([(0.5, 2)], 2)).frame.to_dict("list")
    {'x1': ['1/2'], 'x2': ['2']}
    """
    if isinstance(problem, ON_TABLES):
        return problem.table
    if not isinstance(problem, ON_POINTS):
        raise NotApplicable(f"the proof format has no word for {problem.name}")
    places = problem.points if isinstance(problem, FakePoints) else problem.corners
    names = list(axes) or [f"x{axis}" for axis in range(1, len(places[0]) + 1)]
    return Table.from_frame(pd.DataFrame([list(map(str, place)) for place in places], columns=names), names)


def asked_of_points(problem: FakePoints | FakeBoxes) -> dict[str, Any]:
    """Return what states a question about points beside their coordinates."""
    asked: dict[str, Any] = {"name": problem.name, "k": problem.k, "regime": problem.regime.value}
    sides = problem.domain if isinstance(problem, FakePoints) else problem.region
    asked["domain"] = None if sides is None else [[pair(low), pair(high)] for low, high in sides]
    if isinstance(problem, FakePoints):
        asked["widths"] = [pair(width) for width in problem.widths]
    return asked


def points_on(table: Table, asked: Mapping[str, Any]) -> Problem[Any]:
    """Return the question that `asked_of_points` wrote, on a table of coordinates, which must be numbers as the format has them."""
    for why in filter(None, map(why_no_number, table.quasi_columns)):
        raise BadInput(why)
    axes = [[as_fraction(text_of(value), f"column {c.name!r}") for value in c.values] for c in table.quasi_columns]
    codes = zip(*(column.codes.tolist() for column in table.quasi_columns), strict=True)
    places = [[axis[code] for axis, code in zip(axes, row, strict=True)] for row in codes]
    fields = Fields({name: its for name, its in asked.items() if name != "principle"}, "its problem")
    is_boxes, k, regime = fields.take("name") == FakeBoxes.name, fields.take("k"), fields.text("regime")
    sides = fields.each("domain", _side) if asked.get("domain") is not None else fields.take("domain")
    widths = [Fraction(1)] * len(axes) if is_boxes else fields.each("widths", lambda width, _: unpaired(width))
    fields.end()
    return FakeBoxes(places, k, sides, regime) if is_boxes else FakePoints(places, k, sides, regime, widths)


def asked_of_patterns(problem: GivenPatterns) -> dict[str, Any]:
    """Return what states given patterns: k, and the text of each cell that is kept; `NotApplicable` if that is a missing value.

    >>> asked_of_patterns(next(GivenPatterns.examples()))["patterns"]
    [['1', None], [None, '40']]
    """
    if any(value is None for pattern in problem.patterns for value in pattern):
        raise NotApplicable("a given pattern keeps a missing value, for which files have no text of its own")
    stars = problem.starred.tolist()
    patterns = [
        [None if is_star else text_of(value) for value, is_star in zip(pattern, its, strict=True)]
        for pattern, its in zip(problem.patterns, stars, strict=True)
    ]
    return {"k": problem.least, "patterns": patterns}


def patterns_json(asked: Mapping[str, Any], width: int) -> dict[str, Any]:
    """Return what `asked_of_patterns` wrote, for that many columns, as `GivenPatterns.as_json` has it."""
    patterns = asked["patterns"]
    if any(not isinstance(pattern, list) or len(pattern) != width or STAR in pattern for pattern in patterns):
        raise BadInput(
            f"a given pattern must be a list of {width} texts, none of them {STAR!r}; a cell that is not kept is null"
        )
    starred = [[STAR if text is None else text for text in pattern] for pattern in patterns]
    return {"principle": {"principle": "k-anonymity", "k": asked["k"]}, "patterns": starred}


def _side(data: Any, what: str) -> tuple[Fraction, Fraction]:
    if not isinstance(data, list) or len(data) != 2:
        raise BadInput(f"{what} must be two fractions")
    return unpaired(data[0]), unpaired(data[1])


def pair(value: Exact) -> list[int]:
    """Return numerator and denominator in lowest terms."""
    return [value.numerator, value.denominator]


def unpaired(data: Any) -> Fraction:
    """Return what `pair` wrote."""
    if not isinstance(data, list) or len(data) != 2 or any(type(part) is not int for part in data) or data[1] < 1:
        raise BadInput(f"{data!r} must be a numerator and a positive denominator")
    return Fraction(*data)


def text_of(value: Any) -> str:
    """Return a value as a CSV file has it: a missing one is the empty text."""
    return "" if value is None else str(value)


def _texts(column: Column) -> list[str]:
    texts = [text_of(value) for value in column.values]
    if len(set(texts)) < len(texts):
        raise NotApplicable(
            f"column {column.name!r} holds different values that are written the same; a proof is about the table as texts"
        )
    return texts


def table_digest(table: Table) -> str:
    """Return the SHA-256 of the table as texts: its size, names and cells, each as its length in bytes, a colon, itself and a comma.

    >>> import pandas as pd
    >>> number, text = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": ["1", "2"]})
    >>> table_digest(Table.from_frame(number, ["a"])) == table_digest(Table.from_frame(text, ["a"]))
    True
    """
    columns = [*table.quasi_columns, *(table.sensitive_column(name) for name in table.sensitive)]
    sha = hashlib.sha256()
    sizes = (OLD_SCHEMA, str(table.rows), str(len(table.quasi)), str(len(table.sensitive)))
    sha.update(b"".join(map(_counted, (*sizes, *(column.name for column in columns)))))
    cells = [[_counted(text) for text in _texts(column)] for column in columns]
    for codes in zip(*(column.codes.tolist() for column in columns), strict=True):
        sha.update(b"".join([cell[code] for cell, code in zip(cells, codes, strict=True)]))
    return sha.hexdigest()


def _counted(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return b"%d:%b," % (len(data), data)


def principle_statement(principle: Principle, table: Table) -> list[dict[str, Any]]:
    """Return a principle as a list of conditions; `NotApplicable` if the format has no word for one."""
    return [_condition(part, table) for part in _flat(principle)]


def places_of_conditions(principle: Principle, table: Table) -> list[int]:
    """Return where each stated condition's own `Condition`s begin in `principle.conditions`: entropy has two of them."""
    counts = (len(part.conditions(table)) for part in _flat(principle))
    return [0, *itertools.accumulate(counts)][:-1]


def _flat(principle: Principle) -> Iterator[Principle]:
    if isinstance(principle, All):
        for part in principle.parts:
            yield from _flat(part)
    elif type(principle) is AlphaKAnonymity and principle.k > 1:
        yield from (KAnonymity(principle.k), *_flat(replace(principle, k=1)))
    elif type(principle) is AlphaKAnonymity and principle.values is None:
        yield LDiversity(1 / principle.alpha, principle.column)
    else:
        yield principle


def _condition(part: Principle, table: Table) -> dict[str, Any]:
    column = getattr(part, "column", None)
    if column is None and table.sensitive:
        column = table.sensitive[0]
    if type(part) is KAnonymity:
        return {"kind": "k-anonymity", "k": part.k}
    if type(part) is LDiversity:
        share = part.version == "frequency"
        return {"kind": f"{part.version}-l-diversity", "l": pair(part.l) if share else int(part.l), "column": column}
    if type(part) is EntropyDiversity:
        return {"kind": part.kind, "l": pair(part.l), "column": column}
    if type(part) is RecursiveDiversity:
        return {"kind": part.kind, "c": pair(part.c), "l": part.l, "column": column}
    if type(part) is AlphaKAnonymity and part.values is not None:
        own = _as_they_occur(table.sensitive_column(str(column)))
        rare = [text_of(value) for value in own if value in part.values]
        return {"kind": "rare-values", "l": pair(1 / part.alpha), "column": column, "values": rare}
    if type(part) is TCloseness:
        if type(part.space) is Numeric and (why := why_no_number(table.sensitive_column(str(column)))):
            raise NotApplicable(why)
        return {"kind": "t-closeness", "t": pair(part.t), "column": column, "space": _space(part.space)}
    raise NotApplicable(f"the proof format has no word for {part}")


def _as_they_occur(column: Column) -> list[Any]:
    """Return a column's values in the order of the first rows that have them."""
    first = pd.unique(column.codes).tolist()
    return [column.values[code] for code in first]


def _space(space: Space) -> dict[str, Any]:
    if type(space) in (EqualDistance, Numeric):
        return {"kind": space.kind}
    if type(space) is Ordered:
        return {"kind": "ordered", "order": [text_of(value) for value in space.order]}
    if type(space) is Hierarchical:
        return {"kind": "hierarchical", "tree": _tree(space.tree)}
    if type(space) is Explicit:
        parts = common_denominator(distance for row in space.matrix for distance in row)
        matrix = [[int(distance * parts) for distance in row] for row in space.matrix]
        values = [text_of(value) for value in space.values]
        return {"kind": "matrix", "values": values, "denominator": parts, "matrix": matrix}
    raise NotApplicable(f"the proof format has no word for the distance {space.kind!r}")


def _tree(node: Any) -> Any:
    if isinstance(node, Mapping):
        return [_tree(child) for child in node.values()]
    if isinstance(node, Iterable) and not isinstance(node, str):
        return [_tree(child) for child in node]
    return text_of(node)


def under_what_follows(problem: T, principle: Principle) -> T:
    """Return the question under a principle that follows from the problem's; `BadInput` if it does not.

    >>> from anoptima import CellSuppression, ten_rows
    >>> print(under_what_follows(CellSuppression(ten_rows(), KAnonymity(3)), KAnonymity(2)).principle)
    2-anonymity
    """
    principle.require_columns(problem.table)
    if not implies(problem.principle, principle, problem.table):
        raise BadInput(
            f"the proof is about another principle than {problem.principle}: {principle} does not follow from it"
        )
    return replace(problem, principle=principle)


def under(problem: T, principle: Mapping[str, Any]) -> T:
    """Return the question that a proof under a principle, as plain data, is about: `problem`, what it comes to, or what follows from it.

    >>> from anoptima import CellSuppression, ten_rows
    >>> problem = CellSuppression(ten_rows(), KAnonymity(2) & LDiversity(2))
    >>> print(under(problem, LDiversity(2).as_json()).principle)
    frequency 2-diversity
    """
    for about in (problem, problem.plain):
        if plain_principle(about.principle.as_json()) == plain_principle(principle):
            return about
    try:
        weaker = principle_on(problem.table, principle)
    except (BadInput, KeyError, AttributeError, TypeError) as error:
        raise BadInput(
            f"the proof is about another principle than {problem.principle}, and one that makes no sense: {error}"
        ) from None
    return under_what_follows(problem, weaker)


def principle_json(conditions: Any) -> dict[str, Any]:
    """Return the conditions of a statement as `Principle.as_json` writes them."""
    if not isinstance(conditions, list) or not conditions:
        raise BadInput("the principle must be a list of conditions")
    members = [_member(condition) for condition in conditions]
    return members[0] if len(members) == 1 else {"principle": "all", "members": members}


def _member(condition: Any) -> dict[str, Any]:
    kind = condition["kind"]
    if kind == "k-anonymity":
        return {"principle": kind, "k": condition["k"]}
    if kind in ("distinct-l-diversity", "frequency-l-diversity"):
        version, asked = kind.partition("-")[0], condition["l"]
        written = str(asked if version == "distinct" else unpaired(asked))
        return {"principle": "l-diversity", "l": written, "column": condition["column"], "version": version}
    if kind == "rare-values":
        alpha = str(1 / unpaired(condition["l"]))
        rare = {"column": condition["column"], "values": condition["values"]}
        return {"principle": AlphaKAnonymity.kind, "alpha": alpha, "k": 1, **rare}
    if kind == "entropy-l-diversity":
        return {"principle": kind, "l": str(unpaired(condition["l"])), "column": condition["column"]}
    if kind == "recursive-diversity":
        rest = {name: its for name, its in condition.items() if name not in ("kind", "c")}
        return {"principle": kind, **rest, "c": str(unpaired(condition["c"]))}
    if kind != "t-closeness":
        raise BadInput(f"{kind!r} is no condition")
    space = dict(condition["space"])
    if space["kind"] == "matrix":
        parts = space.pop("denominator")
        space["matrix"] = [[str(Fraction(distance, parts)) for distance in row] for row in space["matrix"]]
    return {
        "principle": "t-closeness", "t": str(unpaired(condition["t"])), "column": condition["column"], "space": space,
    }  # fmt: skip
