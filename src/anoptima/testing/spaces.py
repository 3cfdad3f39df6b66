"""What every space promises (`spaces.spaces`), asked on values that it knows."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.documents.writing import to_json
from anoptima.spaces import Space, transport
from anoptima.testing.checks import Check, Checklist, demand


@dataclass(frozen=True)
class Subject:
    """A space, and values of a column that it is to be fitted to."""

    space: Space
    values: Sequence[Any]


checklist: Checklist[Subject] = Checklist()


def check_space(space: Space, values: Sequence[Any]) -> Iterator[Check]:
    """Yield a check of every promise that `space` makes of a few `values`.

    >>> from anoptima import Ordered
    >>> all(check() for check in check_space(Ordered(["low", "mid", "high"]), ["high", "low"]))
    True
    """
    return checklist.of(space.kind, Subject(space, values))


def check_space_kind(kind: type[Space]) -> Iterator[Check]:
    """Yield a check of every promise that a kind of space makes; its `examples` are what is asked.

    >>> from anoptima import Numeric
    >>> all(check() for check in check_space_kind(Numeric))
    True
    """

    def has_examples() -> None:
        demand(
            next(iter(kind.examples()), None), "it has no examples; let `examples` yield spaces, each with a few values"
        )

    yield Check(kind.kind, "it has examples", has_examples)
    for name, check in checklist.checks:
        yield Check(kind.kind, name, lambda check=check: _of_all(kind, check))  # type: ignore[misc]


def _of_all(kind: type[Space], check: Callable[[Subject], str | None]) -> None:
    """Ask about every example."""
    for space, values in kind.examples():
        check(Subject(space, values))


@checklist("its distances are whole multiples of 1 over the scale, between 0 and 1")
def is_exact(subject: Subject) -> None:
    """No floats."""
    metric = subject.space.fit(subject.values)
    scale, distances = metric.scale, metric.distances().tolist()
    demand(isinstance(scale, int) and scale > 0, f"the scale is {scale!r}; it must be a positive whole number")
    for (i, one), (j, other) in itertools.product(enumerate(subject.values), repeat=2):
        apart = distances[i][j]
        demand(
            isinstance(apart, int),
            f"{scale} times the distance of {one!r} and {other!r} is {apart!r}; it must be whole",
        )
        demand(
            0 <= apart <= scale,
            f"the distance of {one!r} and {other!r} is {Fraction(apart, scale)}; it must lie in [0, 1]",
        )


@checklist("they are a metric")
def is_metric(subject: Subject) -> None:
    """No distance to oneself, the same both ways, and no way round is shorter."""
    d, values = subject.space.fit(subject.values).distances().tolist(), subject.values
    for i, j in itertools.product(range(len(values)), repeat=2):
        demand(d[i][i] == 0, f"{values[i]!r} is {d[i][i]} from itself")
        demand(
            d[i][j] == d[j][i], f"{values[i]!r} and {values[j]!r} are {d[i][j]} apart one way and {d[j][i]} the other"
        )
        for k in range(len(values)):
            shorter = d[i][k] <= d[i][j] + d[j][k]
            demand(shorter, f"{values[i]!r} is nearer to {values[k]!r} by way of {values[j]!r}")


@checklist("its earth mover's distance is the least cost of carrying")
def carries(subject: Subject) -> None:
    """Of single values and of pairs to all values, once each, against a transportation problem."""
    metric, n = subject.space.fit(subject.values), len(subject.values)
    d, whole = metric.distances().tolist(), [1] * n
    for i, j in itertools.combinations_with_replacement(range(n), 2):
        counts = [(k == i) + (k == j) for k in range(n)]
        least = Fraction(transport([n * c for c in counts], [2] * n, d)[0], 2 * n * metric.scale)
        found = metric.emd(counts, whole)
        demand(
            found == least,
            f"of {subject.values[i]!r} and {subject.values[j]!r} to all values it is {found}; {least} is right",
        )


@checklist("it is written down and read back")
def is_written(subject: Subject) -> None:
    """As JSON, with the same distances."""
    space, values = subject.space, subject.values
    data = json.loads(to_json(space.as_json()))
    demand(data.get("kind") == space.kind, f"`as_json` must have {space.kind!r} as 'kind'")
    back, metric = type(space).from_json(data), space.fit(values)
    demand(metric.is_same(back.fit(values)), f"{space!r} comes back as {back!r}, with other distances")
