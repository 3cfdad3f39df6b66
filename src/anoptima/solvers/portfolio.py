"""Portfolios: two solvers for one problem, where neither is the best at everything; one ledger has their solutions, bounds and proofs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import replace
from typing import Any, TypeVar

from anoptima.answer import (
    Answer,
    BoundRaised,
    Budget,
    Event,
    Incumbent,
    Listener,
    Log,
    Origin,
    Proof,
    StartFate,
    StillRunning,
    Stop,
)
from anoptima.arguments import checked
from anoptima.deadline import within
from anoptima.errors import AnoptimaError, FalseClaim, OutOfTime
from anoptima.problems.base import Problem
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")

_PATIENCE_S, _PATIENCE_SHARE = 1.0, 1.0
"""Once a backend claims that it has the optimum, the other solver has this many seconds, or this share of those that have passed if that
is more, to give a proof."""
_BRIEF_S = 0.2
"""The same seconds where the claim follows from an exact algorithm, and nobody has to be believed: a proof is only the better answer."""
_HEAD_START_S, _HEAD_START_SHARE = 2.0, 0.2
"""The second solver begins this long after the first, or after this share of the time if that is less: the first answers most small
questions in less. If the first has ended, it begins at once."""
_FIRST_SHARE = 0.6
"""What the first solver may take of the time where they follow each other."""
_TURN_S = 0.0003
"""For how long one of two threads that run Python code may make the other one wait. With Python's 5 ms, local search beside sifting loses
half its time to waiting after each call of NumPy: 1,000 census rows, t = 0.2 over ordered occupations, 10 s: 1,309 stars, and 1,296 with
this."""


class _Turns:
    """Makes the turns of Python's threads short while any portfolio needs it; what was set before comes back with the last one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0.0

    @contextmanager
    def short(self) -> Iterator[None]:
        """Make turns short while the body runs."""
        with self._lock:
            if self._users == 0:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(min(self._before, _TURN_S))
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    sys.setswitchinterval(self._before)


_TURNS = _Turns()


class Portfolio(Solver[S]):
    """Two solvers side by side on two threads, or one after the other: the best of both.

    The first has a head start; then the second runs beside it with one thread of its own. Once one claims an optimum without a proof, a
    patient portfolio gives the other as long again to prove it, if its bounds come with proofs. A second solver that fails is a note; a
    claim that another one refutes is an error. Without a `head_start` both begin at once; where they are not to be `beside` each other,
    they follow each other if the time is limited: solvers that mostly run Python code only wait for each other.
    """

    kind = Kind.EXACT

    @checked
    def __init__(
        self, first: Solver[S], second: Solver[S], patient: bool = True, head_start: bool = True, beside: bool = True
    ) -> None:
        self.first, self.second, self.patient, self.head_start, self.beside = first, second, patient, head_start, beside
        self.name = f"{first.name} and {second.name}"
        self.gives_proofs = first.gives_proofs or second.gives_proofs

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Both must be for the problem."""
        return self.first.why_not(problem) or self.second.why_not(problem)

    def prepare(self, problem: Problem[S]) -> None:
        """Have both get ready."""
        self.first.prepare(problem)
        self.second.prepare(problem)

    def in_this_process(self) -> Portfolio[S]:
        """Return both in the caller's process."""
        first, second = self.first.in_this_process(), self.second.in_this_process()
        return Portfolio(first, second, self.patient, self.head_start, self.beside)

    def solve(
        self,
        problem: Problem[S],
        budget: Budget | None = None,
        start: S | None = None,
        listener: Listener | None = None,
        proof: Proof | None = None,
    ) -> Answer[S]:
        """Answer `problem` by the best solution and the best bound of both."""
        ledger: Ledger[S] = Ledger(problem, self.name, budget or Budget(), listener)
        ledger.wants_proof = self.first.seeks_proof(problem) or self.second.seeks_proof(problem)
        impossible = ledger.open(start, proof)
        if impossible is not None:
            return impossible
        run = _Together(ledger, start is not None, proof, self.patient, self.head_start)
        if not ledger.is_over():
            if ledger.threads > 1 and (self.beside or ledger.clock.left() is None):
                with _TURNS.short():
                    run.beside(self.first, self.second)
            else:
                run.in_turn(self.first, self.second)
        return run.answer()


