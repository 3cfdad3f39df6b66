"""What every instance promises (`instances.library`): the same problem whenever it is made, and a record that holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from anoptima.errors import InfeasibleProblem
from anoptima.instances.library import Instance
from anoptima.instances.records import digest_of, examined
from anoptima.problems.base import Problem
from anoptima.testing.checks import Check, Checklist, demand, demand_true

checklist: Checklist[Instance] = Checklist()


def check_instance(instance: Instance) -> Iterator[Check]:
    """Yield a check of every promise that an instance makes.

    >>> import anoptima as ao
    >>> all(check() for check in check_instance(ao.instance("ten-rows-k3")))
    True
    """
    return checklist.of(instance.name, instance)


@lru_cache(maxsize=1)
def _made(instance: Instance) -> Problem[Any]:
    """Return the problem: two checks look at its bound, which takes seconds where a table is large."""
    return instance.load()


@checklist("it says what it is, and where its data is from")
def is_described(instance: Instance) -> None:
    """In a line each."""
    for what in ("about", "source"):
        words = getattr(instance, what)
        right = isinstance(words, str) and words.strip() and "\n" not in words
        demand(right, f"`{what}` must be a line of text, and is {words!r}")


@checklist("it makes the same problem each time")
def repeats(instance: Instance) -> None:
    """Whatever is drawn is drawn from a seed of its own."""
    one, other = instance.load(), instance.load()
    for made in (one, other):
        demand(isinstance(made, Problem), f"`load` must make a problem, and makes a {type(made).__name__}")
    demand(digest_of(one) == digest_of(other), "made twice, it is two problems; draw from a seed that is fixed")


@checklist("its trivial solution is one, and no cheaper than the bound")
def is_in_order(instance: Instance) -> None:
    """Or there is none, and the problem says why."""
    problem = _made(instance)
    reason = problem.why_infeasible()
    try:
        trivial = problem.trivial()
    except InfeasibleProblem:
        demand(reason is not None, "`trivial` says that there is no solution, and `why_infeasible` says nothing")
        return
    demand(reason is None, f"`trivial` returns a solution, and there is none: {reason}")
    wrong = problem.violations(trivial)
    demand(not wrong, f"the trivial solution is none: {(wrong or [''])[0]}")
    cost, bound = problem.cost(trivial), max(problem.lower_bound(), instance.bound or 0)
    demand_true(cost >= bound, f"the bound is {bound}, and the trivial solution costs {cost}")


@checklist("its record holds")
def holds(instance: Instance) -> str | None:
    """The solution is one and costs what is said, and the proof proves its bound."""
    if not instance.record.stated:
        return "it has no record"
    wrong = examined(instance.record, _made(instance)).wrong
    demand_true(not wrong, (wrong or ("",))[0])
    return None
