"""Tiny instances of the grouping problems, and their true optima by trying everything. Nothing of the package decides anything here.

Instances are drawn from any source of choices: Hypothesis, which shrinks towards the first option of each, or a seeded generator.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.problems.base import Problem
from anoptima.solvers.modelled import Modelled
from tests.cases import Choose
from tests.turns import in_turn

T = TypeVar("T")
Group = tuple[int, ...]


# ---- tables -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """A table as plain data."""

    cells: list[tuple[int, ...]]
    ill: list[int]
    prices: list[Fraction]

    def table(self) -> ao.Table:
        names = [f"q{j}" for j in range(len(self.prices))]
        frame = pd.DataFrame(self.cells, columns=names).assign(ill=self.ill)
        return ao.Table.from_frame(frame, names, "ill", weights=dict(zip(names, self.prices, strict=True)))

    def distance(self, i: int, j: int) -> Fraction:
        pairs = zip(self.cells[i], self.cells[j], self.prices, strict=True)
        return sum((price for a, b, price in pairs if a != b), Fraction(0))

    def diameter(self, group: Group) -> Fraction:
        return max((self.distance(i, j) for i in group for j in group), default=Fraction(0))

    def stars(self, group: Group) -> Fraction:
        columns = zip(zip(*(self.cells[i] for i in group), strict=True), self.prices, strict=True)
        return len(group) * sum((price for column, price in columns if len(set(column)) > 1), Fraction(0))


def draw_rows(choose: Choose, most_rows: int = 7) -> Rows:
    n, m = choose(range(1, most_rows + 1)), choose((1, 2, 3, 4))
    letters = choose(((0, 1), (0, 1, 2), (0, 1, 2, 3)))
    weights = (Fraction(1),) if choose((True, False)) else (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(5, 3))
    return Rows(
        [tuple(choose(letters) for _ in range(m)) for _ in range(n)],
        [choose((0, 1, 2, 3)) for _ in range(n)],
        [choose(weights) for _ in range(m)],
    )


def least_total(n: int, price: Callable[[Group], Fraction | None]) -> Fraction | None:
    """Return the least total price of a partition of n rows; None stands for a group that may not be, or no partition.

    f(U) = min over A in U with the lowest row of U, of price(A) + f(U - A): 3^n steps.
    """
    everything = (1 << n) - 1
    prices = [price(tuple(i for i in range(n) if mask >> i & 1)) if mask else None for mask in range(everything + 1)]
    least: list[Fraction | None] = [Fraction(0)] + [None] * everything
    for mask in range(1, everything + 1):
        part = others = mask & (mask - 1)
        while True:
            group = part | (mask ^ others)
            first, rest, now = prices[group], least[mask ^ group], least[mask]
            if first is not None and rest is not None and (now is None or first + rest < now):
                least[mask] = first + rest
            if not part:
                break
            part = (part - 1) & others
    return least[everything]


# ---- the problems, each with its optimum --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """A problem, how to find its true optimum (None if it has no solution), and what it was made of, for a message."""

    problem: Problem[Any]
    find: Callable[[], Fraction | None]
    told: str

    @cached_property
    def optimum(self) -> Fraction | None:
        return self.find()

    def partition(self, choose: Choose) -> ao.Partition:
        """Return a feasible partition, any one; the trivial one if some tries find none. The problem must have one."""
        rows = self.problem.size()["rows"]
        for _ in range(20):
            partition = ao.Partition.from_labels(np.array([choose(range(rows)) for _ in range(rows)]))
            if self.problem.is_feasible(partition):
                return partition
        trivial: ao.Partition = self.problem.trivial()
        return trivial


def anonymity(choose: Choose) -> Instance:
    """Cell suppression under k-anonymity."""
    rows, k = draw_rows(choose), choose((2, 3, 1, 4))
    return Instance(
        ao.CellSuppression(rows.table(), ao.KAnonymity(k)),
        lambda: least_total(len(rows.cells), lambda group: rows.stars(group) if len(group) >= k else None),
        f"k = {k}, {rows}",
    )


def diversity(choose: Choose) -> Instance:
    """Cell suppression under frequency l-diversity, l whole."""
    rows, l = draw_rows(choose), choose((2, 3, 1))  # noqa: E741

    def price(group: Group) -> Fraction | None:
        most = max(Counter(rows.ill[i] for i in group).values())
        return rows.stars(group) if l * most <= len(group) else None

    return Instance(
        ao.CellSuppression(rows.table(), ao.LDiversity(l)),
        lambda: least_total(len(rows.cells), price),
        f"l = {l}, {rows}",
    )


def closeness(choose: Choose) -> Instance:
    """Cell suppression under t-closeness in a space that is a tree, the distances worked out from its definition."""
    rows = draw_rows(choose, 6)
    t = Fraction(choose(range(9)), choose((8, 9)))
    space, distance = choose(
        (
            (ao.EqualDistance(), lambda a, b: Fraction(a != b)),
            (ao.Ordered([2, 0, 3, 1, 7]), lambda a, b: Fraction(abs((1, 3, 0, 2)[a] - (1, 3, 0, 2)[b]), 4)),
            (ao.Hierarchical([[[0, 1], [2]], [[3]]]), lambda a, b: _three_levels(a, b)),
        )
    )
    whole = [Fraction(rows.ill.count(v), len(rows.ill)) for v in range(4)]

    @cache
    def prices() -> list[list[Fraction]]:
        return best_prices(distance)

    def price(group: Group) -> Fraction | None:
        counts = Counter(rows.ill[i] for i in group)
        p = [Fraction(counts[v], len(group)) for v in range(4)]
        return rows.stars(group) if mover(p, whole, prices()) <= t else None

    return Instance(
        ao.CellSuppression(rows.table(), ao.TCloseness(t, space=space)),
        lambda: least_total(len(rows.cells), price),
        f"t = {t}, {space}, {rows}",
    )


def _three_levels(a: int, b: int) -> Fraction:
    paths = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0))
    common = next((level for level in range(3) if paths[a][level] != paths[b][level]), 3)
    return Fraction(3 - common, 3)


def best_prices(distance: Callable[[int, int], Fraction]) -> list[list[Fraction]]:
    """Return prices of the values 0 to 3 that differ by the distance at most, a best one for any two distributions among them.

    The corners of what is allowed are sums of distances, up or down, along a tree that joins the values: all trees are tried.
    """
    found = []
    for parents in itertools.product(range(4), repeat=4):
        for signs in itertools.product((1, -1), repeat=4):
            price = _prices(parents, signs, distance)
            if price is not None and all(price[a] - price[b] <= distance(a, b) for a in range(4) for b in range(4)):
                found.append(price)
    return [list(price) for price in dict.fromkeys(map(tuple, found))]


def mover(p: Sequence[Fraction], q: Sequence[Fraction], prices: list[list[Fraction]]) -> Fraction:
    """Return the earth mover's distance as its dual: the largest gain from p to q in prices that differ by the distance at most."""
    return max(sum(((p[v] - q[v]) * price[v] for v in range(4)), Fraction(0)) for price in prices)


