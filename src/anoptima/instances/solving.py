"""Records made by solving; they pass the same checks as any submission."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from anoptima.documents.proofs import proof_document, proof_text
from anoptima.errors import NotApplicable
from anoptima.instances.library import Instance
from anoptima.instances.records import MOST_BYTES, Submission, submit
from anoptima.instances.solutions import has_form
from anoptima.machine import processor
from anoptima.solvers.solving import solve


def solve_for_record(
    known: Instance,
    solver: str = "auto",
    time_limit: float = 10.0,
    seed: int = 0,
    folder: Path | None = None,
    cancel: Event | None = None,
) -> list[str]:
    """Solve an instance, enter improvements into its record, and return what they are."""
    problem = known.load()
    if problem.why_infeasible() is not None:
        return []
    answer = solve(problem, solver, time_limit=time_limit, seed=seed, cancel=cancel)
    proof: str | None
    try:
        proof = proof_text(proof_document(answer))
    except NotApplicable:
        proof = None
    if proof is not None and len(proof) > MOST_BYTES:
        proof = None
    solution = answer.solution if answer.solution is not None and has_form(answer.solution) else None
    if solution is not None and len(str(solution)) > MOST_BYTES:
        solution = None
    sent = Submission(solution, proof, f"{answer.solver} (seed {seed})", answer.run.seconds, processor())
    return submit(problem, known.name, sent, folder)
