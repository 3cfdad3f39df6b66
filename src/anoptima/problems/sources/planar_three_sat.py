"""Planar 3-SAT: an assignment of truth values that leaves the fewest clauses unsatisfied, in formulas with a planar incidence graph.

The incidence graph has a vertex a variable, a vertex a clause, and an edge where a variable occurs in a clause. Deciding
satisfiability stays NP-complete (Lichtenstein 1982), also if the formula is given with a *rectilinear embedding*: variables on a line,
each clause a comb above or below it, no two crossing (Knuth and Raghunathan 1992). Alvarez, Chambers and Kozma (Theorem 1) start from
it. As a minimisation: cost = unsatisfied clauses, so the formula is satisfiable exactly if the least cost is 0.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer
from anoptima.limits import shown
from anoptima.packages import nx
from anoptima.problems.base import orderly
from anoptima.problems.sources.names import counted, listed, members_of, said
from anoptima.problems.sources.source_problem import SourceProblem

Clause = tuple[int, ...]

_MOST_LOOKED_AT = 150
"""Literals of the largest formula in which what is not planar is looked for: about a second."""


@checked
@dataclass(frozen=True, init=False)
class Formula:
    """A conjunction of clauses over variables 1 to `variables`; the literal -x is the negation of variable x, as in DIMACS files.

    >>> Formula(2, [(1, 2), (-1, 2)]).unsatisfied({1})
    [1]
    """

    variables: int
    clauses: tuple[Clause, ...]

    def __init__(self, variables: int, clauses: Iterable[Iterable[int]]) -> None:
        object.__setattr__(self, "variables", as_integer(variables, "the number of variables"))
        if self.variables < 1:
            raise BadInput(f"the number of variables is {self.variables}; it must be at least 1")
        given = enumerate(clauses, start=1)
        object.__setattr__(self, "clauses", tuple(self._clause(number, clause) for number, clause in given))

    def _clause(self, number: int, given: Iterable[Any]) -> Clause:
        literals = members_of(given, f"clause {number}")
        clause = tuple(as_integer(literal, f"a literal of clause {number}") for literal in literals)
        if not clause:
            raise BadInput(f"clause {number} is empty; a clause must have a literal")
        for literal in clause:
            if not 1 <= abs(literal) <= self.variables:
                raise BadInput(
                    f"clause {number} has the literal {literal}; literals are 1 to {self.variables} and their negatives"
                )
        return clause

    def unsatisfied(self, true: Iterable[int]) -> list[int]:
        """Return the places, from 0, of the clauses that fail when just the variables in `true` are true."""
        holding = frozenset(true)
        return [
            number
            for number, clause in enumerate(self.clauses)
            if not any((abs(literal) in holding) == (literal > 0) for literal in clause)
        ]

    def incidence(self) -> nx.Graph:  # type: ignore[type-arg]  # generic in the stubs alone
        """Return the incidence graph; its vertices are ('variable', x) and ('clause', number), numbered from 1."""
        graph: nx.Graph[tuple[str, int]] = nx.Graph()
        graph.add_nodes_from(("variable", variable) for variable in range(1, self.variables + 1))
        for number, clause in enumerate(self.clauses, start=1):
            graph.add_edges_from((("clause", number), ("variable", abs(literal))) for literal in clause)
        return graph

    def why_not_planar(self) -> str | None:
        """Name variables and clauses that hold a Kuratowski subgraph; None if the incidence graph is planar. O(n + m) if it is.

        Finding the subgraph takes a test an edge, so in large formulas it is not looked for.
        """
        graph = self.incidence()
        if nx.check_planarity(graph)[0]:
            return None
        if graph.number_of_edges() > _MOST_LOOKED_AT:
            return "the incidence graph is not planar"
        _, crossing = nx.check_planarity(graph, counterexample=True)
        parts = {
            kind: sorted(number for sort, number in crossing.nodes if sort == kind) for kind in ("variable", "clause")
        }
        return (
            f"the incidence graph is not planar: that of clauses {listed(parts['clause'])} "
            f"with variables {listed(parts['variable'])} is not"
        )


@checked
@dataclass(frozen=True)
class RectilinearEmbedding:
    """Variables on a line, clauses as combs above or below it.

    Parameters
    ----------
    order
        The variables from left to right.
    above
        For each clause whether its comb is above the line; below it otherwise.
    """

    order: tuple[int, ...]
    above: tuple[bool, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", members_of(self.order, "the order of the variables"))
        object.__setattr__(self, "above", members_of(self.above, "the list of sides"))

    def why_not(self, formula: Formula) -> str | None:
        """Say why this is no rectilinear embedding of `formula`; None if it is one. O(L log L) for L literals."""
        if sorted(self.order, key=repr) != sorted(range(1, formula.variables + 1), key=repr):
            return f"its order is {shown(self.order)}; it must name each of the variables 1 to {formula.variables} once"
        if len(self.above) != len(formula.clauses) or any(not isinstance(side, bool) for side in self.above):
            return (
                f"its sides are {shown(self.above)}; there must be True or False for each of "
                f"{counted(len(formula.clauses), 'clause')}"
            )
        for above in (True, False):
            crossing = self._crossing(formula, above)
            if crossing is not None:
                first, second = sorted(crossing)
                return f"clauses {first + 1} and {second + 1} cross {'above' if above else 'below'} the line"
        return None

    def legs(self, formula: Formula, above: bool) -> list[tuple[int, int]]:
        """Return the legs of one side's combs from left to right, each as variable and clause (a place, from 0).

        At one variable the combs that end there come first, the inner ones leftmost; then those of one leg; then the one that passes;
        then those that begin there, the outer ones leftmost. No other order can do if this one does not: a comb that begins left of
        one that ends crosses it, and so do two that are nested the other way round.
        """
        position = {variable: place for place, variable in enumerate(self.order)}
        legs: list[tuple[tuple[int, ...], tuple[int, int]]] = []
        for number, clause in enumerate(formula.clauses):
            if self.above[number] != above:
                continue
            places = sorted(position[abs(literal)] for literal in clause)
            for leg, place in enumerate(places):
                # A comb of two legs can only be around one of three that spans the same variables, so it counts as the outer one.
                if len(places) == 1:
                    rank: tuple[int, ...] = (1,)
                elif leg == len(places) - 1:
                    rank = (0, -places[0], -len(places), -number)
                elif leg == 0:
                    rank = (3, -places[-1], len(places), number)
                else:
                    rank = (2,)
                legs.append(((place, *rank), (self.order[place], number)))
        return [leg for _, leg in sorted(legs)]

    def levels(self, formula: Formula) -> tuple[int, ...]:
        """Return each clause's nesting level: 0 if its comb is around no other, else one more than the highest that it is around."""
        found = [0] * len(formula.clauses)
        for above in (True, False):
            for number, around in self._nested(formula, above):
                if around is not None:
                    found[around] = max(found[around], found[number] + 1)
        return tuple(found)

    def _crossing(self, formula: Formula, above: bool) -> tuple[int, int] | None:
        """Return two combs that cross, if any do."""
        try:
            for _ in self._nested(formula, above):
                pass
        except _Crossing as crossing:
            return crossing.combs
        return None

    def _nested(self, formula: Formula, above: bool) -> Iterator[tuple[int, int | None]]:
        """Yield combs with the one right around each, inner ones first: where none cross, legs open and close like brackets."""
        legs = self.legs(formula, above)
        left = Counter(number for _, number in legs)
        begun: list[int] = []
        seen: set[int] = set()
        for _, number in legs:
            if number not in seen:
                seen.add(number)
                begun.append(number)
            elif begun[-1] != number:
                raise _Crossing((begun[-1], number))
            left[number] -= 1
            if not left[number]:
                begun.pop()
                yield number, begun[-1] if begun else None


