"""Formulas in conjunctive form, and their rectilinear embeddings: variables on a line, clauses as combs above or below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import as_integer, counted
from anoptima.limits import shown
from anoptima.packages import nx
from anoptima.problems.sources.names import listed, members_of

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

    def as_json(self) -> dict[str, Any]:
        """Return the number of variables and the clauses as plain data."""
        return {"variables": self.variables, "clauses": self.clauses}

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

    Examples
    --------
    >>> import anoptima as ao
    >>> formula = ao.Formula(4, [(1, 3), (2, 4)])
    >>> ao.RectilinearEmbedding([1, 2, 3, 4], above=[True, True]).why_not(formula)
    'clauses 1 and 2 cross above the line'
    >>> ao.RectilinearEmbedding([1, 2, 3, 4], above=[True, False]).why_not(formula)
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
                f"{counted(len(formula.clauses), 'clauses')}"
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
