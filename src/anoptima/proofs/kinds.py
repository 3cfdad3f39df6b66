"""The kinds of proofs there are, and the way from any of them to plain data and back.

A proof is a class of this package that `register` decorates, with `value`, `proved(problem)`, a `kind` to be known by, `as_json` and
`from_json`. `anoptima.documents.proofs` writes the files, which hold the table and the problem beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self, TypeVar

from anoptima.answer import Proof
from anoptima.errors import BadInput, NotApplicable
from anoptima.proofs.reading import Fields
from anoptima.registry import Kinds


class WrittenProof(Proof, Protocol):
    """A proof that can be written down and read again."""

    kind: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; only whole numbers, texts, lists and objects."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the proof that `as_json` wrote, or raise `BadInput` in one sentence."""


P = TypeVar("P", bound=WrittenProof)

proof_kinds: Kinds[type[WrittenProof]] = Kinds(
    "proof", None, "anoptima.proofs", "anoptima.proofs", needs=("proved", "as_json", "from_json")
)
"""Every kind of proof, by the name that files give it."""


def register(made: type[P]) -> type[P]:
    """Make a kind of proof known by the name that files give it; the decorator."""
    proof_kinds.add(made)
    return made


def proof_as_json(proof: Proof) -> dict[str, Any]:
    """Return a proof's kind and everything in it as plain data.

    >>> from anoptima.proofs.hitting import End, HittingProof
    >>> proof_as_json(HittingProof(1, (frozenset("a"),), 1, End(((0, 1),))))
    {'kind': 'hitting-set', 'value': 1, 'barriers': [['a']], 'denominator': 1, 'tree': {'shares': [[0, 1]]}}
    """
    for known in proof_kinds.all():
        if isinstance(proof, known):
            return {"kind": known.kind, **proof.as_json()}
    names = ", ".join(proof_kinds.names())
    raise NotApplicable(f"{type(proof).__name__} is no kind of proof that can be written down; those are {names}")


def proof_from_json(data: Any) -> WrittenProof:
    """Return the proof that `proof_as_json` wrote. Nothing of it has been checked; `proved` does.

    >>> proof_from_json({"kind": "oath"})
    Traceback (most recent call last):
    anoptima.errors.BadInput: the proof is of kind 'oath'; it must be one of all-partitions, blocks, ...
    """
    kind = Fields(data, "the proof").text("kind")
    if kind not in proof_kinds:
        raise BadInput(f"the proof is of kind {kind!r}; it must be one of {', '.join(proof_kinds.names())}")
    return proof_kinds.get(kind).from_json({name: value for name, value in data.items() if name != "kind"})
