"""The languages that models are written in: Pyomo (`pyo`) and CP-SAT (`cp_model`), imported when a model is first built.

Pyomo takes a second to import. A model says what it is for and how large it would be without it.
"""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from anoptima.errors import OutOfTime
from anoptima.packages import Later

__all__ = ["cp_model", "expressions", "weighted_sum", "pyo", "repn", "time_is_no_error"]

_LOGGERS = ("pyomo.core", "pyomo.common.numeric_types")
"""Those of Pyomo's loggers that tell of errors in a rule."""
_LOGGING = threading.RLock()
"""Held while what Pyomo logs is listened to: its log belongs to the process."""

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


@contextmanager
def time_is_no_error() -> Iterator[None]:
    """Let Pyomo log what goes wrong in a rule, as it does, but not that a rule was cut short."""
    from pyomo.common.log import LoggingIntercept

    said = {logger: io.StringIO() for logger in _LOGGERS}
    cut_short = False
    try:
        with _LOGGING, ExitStack() as stack:
            for logger, words in said.items():
                stack.enter_context(LoggingIntercept(words, logger, logging.ERROR))
            yield
    except (OutOfTime, KeyboardInterrupt, GeneratorExit):
        cut_short = True
        raise
    finally:
        for logger, words in said.items():
            if words.getvalue() and not cut_short:
                logging.getLogger(logger).error(words.getvalue().rstrip())
