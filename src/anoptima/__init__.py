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
from anoptima.problems.fake_boxes import AddedBoxes, FakeBoxes
from anoptima.problems.fake_points import AddedPoints, FakePoints, Regime
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns
from anoptima.solvers.solving import get_model, get_solver, solve, solvers_for
from anoptima.spaces import EqualDistance, Explicit, Hierarchical, Numeric, Ordered, Space
from anoptima.table import Table

__version__ = "0.1.0"

__all__ = [
    "AddedBoxes",
    "AddedPoints",
    "AnoptimaError",
    "Answer",
    "AttributeSuppression",
    "BadInput",
    "Bound",
    "Budget",
    "CellSuppression",
    "Claim",
    "DroppedColumns",
    "EqualDistance",
    "Explicit",
    "FakeBoxes",
    "FakePoints",
    "FalseClaim",
    "Hierarchical",
    "IdentifyingColumns",
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
    "QuasiIdentifier",
    "Regime",
    "SolverFailure",
    "Space",
    "Stop",
    "TCloseness",
    "Table",
    "WitnessColumns",
    "check",
    "compare",
    "get_model",
    "get_solver",
    "solve",
    "solvers_for",
    "ten_rows",
]
