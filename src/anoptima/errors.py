"""Exceptions, one for each kind of failure.

An exception is for misuse, for a crash and for a contradiction. A time limit, or a problem that no solution can satisfy, is an
ordinary outcome and comes back as an `Answer`.
"""

from __future__ import annotations

_LONGEST = 1_600
"""Characters of a message about bad input."""


class AnoptimaError(Exception):
    """Base of every error this package raises on purpose."""


class BadInput(AnoptimaError, ValueError):
    """Input refused at the door; the message names file, column, row and value, and says what is allowed.

    A message with long quotations is shortened in its middle, so that it stays readable.
    """

    def __init__(self, message: str = "") -> None:
        half = _LONGEST // 2
        super().__init__(message if len(message) <= _LONGEST else f"{message[:half]} ... {message[-half:]}")


class InfeasibleProblem(AnoptimaError):
    """A solution was asked of a problem that has none; the message says why in the problem's own words."""


class ModelTooLarge(AnoptimaError):
    """A model was refused before it was built; the message gives its size and what is allowed."""


class OutOfTime(AnoptimaError):
    """A deadline passed (`deadline.within`); the caller that set it catches this and returns the best so far."""

    def __init__(self, message: str = "the time is up") -> None:
        super().__init__(message)


class NotWritten(AnoptimaError, OSError):
    """A file could not be written: the disk is full, the file would be too large, the folder is gone. The message names the file."""


class NotApplicable(AnoptimaError):
    """A solver, model or backend does not apply to the question; the message names one that does."""


class SolverFailure(AnoptimaError):
    """A solver crashed, hung or claimed something false. `answer` keeps the best solution known by then, if any.

    Attributes
    ----------
    solver : str
        The name of the solver or backend at fault.
    answer : object or None
        The best verified answer found before the failure.
    partial : object or None
        A backend's `Outcome` with the best that it had reported before the failure, unverified.
    """

    def __init__(self, solver: str, what: str, answer: object | None = None, partial: object | None = None) -> None:
        super().__init__(f"{solver}: {what}")
        self.solver = solver
        self.answer = answer
        self.partial = partial


class PluginFailure(SolverFailure):
    """A plug-in raised an error where it should have answered; the message names it, where it comes from, and its method."""

    def __init__(self, thing: object, words: str, what: str) -> None:
        super().__init__(words, what)
        self.thing = thing
        self.what = what


class PluginWarning(UserWarning):
    """A plug-in cannot be loaded or breaks its interface. It is left out, and everything else goes on."""


class FalseClaim(SolverFailure):
    """A solver claimed a solution, a cost or a bound that the problem's own checker refutes."""
