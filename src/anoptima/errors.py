"""Exceptions, one for each kind of failure.

An exception is for misuse, for a crash and for a contradiction. A time limit, or a problem that no solution can satisfy, is an
ordinary outcome and comes back as an `Answer`.
"""

from __future__ import annotations

_LONGEST = 1_600
"""Characters of a message about bad input."""


class AnoptimaError(Exception):
    """Base of every error this package raises on purpose.

    >>> import anoptima as ao
    >>> try:
    ...     ao.KAnonymity(0)
    ... except ao.AnoptimaError as error:
    ...     print(type(error).__name__, "-", error)
    BadInput - k is 0; it must be at least 1
    """


class BadInput(AnoptimaError, ValueError):
    """Input refused at the door; the message names file, column, row and value, and says what is allowed.

    A message with long quotations is shortened in its middle, so that it stays readable.

    >>> import anoptima as ao
    >>> ao.KAnonymity("three")
    Traceback (most recent call last):
    anoptima.errors.BadInput: k is 'three'; it must be a whole number
    """

    def __init__(self, message: str = "") -> None:
        half = _LONGEST // 2
        super().__init__(message if len(message) <= _LONGEST else f"{message[:half]} ... {message[-half:]}")


class InfeasibleProblem(AnoptimaError):
    """A solution was asked of a problem that has none; the message says why in the problem's own words.

    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)))
    >>> answer.claim.name
    'INFEASIBLE'
    >>> answer.release
    Traceback (most recent call last):
    anoptima.errors.InfeasibleProblem: k = 11 but there are only 10 rows
    """


class ModelTooLarge(AnoptimaError):
    """A model was refused before it was built; the message gives its size and what is allowed.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.census(), ao.KAnonymity(3))
    >>> ao.solve(problem, "groups/highs", memory=10**9)
    Traceback (most recent call last):
    anoptima.errors.ModelTooLarge: the groups model would take 1,101,544,780,969 variables, ...
    """


class OutOfTime(AnoptimaError):
    """A deadline passed (`deadline.within`); the caller that set it catches this and returns the best so far."""

    def __init__(self, message: str = "the time is up") -> None:
        super().__init__(message)


class NotWritten(AnoptimaError, OSError):
    """A file could not be written: the disk is full, the file would be too large, the folder is gone. The message names the file."""


class NotApplicable(AnoptimaError):
    """A solver, model or backend does not apply to the question; the message names one that does.

    >>> import anoptima as ao
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "simplex-matching")
    Traceback (most recent call last):
    anoptima.errors.NotApplicable: simplex-matching is for 2-anonymity and for frequency 2-diversity, not for 3-anonymity
    """


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

    Examples
    --------
    >>> import anoptima as ao
    >>> class Pairs(ao.CellApproximation):
    ...     name = "pairs"
    ...
    ...     def partition(self, problem, is_over):
    ...         return ao.Partition.from_labels([row // 2 for row in range(problem.table.rows)])
    >>> try:
    ...     ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), Pairs())
    ... except ao.SolverFailure as failure:
    ...     print(failure.solver, "fails; the best that is known costs", failure.answer.cost)
    pairs fails; the best that is known costs 70
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
    """A plug-in cannot be loaded or breaks its interface. It is left out, and everything else goes on.

    >>> import warnings
    >>> import anoptima as ao
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", ao.PluginWarning)  # stop where a plug-in would be left out
    ...     ao.get_solver("mondrian").name
    'mondrian'
    """


class FalseClaim(SolverFailure):
    """A solver claimed a solution, a cost or a bound that the problem's own checker refutes.

    >>> import anoptima as ao
    >>> class Alone(ao.CellApproximation):
    ...     name = "alone"
    ...
    ...     def partition(self, problem, is_over):
    ...         return ao.Partition.from_labels(range(problem.table.rows))
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), Alone())
    Traceback (most recent call last):
    anoptima.errors.FalseClaim: alone: claimed a solution that is none: the group of row 1: k = 3 but there is only 1 row
    """
