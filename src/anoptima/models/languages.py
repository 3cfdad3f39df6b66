"""The languages that models are written in: Pyomo (`pyo`) and CP-SAT (`cp_model`), imported when a model is first built.

Pyomo takes a second to import. A model says what it is for and how large it would be without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from anoptima.packages import Later

__all__ = ["cp_model", "expressions", "weighted_sum", "pyo", "repn"]

if TYPE_CHECKING:
    import pyomo.core.expr.numeric_expr as expressions
    import pyomo.environ as pyo
    import pyomo.repn as repn
    from ortools.sat.python import cp_model
else:
    expressions = Later("pyomo.core.expr.numeric_expr")
    pyo = Later("pyomo.environ")
    repn = Later("pyomo.repn")
    cp_model = Later("ortools.sat.python.cp_model")


def weighted_sum(coefficients: Iterable[Any], variables: Iterable[Any]) -> Any:
    """Return the sum of coefficients times variables as Pyomo keeps it fastest: as two lists."""
    return expressions.LinearExpression(constant=0, linear_coefs=list(coefficients), linear_vars=list(variables))
