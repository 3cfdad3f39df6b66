"""Facility location with lower bounds by the loads of the facilities, in CP-SAT.

Sets: facilities f; sorts c of clients with n_c of them; connections f ~ c at cost d_fc; N_f = sum of n_c over f ~ c. Variables: x_fc, how
many of c are served at f; y_f, how many clients f serves.

    minimise    sum d_fc x_fc                   over f ~ c
    (served)    sum_f x_fc = n_c
    (load)      sum_c x_fc = y_f
    0 <= x_fc <= n_c whole,  y_f in {0, L, L + 1, ..., N_f}

That a facility serves L clients or none is a hole in the domain of its load: there is no 0/1 variable, no link and no M. A linear program
cannot say it, and so this formulation has no relaxation of its own; it is a witness that shares neither variables nor rows about openings
with the program in Pyomo.

Size, for A connections, F facilities and C sorts of clients: A + F variables, C + F rows, 2 A + F coefficients.
"""

from __future__ import annotations

import numpy as np

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.problems.base import Problem
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities

_BYTES_AN_ENTRY = 220
"""As in the assignment model: a variable, row or coefficient in Python, in the proto and in the solver's process."""


@models.register
class FacilityLoadsModel(Model[Connections]):
    """Clients to facilities with a load of none or enough; for facility location with lower bounds."""

    name = "facility-loads"
    language = Language.CP_SAT
    problems = (LowerBoundedFacilities,)

    def estimate(self, problem: Problem[Connections]) -> ModelSize:
        """Count facilities, clients and connections."""
        assert isinstance(problem, LowerBoundedFacilities)
        arcs, places, sorts = len(problem.connections), len(problem.facilities), len(problem.clients)
        variables, rows, coefficients = arcs + places, sorts + places, 2 * arcs + places
        memory = (variables + rows + coefficients) * _BYTES_AN_ENTRY
        return ModelSize(variables, rows, coefficients, memory, {"connections": arcs, "facilities": places})

    def build_unchecked(self, problem: Problem[Connections], size: ModelSize) -> BuiltFacilityLoads:
        """Build the program. O(connections)."""
        assert isinstance(problem, LowerBoundedFacilities)
        return BuiltFacilityLoads(problem, size)


class BuiltFacilityLoads(BuiltModel[Connections]):
    """The program; columns are the connections in the problem's order, then the facilities' loads."""

    language = Language.CP_SAT
    problem: LowerBoundedFacilities

    def __init__(self, problem: LowerBoundedFacilities, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "facility location with lower bounds, by loads"
        super().__init__(problem, program, size)
        self._arc = {(f, c): a for a, (f, c, _) in enumerate(problem.connections)}
        self._place = {f: len(self._arc) + i for i, f in enumerate(problem.facilities)}
        serves = [program.new_int_var(0, problem.clients[c], f"serves[{f},{c}]") for f, c in self._arc]
        at: dict[int, list[int]] = {f: [] for f in problem.facilities}
        of: list[list[int]] = [[] for _ in problem.clients]
        for a, (f, c) in enumerate(self._arc):
            at[f].append(a)
            of[c].append(a)
        clients = [problem.clients[c] for _, c in self._arc]
        loads = [
            program.new_int_var_from_domain(self._none_or_enough(sum(clients[a] for a in arcs)), f"load[{f}]")
            for f, arcs in at.items()
        ]
        for count, arcs in zip(problem.clients, of, strict=True):
            check_time()
            program.add(sum(serves[a] for a in arcs) == count).with_name("served")
        for load, arcs in zip(loads, at.values(), strict=True):
            check_time()
            program.add(sum(serves[a] for a in arcs) == load).with_name("load")
        costs = [int(cost * problem.cost_scale) for _, _, cost in problem.connections]
        program.minimize(cp_model.LinearExpr.weighted_sum(serves, costs))

    def _none_or_enough(self, most: int) -> cp_model.Domain:
        least = self.problem.least
        return cp_model.Domain.from_intervals([[0, 0], [least, most]] if most >= least else [[0, 0]])

    def encode(self, solution: Connections) -> Values:
        """Serve as the solution says, and add up."""
        values = np.zeros(len(self._arc) + len(self._place))
        for f, c, count in solution.served:
            values[self._arc[f, c]] = count
            values[self._place[f]] += count
        return values

    def decode(self, values: Values) -> Connections:
        """Read x."""
        counts = np.rint(values[: len(self._arc)]).astype(np.int64).tolist()
        return Connections.of(dict(zip(self._arc, counts, strict=True)))