class _Crossing(Exception):
    """Two combs cross."""

    def __init__(self, combs: tuple[int, int]) -> None:
        super().__init__(combs)
        self.combs = combs


@checked
@orderly
@dataclass(frozen=True)
class TruthAssignment:
    """The variables that are true; the others are false."""

    true: frozenset[int]

    @classmethod
    def of(cls, true: Iterable[int]) -> TruthAssignment:
        """Make one from any listing.

        >>> TruthAssignment.of([1, 3]).true == {1, 3}
        True
        """
        return cls(frozenset(true))


@checked
@dataclass(frozen=True)
class PlanarThreeSat(SourceProblem[TruthAssignment]):
    """Fewest unsatisfied clauses of a planar formula with at most three literals a clause; 0 exactly if it is satisfiable.

    Parameters
    ----------
    formula
        Clauses of one to three literals of different variables.
    embedding
        A rectilinear embedding, where one is known: what the construction of boxes is laid out by.

    Examples
    --------
    >>> problem = PlanarThreeSat(Formula(2, [(1, 2), (1, -2), (-1, 2), (-1, -2)]))
    >>> problem.cost(TruthAssignment.of([1])), problem.lower_bound()
    (1, 1)
    """

    name = "planar-3-sat"
    unit = "unsatisfied clauses"

    formula: Formula
    embedding: RectilinearEmbedding | None = None

    def __post_init__(self) -> None:
        for number, clause in enumerate(self.formula.clauses, start=1):
            if len(clause) > 3:
                raise BadInput(f"clause {number} is {clause} and has {len(clause)} literals; it may have at most 3")
            if len({abs(literal) for literal in clause}) < len(clause):
                raise BadInput(f"clause {number} is {clause}; its literals must be of different variables")
        reason = self.formula.why_not_planar()
        if reason is not None:
            raise BadInput(reason)
        reason = self.embedding.why_not(self.formula) if self.embedding is not None else None
        if reason is not None:
            raise BadInput(f"the embedding is none of this formula: {reason}")

    def violations(self, solution: TruthAssignment) -> list[str]:
        """Name what is no variable; every assignment is a solution."""
        variables = range(1, self.formula.variables + 1)
        unknown = sorted((name for name in solution.true if name not in variables), key=repr)
        return said(
            (f"{name!r} is no variable; the variables are 1 to {self.formula.variables}" for name in unknown),
            "are no variables",
        )

    def cost(self, solution: TruthAssignment) -> Exact:
        """Count the unsatisfied clauses."""
        return len(self.formula.unsatisfied(solution.true))

    def trivial(self) -> TruthAssignment:
        """Let every variable be false."""
        return TruthAssignment(frozenset())

    def lower_bound(self) -> Exact:
        """Count, for each set of variables, how often all signs occur: any assignment fails one clause of each such block. O(m).

        A clause has one set of variables, so the blocks have no clause in common.
        """
        return sum(self._blocks.values())

    @cached_property
    def _blocks(self) -> Mapping[frozenset[int], int]:
        times = Counter(frozenset(clause) for clause in self.formula.clauses)
        blocks = {}
        for variables in {frozenset(map(abs, literals)) for literals in times}:
            signs = itertools.product(*((variable, -variable) for variable in variables))
            blocks[variables] = min(times[frozenset(literals)] for literals in signs)
        return blocks

    def solutions(self) -> Iterator[TruthAssignment]:
        """Yield every assignment: 2^n."""
        variables = range(1, self.formula.variables + 1)
        for number in range(len(variables) + 1):
            for true in itertools.combinations(variables, number):
                yield TruthAssignment(frozenset(true))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield formulas that are satisfiable and others, with clauses of one to three literals, and one with an embedding."""
        yield cls(Formula(2, [(1, 2), (1, -2), (-1, 2), (-1, -2)]))
        yield cls(Formula(3, [(1, 2, 3), (-1, -2), (-3,), (-2, 3)]))
        yield cls(Formula(3, [(1, 2, -3), (3,), (-1,), (-2,), (2, 3)]))
        yield cls(Formula(2, [(1, -2), (2,)]), RectilinearEmbedding((2, 1), (True, False)))

    def size(self) -> Mapping[str, int]:
        """Return variables, clauses and literals."""
        clauses = self.formula.clauses
        return {"variables": self.formula.variables, "clauses": len(clauses), "literals": sum(map(len, clauses))}
