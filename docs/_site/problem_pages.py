"""What the code knows of a problem: its statement, models, algorithms, reductions and records, for a page of `docs/problems`."""

from __future__ import annotations

import importlib
import inspect
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from docstrings import as_markdown

from anoptima.exact import exact_text
from anoptima.html import first_sentence
from anoptima.instances.library import instances
from anoptima.instances.papers import ten_rows
from anoptima.models import models
from anoptima.models.base import Model
from anoptima.principles import KAnonymity, LDiversity, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.isolating_columns import every_kind
from anoptima.problems.table_problem import TableProblem
from anoptima.reductions import reductions
from anoptima.reductions.kinds import GENERAL
from anoptima.registry import OURS, is_for, origin_of
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver


@cache
def questions(name: str) -> tuple[Problem[Any], ...]:
    """Return small problems of a kind: its own examples, and the ten rows under several principles where a table states it."""
    kind = every_kind()[name]
    asked = [problem for problem in kind.examples() if problem.why_infeasible() is None]
    if issubclass(kind, TableProblem) and not kind.asks_more():
        principles = (KAnonymity(2), KAnonymity(3), LDiversity(2), TCloseness("0.2"))
        asked += [kind(ten_rows(), principle) for principle in principles]
    return tuple(asked)


def takes(thing: Any, name: str) -> list[Problem[Any]]:
    """Return the questions of a kind that a model or a solver of ours is for."""
    if origin_of(thing) != OURS:
        return []
    return [problem for problem in questions(name) if is_for(thing, problem)]


def statement(name: str) -> str:
    """Return what a problem asks, in the words of its class and its module."""
    kind = every_kind()[name]
    module = importlib.import_module(kind.__module__)
    first, _, rest = inspect.cleandoc(kind.__doc__ or "").partition("\n\n")
    asked = f"*{cell(first, formulas=True)}* In Python: `ao.{kind.__name__}`, in the [reference](../reference.md)."
    return "\n\n".join([asked, as_markdown(module.__doc__, formulas=True), as_markdown("\n\n" + rest, formulas=True)])


def index() -> Iterator[str]:
    """Yield a table of all problems."""
    yield "| problem | asks for |\n|---|---|"
    for kind in filter(lambda kind: origin_of(kind) == OURS, every_kind().values()):
        first = inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0]
        yield f"| [{kind.name}]({kind.name}.md) | {cell(first, formulas=True)} |"


def sections(name: str) -> Iterator[str]:
    """Yield what follows on the page of a problem."""
    yield "## Models\n"
    able = sorted((model for model in models.all() if takes(model, name)), key=lambda model: model.for_study)
    if not able:
        yield "None yet.\n"
    for model in able:
        yield from _model(model)
    yield "## Algorithms\n"
    found = [(solver, asked) for solver in algorithms.all() if (asked := takes(solver, name))]
    if found:
        yield "| algorithm | guarantee, on small examples with k or l of 2 and 3 | |\n|---|---|---|"
        yield from (_algorithm(solver, asked) for solver, asked in found)
        if any(hasattr(problem, "principle") for problem in questions(name)):
            yield "\nMany are for some principles only: the page of each says for which."
    else:
        yield "None of its own; the models answer it."
    yield from _reductions(name)
    yield from _records(name)


def _model(model: Model[Any]) -> Iterator[str]:
    study = " It is weaker than another on purpose, for study." if model.for_study else ""
    yield f"### `{model.name}`\n\nWritten in {_LANGUAGES.get(model.language.value, model.language.value)}.{study}\n"
    yield as_markdown(importlib.import_module(type(model).__module__).__doc__, formulas=True) + "\n"


_LANGUAGES = {"pyomo": "Pyomo", "cp-sat": "CP-SAT"}


def _algorithm(solver: Solver[Any], asked: list[Problem[Any]]) -> str:
    """Return a line of the table of algorithms."""
    return f"| [`{solver.name}`](../algorithms/{solver.family}.md) | {promise(solver, asked)} | {cell(first_sentence(solver))} |"


def promise(solver: Solver[Any], asked: list[Problem[Any]]) -> str:
    """Say what a solver promises of these problems."""
    if solver.kind is not Kind.APPROXIMATE:
        return "optimal, with a proof" if solver.gives_proofs else "optimal"
    ratios = sorted({ratio for problem in asked if (ratio := solver.ratio(problem)) is not None})
    if not ratios:
        return "none, but a bound with a proof" if solver.gives_proofs else "none"
    low, high = (f"{float(ratio):.2f}".rstrip("0").rstrip(".") for ratio in (ratios[0], ratios[-1]))
    return f"within {low} times the optimum" if low == high else f"within {low} to {high} times the optimum"


def cell(text: str, *, formulas: bool = False) -> str:
    """Return words as they stand in a cell of a table."""
    return as_markdown(text, formulas=formulas).replace("\\|", "|").replace("|", "\\|").replace("\n", " ")


def kind_of(word: str) -> str:
    """Return the problem that a word of the graph of reductions means: its own name, or that of what it is a case of."""
    known = every_kind()
    while word not in known and word in GENERAL:
        word = GENERAL[word]
    return word if word in known else word.replace("rectilinear", "planar")


def _reductions(name: str) -> Iterator[str]:
    for heading, ours, other in (
        ("Reductions from it", "source_kind", "target_kind"),
        ("Reductions to it", "target_kind", "source_kind"),
    ):
        mine = [reduction for reduction in reductions.all() if kind_of(getattr(reduction, ours)) == name]
        if mine:
            yield f"\n## {heading}\n"
        for reduction in mine:
            goal = kind_of(getattr(reduction, other))
            title = f"[`{reduction.name}`]({goal}.md)" if goal != name else f"`{reduction.name}`"
            yield f"- {title}: {cell(first_sentence(reduction))} *{cell(reduction.cites)}.*"
    yield ""


def _records(name: str) -> Iterator[str]:
    known = [instance for instance in instances.all() if instance.record.stated.get("problem", {}).get("name") == name]
    yield "## Records in the library\n"
    if not known:
        yield "None yet."
        return
    solved = sum(instance.is_solved for instance in known)
    yield f"{len(known)} instances, {solved} of them solved with a proof. [Records](../records.md) has each.\n"
    yield "| family | instances | solved | largest optimum that is proved |\n|---|---|---|---|"
    for family, members in Counter(instance.family for instance in known).items():
        proved = [one for one in known if one.family == family and one.is_solved]
        best = max((one for one in proved), key=lambda one: one.best or 0, default=None)
        largest = f"{exact_text(best.best or 0)} ({best.name})" if best else ""
        yield f"| {family} | {members} | {len(proved)} | {largest} |"
