"""Whether a reduction is sound: yes and no, both ways, on problems small enough to try everything.

For one source the target is built and held to its size; every source solution is pushed, bad solutions of the target are pulled back, and
the optimum of the source, found by trying everything, is held against the optimum of the target, found by a solver. The two share no code.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from anoptima.answer import Budget, Claim
from anoptima.exact import Exact, exact_text
from anoptima.models import models
from anoptima.models.base import Language
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.sources.patch_cover import PatchCover, Windows
from anoptima.reductions.base import Reduced, Reduction
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.modelled import Modelled
from anoptima.testing.checks import demand
from anoptima.testing.examples import examples_for, optimum
from anoptima.testing.families import families, spread

CARRIED = 25
"""How many solutions of a source are carried over."""
BAD = 10
"""How many bad solutions of a target are carried back."""
FEW = 11
"""Rows up to which every group is a variable; with more rows every pattern is, since their number does not depend on the columns."""


@dataclass
class Trial:
    """The outcome of trying a reduction: the yes-instances, the no-instances and the faults."""

    reduction: str
    instances: int = 0
    yes: int = 0
    no: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether there was no fault, on at least one yes-instance and one no-instance."""
        return not self.faults and self.yes > 0 and self.no > 0

    def has(self, least: int) -> bool:
        """Whether there were at least `least` yes-instances and `least` no-instances."""
        return min(self.yes, self.no) >= least


