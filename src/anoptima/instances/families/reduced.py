"""Targets of the reductions, made from the smallest sources: tables that are hard by theorem."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member
from anoptima.problems.base import Problem, problem_kinds
from anoptima.reductions import reductions
from anoptima.reductions.path import NamedPath

MOST_SOURCES = 4
"""Sources of each reduction."""

TABLES = (
    "k-anonymity", "half-anonymity", "share-anonymity", "t-closeness", "attribute-suppression", "identifying-columns", "witness-columns",
)  # fmt: skip
"""Targets that are about a table."""


def _members() -> Iterator[Member]:
    for reduction in reductions.all():
        made_by_steps = reduction.composed or isinstance(reduction, NamedPath)
        if not made_by_steps and reduction.target_kind in TABLES and reduction.source_kind in problem_kinds:
            sources = problem_kinds.get(reduction.source_kind).examples()
            fit = (source for source in sources if reduction.why_not(source) is None)
            for number, source in enumerate(itertools.islice(fit, MOST_SOURCES)):
                yield (
                    f"{reduction.name}-{number}",
                    f"{reduction.cites}, source {number}",
                    partial(_target, reduction, source),
                )


def _target(reduction: Any, source: Problem[Any]) -> Problem[Any]:
    target: Problem[Any] = reduction.apply(source).target
    return target


FAMILY = add_family(
    Family("reduced", "the target of a reduction, from a small source", "made by the reduction", _members)
)
