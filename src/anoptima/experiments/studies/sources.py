"""The sources of a study's problems: the library by name, or a table's file or a generator of tables, with a principle."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from anoptima.documents.questions import problem_document
from anoptima.errors import BadInput
from anoptima.instances.drawn import clustered, near_duplicates, planted, skewed, uniform
from anoptima.instances.library import instances
from anoptima.naming import did_you_mean, near_names
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.in_a_table import principle_on, space_on
from anoptima.principles.in_a_table import stated as in_own_words
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.table_problem import TableProblem
from anoptima.spaces import space_from_json
from anoptima.table import Table

ROLES = ("quasi", "sensitive", "keep", "weights", "separator", "encoding")
"""Keys of a table's entry that `Table.read_csv` takes."""

ENTRY = ("file", "name", "problem", "ask", *ROLES)
"""Keys of a table's entry."""

ASKED = ("k", "l", "distinct_l", "t", "column", "space", "principle")
"""Keys of one of its questions."""


GENERATORS: Mapping[str, Callable[..., Table]] = {
    made.__name__.replace("_", "-"): made for made in (uniform, skewed, clustered, planted, near_duplicates)
}
"""Generators of tables, by the word that a study's file uses; their parameters are the knobs."""

DRAWN = ("generator", "name", "problem", "ask")
"""Keys of a generator's entry besides its knobs."""


def named(pattern: str) -> list[str]:
    """Return the library's instances whose names match a pattern such as 'census-*-k5'; `BadInput` if none does.

    >>> named("ten-rows-k?")[:2]
    ['ten-rows-k2', 'ten-rows-k3']
    """
    found = [name for name in instances.names() if fnmatchcase(name, pattern)]
    if not found:
        near = did_you_mean(near_names(pattern, instances.names()))
        raise BadInput(f"no instance is called {pattern!r}; {near or '`anoptima list instances` names them'}")
    return found