def small_sources(reduction: Reduction[Any, Any], most: int) -> list[Problem[Any]]:
    """Return small problems that `reduction` is for, at most the given number: the examples, and all of a family where there is one.

    Evenly spread over the family, so that small ones and large ones are among them.
    """
    examples = spread(list(examples_for(reduction)), most // 2 if reduction.source_kind in families() else most)
    return [*examples, *spread(able_family(reduction), most - len(examples))]


_able: dict[int, tuple[Reduction[Any, Any], list[Problem[Any]]]] = {}
"""What `able_family` has found, by the identity of reductions, which are kept: a plug-in's may have no hash."""


def able_family(reduction: Reduction[Any, Any]) -> list[Problem[Any]]:
    """Return the whole family of small problems that `reduction` is for; none where there is no family of its source.

    Asked once of each: `why_not` of a path builds all steps but the last.
    """
    if id(reduction) not in _able:
        family = [problem for problem in _family(reduction.source_kind) if reduction.why_not(problem) is None]
        _able[id(reduction)] = reduction, family
    return _able[id(reduction)][1]


@cache
def _family(kind: str) -> tuple[Problem[Any], ...]:
    """Return the family of a kind of problem, listed once; empty where there is none."""
    family = families().get(kind)
    return () if family is None else tuple(family())


def more_sources(reduction: Reduction[Any, Any], most: int) -> Iterator[Problem[Any]]:
    """Yield the problems of `small_sources`, then all others of the family, from the first on."""
    tried = small_sources(reduction, most)
    yield from tried
    yield from (problem for problem in able_family(reduction) if problem not in tried)


def trial(reduction: Reduction[Any, Any], most: int = 20, seed: int = 0, least: int = 0) -> Trial:
    """Try a reduction on small sources; on more of them than `most` while it had fewer than `least` yes or no-instances.

    An instance is a source with a bound: is its optimum at most that?

    >>> from anoptima.reductions import reductions
    >>> tried = trial(reductions.get("minimum-cover-to-identifying-columns"), most=5)
    >>> tried.sound, tried.instances
    (True, 5)
    """
    found = Trial(reduction.name)
    for problem in more_sources(reduction, most):
        if found.instances >= most and found.has(least):
            break
        found.instances += 1
        try:
            for answer in questions(reduction, problem, random.Random(seed)):
                found.yes += answer
                found.no += not answer
        except Exception as wrong:  # noqa: BLE001  (whatever a plug-in raises where it should not is the finding)
            found.faults.append(f"{problem!r:.300}: {type(wrong).__name__}: {wrong}")
    return found


def questions(
    reduction: Reduction[Any, Any], problem: Problem[Any], chance: random.Random, target: Exact | None = None
) -> Iterator[bool]:
    """Hold a reduction to everything it promises on one source; yield the answers to the questions that its threshold decides.

    The questions are if the source's optimum is at most 0, itself, and one less. `target` is the target's optimum, if somebody knows it.
    Raises `Broken` or one of our errors on the first promise that is broken.
    """
    reduced = reduction.apply(problem)
    least = source_optimum(problem)
    carry_forward(reduced, least)
    carry_back(reduced, chance)
    found = target_optimum(reduced.target) if target is None else target
    demand(found <= reduced.target_cost(least), f"the target's optimum is {found}, and {least} is pushed to less")
    demand(
        least <= reduced.source_cost(found), f"the target's optimum {found} is to be pulled below the optimum {least}"
    )
    demand(
        reduced.source_bound(found) <= least,
        f"{reduced.source_bound(found)} is said to be a bound, {least} the optimum",
    )
    demand(
        least or found == reduced.target_cost(0),
        f"the optimum is 0, and the target's {found} is not what that comes to",
    )
    demand(reduced.decides(0), "whether the optimum is at most 0 is not decided")
    for bound in sorted({0, least, least - 1}):
        if bound >= 0 and reduced.decides(bound):
            threshold = reduced.threshold(bound)
            demand(
                (least <= bound) == (found <= threshold),
                f"optima are {exact_text(least)} and {exact_text(found)}; they are on different sides of {exact_text(bound)} "
                f"and its threshold {exact_text(threshold)}",
            )
            yield least <= bound


def carry_forward(reduced: Reduced[Any, Any], least: Exact) -> None:
    """Push solutions of the source; `push` itself holds them to the promised cost. What comes back must be no worse than said."""
    source = reduced.source
    feasible = [solution for solution in itertools.islice(source.solutions(), 5000) if source.is_feasible(solution)]
    best = [solution for solution in feasible if source.cost(solution) == least][:3]
    for solution in [source.trivial(), *best, *spread(feasible, CARRIED)]:
        reduced.pull(reduced.push(solution))


def carry_back(reduced: Reduced[Any, Any], chance: random.Random) -> None:
    """Pull bad solutions of the target; `pull` itself holds them to the promised cost."""
    for solution in itertools.islice(bad_solutions(reduced.target, chance), BAD):
        reduced.pull(solution)
    if isinstance(reduced.target, CellSuppression):
        candidates = itertools.islice(reduced.source.solutions(), 200)
        for solution in spread([candidate for candidate in candidates if reduced.source.is_feasible(candidate)], BAD):
            pushed = reduced.push(solution)
            for spoiled in (*merges(pushed, chance), *strays(reduced.target, pushed, chance)):
                reduced.pull(spoiled)
    if isinstance(reduced.target, PatchCover):
        for solution in spread(list(itertools.islice(reduced.source.solutions(), 200)), BAD):
            pushed = reduced.push(solution)
            for _ in range(BAD):
                reduced.pull(with_a_window(reduced.target, pushed, chance))


def merges(partition: Partition, chance: random.Random) -> Iterator[Partition]:
    """Yield a partition with two of its groups made one, for up to three pairs: principles survive that, costs do not."""
    pairs = list(itertools.combinations(range(int(partition.labels.max()) + 1), 2))
    for kept, gone in chance.sample(pairs, min(3, len(pairs))):
        yield Partition.from_labels(np.where(partition.labels == gone, kept, partition.labels))


def strays(problem: CellSuppression, partition: Partition, chance: random.Random) -> Iterator[Partition]:
    """Yield a partition with one row in another group, of up to three rows, where that is feasible."""
    groups = int(partition.labels.max()) + 1
    for row in chance.sample(range(len(partition.labels)), min(3, len(partition.labels))):
        labels = partition.labels.copy()
        labels[row] = chance.randrange(groups)
        moved = Partition.from_labels(labels)
        if problem.is_feasible(moved):
            yield moved


def with_a_window(problem: PatchCover, windows: Windows, chance: random.Random) -> Windows:
    """Return a cover with one window that nobody needs."""
    return Windows(windows.corners | {chance.choice(list(problem.maximal))})


def bad_solutions(problem: Problem[Any], chance: random.Random) -> Iterator[Any]:
    """Yield feasible solutions of any quality: the trivial one, then random ones of no use."""
    yield problem.trivial()
    if isinstance(problem, CellSuppression):
        while True:
            yield random_partition(problem, chance)
    elif isinstance(problem, ColumnChoice):
        columns = list(range(len(problem.table.quasi)))
        while True:
            chance.shuffle(columns)
            enough = next(count for count in range(len(columns) + 1) if problem.suffices(columns[:count]))
            yield problem.solution_of(columns[: chance.randint(enough, len(columns))])
    else:
        candidates = (solution for solution in itertools.islice(problem.solutions(), 200))
        yield from filter(problem.is_feasible, candidates)


def random_partition(problem: CellSuppression, chance: random.Random) -> Partition:
    """Deal the rows in random order; a group that may be closed is, as often as not. What is left over joins the first group.

    On tables of more than 60 rows only about 30 groups are looked at.
    """
    rows = list(range(problem.table.rows))
    chance.shuffle(rows)
    labels, label, first = np.zeros(len(rows), dtype=np.int64), 1, 0
    often = min(0.5, 30 / len(rows))
    for end in range(1, len(rows) + 1):
        if chance.random() >= often:
            continue
        members = np.array(rows[first:end])
        within = np.full(len(rows), 1)
        within[members] = 0
        # Of the two groups that this makes, the first is the one that may be closed.
        groups = problem.table.groups(within if end - first < len(rows) else within * 0)
        if problem.principle.holds_each(groups)[0]:
            labels[members], label, first = label, label + 1, end
    partition = Partition.from_labels(labels)
    return partition if problem.is_feasible(partition) else problem.trivial()


def source_optimum(problem: Problem[Any]) -> Exact:
    """Return the optimum of a source by trying everything; a solver's only where that is too much."""
    found = optimum(problem)
    return target_optimum(problem) if found is None else found


def target_optimum(problem: Problem[Any]) -> Exact:
    """Return the optimum that a model on a backend proves, with no start to lean on."""
    able = [model for model in models.all() if model.language is Language.PYOMO and model.why_not(problem) is None]
    demand(able, f"no model is for {problem.name}, so its optimum is not known")
    few = isinstance(problem, CellSuppression) and problem.table.rows <= FEW
    favoured = ("groups",) if few else ("pattern", "attributes", "fake-grid")
    chosen = min(able, key=lambda model: (model.name not in favoured, model.name))
    answer = Modelled(chosen, get_backend("highs")).solve(problem, Budget(threads=1))
    demand(answer.claim is Claim.OPTIMAL, f"{problem.name} was not solved: {answer}")
    assert answer.cost is not None
    return answer.cost
