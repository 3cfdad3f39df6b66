"""Answers, and the record of the runs that they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, Literal, TypeVar

import anoptima.html as html
from anoptima.answer.budget import Budget
from anoptima.answer.claims import Bound, Claim, Origin, Proof, StartFate, Stop, relative_gap
from anoptima.answer.events import Trace
from anoptima.answer.verification import Verification, verify_answer
from anoptima.arguments import checked
from anoptima.errors import InfeasibleProblem, NotApplicable
from anoptima.exact import Exact, exact_text
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.problems.released import released_mask, with_missing
from anoptima.problems.table_problem import TableProblem

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Compiled:
    """The second of a run from which its loops ran compiled; None if they never did. `why` says why they did not from the start.

    >>> print(Compiled(0.0), Compiled(12.34, "still being prepared"), Compiled(None, "numba cannot be imported"), sep="; ")
    yes; from 12.3 s on; no: numba cannot be imported
    """

    since: float | None
    why: str = ""

    def __str__(self) -> str:
        if self.since is None:
            return f"no: {self.why}"
        return f"from {self.since:.1f} s on" if self.since else "yes"


@dataclass(frozen=True)
class RunRecord:
    """How an answer came about, enough to run it again.

    Of `seconds`, `build_seconds` went into building a model, `start_seconds` into loading packages and waiting for a solver's process, and
    `prepare_seconds` into loading or compiling loops: the second run in a row spends nothing on the last two. `compiled` says whether
    loops ran compiled; it is None for runs without such loops.
    """

    solver: str
    budget: Budget
    versions: Mapping[str, str] = field(hash=False)
    seconds: float
    build_seconds: float = 0.0
    model_size: Mapping[str, int] = field(default_factory=dict, hash=False)
    start: StartFate = StartFate.NONE
    notes: tuple[str, ...] = ()
    start_seconds: float = 0.0
    prepare_seconds: float = 0.0
    compiled: Compiled | None = None

    @property
    def setup_seconds(self) -> float:
        """The seconds that were not spent on solving: on building, on starting a backend's process, and on loading loops."""
        return self.build_seconds + self.start_seconds + self.prepare_seconds

    @property
    def solving_seconds(self) -> float:
        """The seconds that were spent on solving."""
        return max(0.0, self.seconds - self.setup_seconds)


