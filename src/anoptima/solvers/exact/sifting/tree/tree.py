"""A search tree: open cases, the least bounded next, each bounded better and divided; what is proved is the least of all cases.

What a case is, and how it is bounded and divided, is told by what branches: by patterns (`tree.by_pattern`) or by sizes (`tree.by_size`).
"""

from __future__ import annotations

import heapq
import itertools
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from anoptima.deadline import current_deadline, within
from anoptima.errors import OutOfTime

A_MOMENT = 0.05
"""Seconds after which whoever waits for another thread looks again."""


class Case(Protocol):
    """What was decided, and what is proved of it."""

    @property
    def proved(self) -> float:
        """The bound of the case."""


C = TypeVar("C", bound=Case)
L = TypeVar("L")


class Leaves(Generic[L]):
    """The leaves of a tree of cases: those to be taken up, the least of them next, and those with nothing left to decide.

    Open cases come back by their rising `key`, equals in the order in which they were left.

    >>> leaves = Leaves(len)
    >>> for case in ("bb", "a", "ccc"):
    ...     leaves.leave(case)
    >>> leaves.close(leaves.take())
    >>> leaves.open, list(leaves)
    (2, ['a', 'bb', 'ccc'])
    """

    def __init__(self, key: Callable[[L], Any]) -> None:
        self._key = key
        self._numbers = itertools.count()
        self._open: list[tuple[Any, int, L]] = []
        self._closed: list[L] = []

    @property
    def open(self) -> int:
        """How many cases are to be taken up."""
        return len(self._open)

    def __len__(self) -> int:
        return len(self._open) + len(self._closed)

    def __iter__(self) -> Iterator[L]:
        return itertools.chain(self._closed, (entry[2] for entry in self._open))

    def leave(self, case: L) -> None:
        """Leave a case for later."""
        heapq.heappush(self._open, (self._key(case), next(self._numbers), case))

    def close(self, case: L) -> None:
        """Put a case aside in which nothing is left to decide."""
        self._closed.append(case)

    def take(self) -> L:
        """Take the next case up."""
        return heapq.heappop(self._open)[2]

    def clear(self) -> None:
        """Begin anew with no case."""
        self._open.clear()
        self._closed.clear()


class Brancher(Protocol[C]):
    """Bounds and divides cases, one at a time; a tree has one for each thread."""

    def begin(self, case: C) -> None:
        """Take up a case that may have nothing to do with the one before."""

    def examine(self, case: C, target: float) -> tuple[C, Any]:
        """Bound a case better, up to `target`; return it with a solution of its program, None if that was not found."""

    def divide(self, case: C, solution: Any) -> Sequence[C]:
        """Return what a case falls into, the likeliest first; nothing if nothing is left to decide."""


class Tree(ABC, Generic[C]):
    """A tree that grows until every case proves what is `wanted`. One that was left as it is may be gone on with."""

    def __init__(self, is_over: Callable[[], bool], key: Callable[[C], Any]) -> None:
        self._is_over = is_over
        self._until = math.inf
        self._in_hand = 0
        self._errors: list[BaseException] = []
        self._turn = threading.Condition()
        self.branchers: Sequence[Brancher[C]] = ()
        self.cases: Leaves[C] = Leaves(key)
        """The leaves of the tree as it stands, between two runs."""

    @property
    @abstractmethod
    def wanted(self) -> float:
        """The bound that is enough; it may fall, and never rises."""

    def target(self, case: C) -> float:
        """Return the bound up to which a case is followed now."""
        return self.wanted

    def is_followed(self) -> bool:
        """Tell whether what the next case falls into is taken up at once, and so on."""
        return True

    @property
    def is_full(self) -> bool:
        """Tell whether there may be no more cases."""
        return False

    @property
    def is_done(self) -> bool:
        """Tell whether every case has come to its end."""
        return not self.cases.open

    @property
    def proved(self) -> Any:
        """What is proved: the least of all cases."""
        return min((case.proved for case in self.cases), default=0)

    @property
    def is_whole(self) -> bool:
        """Tell whether all cases are among the leaves; not where something has gone wrong with one that was taken up."""
        return not self._in_hand

    def is_enough(self, case: C) -> bool:
        """Tell whether a case proves what is wanted."""
        return case.proved >= self.wanted

    def is_late(self) -> bool:
        """Tell whether to leave the tree as it is, for now; so it is for all threads once one of them is broken."""
        return bool(self._errors) or self._is_over() or time.monotonic() > self._until

    def leave(self, case: C) -> None:
        """Leave a case for later, or for good if it proves enough."""
        with self._turn:
            (self.cases.close if self.is_enough(case) else self.cases.leave)(case)
            self._turn.notify_all()

    def run(self, threads: int = 1, seconds: float = math.inf) -> None:
        """Branch on `threads` threads until every case proves what is wanted, there are too many, or it is over."""
        self._until = time.monotonic() + seconds
        deadline = current_deadline()

        def work(brancher: Brancher[C]) -> None:
            try:
                with within(deadline):
                    self._work(brancher)
            except BaseException as error:  # noqa: BLE001 - it is raised again where the tree is waited for
                self._errors.append(error)

        others = [threading.Thread(target=work, args=(one,), daemon=True) for one in self.branchers[1:threads]]
        for other in others:
            other.start()
        work(self.branchers[0])
        for other in others:
            other.join()
        if self._errors:
            raise self._errors[0]

    def _work(self, brancher: Brancher[C]) -> None:
        """Take one case up after the other, until there is none that would help, nor will be."""
        while not self.is_late():
            with self._turn:
                self._in_hand += 1
                case = self._take()
                if case is None:
                    self._in_hand -= 1
                    if not self._in_hand:
                        return
                    self._turn.wait(A_MOMENT)
                    continue
            self._follow(brancher, case)
            self._put_down()

    def _put_down(self) -> None:
        """Note that a case which was taken up is among the leaves again, or what it fell into."""
        with self._turn:
            self._in_hand -= 1
            self._turn.notify_all()

    def _take(self) -> C | None:
        """Return the next case that does not prove enough; None if there is none, or there may be no more."""
        while self.cases.open and not self.is_full:
            case = self.cases.take()
            if not self.is_enough(case):
                return case
            self.cases.close(case)
        return None

    def _follow(self, brancher: Brancher[C], case: C) -> None:
        """Take a case up, then the likeliest that it falls into, and so on until that proves enough; leave all others for later."""
        target, is_followed = self.target(case), self.is_followed()
        brancher.begin(case)
        while True:
            try:
                case, solution = brancher.examine(case, target)
                is_left = case.proved >= target or self.is_enough(case) or self.is_late()
                parts = () if is_left else brancher.divide(case, solution)
            except OutOfTime:
                # A program that did not come back in time: what has been proved of all cases stays.
                self.leave(case)
                self._put_down()
                raise
            if is_left:
                self.leave(case)
                return
            if not parts:
                with self._turn:
                    self.cases.close(case)
                return
            is_worth_it = solution is not None and not self.is_enough(parts[0])
            goes_on = is_followed and is_worth_it and not self.is_late()
            for part in parts[1:] if goes_on else parts:
                self.leave(part)
            if not goes_on:
                return
            case = parts[0]
