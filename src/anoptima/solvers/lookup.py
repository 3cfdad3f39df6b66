"""Solvers by name, and those that are for a problem."""

from __future__ import annotations

from typing import Any

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.models import models
from anoptima.models.base import Model
from anoptima.naming import did_you_mean, near_names
from anoptima.problems.base import Problem
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import get_backend, related_backends, usable_backends
from anoptima.solvers.base import Solver
from anoptima.solvers.modelled import Modelled


@checked
def get_model(name: str) -> Model[Any]:
    """Return the model that `name` stands for.

    >>> get_model("pattern").language.value
    'pyomo'
    """
    return models.get(name)


@checked
def get_solver(name: str) -> Solver[Any]:
    """Return the solver that `name` stands for: `model/backend`, or an algorithm's name.

    >>> get_solver("pattern/highs").name
    'pattern/highs'
    """
    model, slash, backend = name.partition("/")
    if slash:
        return Modelled(get_model(model), get_backend(backend))
    meant = [] if name in algorithms or name == "auto" else [*near_names(name, ["auto"]), *_with_backend(name)]
    if meant:
        raise BadInput(f"there is no solver named {name!r}; {did_you_mean(meant)}")
    return algorithms.get(name)


def _with_backend(name: str) -> list[str]:
    """Return solvers of which `name` is half: a model alone, or a backend, or a part of a backend's name."""
    if name in models:
        return [
            f"{name}/{next(b for b in ('highs', 'cp-sat') if models.get(name).language in get_backend(b).languages)}"
        ]
    return [] if near_names(name, algorithms.names()) else [f"pattern/{backend}" for backend in related_backends(name)]


@checked
def solvers_for(problem: Problem[Any], *, for_study: bool = False) -> list[Solver[Any]]:
    """Return every solver that is for `problem` and can be used here.

    Parameters
    ----------
    for_study
        Whether models that are weaker than others on purpose are among them.

    Examples
    --------
    >>> import anoptima as ao
    >>> solvers = ao.solvers_for(ao.IdentifyingColumns(ao.ten_rows()))
    >>> {"hitting-set", "pair-differences/highs"} <= {solver.name for solver in solvers}
    True
    """
    able = [model for model in models.all() if (for_study or not model.for_study) and is_for(model, problem.plain)]
    backends = usable_backends() if able else []
    modelled = [
        Modelled(model, backend) for model in able for backend in backends if model.language in backend.languages
    ]
    own = [solver for solver in algorithms.all() if (for_study or not solver.for_study) and is_for(solver, problem)]
    return [*modelled, *own]
