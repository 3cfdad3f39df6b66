"""The kinds of proofs there are, and the way from any of them to plain data and back.

A proof is a class of this package that `register` decorates, with `value`, `proved(problem)`, a `kind` to be known by, `as_json` and
`from_json`. `anoptima.documents.proofs` writes the files, which hold the table and the problem beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Protocol, Self, TypeVar

from anoptima.answer import Certificate
from anoptima.certificates.reading import Fields
from anoptima.errors import BadInput, NotApplicable
from anoptima.registry import import_modules


class WrittenProof(Certificate, Protocol):
    """A proof that can be written down and read again."""

    kind: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; only whole numbers, texts, lists and objects."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the proof that `as_json` wrote, or raise `BadInput` in one sentence."""


P = TypeVar("P", bound=WrittenProof)

_KINDS: dict[str, type[WrittenProof]] = {}


def register(made: type[P]) -> type[P]:
    """Make a kind of proof known by the name that files give it; the decorator. Its module is one of this package."""
    _KINDS[made.kind] = made
    return made


@cache
def kinds() -> Mapping[str, type[WrittenProof]]:
    """Return every kind of proof, by the name that files give it."""
    import_modules(__name__.rpartition(".")[0])
    return dict(sorted(_KINDS.items()))


def proof_as_json(proof: Certificate) -> dict[str, Any]:
    """Return a proof's kind and everything in it as plain data.

    >>> from anoptima.certificates.hitting import End, HittingProof
    >>> proof_as_json(HittingProof(1, (frozenset("a"),), 1, End(((0, 1),))))
    {'kind': 'hitting-set', 'value': 1, 'barriers': [['a']], 'denominator': 1, 'tree': {'shares': [[0, 1]]}}
    """
    for kind, known in kinds().items():
        if isinstance(proof, known):
            return {"kind": kind, **proof.as_json()}
    raise NotApplicable(
        f"{type(proof).__name__} is no kind of proof that can be written down; those are {', '.join(kinds())}"
    )


def proof_from_json(data: Any) -> WrittenProof:
    """Return the proof that `proof_as_json` wrote. Nothing of it has been checked; `proved` does.

    >>> proof_from_json({"kind": "oath"})
    Traceback (most recent call last):
    anoptima.errors.BadInput: the proof is of kind 'oath'; it must be one of all-partitions, blocks, ...
    """
    kind = Fields(data, "the proof").text("kind")
    if kind not in kinds():
        raise BadInput(f"the proof is of kind {kind!r}; it must be one of {', '.join(kinds())}")
    return kinds()[kind].from_json({name: value for name, value in data.items() if name != "kind"})
