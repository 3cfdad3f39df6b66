"""Results of solving a built model: about the program as it is, and about the problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from anoptima.answer import Answer, Stop
from anoptima.errors import NotApplicable
from anoptima.exact import Exact, exact_text
from anoptima.html import lines, text
from anoptima.models.changes import Change
from anoptima.packages import pd
from anoptima.problems.base import Problem

S = TypeVar("S")

MAXIMISED = "the objective is maximised: its negative was minimised"
"""The note on a program whose objective has the other sense."""

_MOST_DETAILS = 5
"""How many changes are told in words."""


@dataclass(frozen=True, eq=False)
class ModelAnswer(Generic[S]):
    """The answer to a program, which may have been changed since it was built.

    Attributes
    ----------
    change
        NONE: the program is as it was built, and answers the problem. RESTRICTED: it answers the problem under restrictions; its bound
        is not one for the problem. OTHER: its objective and bound are its own, and say nothing about the problem.
    details
        What is new in the program, or why a change does not only restrict it.
    objective, bound
        Of the program, in its own units: `problem.cost_scale` times the cost if the objective is the one it was built with. No solution
        of the program is below `bound`, says the backend; or above it, where the objective is `maximised`.
    infeasible
        The backend says that the program has no solution.
    values
        The best values found, by the names of the columns; None if there are none.
    answer
        What is known of the problem: a solution that its checker passed, with its cost, and a bound for the problem. None under `OTHER`.

    Examples
    --------
    >>> import anoptima as ao
    >>> built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> found = ao.solve_model(built, "highs")
    >>> found.change.name, found.objective, found.bound, found.answer.cost
    ('NONE', 54, 54, 54)
    """

    problem: Problem[S]
    backend: str
    change: Change
    details: tuple[str, ...]
    stop: Stop
    infeasible: bool
    objective: Exact | None
    bound: Exact | None
    values: pd.Series | None
    answer: Answer[S] | None
    seconds: float
    notes: tuple[str, ...] = field(default=())

    @property
    def release(self) -> pd.DataFrame:
        """The published table that was read from the values."""
        return self._about_the_problem().release

    @property
    def solution(self) -> S:
        """The solution of the problem that was read from the values."""
        return self._about_the_problem().require_solution()

    def _about_the_problem(self) -> Answer[S]:
        if self.answer is None:
            raise NotApplicable(
                f"the program no longer states {self.problem.name} ({self.details[0]}); see `objective`, `bound` and `values`"
            )
        return self.answer

    @property
    def maximised(self) -> bool:
        """Whether the program maximises its objective."""
        return MAXIMISED in self.notes

    @property
    def is_optimal(self) -> bool:
        """Whether the backend claims that nothing better satisfies the program as it is."""
        return self.stop is Stop.PROVED and not self.infeasible

    def __str__(self) -> str:
        return ". ".join((*self._words(), f"{self.backend}, {self.seconds:.1f} s"))

    def _words(self) -> list[str]:
        if self.change is Change.NONE and self.answer is not None:
            return [str(self.answer)]
        head = "RESTRICTED" if self.change is Change.RESTRICTED else "CHANGED"
        if self.infeasible:
            found = f"{head}  no solution satisfies the program as it is, claims {self.backend}"
        elif self.objective is None:
            found = f"{head}  no solution was found, stopped: {self.stop.value}"
        else:
            how = "optimal for the program as it is" if self.is_optimal else f"stopped: {self.stop.value}"
            sense = " (maximised)" if self.maximised else ""
            found = f"{head}  objective {exact_text(self.objective)}{sense}, {how}"
        if self.bound is not None and not self.infeasible:
            found += f", bound {exact_text(self.bound)} (claimed, for this program only)"
        if self.change is Change.OTHER:
            return [found, f"It says nothing about {self.problem.name}: {self.details[0]}"]
        if self.answer is None or self.answer.solution is None or self.answer.cost is None:
            return [found, self._restrictions()]
        cost = self.problem.describe_cost(self.answer.cost)
        return [
            found,
            f"Read from it and checked: {cost}, which the problem without restrictions may beat",
            self._restrictions(),
        ]

    def _restrictions(self) -> str:
        more = len(self.details) - _MOST_DETAILS
        said = [*self.details[:_MOST_DETAILS], *([f"{more} more"] if more > 0 else [])]
        return f"Restricted: {'; '.join(said)}"

    def __repr__(self) -> str:
        return f"<ModelAnswer to {self.problem.name}: {self}>"

    def _repr_html_(self) -> str:
        head, *further = self._words()
        about = lines(text(head), *(text(line) for line in (*further, *self.notes)))
        return about + (
            self.answer._repr_html_() if self.answer is not None and self.answer.solution is not None else ""
        )
