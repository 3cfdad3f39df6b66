"""Every kind of space keeps what it promises, and one that is no metric is told where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import pytest

import anoptima as ao
from anoptima.spaces import MatrixMetric, Metric, space_kinds
from anoptima.testing import check_space, check_space_kind


@pytest.mark.parametrize("kind", space_kinds.all(), ids=lambda kind: kind.kind)
def test_all_kinds_keep_what_they_promise(kind: type[ao.Space]) -> None:
    for check in check_space_kind(kind):
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


def test_the_kind_is_asked_about_its_examples() -> None:
    assert [check.name for check in check_space_kind(Bent) if not check()] == ["it has examples"]

    class Shown(Bent):
        @classmethod
        def examples(cls) -> Iterator[tuple[ao.Space, Sequence[Any]]]:
            yield cls(), "xyz"

    assert [check.name for check in check_space_kind(Shown) if not check()] == ["they are a metric"]
