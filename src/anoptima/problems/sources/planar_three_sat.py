"""Planar 3-SAT: an assignment of truth values that leaves the fewest clauses unsatisfied, in formulas with a planar incidence graph.

The incidence graph has a vertex a variable, a vertex a clause, and an edge where a variable occurs in a clause. Deciding
satisfiability stays NP-complete (Lichtenstein 1982), also if the formula is given with a *rectilinear embedding*: variables on a line,
each clause a comb above or below it, no two crossing (Knuth and Raghunathan 1992). Alvarez, Chambers and Kozma (Theorem 1) start from
it. As a minimisation: cost = unsatisfied clauses, so the formula is satisfiable exactly if the least cost is 0.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.limits import said, shown
from anoptima.problems.base import every_subset, orderly, problem_kinds
from anoptima.problems.sources.formats.blame import blamed
from anoptima.problems.sources.formats.formulas import formula_from_dimacs, formula_from_json
from anoptima.problems.sources.formats.json_objects import json_object, list_at
from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
from anoptima.problems.sources.source_problem import ReadableProblem


@checked
@orderly
@dataclass(frozen=True)
class TruthAssignment:
    """The variables that are true; the others are false.

    >>> import anoptima as ao
    >>> problem = ao.PlanarThreeSat(ao.Formula(2, [(1, 2), (-1,), (2,)]))
    >>> ao.solve(problem).solution.true == {2}
    True
    """

    true: frozenset[int]

    @classmethod
    def of(cls, true: Iterable[int]) -> TruthAssignment:
        """Make one from any listing.

        >>> TruthAssignment.of([1, 3]).true == {1, 3}
        True
        """
        return cls(frozenset(true))


@problem_kinds.register
@checked
@dataclass(frozen=True)
class PlanarThreeSat(ReadableProblem[TruthAssignment]):
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
        return (TruthAssignment(frozenset(true)) for true in every_subset(range(1, self.formula.variables + 1)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> PlanarThreeSat:
        """Read a formula: JSON, perhaps with its embedding, by the suffix `.json`, DIMACS otherwise."""
        text, where = read_utf8(path), str(path)
        if Path(path).suffix.lower() == ".json":
            return cls.from_text(text, where)
        formula = formula_from_dimacs(text, where)
        return blamed(where, lambda: PlanarThreeSat(formula))

    @classmethod
    def from_text(cls, text: str, where: str = "the formula") -> PlanarThreeSat:
        """Read a JSON document with a formula and, if it is there, `"embedding": {"order": [...], "above": [...]}`."""
        formula = formula_from_json(text, where)
        given = json_object(text, where, "variables", "clauses", also=("embedding",)).get("embedding")

        def make() -> PlanarThreeSat:
            if given is None:
                return PlanarThreeSat(formula)
            if not isinstance(given, Mapping) or given.keys() != {"order", "above"}:
                raise BadInput(f"the embedding is {shown(given)}; it must be an object with 'order' and 'above'")
            return PlanarThreeSat(
                formula, RectilinearEmbedding(tuple(list_at(given, "order")), tuple(list_at(given, "above")))
            )

        return blamed(where, make)

    def as_json(self) -> dict[str, Any]:
        """Return the formula, and the embedding where there is one, as plain data."""
        plain = self.formula.as_json()
        if self.embedding is not None:
            plain["embedding"] = {"order": self.embedding.order, "above": self.embedding.above}
        return plain

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
