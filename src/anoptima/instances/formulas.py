"""Small planar formulas with rectilinear embeddings, for the construction of fake boxes."""

from __future__ import annotations

from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat


def one_literal() -> PlanarThreeSat:
    """Return (x)."""
    return _embedded(1, [(1,)])


def contradiction(*, both_above: bool = False) -> PlanarThreeSat:
    """Return (x)(not x), one clause above and one below, or both above: one clause fails."""
    return _embedded(1, [(1,), (-1,)], [True, both_above])


def one_clause() -> PlanarThreeSat:
    """Return (x or y or z)."""
    return _embedded(3, [(1, 2, 3)])


def not_all_equal() -> PlanarThreeSat:
    """Return (x or y or z)(not x or not y or not z), one above and one below."""
    return _embedded(3, [(1, 2, 3), (-1, -2, -3)], [True, False])


def all_two_literal_clauses() -> PlanarThreeSat:
    """Return all four two-literal clauses on x and y: one fails, and without any one of them none does."""
    return _embedded(2, [(1, 2), (1, -2), (-1, 2), (-1, -2)], [True, True, False, False])


def three_units(*, last_holds: bool = True) -> PlanarThreeSat:
    """Return (x)(y)(z)(not x or not y or not z), of which one fails; or the same with (not z), of which none has to."""
    return _embedded(3, [(1,), (2,), (3 if last_holds else -3,), (-1, -2, -3)], [True, True, True, False])


def _embedded(variables: int, clauses: list[tuple[int, ...]], above: list[bool] | None = None) -> PlanarThreeSat:
    embedding = RectilinearEmbedding(tuple(range(1, variables + 1)), tuple(above or [True] * len(clauses)))
    return PlanarThreeSat(Formula(variables, clauses), embedding)
