"""Where a solver's program is: on the path, or in this environment, where wheels put them in places of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Program:
    """An executable, and the folder of its libraries if they are in none that the system looks into."""

    path: Path
    libraries: Path | None = None

    def environment(self) -> dict[str, str]:
        """Return what the environment must say for it to run."""
        if self.libraries is None:
            return {}
        others = [one for one in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if one != str(self.libraries)]
        return {"LD_LIBRARY_PATH": os.pathsep.join([str(self.libraries), *filter(None, others)])}


def program_of(names: Iterable[str]) -> Program | None:
    """Return the first executable of these names: on the path, or where a wheel has put it, in this environment.

    A wheel of the cmeel project has in the environment's `bin` only a Python script that starts the program, and that a signal would
    end without the program; where the environment's path has a space in it, the system does not even start the script. So that folder is
    the last to be looked into.

    >>> program_of(["no-such-program"]) is None
    True
    """
    beside = str(Path(sys.executable).parent)
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder != beside]
    for name in names:
        found = shutil.which(name, path=os.pathsep.join(folders))
        if found:
            return Program(Path(found))
        for site in sys.path:
            prefix = Path(site, "cmeel.prefix")
            if os.access(prefix / "bin" / name, os.X_OK):
                return Program(prefix / "bin" / name, prefix / "lib")
        found = shutil.which(name, path=beside)
        if found:
            return Program(Path(found))
    return None
