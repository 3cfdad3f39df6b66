"""`hunt`: search for the questions on which a solver, a formulation or a principle looks worst."""

from __future__ import annotations

from dataclasses import replace

from anoptima.arguments import checked
from anoptima.experiments.hunting.archive import HuntArchive
from anoptima.experiments.hunting.asked import Asked, kind_for
from anoptima.experiments.hunting.engine import Hunt, HuntLimits, OnStanding
from anoptima.experiments.hunting.quarry import Quarry, WorstRatio
from anoptima.experiments.hunting.sizes import HuntSizes
from anoptima.instances.numbered import QUESTIONS
from anoptima.principles import KAnonymity, Principle

SENSITIVE_VALUES = 3
"""Different sensitive values of a principle that needs some, unless the sizes say how many."""

K = KAnonymity(2)
"""The principle that is asked unless another is given."""

STEPS = HuntLimits(steps=2000)


@checked
def hunt(
    quarry: str | Quarry,
    principle: Principle | None = None,
    *,
    problem: str | None = None,
    sizes: HuntSizes = HuntSizes(),  # noqa: B008 (frozen)
    limits: HuntLimits = STEPS,
    archive: HuntArchive | None = None,
    on_standing: OnStanding | None = None,
) -> HuntArchive:
    """Look for small questions on which something is worst; by default, an approximation's cost over the optimum.

    All tables up to symmetry are scored while a size has few enough, for half of the limit at most. Then the worst found so far are
    changed: a cell, a doubled row, planted structure, a column more or less, another order, two of them joined. An archive keeps
    the worst of each sort of table, not the worst alone, and the worst five are made smaller as long as they stay as bad. Every cost has
    passed the problem's checker, optima are exact, and ratios are fractions. Ties are broken as the solver breaks them on the table in
    the order it is in; `HuntLimits(orders=...)` has each table tried in several orders of its rows, columns and values.

    Parameters
    ----------
    quarry
        The name of an approximation, or a `Quarry`: `WorstRatio`, `LpGap`, `Disagreement`, `LongestRun`, `DearestPrinciple`, or your own.
    principle
        What is asked; 2-anonymity unless given.
    problem
        The kind of problem; the first that the approximation is for unless given, and cell suppression for other quarries.
    sizes, limits
        How large the tables may be, and how long the search may take. The same seed and number of steps find the same tables.
    archive
        The archive of an earlier hunt for the same: this one continues from it, after scoring its champions again.
    on_standing
        Called after every step with how far the hunt is.

    Returns
    -------
    HuntArchive
        `worst` is the smallest of the worst, `champions` are all, `frame()` is a table of them, and `save` keeps them. Ctrl-C ends the hunt
        early, with what was found by then.

    Examples
    --------
    >>> import anoptima as ao
    >>> found = ao.hunt("clustering", sizes=ao.HuntSizes(rows=4, columns=1), limits=ao.HuntLimits(steps=30))
    >>> str(found.worst.score), found.worst.subject.rows
    ('2 (4 / 2)', ((0,), (1,), (1,), (1,)))
    """
    chosen = WorstRatio(quarry) if isinstance(quarry, str) else quarry
    asked = archive.asked if archive is not None and principle is None else asked_of(chosen, principle, problem)
    if archive is None:
        archive = HuntArchive(chosen.name, chosen.seeks, asked)
    return Hunt(chosen, archive, fitted(sizes, asked), limits, on_standing or (lambda standing: None)).run()


def asked_of(quarry: Quarry, principle: Principle | None, problem: str | None) -> Asked:
    """Return what a hunt asks: 2-anonymity, and the first kind of problem that its quarry is for, unless others are given."""
    principle = K if principle is None else principle
    kinds = list(QUESTIONS) if problem is None else [problem]
    if isinstance(quarry, WorstRatio) and problem in (None, *QUESTIONS):
        problem = kind_for(quarry.solver, principle, kinds)
    return quarry.asked(Asked(problem or "cell-suppression", principle))


def fitted(sizes: HuntSizes, asked: Asked) -> HuntSizes:
    """Return sizes with what the principle needs: sensitive values, and rows for one group.

    >>> fitted(HuntSizes(), Asked("cell-suppression", KAnonymity(3))).least_rows
    3
    """
    values = 0 if not asked.needs_values else sizes.sensitive or SENSITIVE_VALUES
    parts = () if asked.principle is None else asked.principle.parts
    least = max((part.k for part in parts if isinstance(part, KAnonymity)), default=1)
    if asked.by_points:
        least = 1
    return replace(sizes, sensitive=values, least_rows=max(sizes.least_rows, least))
