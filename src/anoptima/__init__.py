"""anoptima: the least a table must lose to be private, stated as optimisation, solved exactly, and proved.

>>> import anoptima as ao
>>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
>>> answer.claim.name, answer.cost
('OPTIMAL', 46)
"""

from anoptima.answer import Answer, Bound, Budget, Claim, Origin, Progress, Stop
from anoptima.checking import check
from anoptima.errors import (
    AnoptimaError,
    BadInput,
    FalseClaim,
    InfeasibleProblem,
    ModelTooLarge,
    NotApplicable,
    SolverFailure,
)
from anoptima.experiments.comparison import compare
from anoptima.instances.papers import ten_rows
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.solving import get_model, get_solver, solve, solvers_for
from anoptima.spaces import EqualDistance, Explicit, Hierarchical, Numeric, Ordered, Space
from anoptima.table import Table

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "AnoptimaError",
    "AttributeSuppression",
    "BadInput",
    "Bound",
    "Budget",
    "CellSuppression",
    "Claim",
    "DroppedColumns",
    "EqualDistance",
    "Explicit",
    "FalseClaim",
    "Hierarchical",
    "InfeasibleProblem",
    "KAnonymity",
    "LDiversity",
    "ModelTooLarge",
    "NotApplicable",
    "Numeric",
    "Ordered",
    "Origin",
    "Partition",
    "Principle",
    "Progress",
    "SolverFailure",
    "Space",
    "Stop",
    "TCloseness",
    "Table",
    "check",
    "compare",
    "get_model",
    "get_solver",
    "solve",
    "solvers_for",
    "ten_rows",
]
