"""Pictures that commands draw: the endings of their file names, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anoptima.cli.outputs import file_target
from anoptima.errors import BadInput
from anoptima.machine import is_installed

if TYPE_CHECKING:
    from argparse import Namespace

PLOTS = (".svg", ".png", ".pdf")
"""How the name of a picture ends."""


def plot_target(arguments: Namespace, option: str = "plot") -> Path | None:
    """Return where the picture of `--plot` is to go, once one could be written there; None without the option."""
    given = getattr(arguments, option)
    if given is None:
        return None
    path = Path(given)
    if path.suffix.lower() not in PLOTS:
        raise BadInput(f"{path}: a picture is written as {', '.join(PLOTS)}; give it a name that ends so")
    file_target(given, "picture", never=arguments.table)
    if not is_installed("matplotlib"):
        raise BadInput(f"{path}: pictures need matplotlib; install anoptima[plots]")
    return path