@dataclass(frozen=True)
class Shown:
    """Something for a notebook, and the same as text."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


@checked
@dataclass(frozen=True, repr=False)
class Answer(Generic[S]):
    """A solver's answer to a problem. Every answer that leaves `solve` has passed the problem's own checker.

    The problem recomputes `cost`; `bound` is the highest known, with its source; `reason` says in words why there is
    no solution, or what `auto` chose and why. `proof`, where there is one, reaches `proved`: the bound itself if its origin is
    `PROOF`, and a lower one if a search has claimed more since. `confirmed` says what confirmed the bound where that was asked
    for (`solve(..., cross_check=True)`).

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "mondrian")
    >>> answer.claim.name, answer.cost, answer.bound.value, answer.gap
    ('FEASIBLE', 57, 54, Fraction(1, 19))
    >>> answer.verify().wrong
    ()
    """

    problem: Problem[S]
    claim: Claim
    stop: Stop
    solution: S | None
    cost: Exact | None
    bound: Bound | None
    trace: Trace
    run: RunRecord
    reason: str = ""
    proof: Proof | None = field(default=None, hash=False)
    confirmed: str = ""

    @property
    def solver(self) -> str:
        """The name of the solver that answered."""
        return self.run.solver

    @property
    def gap(self) -> Fraction | None:
        """(cost - bound) / cost, exactly; None while either is unknown."""
        return relative_gap(self.cost, self.bound.value if self.bound else None)

    @property
    def proved(self) -> Exact | None:
        """How far the proof goes, None where there is none."""
        return None if self.proof is None else self.proof.value

    def require_solution(self) -> S:
        """Return the solution, or raise `InfeasibleProblem` with the reason when there is none."""
        if self.solution is None:
            raise InfeasibleProblem(
                self.reason or f"{self.solver} stopped ({self.stop.value}) before it found a solution"
            )
        return self.solution

    @property
    def release(self) -> pd.DataFrame:
        """The published table, in the input's row order. Only for problems that release one."""
        if not isinstance(self.problem, TableProblem):
            raise NotApplicable(f"{self.problem.name} releases no table; see `solution`")
        frame: pd.DataFrame = self.problem.release(self.require_solution())
        return frame

    def released(self, missing: Literal["star", "na", "mask"] = "star") -> pd.DataFrame:
        """Return the published table with suppressed cells as they are needed.

        Parameters
        ----------
        missing
            'star': as `release` has them, `*`. 'na': missing values; each column keeps its type, and whole numbers take pandas' type
            that can be missing (Int64). 'mask': true where a cell is suppressed, in a table of the same form.

        Examples
        --------
        >>> import anoptima as ao
        >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "peel")
        >>> int(answer.released("mask").to_numpy().sum()), int(answer.released("na").isna().to_numpy().sum())
        (58, 58)
        """
        release, problem = self.release, self.problem
        assert isinstance(problem, TableProblem)
        if missing == "star":
            return release
        mask = released_mask(problem.table, release)
        return mask if missing == "mask" else with_missing(problem.table, mask)

    def show(self) -> Shown:
        """Return the released table for a notebook, suppressed cells marked; printed, it is the table as text."""
        mask, release = self.released("mask"), self.release
        head = [html.text(name) for name in release.columns]
        return Shown(html.grid(head, *html.cells(release, mask.to_numpy(dtype=bool))), release.to_string())

    def _repr_html_(self) -> str:
        # Of an answer without a solution the first line says why.
        told = () if self.solution is None else (self.reason,)
        about = html.lines(
            html.text(self),
            *(html.text(more) for more in (f"{self.problem.name}{self._under}", *told, *self.run.notes)),
        )
        releases = self.solution is not None and isinstance(self.problem, TableProblem)
        return about + (self.show()._repr_html_() if releases else "")

    @property
    def _under(self) -> str:
        return f" under {self.problem.principle}" if isinstance(self.problem, TableProblem) else ""

    def __repr__(self) -> str:
        return f"<Answer to {self.problem.name}{self._under}: {self}>"

    def verify(self) -> Verification:
        """Check the answer again from the data alone: feasibility, cost, what the bound may be, and whether the claim follows."""
        return verify_answer(self)

    def __str__(self) -> str:
        if self.solution is None or self.cost is None:
            return f"{self.claim.name}  {self.reason or 'stopped: ' + self.stop.value}, {self.run.seconds:.1f} s, {self.solver}"
        out_of = self.problem.describe_cost(self.cost)
        bound = f", bound {bound_text(self.bound, self.proved)}" if self.bound else ""
        if self.confirmed:
            bound += f", confirmed by {self.confirmed}"
        stopped = "" if self.claim is Claim.OPTIMAL else f", stopped: {self.stop.value}"
        return f"{self.claim.name}  {out_of}{bound}{stopped}, {self.run.seconds:.1f} s, {self.solver}"


def bound_text(bound: Bound, proved: Exact | None) -> str:
    """Say a bound and its source: what only a backend claims is called a claim, and a proof of less says how far it goes.

    >>> bound_text(Bound(1850, Origin.BACKEND, "highs"), 1846)
    '1,850: proof to 1,846, claimed by highs to 1,850'
    >>> bound_text(Bound(54, Origin.BACKEND, "highs"), None)
    '54 (claimed by highs, not proved)'
    >>> bound_text(Bound(1850, Origin.PROOF, "sifting"), 1850)
    '1,850 (proof)'
    """
    further = {Origin.BACKEND: f"claimed by {bound.by}", Origin.THEOREM: "theorem"}.get(bound.origin)
    if further is not None and proved is not None and proved < bound.value:
        value = exact_text(bound.value)
        return f"{value}: proof to {exact_text(proved)}, {further} to {value}"
    if bound.origin is Origin.BACKEND:
        return f"{exact_text(bound.value)} ({further}, not proved)"
    return str(bound)
