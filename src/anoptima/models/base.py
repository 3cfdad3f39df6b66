"""Models: problems written as programs for backends, with solutions encoded and decoded.

A `Model` says which problems it is for, how large it would be, and builds a `BuiltModel`. A built model holds the program (Pyomo
or CP-SAT), *encodes* a solution of the problem into a complete vector of values, and *decodes* a vector of values into a solution.
The objective of a built model is always `problem.cost_scale` times the cost, so that it is whole.
"""

from __future__ import annotations

import copy
import enum
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import unbroken
from anoptima.errors import AnoptimaError, ModelTooLarge, NotApplicable, SolverFailure
from anoptima.exact import simplest
from anoptima.html import first_sentence, lines, text
from anoptima.models.changes import Change, compare
from anoptima.models.cp_sat_reading import ConstraintReading, read_constraints
from anoptima.models.languages import cp_model, pyo, time_is_no_error
from anoptima.models.matrix import MatrixForm
from anoptima.models.pyomo_reading import WHOLE, Reading, read_program, refuse_rounded
from anoptima.models.relaxation import Relaxation, linear_solvers, optimum_of, proved_bound
from anoptima.origins import raised
from anoptima.packages import behind, loading, pd, set_aside
from anoptima.problems.base import Problem, why_another

S = TypeVar("S")
Values = NDArray[np.float64]
"""One number a column of the program, in the program's order."""

LARGE = 64 << 20
"""Bytes of a model from which on the collector passes over its objects. Set aside, garbage is old when it comes back, and is not looked for
again: that of thousands of small models, one after the other, would stay."""

_begun: ContextVar[list[BuiltModel[Any]] | None] = ContextVar("begun", default=None)
"""Takes the program that `Model.build` has begun to build."""


class Language(enum.Enum):
    """The language of a model; a backend declares which languages it takes."""

    PYOMO = "pyomo"
    CP_SAT = "cp-sat"


@dataclass(frozen=True, slots=True)
class ModelSize:
    """How large a model will be, known before it is built.

    `memory` is an estimate in bytes of what building and handing it over takes.
    """

    variables: int
    constraints: int
    coefficients: int
    memory: int
    detail: Mapping[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, int]:
        """Return all quantities by name."""
        return {
            "variables": self.variables,
            "constraints": self.constraints,
            "coefficients": self.coefficients,
            "memory": self.memory,
            **self.detail,
        }

    def __str__(self) -> str:
        return (
            f"{self.variables:,} variables, {self.constraints:,} constraints, {self.coefficients:,} coefficients, "
            f"{memory_text(self.memory)}"
        )


def memory_text(size: int) -> str:
    """Write a number of bytes the way a person would.

    >>> memory_text(100), memory_text(3 << 20)
    ('less than 1 MiB', 'about 3 MiB')
    """
    return f"about {size / 2**20:,.0f} MiB" if size >= 1 << 20 else "less than 1 MiB"


