"""Which candidates for fakes need not be looked at: step 6 of `fake_arrangement`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time

_MOST_COMPARED = 3_000
"""Among how many candidates of the same choices the better ones are looked for, pair by pair."""

Whole = NDArray[np.int64]


def better_candidates(
    candidates: int, needs: Sequence[tuple[Whole, int]], choices: Sequence[tuple[Whole, Whole]]
) -> Whole:
    """Return, for each candidate, the one that its fakes may move to (itself if it stays), or -1 if they may go (step 6)."""
    met, chosen = [0] * candidates, [0] * candidates
    for bit, (members, _) in enumerate(needs):
        check_time()
        for a in members.tolist():
            met[a] |= 1 << bit
    for bit, (members, _) in enumerate(choices):
        check_time()
        for a in members.tolist():
            chosen[a] |= 1 << bit
    alike: defaultdict[int, dict[int, int]] = defaultdict(dict)
    better = np.array([alike[chosen[a]].setdefault(met[a], a) for a in range(candidates)])
    winner = np.arange(candidates)
    for group in alike.values():
        for best, beaten in _dominated(group):
            winner[beaten] = best
    useless = np.array([not met[a] and not chosen[a] for a in range(candidates)])
    return np.where(useless, -1, winner[better])


def _dominated(group: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yield (winner, loser) among candidates of the same choices, given by the sets of needs that they meet."""
    winners: list[int] = []
    for met in sorted(group, key=lambda bits: -bits.bit_count()):
        check_time()
        best = next((other for other in winners[:_MOST_COMPARED] if met & ~other == 0), None)
        if best is None:
            winners.append(met)
        else:
            yield group[best], group[met]