class _Together:
    """One run of two solvers: the ledger that both tell, under a lock, and how each of them ended."""

    def __init__(
        self, ledger: Ledger[Any], is_started: bool, proof: Proof | None, patient: bool, head_start: bool
    ) -> None:
        self._ledger = ledger
        self._is_started = is_started
        """Whether there is a solution that is worth starting from, and not just the one that is there for the taking."""
        self._patient = patient
        self._head_start = _HEAD_START_S if head_start else 0.0
        self._proof = proof
        self._lock = threading.Lock()
        self._owner = threading.get_ident()
        self._ended: list[Answer[Any]] = []
        self._claimed: float | None = None
        self._failure: BaseException | None = None
        self._is_broken = False
        self._first_has_ended = threading.Event()

    def beside(self, first: Solver[Any], second: Solver[Any]) -> None:
        """Run both at once, the second on a thread of its own."""
        context = copy_context()
        thread = threading.Thread(target=lambda: context.run(self._second, second), name=second.name)
        thread.start()
        try:
            with within(lambda: self._is_over_for(first)):
                answer = self._run(first, self._ledger.clock.left(), max(1, self._ledger.threads - 1))
            if answer is not None and answer.stop is Stop.CANCELLED and not self._is_over_for(first):
                self._ledger.cancelled = True
            self._first_has_ended.set()
            thread.join()
        except KeyboardInterrupt:
            self._ledger.cancelled = True
        except BaseException:
            self._is_broken = True
            raise
        finally:
            self._first_has_ended.set()
            thread.join()
        if self._failure is not None:
            raise self._failure

    def in_turn(self, first: Solver[Any], second: Solver[Any]) -> None:
        """Run the first for its share of the time, then the second from the best that there is."""
        left = self._ledger.clock.left()
        answer = self._run(first, None if left is None else _FIRST_SHARE * left, 1)
        if answer is not None and answer.stop is Stop.CANCELLED:
            self._ledger.cancelled = True
        self._first_has_ended.set()
        if not self._ledger.is_over() or second.gives_proofs:
            self._second(second)
        if self._failure is not None:
            raise self._failure

    def answer(self) -> Answer[Any]:
        """Close the ledger with what both came to."""
        versions: dict[str, str] = {}
        size: Mapping[str, int] = {}
        fate, built, started = StartFate.NONE, 0.0, 0.0
        for one in self._ended:
            versions |= one.run.versions
            size = size or one.run.model_size
            built += one.run.build_seconds
            started += one.run.start_seconds
            self._ledger.compiled = self._ledger.compiled or one.run.compiled
            self._ledger.prepare_seconds = max(self._ledger.prepare_seconds, one.run.prepare_seconds)
            fate = one.run.start if fate in (StartFate.NONE, StartFate.UNUSED) else fate
            self._ledger.notes.extend(f"{one.run.solver}: {note}" for note in one.run.notes)
        otherwise = Stop.COMPLETE if all(one.stop is Stop.COMPLETE for one in self._ended) else Stop.TIME
        return self._ledger.answer(
            self._ledger.why_over(otherwise),
            versions=versions,
            build_seconds=built,
            model_size=size,
            start=fate,
            start_seconds=started,
        )

    def _second(self, solver: Solver[Any]) -> None:
        left = self._ledger.clock.left()
        self._first_has_ended.wait(
            self._head_start if left is None else min(self._head_start, _HEAD_START_SHARE * left)
        )
        if self._is_over_for(solver) or self._ledger.clock.is_over():
            return
        try:
            with within(lambda: self._is_over_for(solver)):
                self._run(solver, self._ledger.clock.left(), 1)
        except FalseClaim as error:
            self._failure = error
        except AnoptimaError as error:
            with self._lock:
                self._ledger.notes.append(f"{solver.name}: {error}")
        except BaseException as error:  # noqa: BLE001  (raised again by the thread that waits for this one)
            self._failure = error

    def _run(self, solver: Solver[Any], seconds: float | None, threads: int) -> Answer[Any] | None:
        """Have a solver run, and keep what it came to; None if the run was over before it had begun."""
        budget = replace(self._ledger.budget, seconds=seconds, threads=threads)
        start = self._ledger.solution if self._is_started else None
        try:
            answer = solver.solve(self._ledger.problem, budget, start, self._hearing(solver.name), self._proof)
        except OutOfTime:
            return None
        with self._lock:
            self._ended.append(answer)
            if answer.bound is not None:
                proof = answer.proof if answer.bound.origin is Origin.PROOF else None
                self._ledger.raise_bound(answer.bound.value, answer.bound.origin, answer.bound.by, proof)
            if answer.proof is not None:
                self._ledger.raise_bound(answer.proof.value, Origin.PROOF, solver.name, answer.proof)
            if self._claimed is None and self._ledger.is_closed():
                self._claimed = self._ledger.clock.seconds()
        return answer

    def _hearing(self, name: str) -> Listener:
        def hear(event: Event) -> bool:
            with self._lock:
                if isinstance(event, Incumbent) and event.solution is not None:
                    self._is_started = True
                    self._ledger.offer(event.solution, name)
                elif isinstance(event, BoundRaised):
                    self._ledger.raise_bound(event.bound, event.origin or Origin.BACKEND, name, event.proof)
                elif isinstance(event, Log):
                    self._ledger.log(event.line)
                elif isinstance(event, StillRunning) and threading.get_ident() == self._owner:
                    self._ledger.tell(StillRunning(self._ledger.clock.seconds()))
                return self._ledger.cancelled

        return hear

    def _is_over_for(self, solver: Solver[Any]) -> bool:
        """Tell whether a solver is to end: something has gone wrong, there is a proof, or it has had the time to find one for a claim."""
        ledger, bound = self._ledger, self._ledger.bound
        if self._failure is not None or self._is_broken or ledger.cancelled:
            return True
        if bound is None or not ledger.is_closed():
            return False
        is_believed = bound.origin is Origin.BACKEND
        may_prove = self._patient and solver.gives_proofs and bound.origin is not Origin.PROBLEM
        if bound.origin is Origin.PROOF or not (is_believed or may_prove):
            return True
        if self._claimed is None:
            return False
        least = _PATIENCE_S if is_believed else _BRIEF_S
        patience = max(least, _PATIENCE_SHARE * self._claimed) if self._patient else 0.0
        return ledger.clock.seconds() >= self._claimed + patience
