"""Every kind of space keeps what it promises, and one that is no metric is told where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import pytest

import anoptima as ao
from anoptima.spaces import MatrixMetric, Metric, space_kinds
from anoptima.testing import check_space

SPACES: list[tuple[ao.Space, Sequence[Any]]] = [
    (ao.EqualDistance(), "abc"),
    (ao.Ordered(["low", "mid", "high"]), ["high", "low"]),
    (ao.Numeric(), [3, 1, 7, 4]),
    (ao.Hierarchical({"virus": ["flu", "measles"], "heart": ["angina", "infarct"]}), ["flu", "infarct", "measles"]),
    (ao.Explicit(["a", "b", "c"], [[0, "1/2", 1], ["1/2", 0, "2/3"], [1, "2/3", 0]]), ["c", "a", "b"]),
]


def test_all_kinds_keep_what_they_promise() -> None:
    assert {space.kind for space, _ in SPACES} == {kind.kind for kind in space_kinds.all()}
    for space, values in SPACES:
        for check in check_space(space, values):
            check.require()


class Bent(ao.Space):
    """The middle value is no way round."""

    kind = "bent"
    most: Any = Fraction(1)

    def fit(self, values: Sequence[Any]) -> Metric:
        near = Fraction(1, 4)
        return MatrixMetric([[0 * near, near, self.most], [near, 0 * near, near], [self.most, near, 0 * near]])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls()


class Long(Bent):
    most = Fraction(3)


@pytest.mark.parametrize(
    ("space", "broken"),
    [
        (Bent(), ["they are a metric"]),
        (Long(), ["its distances are whole multiples of 1 over the scale, between 0 and 1", "they are a metric"]),
    ],
)
def test_what_is_no_metric_is_red(space: ao.Space, broken: list[str]) -> None:
    assert [check.name for check in check_space(space, "xyz") if not check()] == broken
