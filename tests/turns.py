"""Which backends are asked which question: HiGHS and CP-SAT all of them, the others by turns.

A model that is wrong is wrong on every backend, and a backend that is wrong is so with most models. What only one of the others does to
one model is found where they meet: `tests/testing/test_everything.py` has every pair. Whoever asks more questions than that lets
HiGHS and CP-SAT, which share no code, answer all of them; each model has one further backend a question, the next one with the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

FIRST = ("highs", "cp-sat")


def has_turns(solver: str) -> bool:
    """Tell whether a solver is a model on a backend that is asked by turns."""
    _, slash, backend = solver.partition("/")
    return bool(slash) and backend not in FIRST


def in_turn(solvers: Iterable[str], turn: int) -> list[str]:
    """Return the names of the solvers to be asked: all but those of backends whose turn it is not.

    The number of a turn says which backend takes it, another one for each model. As many turns on end as there are others have all.

    >>> in_turn(["subset-dp", "pattern/highs", "pattern/pyomo:glpk", "pattern/scip", "groups/pyomo:glpk", "groups/scip"], 1)
    ['subset-dp', 'pattern/highs', 'pattern/scip', 'groups/pyomo:glpk']
    """
    names = list(solvers)
    others: defaultdict[str, list[str]] = defaultdict(list)
    for name in filter(has_turns, names):
        others[name.partition("/")[0]].append(name)
    chosen = {found[(turn + place) % len(found)] for place, found in enumerate(others.values())}
    return [name for name in names if name in chosen or not has_turns(name)]