class BuiltModel(ABC, Generic[S]):
    """A program for one problem. Change it by any means of its language; `solve_model` solves it as changed.

    Attributes
    ----------
    problem
        The problem that the program states.
    language
        What `program` is written in.
    program
        A `pyomo.environ.ConcreteModel`, or a `ortools.sat.python.cp_model.CpModel`.
    size
        The estimate that was made before building.
    as_built
        What the program said when `Model.build` was done; None for one that was made in another way.
    whole_objective
        Whether the objective is whole at an optimum; a search may end, and a bound be rounded up, as soon as that leaves one number.
    """

    language: Language
    as_built: Reading | ConstraintReading | None = None
    whole_objective: bool = True
    _kept: Reading | ConstraintReading | None = None

    def __init__(self, problem: Problem[S], program: Any, size: ModelSize) -> None:
        self.problem = problem
        self.program = program
        self.size = size
        begun = _begun.get()
        if begun is not None:
            begun.append(self)

    def discard(self) -> None:
        """Take apart a program that is no longer needed: its objects are freed at once, and no garbage collector has to find them.

        Parts of a Pyomo program refer to themselves. The collector takes as long to find them as they took to build, cannot be
        interrupted, and may start at any moment.
        """
        if self.language is Language.PYOMO:
            parts = [*self.program.component_objects(), self.program]
            vars(self).clear()
            while parts:
                vars(parts.pop()).clear()

    def _repr_html_(self) -> str:
        return lines(f"program in {text(self.language.value)}", text(self.size), text(self.problem))

    @abstractmethod
    def encode(self, solution: S) -> Values:
        """Return the complete vector of values that stands for `solution`; its objective is at most scale times its cost."""

    @abstractmethod
    def decode(self, values: Values) -> S:
        """Return the solution that `values` stand for. Its cost times the scale never exceeds the objective at `values`."""

    def read(self, *, either_sense: bool = False) -> Reading | ConstraintReading:
        """Read the current program, or the reading that was `kept` of it. O(coefficients).

        Raises `NotApplicable` for what a program in Pyomo may say and arrays cannot, and for an objective that is maximised unless
        `either_sense` is asked for; the arrays then hold its negative.
        """
        if self._kept is not None:
            return self._kept
        if self.language is Language.CP_SAT:
            return read_constraints(self.program)
        with loading(), time_is_no_error():
            return read_program(self.program, either_sense=either_sense)

    def kept(self, reading: Reading | ConstraintReading | None = None) -> Self:
        """Return the same with what the program says now, or with `reading`, kept: later changes do not reach it."""
        fixed = copy.copy(self)
        fixed._kept = self.read() if reading is None else reading
        if isinstance(fixed._kept, ConstraintReading):
            fixed.program = fixed._kept.program
        return fixed

    @property
    def columns(self) -> int:
        """The number of columns that were built; of a program under construction, those that it has."""
        if self.as_built is not None:
            return self.as_built.columns
        return len(self.names)

    @property
    def names(self) -> list[str]:
        """The names that the program gives its columns, such as `x[3]`, in order."""
        if self._kept is not None:
            return self._kept.names
        if self.language is Language.CP_SAT:
            return [variable.name for variable in self.program.proto.variables]
        return [v.name for v in self.program.component_data_objects(pyo.Var, descend_into=True, sort=False)]

    def meaning(self, column: int) -> str:
        """Return the meaning of a column of the program as built, in words; by default, its name."""
        return said_by_name(self.names[column])

    def relaxation(self, solver: str = "highs", time_limit: float | None = None) -> Relaxation:
        """Solve the linear relaxation of the current program: proven bound, values, reduced costs and prices, with their meanings.

        Only for programs written in Pyomo; of one for CP-SAT, ask the model that is its `twin`. `solver` is `highs`, `glop` or `pdlp` (a
        first-order method for large programs), or the name of a plug-in.

        >>> import anoptima as ao
        >>> built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
        >>> relaxation = built.relaxation("highs")
        >>> relaxation.bound, relaxation.cost_bound
        (Fraction(62, 1), 62)
        >>> float(relaxation.rows["price"].max()) > 0, relaxation.columns["meaning"].iloc[0]
        (True, "rows of record 0 (9 8 7 6 5 3 8 Bachelor) published as '9 * * * * * * *'")
        """
        reading = self.read(either_sense=True)
        if not isinstance(reading, Reading):
            raise NotApplicable("a program for CP-SAT has no linear relaxation; ask the Pyomo model that is its twin")
        form = reading.form
        if (np.abs(form.objective) > WHOLE).any():
            objective = next(reading.program.component_data_objects(pyo.Objective, active=True))
            refuse_rounded(objective, objective.expr)
        chosen = linear_solvers.get(solver)
        absent = chosen.why_not_here()
        if absent is not None:
            raise NotApplicable(f"the solver of linear programs {solver} cannot be used here: {absent}")
        found = optimum_of(chosen, form, time_limit)
        bound = None if found is None else proved_bound(form, found.prices)
        comparison = compare(self.as_built, reading)
        unchanged = comparison.change is Change.NONE
        meanings = dict(zip(reading.names, map(said_by_name, reading.names), strict=True))
        if comparison.places is not None:
            # What is kept knows its names; the program would list all of them again for each column.
            kept = self.kept(reading)
            for old, place in enumerate(comparison.places.tolist()):
                meanings[reading.names[place]] = kept.meaning(old)
        values = np.full(form.columns, np.nan) if found is None else found.values
        prices = np.full(form.rows, np.nan) if found is None else found.prices
        columns = pd.DataFrame(
            {
                "meaning": list(meanings.values()),
                "value": values,
                "reduced cost": form.reduced_costs(prices),
                "lower": form.lower,
                "upper": form.upper,
                "whole": form.integer,
            },
            index=pd.Index(reading.names, name="column"),
        )
        rows = pd.DataFrame(
            {
                "meaning": list(map(said_by_name, reading.row_names)),
                "activity": form.activity(values),
                "lower": form.row_lower,
                "upper": form.row_upper,
                "price": prices,
            },
            index=pd.Index(reading.row_names, name="row"),
        )
        cost = (
            None if bound is None or not unchanged else simplest(Fraction(math.ceil(bound)) / self.problem.cost_scale)
        )
        value = None if found is None else found.value
        if reading.maximised:
            value, bound = None if value is None else -value, None if bound is None else -bound
            columns["reduced cost"], rows["price"] = -columns["reduced cost"], -rows["price"]
        return Relaxation(solver, value, bound, cost, columns, rows, reading.maximised)

    @property
    def matrix(self) -> MatrixForm:
        """The program as arrays, as it is now, for backends that take a matrix. Only for programs written in Pyomo."""
        reading = self.read()
        assert isinstance(reading, Reading), "a constraint program has no matrix"
        return reading.form


