"""What commands that write certificates share."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from anoptima.answer import Answer
from anoptima.exact import exact_text
from anoptima.files import require_room
from anoptima.proof_documents import certificate_of


def certificate_target(arguments: Namespace) -> Path | None:
    """Return where the proof is to go, once it could be written there; None without `--certificate`."""
    if arguments.certificate is None:
        return None
    path = Path(arguments.certificate)
    require_room(path, "certificate", never=Path(arguments.table))
    return path


def checkpoint_target(arguments: Namespace) -> Path | None:
    """Return where the run keeps what it has, once it could be written there; None without `--checkpoint`."""
    given = getattr(arguments, "checkpoint", None)
    if given is None:
        return None
    path = Path(given)
    require_room(path, "checkpoint", never=Path(arguments.table))
    return path


def certificate_line(answer: Answer[Any], path: Path) -> str:
    """Say where the certificate is and what it proves, or why there is none."""
    certificate = certificate_of(answer)
    if certificate is None:
        return f"{path} is not written: there is no solution that could cost less"
    return f"the certificate is in {path}: nothing costs less than {exact_text(certificate.value)}"