def _prices(
    parents: Sequence[int], signs: Sequence[int], distance: Callable[[int, int], Fraction]
) -> list[Fraction] | None:
    if parents[0] != 0:
        return None
    price: list[Fraction | None] = [Fraction(0), None, None, None]
    for _ in range(3):
        for v in range(1, 4):
            above = price[parents[v]]
            if price[v] is None and above is not None:
                price[v] = above + signs[v] * distance(v, parents[v])
    return None if any(p is None for p in price) else [p for p in price if p is not None]


def diameter(choose: Choose) -> Instance:
    """The k-minimum diameter sum."""
    rows, k = draw_rows(choose), choose((2, 3, 1, 4))

    def price(group: Group) -> Fraction | None:
        return rows.diameter(group) if k <= len(group) <= 2 * k - 1 else None

    return Instance(ao.DiameterSum(rows.table(), k), lambda: least_total(len(rows.cells), price), f"k = {k}, {rows}")


def publication(choose: Choose) -> Instance:
    """Cell suppression with given patterns."""
    rows, k = draw_rows(choose, 6), choose((1, 2, 3))
    m = len(rows.prices)
    patterns: list[tuple[Any, ...]] = [("*",) * m] if choose((True, False, True)) else []
    for _ in range(choose((1, 2, 3))):
        row = choose(rows.cells)
        pattern = tuple(choose((value, "*")) for value in row)
        if pattern not in patterns:
            patterns.append(pattern)
    best: Fraction | None = None
    able = [
        [p for p, pattern in enumerate(patterns) if all(a in ("*", b) for a, b in zip(pattern, row, strict=True))]
        for row in rows.cells
    ]
    for chosen in itertools.product(*able):
        counts = Counter(chosen)
        if all(counts[p] >= k for p in range(len(patterns))):
            shown = [zip(patterns[p], rows.prices, strict=True) for p in chosen]
            cost = sum((price for image in shown for cell, price in image if cell == "*"), Fraction(0))
            best = cost if best is None else min(best, cost)
    problem = ao.GivenPatterns(rows.table(), ao.KAnonymity(k), patterns)
    return Instance(problem, lambda: best, f"k = {k}, patterns {patterns}, {rows}")


