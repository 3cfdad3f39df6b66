"""Answers of solvers: a claim, why the search stopped, the solution with its exact cost, a bound and its source.

*What was found* (`Claim`) and *why the search ended* (`Stop`) are two fields, because 'ran out of time with a solution' and 'ran
out of time without one' are different news. A `Budget` limits a run; events let a caller watch it.
"""

from anoptima.answer.answers import Answer, Compiled, RunRecord, Shown, bound_text
from anoptima.answer.budget import Budget, Clock, OptionValue
from anoptima.answer.claims import Bound, Claim, Origin, Proof, StartFate, Stop, relative_gap
from anoptima.answer.events import (
    BoundRaised,
    Event,
    Finished,
    Incumbent,
    Listener,
    Log,
    Phase,
    Progress,
    Started,
    StillRunning,
    Trace,
    wants_log,
)
from anoptima.answer.verification import Verification, verify_answer

__all__ = [
    "Answer",
    "Bound",
    "BoundRaised",
    "Budget",
    "Proof",
    "Claim",
    "Clock",
    "Compiled",
    "Event",
    "Finished",
    "Incumbent",
    "Listener",
    "Log",
    "OptionValue",
    "Origin",
    "Phase",
    "Progress",
    "RunRecord",
    "Shown",
    "StartFate",
    "Started",
    "StillRunning",
    "Stop",
    "Trace",
    "Verification",
    "bound_text",
    "relative_gap",
    "verify_answer",
    "wants_log",
]
