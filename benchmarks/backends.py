"""Every backend on random integer programs, held against enumeration: `python -m benchmarks.backends [PROGRAMS] [BACKEND ...]`.

Prints how many optima and how many proofs of infeasibility each backend got right, half of them from a start; exits with 1 if it got
anything wrong, naming the program's number.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import numpy as np

from anoptima.answer import Budget, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import Language
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.testing.programs import random_integer_program, solutions


def verdict(backend: Backend, language: Language, seed: int) -> str:
    """Say what came of program `seed`: an agreement, a refusal, or what is wrong."""
    program = random_integer_program(seed, language)
    found = list(solutions(program))
    chance = np.random.default_rng(seed)
    start = found[int(chance.integers(len(found)))][1] if found and chance.random() < 0.5 else None
    try:
        outcome = backend.solve(program, Budget(seconds=60), start)
    except NotApplicable:
        return "refused"
    if not found:
        return "infeasible" if outcome.infeasible else f"WRONG: infeasible, and it says {outcome.objective}"
    best = min(objective for objective, _ in found)
    right = outcome.stop is Stop.PROVED and outcome.objective == outcome.bound == best
    among = outcome.values is not None and any((outcome.values == values).all() for _, values in found)
    if right and among:
        return "optimal"
    return (
        f"WRONG: the optimum is {best:g}, and it says {outcome.objective}, bound {outcome.bound} ({outcome.stop.value})"
    )


def main() -> int:
    """Run and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    disagreements = 0
    print(
        f"{'backend':14} {'language':8} {'programs':>8} {'optimal':>8} {'infeasible':>10} {'refused':>8} {'wrong':>6} {'s':>7}"
    )
    for name in sys.argv[2:] or backend_names():
        backend = get_backend(name)
        for language in sorted(backend.languages, key=lambda language: language.value):
            began = time.monotonic()
            verdicts = [verdict(backend, language, seed) for seed in range(count)]
            wrong = [(seed, words) for seed, words in enumerate(verdicts) if words.startswith("WRONG")]
            counts = Counter(verdicts)
            print(
                f"{name:14} {language.value:8} {count:8} {counts['optimal']:8} {counts['infeasible']:10} "
                f"{counts['refused']:8} {len(wrong):6} {time.monotonic() - began:7.1f}",
                flush=True,
            )
            for seed, words in wrong[:10]:
                print(f"  program {seed}: {words}")
            disagreements += len(wrong)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
