"""A worker that is no process: a backend's solver on a thread of this one, for callers who would rather not pay for another process.

It is asked and answers as a process is. It cannot be killed, and nothing that it does to this process is undone.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass

from anoptima.origins import raised
from anoptima.solvers.backends.messages import AskOptions, Message, Raised, Request, Spent
from anoptima.solvers.backends.worker import Report, Runner, answer_to
from anoptima.solvers.left_behind import leave


class WorkerHere:
    """One run, or one look at options, on a thread of its own."""

    ready = True
    end = "goes on in this process, which cannot end it"
    """What becomes of a run that does not stop when asked."""

    def __init__(self, backend: Runner) -> None:
        self._backend = backend
        self._said: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._report = Report(self._said.put)

    def request(self, request: Request | AskOptions) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._answer, args=(request,), name="solver", daemon=True)
        self._thread.start()

    def receive(self, seconds: float) -> Message | None:
        """Return the next message, or None if none comes within `seconds`."""
        try:
            return self._said.get(timeout=seconds)
        except queue.Empty:
            self._report.flush()
            return None

    def stop(self) -> None:
        """Ask the run to end."""
        self._report.request_stop()

    def leave(self) -> None:
        """Ask the run to end, and see to it that Python does not end before it, if it takes no longer than a few seconds."""
        self.stop()
        leave(self._thread)

    def _answer(self, request: Request | AskOptions) -> None:
        began = time.monotonic()
        answer: Message
        try:
            answer = answer_to(self._backend, request, self._report)
        except BaseException as error:  # noqa: BLE001 - it would end this thread alone, and whoever waits for it would wait for ever
            answer = Raised("error", raised(error))
        self._report.finish()
        self._report.send(Spent(time.monotonic() - began))
        self._report.send(answer)


@dataclass
class Here:
    """Gives out workers of one backend, as `process.Pool` does."""

    backend: Runner

    def take(self, memory: int | None = None) -> WorkerHere:
        """Return a new worker."""
        return WorkerHere(self.backend)

    def give_back(self, worker: WorkerHere) -> None:
        """Leave it."""

    def kill(self, worker: WorkerHere) -> None:
        """Ask it to stop: there is no more that can be done."""
        worker.leave()
