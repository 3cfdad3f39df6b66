"""What commands that write certificates share."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from anoptima.answer import Answer
from anoptima.exact import exact_text
from anoptima.files import require_room


def certificate_target(arguments: Namespace) -> Path | None:
    """Return where the proof is to go, once it could be written there; None without `--certificate`."""
    if arguments.certificate is None:
        return None
    path = Path(arguments.certificate)
    require_room(path, "certificate", never=Path(arguments.table))
    return path


def certificate_line(answer: Answer[Any], path: Path) -> str:
    """Say where the certificate is and what it proves, or that there is none."""
    if answer.certified is not None:
        return f"the certificate is in {path}: nothing costs less than {exact_text(answer.certified)}"
    own = answer.problem.lower_bound() if answer.problem.why_infeasible() is None else None
    proved = "" if own is None else f"; the problem's own arithmetic proves {exact_text(own)}, and needs none"
    return f"{path} is not written: {answer.solver} has no certificate{proved}"
