"""What a tuned number is worth: `python -m benchmarks.tuned releases.widening.TRIES 1 3 8 --questions 'cells *-30162 l=2' --limits 2`.

A number of `sifting` is named as its file is, or from `anoptima` on, with a field behind it where it is an object of several
(`bound.rule_pricing.RULED.fewest`). Every question of `benchmarks.auto` that fits a pattern is asked with every value of it, by turns,
`--runs` times each, and medians are printed. Loops that are compiled have their numbers built in: those are refused.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from statistics import median
from types import ModuleType
from typing import Any

import anoptima as ao
from benchmarks.auto import Result, ask, counted
from benchmarks.auto_questions import questions_like
from benchmarks.measure import print_table

ENGINE = "anoptima.solvers.exact.sifting"
"""Where numbers are looked for whose names do not begin with `anoptima`."""
COMPILED = f"{ENGINE}.kernels."
"""Where loops are, which keep the numbers they were compiled with."""


def place_of(written: str) -> tuple[ModuleType, str, str | None]:
    """Return the module of a number, its name there, and the field of it that is meant, if it is one.

    >>> module, name, field = place_of("bound.rule_pricing.RULED.fewest")
    >>> module.__name__, name, field
    ('anoptima.solvers.exact.sifting.bound.rule_pricing', 'RULED', 'fewest')
    """
    parts = (written if written.startswith("anoptima.") else f"{ENGINE}.{written}").split(".")
    for end in (len(parts) - 1, len(parts) - 2):
        try:
            module = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        if not isinstance(getattr(module, parts[end], module), ModuleType):
            return module, parts[end], ".".join(parts[end + 1 :]) or None
    raise SystemExit(f"there is no number {written}: name it as in releases.widening.TRIES")


@cache
def _load_all() -> None:
    """Load every module of the engine, so that all that have a number are known."""
    for found in walk_packages(import_module(ENGINE).__path__, f"{ENGINE}."):
        import_module(found.name)


@contextmanager
def tuned(written: str, value: object) -> Iterator[None]:
    """Have a number be another one, in every module that has it.

    >>> from anoptima.solvers.exact.sifting.releases import widening
    >>> with tuned("releases.widening.TRIES", 8):
    ...     print(widening.TRIES)
    8
    >>> widening.TRIES
    3
    """
    module, name, field = place_of(written)
    before = getattr(module, name)
    _load_all()
    holders = [
        one
        for key, one in list(sys.modules.items())
        if key.startswith("anoptima.") and name in vars(one) and vars(one)[name] is before
    ]
    if any(one.__name__.startswith(COMPILED) for one in holders):
        raise SystemExit(f"{written} is compiled into loops, and cannot be changed in a run")
    after: Any = value
    if field is not None:
        if not is_dataclass(before) or isinstance(before, type):
            raise SystemExit(f"{name} has no fields: it is {before!r}")
        after = replace(before, **{field: value})
    for one in holders:
        setattr(one, name, after)
    try:
        yield
    finally:
        for one in holders:
            setattr(one, name, before)


def value_of(text: str) -> object:
    """Return a value as Python writes it."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        raise SystemExit(f"{text!r} is no value: write it as in 3, 0.5 or '(1.0, 3.0)'") from None


def row_of(question: str, limit: float, value: object, runs: list[Result]) -> list[str]:
    """Return a line: the medians of some runs with one value."""
    found = counted(runs)
    spent = median(one.seconds for one in runs)
    return [question, f"{limit:g}", str(value), found.cost or found.reason, found.bound or "", f"{spent:.2f}"]


def main() -> int:
    """Ask, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="the number: releases.widening.TRIES")
    parser.add_argument("values", nargs="+", help="what it is to be, as Python writes it")
    parser.add_argument("--questions", required=True, help="patterns of questions of benchmarks.auto, by commas")
    parser.add_argument("--limits", default="2", help="seconds, separated by commas (default: 2)")
    parser.add_argument("--solver", default="auto", help="who is asked (default: auto)")
    parser.add_argument("--runs", type=int, default=3, help="how often each is asked (default: 3)")
    options = parser.parse_args()
    values = [value_of(text) for text in options.values]
    chosen = questions_like(options.questions)
    if not chosen:
        raise SystemExit(f"no question fits {options.questions}: python -m benchmarks.auto --list prints all")
    place_of(options.name)
    rows = []
    for question in chosen:
        ao.solve(question.make(), options.solver, time_limit=1)  # what is loaded and compiled once
        for limit in map(float, options.limits.split(",")):
            runs: dict[int, list[Result]] = defaultdict(list)
            for _ in range(options.runs):
                for number, value in enumerate(values):
                    with tuned(options.name, value):
                        runs[number].append(ask(question, options.solver, limit))
                    print(
                        f"{question.name}, {limit:g} s, {value}: {runs[number][-1].cost}", file=sys.stderr, flush=True
                    )
            rows += [row_of(question.name, limit, value, runs[number]) for number, value in enumerate(values)]
    print_table(["question", "limit, s", options.name, "cost", "bound", "seconds"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