def sources_of_table(entry: Mapping[str, Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions of a table's entry in a study's file, each with a name."""
    _refuse_unknown(entry, ENTRY, where)
    if "file" not in entry or "quasi" not in entry or not _are_questions(entry.get("ask")):
        raise BadInput(f"{where} must have file, quasi and ask, a list such as [{{k = 3}}, {{k = 2, l = 2}}]")
    kind = str(entry.get("problem", "cell-suppression"))
    roles = {role: entry[role] for role in ROLES if role in entry}
    for asked in entry["ask"]:
        _refuse_unknown(asked, ASKED, f"a question in {where}")
        words = " ".join(_words(asked))
        name = f"{entry.get('name', Path(str(entry['file'])).stem)} {words}"
        yield name, {"file": str(entry["file"]), "roles": roles, "problem": kind, "ask": dict(asked)}


def sources_of_generator(entry: Mapping[str, Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions of a generator's entry in a study's file, each with a name: every knob may be a list, and all are combined.

    >>> entry = {"generator": "uniform", "rows": [8, 9], "columns": 3, "values": 2, "seed": [1, 2], "ask": [{"k": 2}]}
    >>> [name for name, _ in sources_of_generator(entry, "the entry")][:2]
    ['uniform rows=8 columns=3 values=2 seed=1 k=2', 'uniform rows=8 columns=3 values=2 seed=2 k=2']
    """
    word = str(entry.get("generator", ""))
    if word not in GENERATORS or not _are_questions(entry.get("ask")):
        raise BadInput(
            f"{where} must have ask, a list such as [{{k = 3}}], and generator, one of {', '.join(GENERATORS)}"
        )
    parameters = inspect.signature(GENERATORS[word]).parameters
    _refuse_unknown(entry, (*DRAWN, *parameters), where)
    lacking = [name for name, knob in parameters.items() if knob.default is knob.empty and name not in entry]
    if lacking:
        raise BadInput(f"{where} does not say {lacking[0]!r}, which {word} needs")
    given = {
        name: entry[name] if isinstance(entry[name], list) else [entry[name]] for name in parameters if name in entry
    }
    empty = [name for name, values in given.items() if not values]
    if empty:
        raise BadInput(f"{where} says {empty[0]} = [], so it draws nothing; give a value")
    for values in itertools.product(*given.values()):
        knobs = dict(zip(given, values, strict=True))
        _check_knobs(knobs, parameters, where)
        for asked in entry["ask"]:
            _refuse_unknown(asked, ASKED, f"a question in {where}")
            name = " ".join([str(entry.get("name", word)), *_words(knobs), *_words(asked)])
            kind = str(entry.get("problem", "cell-suppression"))
            yield name, {"generator": word, "knobs": knobs, "problem": kind, "ask": dict(asked)}


def _are_questions(asked: Any) -> bool:
    return isinstance(asked, list | tuple) and bool(asked) and all(isinstance(one, Mapping) for one in asked)


def _check_knobs(knobs: Mapping[str, Any], parameters: Mapping[str, inspect.Parameter], where: str) -> None:
    for name, value in knobs.items():
        whole = parameters[name].annotation == "int"
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not math.isfinite(value):
            raise BadInput(f"{where}: {name} is {value!r}; it must be a {'whole ' if whole else ''}number")
        if value < (1 if name in ("rows", "columns", "values", "groups", "pairs", "k", "size") else 0):
            raise BadInput(f"{where}: {name} is {value!r}; it is too small")
        if name == "noise" and value > 1:
            raise BadInput(f"{where}: {name} is {value!r}; it is a probability and must lie between 0 and 1")
        if name in ("differing", "distance") and value > knobs["columns"]:
            raise BadInput(
                f"{where}: {name} is {value!r}; rows of {knobs['columns']} columns cannot differ in more of them"
            )


def _words(entry: Mapping[str, Any]) -> list[str]:
    return [f"{key}={value}" for key, value in entry.items() if not isinstance(value, Mapping)]


def load(source: Mapping[str, Any], folder: Path) -> Problem[Any]:
    """Return the problem that a source stands for; files are looked for in `folder`, where the study's file is.

    >>> load({"instance": "ten-rows-k3"}, Path()).principle
    KAnonymity(k=3)
    """
    if "instance" in source:
        return instances.get(str(source["instance"])).load()
    if "generator" in source:
        where, table = str(source["generator"]), GENERATORS[source["generator"]](**source["knobs"])
    else:
        path, roles = folder / str(source["file"]), dict(source["roles"])
        where = str(path)
        table = Table.read_csv(path, roles.pop("quasi"), roles.pop("sensitive", ()), **roles)
    kind = problem_kinds.get(str(source["problem"]))
    if not issubclass(kind, TableProblem):
        raise BadInput(
            f"{where}: the problem is {kind.name}; a table with a principle can be asked as cell-suppression"
        )
    return kind(table, principle_of(source["ask"], table))


def principle_of(asked: Mapping[str, Any], table: Table) -> Principle:
    """Return what a question asks for: `{k = 2, l = 2}`, `{t = "1/4", space = {kind = "numeric"}}`, or `principle` as documents have it."""
    column, space = asked.get("column"), asked.get("space")
    own = (
        None if space is None else space_from_json(space_on(table, column or next(iter(table.sensitive), None), space))
    )
    found: list[Principle] = [KAnonymity(asked["k"])] if "k" in asked else []
    found += [LDiversity(asked["l"], column)] if "l" in asked else []
    found += [LDiversity(asked["distinct_l"], column, "distinct")] if "distinct_l" in asked else []
    found += [TCloseness(asked["t"], column, own)] if "t" in asked else []
    found += (
        [principle_on(table, in_own_words(asked["principle"], Mapping, "the principle of a question"))]
        if "principle" in asked
        else []
    )
    if not found:
        raise BadInput(f"a question asks for nothing; it must have one of {', '.join(ASKED)}")
    for key, needs in (("column", ("l", "distinct_l", "t")), ("space", ("t",))):
        if key in asked and not any(need in asked for need in needs):
            raise BadInput(f"a question says {key} = {asked[key]!r}, but asks for none of {', '.join(needs)}")
    return functools.reduce(operator.and_, found)


def stated(problem: Problem[Any], source: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decides a question: the problem as documents state it, and its table, or the instance that it is."""
    table = getattr(problem, "table", None)
    of = table.digest if isinstance(table, Table) else source.get("instance")
    weights = [str(weight) for weight in table.weights] if isinstance(table, Table) else []
    return {"problem": problem_document(problem), "of": of, "weights": weights}


def _refuse_unknown(entry: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in known:
            raise BadInput(f"{where} says {key!r}; it may say {', '.join(known)}")
