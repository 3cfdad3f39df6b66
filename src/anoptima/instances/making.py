"""Instances made on demand: the problem's kind, the table's maker, and the arguments of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anoptima.principles import Principle
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.quasi_identifier import IdentifyingColumns
from anoptima.table import Table

Making = Callable[[], Problem[Any]]

Member = tuple[str, str, Making]
"""What a family yields: the end of the name, the knob in words, and what makes the problem."""


def cells(principle: Principle, table: Callable[..., Table], *given: Any) -> Making:
    """Return a function that makes the question for the fewest cells of `table(*given)`.

    >>> from anoptima.instances.papers import ten_rows
    >>> from anoptima.principles import KAnonymity
    >>> cells(KAnonymity(3), ten_rows)().name
    'cell-suppression'
    """
    return lambda: CellSuppression(table(*given), principle)


def columns(principle: Principle, table: Callable[..., Table], *given: Any) -> Making:
    """Return a function that makes the question for the fewest whole columns."""
    return lambda: AttributeSuppression(table(*given), principle)


def key(table: Callable[..., Table], *given: Any) -> Making:
    """Return a function that makes the question for the smallest quasi-identifier."""
    return lambda: IdentifyingColumns(table(*given))


def about(kind: Callable[[Table, int], Problem[Any]], k: int, table: Callable[..., Table], *given: Any) -> Making:
    """Return a function that makes a problem from a table and a number."""
    return lambda: kind(table(*given), k)
