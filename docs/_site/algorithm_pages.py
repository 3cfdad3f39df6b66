"""What the code knows of a family of algorithms, for a page of `docs/algorithms`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docstrings import as_markdown
from problem_pages import cell, promise, takes

from anoptima.html import first_sentence
from anoptima.principles import All, Principle
from anoptima.problems.isolating_columns import every_kind
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver

KINDS = {Kind.EXACT: "An exact algorithm", Kind.APPROXIMATE: "An approximation"}

INDEX = Path(__file__).parents[1] / "algorithms" / "index.md"


def families() -> list[str]:
    """Return the pages, in the order of their index."""
    _, _, listed = INDEX.read_text(encoding="utf-8").partition("```{toctree}\n:hidden:\n")
    return listed.partition("```")[0].split()


def members(family: str) -> list[Solver[Any]]:
    """Return the algorithms of a page."""
    return [solver for solver in algorithms.all() if solver.family == family]


def sections(family: str) -> Iterator[str]:
    """Yield what follows on the page of a family: each of its algorithms, and what their modules say once."""
    said: set[str] = set()
    for solver in members(family):
        module = type(solver).__module__
        yield f"## `{solver.name}`\n\n{KINDS[solver.kind]}{_takes(solver)}.\n"
        yield as_markdown(type(solver).__doc__, examples=False) + "\n"
        if module not in said:
            yield as_markdown(importlib.import_module(module).__doc__) + "\n"
        said.add(module)


def _takes(solver: Solver[Any]) -> str:
    """Say which problems a solver is for, each with what it promises there."""
    found = {name: asked for name in every_kind() if (asked := takes(solver, name))}
    if not found:
        kinds = ", ".join(f"[{kind.name}](../problems/{kind.name}.md)" for kind in solver.problems)
        return f" for {kinds} under principles of plug-ins; it is for none of the principles here"
    words = []
    for name, asked in found.items():
        principles = sorted({_sort(problem.principle) for problem in asked if hasattr(problem, "principle")})
        under = f" under {', '.join(principles)}" if principles else ""
        words.append(f"[{name}](../problems/{name}.md){under} (guarantee: {promise(solver, asked)})")
    return " for " + "; ".join(words)


def _sort(principle: Principle) -> str:
    return "conjunctions" if principle.kind == All.kind else principle.sort.replace(", ", " with ")


def index() -> Iterator[str]:
    """Yield a table of all algorithms by family."""
    yield "| family | algorithms |\n|---|---|"
    for family in families():
        listed = "<br>".join(f"`{solver.name}`: {cell(first_sentence(solver))}" for solver in members(family))
        yield f"| [{family.replace('-', ' ')}]({family}.md) | {listed} |"
