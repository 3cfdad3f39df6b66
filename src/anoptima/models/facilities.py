"""The program for facility location with lower bounds.

Sets: facilities f; sorts c of clients with n_c of them; connections f ~ c at cost d_fc. Variables: x_fc, how many of c are served at
f; z_f = 1 if f is open.

    minimise    sum d_fc x_fc                   over f ~ c
    (served)    sum_f x_fc = n_c
    (link)      x_fc <= n_c z_f
    (least)     sum_c x_fc >= L z_f
    x_fc >= 0,  z_f in {0, 1}

x is continuous: for fixed z the rest is a network flow. Even a facility that may serve everybody needs its z: opening is free, but an
open facility must serve L clients.

Size, for A connections, F facilities and C sorts of clients: A + F variables, C + A + F rows, 4 A + F coefficients.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.languages import pyo, weighted_sum
from anoptima.models.links import Links
from anoptima.models.matrix import IMPLIED
from anoptima.problems.base import Problem
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities
from anoptima.problems.lower_bounds import serve_cheapest

_BYTES_A_VARIABLE = 700
_BYTES_A_ROW = 900
_BYTES_A_COEFFICIENT = 150
"""As in the pattern model."""


@models.register
class FacilitiesModel(Model[Connections]):
    """Clients to facilities, open or not; for facility location with lower bounds."""

    name = "facilities"
    language = Language.PYOMO
    problems = (LowerBoundedFacilities,)
    links: ClassVar[Links] = Links.EACH

    def estimate(self, problem: Problem[Connections]) -> ModelSize:
        """Count facilities, clients and connections."""
        assert isinstance(problem, LowerBoundedFacilities)
        arcs, places, sorts = len(problem.connections), len(problem.facilities), len(problem.clients)
        links, of_links = self.links.size(arcs, places)
        variables, rows, coefficients = arcs + places, sorts + links + places, 2 * arcs + of_links + places
        memory = variables * _BYTES_A_VARIABLE + rows * _BYTES_A_ROW + coefficients * _BYTES_A_COEFFICIENT
        return ModelSize(variables, rows, coefficients, memory, {"connections": arcs, "facilities": places})

    def build_unchecked(self, problem: Problem[Connections], size: ModelSize) -> BuiltFacilities:
        """Build the program. O(connections)."""
        assert isinstance(problem, LowerBoundedFacilities)
        return BuiltFacilities(problem, size, self.links)


class BuiltFacilities(BuiltModel[Connections]):
    """The program; columns are the connections in the problem's order, then the facilities' z."""

    language = Language.PYOMO
    problem: LowerBoundedFacilities

    def __init__(self, problem: LowerBoundedFacilities, size: ModelSize, links: Links) -> None:
        program = pyo.ConcreteModel(name="facility location with lower bounds")
        super().__init__(problem, program, size)
        place = {f: i for i, f in enumerate(problem.facilities)}
        self._facility = [place[f] for f, _, _ in problem.connections]
        self._client = [c for _, c, _ in problem.connections]
        arcs = range(len(self._client))
        limits = [problem.clients[c] for c in self._client]
        program.x = pyo.Var(arcs, domain=pyo.NonNegativeReals)
        program.z = pyo.Var(range(len(place)), domain=pyo.Binary)
        setattr(program, IMPLIED, pyo.Suffix())
        getattr(program, IMPLIED)[program.x] = True
        x, z = list(program.x.values()), list(program.z.values())
        for variable, limit in zip(x, limits, strict=True):
            variable.setub(limit)
        of_client: list[list[Any]] = [[] for _ in problem.clients]
        of_facility: list[list[Any]] = [[] for _ in place]
        for a in arcs:
            of_client[self._client[a]].append(x[a])
            of_facility[self._facility[a]].append(x[a])
        program.served = pyo.Constraint(
            range(len(of_client)),
            rule=lambda _, c: (weighted_sum([1] * len(of_client[c]), of_client[c]), problem.clients[c]),
        )
        links.write(program, x, limits, self._facility, z, sum(problem.clients))
        program.least = pyo.Constraint(
            range(len(place)),
            rule=lambda _, f: (
                0,
                weighted_sum([*([1] * len(of_facility[f])), -problem.least], [*of_facility[f], z[f]]),
                None,
            ),
        )
        self._costs = [int(cost * problem.cost_scale) for _, _, cost in problem.connections]
        program.cost = pyo.Objective(expr=weighted_sum(self._costs, x))

    def encode(self, solution: Connections) -> Values:
        """Serve as the solution says, from the facilities that serve anybody."""
        arc = {(f, c): a for a, (f, c, _) in enumerate(self.problem.connections)}
        values = np.zeros(len(self._client) + len(self.problem.facilities))
        for f, c, count in solution.served:
            values[arc[f, c]] = count
            values[len(self._client) + self._facility[arc[f, c]]] = 1
        return values

    def decode(self, values: Values) -> Connections:
        """Read x; by a flow of our own, from the facilities that z opens, where x is no vertex, and so not whole."""
        amounts = values[: len(self._client)]
        counts = np.rint(amounts).astype(np.int64)
        served = np.bincount(self._client, weights=counts, minlength=len(self.problem.clients))
        if np.abs(counts - amounts).max() > 1e-4 or (served != np.array(self.problem.clients)).any():
            opened = np.flatnonzero(values[len(self._client) :] > 0.5).tolist()
            costs = list(zip(self._facility, self._client, self._costs, strict=True))
            flow = serve_cheapest(self.problem.clients, costs, opened, self.problem.least)
            return Connections.of({(self.problem.facilities[f], c): count for (f, c), count in flow.items()})
        pairs = [(f, c) for f, c, _ in self.problem.connections]
        return Connections.of(dict(zip(pairs, counts.tolist(), strict=True)))
