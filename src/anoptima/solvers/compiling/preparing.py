"""Compiling all loops into the cache: here and now, or by another process while plain loops run.

`python -m anoptima.solvers.compiling.preparing MODULE…` is that process. It compiles the loops of these modules first, then all others.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from anoptima.solvers.compiling.loops import MODULES, Loop, compiled, here, loops, why_no_numba

WITHOUT_NUMBA = "numba cannot be imported: loops run many times slower, and some searches are left out"
"""What is missing in a broken install."""
UNASKED = "ANOPTIMA_PREPARE"
"""The environment variable that, set to 0, keeps runs from starting a process that prepares."""
UNPREPARED = "still being prepared"
"""Why loops do not run compiled as long as another process compiles them."""
MOST_SECONDS = 1800
"""Seconds after which a process that prepares ends, whatever it is doing."""
NICE = 5

_BOOT = """
import sys
sys.path[:] = {path!r}
from anoptima.solvers.compiling.preparing import main
main({modules!r})
"""

_started: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True)
class State:
    """What is prepared and what is not; `why` says why nothing can be, and is empty if all can."""

    prepared: tuple[Loop, ...]
    missing: tuple[Loop, ...]
    why: str = ""

    @property
    def seconds(self) -> float:
        """About how many seconds of one core preparing what is missing takes."""
        return sum(loop.seconds for loop in self.missing)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data: loops by name."""
        prepared, missing = ([loop.name for loop in some] for some in (self.prepared, self.missing))
        return {"prepared": prepared, "missing": missing, "seconds": self.seconds, "why": self.why}

    def __str__(self) -> str:
        if self.why:
            return self.why
        if not self.missing:
            return "everything is prepared"
        count = len(self.prepared) + len(self.missing)
        return f"{len(self.prepared)} of {count} loops are prepared; the others take about {self.seconds:.0f} s: anoptima prepare"


def state(modules: Iterable[str] = MODULES) -> State:
    """Return which loops of some modules are prepared here."""
    known, why = loops(modules), why_no_numba()
    if why:
        return State((), tuple(known), f"{WITHOUT_NUMBA} ({why})")
    cache = here()
    prepared = tuple(loop for loop in known if cache.has(loop.key))
    return State(prepared, tuple(loop for loop in known if loop not in prepared), cache.why)


def prepare(
    on_progress: Callable[[int, int, Loop], None] = lambda done, count, loop: None, first: Sequence[str] = ()
) -> State:
    """Compile all loops that are missing in the cache, those of the modules `first` before others; wait for another process that does.

    `on_progress` is told before each loop how many of how many there are. A second call finds nothing to do.
    """
    if why_no_numba():
        return state()
    cache = here()
    with cache.locked(wait=True) as may:
        if may:
            _compile_missing(on_progress, first)
            cache.clear([loop.key for loop in loops()])
    return state()


def _compile_missing(on_progress: Callable[[int, int, Loop], None], first: Sequence[str]) -> None:
    cache = here()
    order = [*first, *(name for name in MODULES if name not in first)]
    every = [loop for name in order for loop in loops([name])]
    done = [loop for loop in every if cache.has(loop.key)]
    for loop in every:
        if loop not in done:
            on_progress(len(done), len(every), loop)
            compiled(loop.function)
            cache.note(loop.key)
            done.append(loop)


def start(modules: Sequence[str]) -> None:
    """Let another process prepare all loops, those of some modules first, unless one is at it; return at once.

    It goes on after this process, by itself: interrupting a run does not interrupt it.
    """
    if os.environ.get(UNASKED) == "0" or not sys.executable or any(process.poll() is None for process in _started):
        return
    with here().locked(wait=False) as is_free:
        pass
    if is_free:
        _started[:] = [command_started(_BOOT.format(path=sys.path, modules=[*modules]))]


def command_started(script: str) -> subprocess.Popen[bytes]:
    """Start a Python process in a session of its own, and a thread that waits for its end, so that it never is a zombie."""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=process.wait, name="waits for the preparer", daemon=True).start()
    return process


def main(first: Sequence[str]) -> None:
    """Prepare all loops, as a process of low priority, unless another one does."""
    os.nice(NICE)
    signal.alarm(MOST_SECONDS)
    with contextlib.suppress(KeyboardInterrupt), here().locked(wait=False) as may:
        if may:
            _compile_missing(lambda done, count, loop: None, first)


if __name__ == "__main__":
    main(sys.argv[1:])
