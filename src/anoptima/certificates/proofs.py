"""The kinds of proofs there are, and the way from any of them to plain data and back.

A proof is a class here with `value`, `proved(problem)`, a `kind` to be known by, `as_json` and `from_json`. `anoptima.documents.proofs`
writes the files, which hold the table and the problem beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

from anoptima.answer import Certificate
from anoptima.certificates.blocks import BlockProof
from anoptima.certificates.branched import BranchedProof
from anoptima.certificates.group_cases import GroupCasesProof
from anoptima.certificates.groups import GroupProof
from anoptima.certificates.hitting import HittingProof
from anoptima.certificates.multipliers import MultiplierProof
from anoptima.certificates.near import NearProof
from anoptima.certificates.own_bound import OwnBound
from anoptima.certificates.reading import Fields
from anoptima.certificates.rounded import RoundedProof
from anoptima.errors import BadInput, NotApplicable


class WrittenProof(Certificate, Protocol):
    """A proof that can be written down and read again."""

    kind: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; only whole numbers, texts, lists and objects."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the proof that `as_json` wrote, or raise `BadInput` in one sentence."""


KINDS: Mapping[str, type[WrittenProof]] = {
    proof.kind: proof
    for proof in (
        MultiplierProof,
        BranchedProof,
        GroupProof,
        GroupCasesProof,
        NearProof,
        BlockProof,
        RoundedProof,
        HittingProof,
        OwnBound,
    )
}
"""Every kind of proof, by the name that files give it."""


def proof_as_json(proof: Certificate) -> dict[str, Any]:
    """Return a proof's kind and everything in it as plain data.

    >>> from anoptima.certificates.hitting import End
    >>> proof_as_json(HittingProof(1, (frozenset("a"),), 1, End(((0, 1),))))
    {'kind': 'hitting-set', 'value': 1, 'barriers': [['a']], 'denominator': 1, 'tree': {'shares': [[0, 1]]}}
    """
    for kind, known in KINDS.items():
        if isinstance(proof, known):
            return {"kind": kind, **proof.as_json()}
    raise NotApplicable(
        f"{type(proof).__name__} is no kind of proof that can be written down; those are {', '.join(KINDS)}"
    )


def proof_from_json(data: Any) -> WrittenProof:
    """Return the proof that `proof_as_json` wrote. Nothing of it has been checked; `proved` does.

    >>> proof_from_json({"kind": "oath"})
    Traceback (most recent call last):
    anoptima.errors.BadInput: the proof is of kind 'oath'; it must be one of multipliers, branched-multipliers, groups, ...
    """
    kind = Fields(data, "the proof").text("kind")
    if kind not in KINDS:
        raise BadInput(f"the proof is of kind {kind!r}; it must be one of {', '.join(KINDS)}")
    return KINDS[kind].from_json({name: value for name, value in data.items() if name != "kind"})
