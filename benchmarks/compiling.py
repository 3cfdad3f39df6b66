"""What compiling the loops costs: `python -m benchmarks.compiling [WORDS] [--own 20]` compiles them into an empty cache.

Prints the seconds of CPU of every loop that Python calls, beside the seconds that `anoptima prepare` tells people beforehand; then those
of the functions that are compiled on the way, by themselves and with all that they call, most expensive first. WORDS choose among loops
by parts of their names.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter, defaultdict
from typing import Any

from anoptima.solvers.compiling import loops as compiling
from anoptima.solvers.compiling.cache import PLACE
from benchmarks.measure import print_table


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("words", nargs="*", metavar="WORD", help="compile loops with one of these in their names alone")
    parser.add_argument(
        "--own", type=int, default=20, help="list so many of the functions that are compiled on the way"
    )
    options = parser.parse_args()
    chosen = [
        loop for loop in compiling.loops() if not options.words or any(word in loop.name for word in options.words)
    ]
    with tempfile.TemporaryDirectory() as folder:
        os.environ[PLACE] = folder
        began = time.process_time()
        times = _listening()
        lines = [["importing numba", "", f"{time.process_time() - began:.1f}"]]
        for loop in chosen:
            began = time.process_time()
            compiling.compiled(loop.function)
            lines.append(
                [loop.name.rpartition("engine.")[2], f"{loop.seconds:.0f}", f"{time.process_time() - began:.1f}"]
            )
            print(" | ".join(lines[-1]), flush=True)
    total = sum(float(line[2]) for line in lines)
    print()
    print_table(
        ["loop", "said", "CPU s"], [*lines, ["all", f"{sum(loop.seconds for loop in chosen):.0f}", f"{total:.1f}"]]
    )
    print()
    own = sorted(times.own.items(), key=lambda item: -item[1])[: options.own]
    print_table(
        ["function", "types", "own CPU s", "with all it calls"],
        [[name, str(times.types[name]), f"{its:.2f}", f"{times.whole[name]:.2f}"] for name, its in own],
    )


class _Times:
    """Seconds of CPU by function: by itself, and with all that it calls; and for how many types it was compiled."""

    def __init__(self) -> None:
        self.own: defaultdict[str, float] = defaultdict(float)
        self.whole: defaultdict[str, float] = defaultdict(float)
        self.types: Counter[str] = Counter()
        self._open: list[tuple[float, list[float]]] = []

    def begin(self) -> None:
        """A function begins to be compiled."""
        self._open.append((time.process_time(), []))

    def end(self, name: str) -> None:
        """It is compiled."""
        began, within = self._open.pop()
        taken = time.process_time() - began
        self.own[name] += taken - sum(within)
        self.whole[name] += taken
        self.types[name] += 1
        if self._open:
            self._open[-1][1].append(taken)


def _listening() -> _Times:
    """Return times that grow with everything that numba compiles from now on."""
    from numba.core import event

    times = _Times()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            times.begin()

        def on_end(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            times.end(f"{function.__module__.rpartition('.')[2]}.{function.__name__}")

    event.register("numba:compile", Listener())
    return times


if __name__ == "__main__":
    main()
