"""The conformance suites there are, one for each kind of thing that can be plugged in: `anoptima conform --KIND NAME`.

A suite for another kind is a `check_KIND` in a file of this package and one entry of `SUITES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from anoptima.errors import BadInput
from anoptima.instances.library import instances
from anoptima.models import models
from anoptima.principles import All, principle_kinds
from anoptima.problems.base import problem_kinds
from anoptima.proofs.kinds import proof_kinds
from anoptima.reductions import reductions
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.solvers.exact.sifting.searchers import searchers
from anoptima.spaces import space_kinds
from anoptima.testing.backends import check_backend
from anoptima.testing.checks import Check
from anoptima.testing.instances import check_instance
from anoptima.testing.models import check_model
from anoptima.testing.principles import check_principle
from anoptima.testing.problems import check_problem
from anoptima.testing.proofs import check_proof
from anoptima.testing.reductions import check_reduction
from anoptima.testing.searchers import check_searcher
from anoptima.testing.solvers import check_solver
from anoptima.testing.spaces import check_space_kind


@dataclass(frozen=True)
class Suite:
    """How things of one kind are found, and checked.

    Attributes
    ----------
    kind
        What they are, in one word, the option's name: 'backend'.
    names
        Returns the names of all there are.
    get
        Returns the one of a name, or raises `BadInput`.
    check
        Yields the checks of one.
    """

    kind: str
    names: Callable[[], list[str]]
    get: Callable[[str], Any]
    check: Callable[[Any], Iterator[Check]]

    def find(self, name: str) -> list[Any]:
        """Return the one called `name`, or all whose names it matches as a pattern. Raises `BadInput` if there is none.

        >>> [model.name for model in SUITES["model"].find("fake-*")]
        ['fake-depths', 'fake-grid']
        """
        if not set(name) & set("*?["):
            return [self.get(name)]
        found = [self.get(one) for one in self.names() if fnmatchcase(one, name)]
        if not found:
            raise BadInput(f"no {self.kind} has a name like {name!r}; there are {', '.join(self.names())}")
        return found


def _stated() -> list[str]:
    """Return the names of all principles but the conjunction, which is made of others."""
    return [name for name in principle_kinds.names() if name != All.kind]


SUITES = {
    suite.kind: suite
    for suite in (
        Suite("backend", backend_names, get_backend, check_backend),
        Suite("model", models.names, models.get, check_model),
        Suite("solver", algorithms.names, algorithms.get, check_solver),
        Suite("searcher", searchers.names, searchers.get, check_searcher),
        Suite("reduction", reductions.names, reductions.get, check_reduction),
        Suite("principle", _stated, principle_kinds.get, check_principle),
        Suite("space", space_kinds.names, space_kinds.get, check_space_kind),
        Suite("problem", problem_kinds.names, problem_kinds.get, check_problem),
        Suite("proof", proof_kinds.names, proof_kinds.get, check_proof),
        Suite("instance", instances.names, instances.get, check_instance),
    )
}
"""By kind, in the order in which a name is looked for."""
