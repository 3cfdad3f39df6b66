"""What a dataclass becomes as plain data, field by field, and what is refused on the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import anoptima as ao
from anoptima.exact import Exact
from anoptima.proofs.near import NearProof
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.plain_data import PlainData


@dataclass(frozen=True, slots=True)
class End(PlainData):
    worth: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fork(PlainData):
    kept: frozenset[str]
    value: int | None
    low: Tree
    high: Tree


Tree = Fork | End


@dataclass(frozen=True)
class Said(PlainData):
    value: Exact
    by: str
    sets: tuple[tuple[int, ...], ...]
    principle: Mapping[str, Any]
    proof: NearProof | OwnBound
    tree: Tree


SAID = Said(
    Fraction(1, 3),
    "nobody",
    ((1, 2), ()),
    {"values": [1, None]},
    OwnBound(4),
    Fork(frozenset("ba"), None, End(()), Fork(frozenset(), 2, End((1,)), End((-1, 10**20)))),
)
WRITTEN = {
    "value": "1/3",
    "by": "nobody",
    "sets": [[1, 2], []],
    "principle": {"values": [1, None]},
    "proof": {"kind": "own-bound", "value": 4},
    "tree": {
        "kept": ["a", "b"],
        "low": {"worth": []},
        "high": {"kept": [], "value": 2, "low": {"worth": [1]}, "high": {"worth": [-1, 10**20]}},
    },
}


def test_each_field_is_written_by_its_type() -> None:
    assert SAID.as_json() == WRITTEN


def test_what_was_written_is_read() -> None:
    assert Said.from_json(WRITTEN) == SAID


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"by": None}, "'by' in the proof is None; it must be a text"),
        ({"sets": [[1], 2]}, "number 1 of 'sets' in the proof is 2; it must be a list"),
        ({"sets": [[1.0]]}, "number 0 of number 0 of 'sets' in the proof is 1.0; it must be a whole number"),
        ({"proof": {"kind": "worths"}}, "'proof' in the proof is of kind 'worths'; it must be one of near, own-bound"),
        ({"tree": {}}, "the tree has no field 'kept'"),
        ({"tree": {"kept": [], "low": 1, "high": 2}}, "the low side of the tree is 1; it must be an object with named fields"),
        ({"tree": {"worth": [], "kept": []}}, "the tree has no field 'low'"),
        ({"more": 1}, "the proof has a field 'more', which means nothing here"),
    ],
)  # fmt: skip
def test_what_is_none_is_refused_in_one_sentence(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ao.BadInput) as refused:
        Said.from_json({**WRITTEN, **change})
    assert str(refused.value) == said
