"""A Dask cluster as an executor of runs: Dask distributes the work, and a run is the same limited process as anywhere."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import distributed

from anoptima.errors import BadInput

CONNECT_S = 10.0
"""Seconds that a scheduler has to answer, at the beginning and whenever the connection is lost."""

LOOK_S = 1.0
"""Seconds between two looks at whether the scheduler is still there."""


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Open the executor of the cluster whose scheduler has this address.

    A run whose worker dies is given to another worker, three times at most (Dask's `allowed-failures`); one that is lost with the scheduler
    has no record, and the next `anoptima study run` does it.
    """
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise BadInput(f"no Dask scheduler answers at {address!r}: {error}") from None
    over = threading.Event()
    try:
        hands = _Workers(client)
        threading.Thread(target=hands.watch, args=(over,), daemon=True).start()
        yield hands
    finally:
        over.set()
        client.close()


class _Workers(Executor):
    """Dask's own executor, which says nothing of runs that were handed to it while it looked for a scheduler that is gone."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # Each run is a process of its own and counts its own threads.
        self._workers: Executor = client.get_executor(retries=0, pure=False)
        self._under_way: WeakSet[Future[Any]] = WeakSet()

    def submit(self, do: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Hand over a run; `ConnectionError` once the scheduler is gone."""
        if self._is_gone():
            raise ConnectionError("the scheduler is gone")
        future = self._workers.submit(do, *given, **named)
        self._under_way.add(future)
        return future

    def watch(self, over: threading.Event) -> None:
        """End the runs under way when the scheduler is gone."""
        while not over.wait(LOOK_S):
            if self._is_gone():
                for future in list(self._under_way):
                    with contextlib.suppress(InvalidStateError):
                        future.set_exception(ConnectionError("the scheduler is gone"))

    def _is_gone(self) -> bool:
        return self._client.status in ("closing", "closed")
