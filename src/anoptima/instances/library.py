"""The library of instances: problems by name, with the best that is known of each, and who has shown it.

`best` and `bound` are for everybody to beat. A bound with a proof can be proved again; others rest on what they name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anoptima.arguments import checked
from anoptima.exact import Exact
from anoptima.instances.census import census
from anoptima.instances.papers import ten_rows
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.registry import Registry
from anoptima.table import Table


@checked
@dataclass(frozen=True)
class Instance:
    """A named problem.

    Attributes
    ----------
    best, bound
        The least cost of any solution that is known, and the highest bound that has been proved.
    by
        Who found the solution, and who proved the bound and how.
    source
        Where the data is from, and its terms.
    """

    name: str
    about: str
    load: Callable[[], Problem[Any]]
    best: Exact
    bound: Exact
    by: str
    source: str

    @property
    def is_solved(self) -> bool:
        """Whether the best that is known is proved to be optimal."""
        return self.best == self.bound


_LIANG_YUAN = "Table 1 of Liang and Yuan (2013)"
_ADULT = "UCI Adult (Becker and Kohavi 1996), CC BY 4.0"
_PROOF = "sifting, with a proof"

_CENSUS: Mapping[str, Mapping[int, tuple[int, int]]] = {
    "eight": {2: (17032, 17032), 3: (23885, 23875), 5: (31119, 31019), 10: (39713, 39532)},
    "six": {2: (1784, 1784), 3: (2789, 2789), 5: (4104, 4099), 10: (6116, 6087)},
    "four": {3: (1048, 1048), 5: (1842, 1842), 10: (3407, 3407), 25: (6782, 6782)},
}
"""Best cost and best bound for each choice of columns and k, all by `_PROOF`: `python -m benchmarks.census`."""


def _cells(table: Callable[[], Table], k: int) -> Callable[[], Problem[Any]]:
    return lambda: CellSuppression(table(), KAnonymity(k))


def _census(columns: str) -> Callable[[], Table]:
    return lambda: census(columns)


def _all() -> list[Instance]:
    ten = "fewest stars that make the papers' ten patients"
    many = "fewest stars that make 30,162 persons of a census"
    return [
        *(
            Instance(
                f"ten-rows-k{k}", f"{ten} {k}-anonymous", _cells(ten_rows, k), stars, stars, "subset-dp", _LIANG_YUAN
            )
            for k, stars in ((2, 46), (3, 54))
        ),
        *(
            Instance(
                f"census-{columns}-k{k}",
                f"{many} {k}-anonymous on {columns} columns",
                _cells(_census(columns), k),
                best,
                bound,
                _PROOF,
                _ADULT,
            )
            for columns, known in _CENSUS.items()
            for k, (best, bound) in known.items()
        ),
    ]


instances: Registry[Instance] = Registry("instance", Instance, "anoptima.instances", "anoptima.instances")
"""Every instance by name. A plug-in's entry point leads to one, or to a function that returns one."""

for _one in _all():
    instances.add(_one)


@checked
def instance(name: str) -> Instance:
    """Return the instance that `name` stands for.

    >>> found = instance("ten-rows-k3")
    >>> found.best, found.bound, found.load().name
    (54, 54, 'cell-suppression')
    """
    return instances.get(name)


def instances_named(name: str) -> list[Instance]:
    """Return the instance of this name, or else all whose names begin with it.

    >>> [found.name for found in instances_named("ten-rows")]
    ['ten-rows-k2', 'ten-rows-k3']
    """
    if name in instances:
        return [instances.get(name)]
    return [one for one in instances.all() if one.name.startswith(f"{name}-")] or [instances.get(name)]
