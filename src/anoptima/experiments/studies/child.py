"""The process of one run: `python -m anoptima.experiments.studies.child FOLDER OUTBOX`.

The task is a line of JSON on standard input, which stays open while whoever started the run lives.

It solves, checks the answer from the data alone, and leaves `record.json`, and files with the release and the proof, in the outbox. Whoever
started it sets the limits and knows how it ended.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from anoptima.answer import Answer, Claim, Progress, Stop
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.documents.questions import problem_document
from anoptima.errors import AnoptimaError, FalseClaim, ModelTooLarge, NotApplicable, SolverFailure
from anoptima.exact import exact_plain
from anoptima.experiments.questions import Question
from anoptima.experiments.studies.running import AT_OPTIMUM, CHANGED
from anoptima.experiments.studies.sources import load, stated
from anoptima.experiments.studies.task import Task, canonical
from anoptima.instances.library import instance, instances
from anoptima.models import models
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers import algorithms
from anoptima.solvers.lookup import get_solver
from anoptima.solvers.solving import solve

PACKAGES = ("numba", "pandas", "anoptima.proofs.near", "anoptima.solvers.approximate.near_patterns.run")
"""What most runs use, and what takes long to load; what is not installed is left out."""

MOST_STEPS = 500
"""Steps of a trace that a record keeps: the first, the last, and others between."""


def main(folder: Path, outbox: Path, task: Task) -> None:
    """Do the run, and leave its record."""
    problem = load(task.source, folder)
    if canonical(stated(problem, task.source)) != canonical(task.question):
        (outbox / "record.json").write_text(json.dumps({"status": CHANGED}), encoding="utf-8")
        return
    record: dict[str, Any] = {"shape": _shape(task.name, problem), "problem": problem_document(problem)}
    if isinstance(problem, TableProblem):
        record["quasi"] = [column.name for column in problem.table.quasi_columns]
    if "instance" in task.source:
        known = instance(str(task.source["instance"]))
        record["library"] = {"best": exact_plain(known.best), "bound": exact_plain(known.bound)}
    steps: list[list[Any]] = []
    enough = threading.Event()

    def on_progress(now: Progress) -> None:
        if now.cost is not None and exact_plain(now.cost) == task.until:
            enough.set()
        step = [round(now.seconds, 4), exact_plain(now.cost), exact_plain(now.bound)]
        if not steps or steps[-1][1:] != step[1:]:
            steps.append(step)

    try:
        answer = solve(
            problem,
            task.solver,
            time_limit=task.seconds,
            threads=task.threads,
            seed=task.seed,
            options=dict(task.options),
            on_progress=on_progress,
            cancel=enough,
        )
    except FalseClaim as lie:
        record |= {"status": "lied", "why": str(lie)}
    except (NotApplicable, ModelTooLarge) as refusal:
        record |= {"status": "unsupported", "why": str(refusal)}
    except MemoryError:
        record |= {"status": "memory", "why": "Python ran out of memory"}
    except (SolverFailure, AnoptimaError) as failure:
        record |= {"status": "crashed", "why": str(failure)}
    else:
        record |= _outcome(answer, task)
        _keep(answer, outbox)
    record["trace"] = steps[:: len(steps) // MOST_STEPS + 1] + steps[-1:]
    (outbox / "record.json").write_text(json.dumps(record), encoding="utf-8")


def _shape(name: str, problem: Problem[Any]) -> dict[str, Any]:
    asks = Question(0, name, problem).columns()
    return {key: value for key, value in asks.items() if key not in ("question", "table")}


def _outcome(answer: Answer[Any], task: Task) -> dict[str, Any]:
    """Return what was found, after the answer is checked again from the data."""
    checked = answer.verify()
    bound, run = answer.bound, answer.run
    promised = None
    # A theorem speaks of an algorithm that went to its end, not of one whose time was up.
    if task.solver != "auto" and answer.stop in (Stop.COMPLETE, Stop.PROVED):
        promised = get_solver(task.solver).ratio(answer.problem)
    return {
        "status": _status(answer, checked.proved is not None and checked.proved.value == answer.cost, bool(checked)),
        "why": "; ".join(checked.wrong) or answer.reason,
        "claim": answer.claim.value,
        "stop": AT_OPTIMUM
        if answer.stop is Stop.CANCELLED and exact_plain(answer.cost) == task.until
        else answer.stop.value,
        "cost": exact_plain(answer.cost),
        "bound": None if bound is None else exact_plain(bound.value),
        "bound from": None if bound is None else bound.origin.value,
        "proved": None if checked.proved is None else exact_plain(checked.proved.value),
        "guaranteed": exact_plain(promised),
        "seconds": float(run.seconds - run.setup_seconds),
        "setup seconds": float(run.setup_seconds),
        "compiled": None if run.compiled is None else str(run.compiled),
        "asked": answer.solver,
        "notes": list(run.notes),
    }


def _status(answer: Answer[Any], is_proved: bool, holds: bool) -> str:
    if not holds:
        return "lied"
    if answer.claim is Claim.INFEASIBLE:
        return "infeasible"
    if answer.solution is None:
        return "memory" if answer.stop is Stop.MEMORY else "crashed" if answer.stop is Stop.FAILED else "time"
    if is_proved:
        return "proved"
    return "claimed" if answer.claim is Claim.OPTIMAL else "feasible"


def _keep(answer: Answer[Any], outbox: Path) -> None:
    """Write the release and the proof, as far as there are files for them."""
    if answer.solution is None:
        return
    if isinstance(answer.problem, TableProblem):
        answer.release.to_csv(outbox / "release.csv", index=False)
    try:
        document = proof_document(answer)
    except NotApplicable:
        return
    (outbox / "proof.json").write_text(proof_text(document), encoding="utf-8")


def _end_with_parent(outbox: Path) -> None:
    """End with whoever started the run: its end of the pipe closes when it dies, however it dies. Nobody else would remove the outbox."""
    while os.read(0, 1):
        pass
    shutil.rmtree(outbox, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def begin(folder: Path, outbox: Path) -> None:
    """Be the process of a run: wait for its task, and end with whoever started it."""
    told = sys.stdin.readline()
    if not told:
        _end_with_parent(outbox)
    threading.Thread(target=_end_with_parent, args=(outbox,), daemon=True).start()
    main(folder, outbox, Task.from_json(json.loads(told)))


def load_packages() -> None:
    """Load what runs use, for a process that forks them; starts no thread."""
    for package in PACKAGES:
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    for registry in (algorithms, models, instances):
        registry.names()


if __name__ == "__main__":
    begin(Path(sys.argv[1]), Path(sys.argv[2]))
