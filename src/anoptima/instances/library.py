"""The library of instances: problems by name, made on demand, each with a record of the best known solution and proof.

A family of ours is one module in `families/` with one `Family`; a plug-in's entry point leads to an `Instance` or returns one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from anoptima.arguments import checked
from anoptima.errors import AnoptimaError, PluginFailure
from anoptima.exact import Exact
from anoptima.instances.making import Making, Member
from anoptima.instances.records import Record, record_of
from anoptima.origins import OURS, raised
from anoptima.problems.base import Problem
from anoptima.registry import Registry


@checked
@dataclass(frozen=True)
class Instance:
    """A named problem.

    Attributes
    ----------
    making
        The function that makes the problem; `load` calls it.
    source
        The source of the data, and its terms.
    family, knob
        Its family, and the parameters that distinguish it there: 'uniform', 'rows=40, k=2'.

    Examples
    --------
    >>> import anoptima as ao
    >>> ten = ao.instance("ten-rows-k3")
    >>> ten.about, ten.best, ten.is_solved
    ("the papers' ten patients, eight columns", 54, True)
    >>> ao.solve(ten.load()).cost
    54
    """

    name: str
    about: str
    making: Making
    source: str
    family: str = ""
    knob: str = ""

    def load(self) -> Problem[Any]:
        """Make the problem; `PluginFailure` names the instance of a plug-in that cannot be made."""
        try:
            return self.making()
        except AnoptimaError:
            raise
        except Exception as error:
            module = self.making.__module__.partition(".")[0]
            if module == OURS:
                raise
            words = f"the instance {self.name} (of {instances.declared.get(self.name, module)})"
            raise PluginFailure(self, words, f"making it raises {raised(error)}") from error

    @cached_property
    def record(self) -> Record:
        """Its record: the best solution, the proof of the bound, and the history of both."""
        return record_of(self.name)

    @property
    def best(self) -> Exact | None:
        """The least cost of any solution in its record."""
        return self.record.cost

    @property
    def bound(self) -> Exact | None:
        """The highest bound of which its record has the proof."""
        return self.record.bound

    @property
    def is_solved(self) -> bool:
        """Whether the best known solution is proved optimal."""
        return self.best is not None and self.best == self.bound


@dataclass(frozen=True)
class Family:
    """Instances of one make.

    Attributes
    ----------
    members
        Yields, for each, what follows the family's name in its own ('20-k2'), its knob in words, and what makes it.
    """

    name: str
    about: str
    source: str
    members: Callable[[], Iterator[Member]]

    def instances(self) -> Iterator[Instance]:
        """Yield the instances; none of them is made yet."""
        for ending, knob, making in self.members():
            yield Instance(f"{self.name}-{ending}", self.about, making, self.source, self.name, knob)


instances: Registry[Instance] = Registry("instance", Instance, "anoptima.instances", "anoptima.instances.families")
"""Every instance by name."""


def add_family(family: Family) -> Family:
    """Take the instances of a family into the library."""
    for one in family.instances():
        instances.add(one)
    return family


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


def by_family() -> Mapping[str, list[Instance]]:
    """Return all instances by family, those of plug-ins under ''."""
    found: dict[str, list[Instance]] = {}
    for one in instances.all():
        found.setdefault(one.family, []).append(one)
    return found