def facilities(choose: Choose) -> Instance:
    """Facility location with lower bounds."""
    sorts, places = choose((1, 2, 3)), choose((1, 2, 3, 4))
    clients = [choose((1, 2, 3)) for _ in range(sorts)]
    costs: dict[tuple[int, int], Fraction] = {}
    for f, c in itertools.product(range(places), range(sorts)):
        if choose((True, False, True)):
            costs[f, c] = choose((Fraction(1), Fraction(0), Fraction(3), Fraction(5, 2), Fraction(1, 3)))
    least = choose((2, 1, 3, 4))
    heads = [c for c, count in enumerate(clients) for _ in range(count)]
    best: Fraction | None = None
    for chosen in itertools.product(*([f for f in range(places) if (f, c) in costs] for c in heads)):
        if all(count >= least for count in Counter(chosen).values()):
            cost = sum((costs[f, c] for f, c in zip(chosen, heads, strict=True)), Fraction(0))
            best = cost if best is None else min(best, cost)
    connections = [(f, c, cost) for (f, c), cost in costs.items()]
    problem = ao.LowerBoundedFacilities(clients, connections, least)
    return Instance(problem, lambda: best, f"clients {clients}, connections {connections}, least {least}")


KINDS: dict[str, tuple[Callable[[Choose], Instance], tuple[str, ...]]] = {
    "k-anonymity": (anonymity, ("groups", "pattern-aggregated", "pattern-big-m")),
    "frequency l-diversity": (diversity, ("groups",)),
    "t-closeness on trees": (closeness, ("pattern", "pattern-flows")),
    "diameter sum": (diameter, ("diameter-assignment", "diameter-groups")),
    "given patterns": (publication, ("given-patterns", "given-patterns-seats")),
    "facilities": (facilities, ("facilities", "facilities-aggregated", "facilities-big-m", "facility-loads")),
}
"""What there is to draw, and which models are tried on it."""


# ---- judging ------------------------------------------------------------------------------------------------------------------


def judge(instance: Instance, formulations: Sequence[str], turn: int | None = None) -> Iterator[tuple[str, str]]:
    """Try formulations on every backend, or on those whose `turn` it is.

    Yield each solver's name with what is wrong, in words; empty if nothing is.
    """
    solvers = [
        solver.name
        for solver in ao.solvers_for(instance.problem, for_study=True)
        if isinstance(solver, Modelled) and solver.model.name in formulations
    ]
    for solver in solvers if turn is None else in_turn(solvers, turn):
        yield solver, _judge(instance, solver)


def _judge(instance: Instance, solver: str) -> str:
    try:
        answer = ao.solve(instance.problem, solver, start=None, threads=1)
    except ao.AnoptimaError as error:
        return f"{type(error).__name__}: {error}"
    if instance.optimum is None:
        return "" if answer.claim is ao.Claim.INFEASIBLE else f"claims {answer.claim.value}; there is no solution"
    if answer.claim is not ao.Claim.OPTIMAL or answer.cost != instance.optimum:
        return f"claims {answer.claim.value} at cost {answer.cost}; the optimum is {instance.optimum}"
    return "; ".join(answer.verify().wrong)
