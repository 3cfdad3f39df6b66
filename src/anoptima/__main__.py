"""The command line as a process: `python -m anoptima`, and the `anoptima` that is installed.

Packages load while a command runs, and whoever interrupts that, or has no memory for it, is told so in one sentence. So this module
imports nothing that takes long.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from typing import Any

LEAST_SPACE = 1 << 30
"""Bytes of address space below which no solver loads; threads have a share in it that depends on the machine."""

ENDING = tuple(signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that are taken for Ctrl-C unless somebody has set them otherwise: what was found by then is written, and not lost."""


def main() -> int:
    """Run a command of the command line and return its exit code."""
    sys.unraisablehook = _pass_on
    for one in ENDING:
        if signal.getsignal(one) is signal.SIG_DFL:
            signal.signal(one, signal.default_int_handler)
    try:
        from anoptima.machine import address_space

        most = address_space()
        if most is not None and most < LEAST_SPACE:
            return _end(
                f"the address space is limited to {most >> 20:,} MiB (ulimit -v); the packages take {LEAST_SPACE >> 20:,}",
                3,
            )
        from anoptima.packages import loading

        with loading():
            from anoptima.cli import main as command

        code = command()
    except KeyboardInterrupt:
        code = _end("interrupted", 130)
    except (ImportError, MemoryError) as error:
        code = _end(f"the command line cannot be loaded: {str(error) or 'out of memory'}", 3)
    for one in (signal.SIGINT, *ENDING):
        if signal.getsignal(one) is signal.default_int_handler:
            # All is said and written: who interrupts the end of the process has no use for a traceback.
            signal.signal(one, signal.SIG_IGN)
    left_behind: Any = sys.modules.get("anoptima.solvers.left_behind")
    if left_behind is not None:
        left_behind.end(code)
    return code


def _end(message: str, code: int) -> int:
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"anoptima: {message}\n")
    return code


def _pass_on(unraisable: Any) -> None:
    """Interrupt again where Python could only print that it was interrupted: in a callback, or while something is cleared away."""
    if not issubclass(unraisable.exc_type, Exception):
        # A moment later: what is raised here would be printed again.
        main_thread = threading.main_thread().ident
        assert main_thread is not None
        threading.Timer(0.01, signal.pthread_kill, (main_thread, signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    sys.exit(main())
