"""What commands that write proofs share."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from anoptima.answer import Answer
from anoptima.cli.outputs import Replaced, file_target
from anoptima.documents.proofs import proof_of, shortfall
from anoptima.exact import exact_text


def proof_target(arguments: Namespace) -> Path | None:
    """Return where the proof is to go, once it could be written there; None without `--proof`."""
    return file_target(arguments.proof, "proof", never=arguments.table)


def checkpoint_target(arguments: Namespace) -> Path | None:
    """Return where the run keeps what it has, once it could be written there; None without `--checkpoint`."""
    return file_target(getattr(arguments, "checkpoint", None), "checkpoint", never=arguments.table)


def proof_line(answer: Answer[Any], path: Path, replaced: Replaced) -> str:
    """Say where the proof is and what it proves, or why there is none."""
    proof = proof_of(answer)
    if proof is None:
        return f"{path} is not written: there is no solution that could cost less"
    less = shortfall(answer)
    return f"the proof is in {replaced.place(path)}: " + (less or f"nothing costs less than {exact_text(proof.value)}")