def _take_apart(wrecks: list[BuiltModel[Any]], *, is_large: bool) -> None:
    """Take apart what was being built, large programs behind the back of whoever cut them short: he waits.

    Half of a program may be in any state.
    """
    rest = ExitStack()
    if is_large:
        rest.enter_context(set_aside())
    for wreck in wrecks:
        rest.enter_context(suppress(Exception))
        rest.callback(wreck.discard)
    if is_large:
        behind(rest.close)
    else:
        rest.close()


def said_by_name(name: str) -> str:
    """Return the words in the name of a column or row.

    >>> said_by_name("at_least_rows[3]")
    'at least rows, of 3'
    """
    family, bracket, index = name.partition("[")
    words = family.replace("_", " ")
    return f"{words}, of {index.rstrip(']').replace(',', ', ')}" if bracket else words


class Model(ABC, Generic[S]):
    """One formulation. Stateless; registered by name.

    Attributes
    ----------
    name
        What a person types before the slash: `pattern`, `assignment`.
    language
        What it is written in.
    problems
        The kinds of problems that it is for, unless `why_not` says otherwise.
    for_study
        It is weaker than another model on purpose. `auto` leaves it out, and so does `solvers_for` unless asked; `lp_bounds` includes it,
        and it can be named.
    twin
        Of a model for CP-SAT, the name of the Pyomo model that states the same program as a MIP, whose LP bound counts for both.
    """

    name: str
    language: Language
    problems: ClassVar[tuple[type[Problem[Any]], ...]] = ()
    for_study: bool = False
    twin: str | None = None

    def __repr__(self) -> str:
        return f"<model {self.name} ({self.language.value})>"

    def _repr_html_(self) -> str:
        return lines(f"model {text(self.name)}", text(first_sentence(self)), f"written in {text(self.language.value)}")

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Return why this model does not apply to `problem`, naming what it applies to; None if it does."""
        return why_another(problem, self.problems, f"the {self.name} model")

    @abstractmethod
    def estimate(self, problem: Problem[S]) -> ModelSize:
        """Return how large the model will be, without building it."""

    def size(self, problem: Problem[S]) -> ModelSize:
        """Return the estimate; `SolverFailure` names the model if it is none."""
        size = self.estimate(problem)
        if not isinstance(size, ModelSize):
            raise SolverFailure(self.name, f"its estimate is {size!r}; it must be a ModelSize")
        return size

    @abstractmethod
    def build_unchecked(self, problem: Problem[S], size: ModelSize) -> BuiltModel[S]:
        """Build the program. Call `build`, which looks at the size first."""

    def load(self) -> None:
        """Import the language that the model is written in, unless that is done."""
        _ = pyo.ConcreteModel if self.language is Language.PYOMO else cp_model.CpModel

    def build(self, problem: Problem[S], memory: int | None = None) -> BuiltModel[S]:
        """Build the program, or raise `ModelTooLarge`, with the numbers, if its estimate exceeds `memory` bytes.

        Raises `NotApplicable`, with the reason, for what the model is not for, and `InfeasibleProblem` where it cannot even state that
        there is no solution.
        """
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(reason)
        size = self.size(problem)
        if memory is not None and size.memory > memory:
            raise ModelTooLarge(
                f"the {self.name} model would take {size}, and {memory / 2**20:,.0f} MiB are allowed; "
                "grant more memory, take fewer columns or rows, or an approximate solver"
            )
        listening = time_is_no_error() if self.language is Language.PYOMO else nullcontext()
        with loading(), listening:
            begun: list[BuiltModel[Any]] = []
            token = _begun.set(begun)
            try:
                built = self._built(problem, size)
                built.as_built = built.read()
                return built
            except BaseException:
                with unbroken():
                    _take_apart(begun, is_large=size.memory >= LARGE)
                raise
            finally:
                _begun.reset(token)

    def _built(self, problem: Problem[S], size: ModelSize) -> BuiltModel[S]:
        """Build the program; what goes wrong in a model is a failure that names it."""
        try:
            built = self.build_unchecked(problem, size)
        except (AnoptimaError, ImportError, MemoryError):
            raise
        except Exception as error:
            raise SolverFailure(self.name, f"its program could not be built ({raised(error)})") from error
        if not isinstance(built, BuiltModel):
            raise SolverFailure(self.name, f"its program is a {type(built).__name__}; it must be a BuiltModel")
        return built
