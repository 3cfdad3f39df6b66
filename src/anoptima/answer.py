"""What a solver says: a claim, why it stopped, the solution with its exact cost, a bound and where it is from.

*What was found* (`Claim`) and *why the search ended* (`Stop`) are two fields, because 'ran out of time with a solution' and 'ran
out of time without one' are different news. `Budget` is what a caller grants, events are what a caller may watch.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, Literal, Protocol, TypeVar

import anoptima.html as html
from anoptima.arguments import Choice, checked
from anoptima.errors import BadInput, InfeasibleProblem, NotApplicable
from anoptima.exact import Exact, Number, as_fraction, as_integer, exact_grouped, exact_text
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.problems.released import released_mask, with_missing
from anoptima.problems.table_problem import TableProblem

S = TypeVar("S")


class Claim(Choice):
    """What an answer claims about its problem."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


class Stop(Choice):
    """Why the search ended."""

    PROVED = "proved"
    GAP = "gap"
    TIME = "time"
    MEMORY = "memory"
    NODES = "nodes"
    CANCELLED = "cancelled"
    COMPLETE = "complete"
    """An algorithm without a proof of optimality ran to its end."""
    FAILED = "failed"


class Origin(Choice):
    """Where a bound is from, the most trustworthy first."""

    CERTIFICATE = "certificate"
    """Proved in exact arithmetic from data that travels with the answer."""
    PROBLEM = "problem"
    """Proved by the problem's own exact arithmetic; recomputed whenever the answer is verified."""
    THEOREM = "theorem"
    """Follows by a theorem: from what an approximation found and its ratio, or from a bound on what a reduction leads to."""
    BACKEND = "backend"
    """Claimed by a backend's floating-point or integer search."""


class StartFate(Choice):
    """What became of the solution that a solver was given to start from."""

    NONE = "none given"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"
    UNUSED = "unused"
    """The search ended before the start was looked at."""


@checked
@dataclass(frozen=True, slots=True)
class Bound:
    """A value that no solution's cost is below, where it is from and who says so."""

    value: Exact
    origin: Origin
    by: str

    def __str__(self) -> str:
        return f"{exact_text(self.value)} ({self.origin.value})"


class Certificate(Protocol):
    """Data that travels with an answer and from which a bound is proved in exact arithmetic, with no solver."""

    @property
    def value(self) -> Exact:
        """The bound that it is to prove."""

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound that follows for `problem`; raise `BadInput` with the step that does not hold."""


@checked
@dataclass(frozen=True, slots=True)
class Budget:
    """What a solver may spend.

    Parameters
    ----------
    seconds : float or None
        Wall-clock limit; None means none. Zero is allowed, and answered honestly.
    gap : number
        Stop once (cost - bound) / cost is at most this; 0, the default, asks for a proof of optimality.
    threads : int or None
        How many threads a backend may use; None leaves it to the backend.
    memory : int or None
        Bytes that a backend's process and a model may take; None means what the machine has.
    seed : int
        Two runs with the same seed, one thread and no time limit give the same answer.
    """

    seconds: float | None = None
    gap: Fraction = Fraction(0)
    threads: int | None = None
    memory: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seconds is not None and not (isinstance(self.seconds, int | float) and 0 <= self.seconds < math.inf):
            raise BadInput(
                f"the time limit is {self.seconds!r}; it must be a number of seconds from 0 up, or None for no limit"
            )
        object.__setattr__(self, "gap", as_fraction(self.gap, "the gap"))
        if not 0 <= self.gap <= 1:
            raise BadInput(f"the gap is {self.gap}; it must lie between 0 and 1")
        for name, least in (("threads", 1), ("memory", 1)):
            value = getattr(self, name)
            if value is not None and as_integer(value, name) < least:
                raise BadInput(f"{name} is {value}; it must be at least {least}, or None")
        if as_integer(self.seed, "the seed") < 0 or self.seed >= 2**31:
            raise BadInput(f"the seed is {self.seed}; it must lie between 0 and {2**31 - 1}")

    @classmethod
    def of(
        cls,
        seconds: float | None = None,
        gap: Number = 0,
        threads: int | None = None,
        memory: int | None = None,
        seed: int = 0,
    ) -> Budget:
        """Build a budget from what a person types: `gap` may be 0.01, '1 %' is '0.01'.

        >>> Budget.of(gap=0.01).gap
        Fraction(1, 100)
        """
        return cls(seconds, as_fraction(gap, "the gap"), threads, memory, seed)


class Clock:
    """Seconds since a run began and seconds that its budget leaves. Starts when it is made, never earlier."""

    def __init__(self, limit: float | None = None) -> None:
        self._began = time.monotonic()
        self._limit = limit

    def seconds(self) -> float:
        """Return the seconds that have passed."""
        return time.monotonic() - self._began

    def left(self) -> float | None:
        """Return the seconds that are left, at least 0, or None when there is no limit."""
        return None if self._limit is None else max(0.0, self._limit - self.seconds())

    def is_over(self) -> bool:
        """Tell whether the limit has been reached."""
        return self._limit is not None and self.seconds() >= self._limit


@dataclass(frozen=True, slots=True)
class Started:
    """A solver has begun."""

    seconds: float
    by: str


@dataclass(frozen=True, slots=True)
class Incumbent:
    """A better solution is known. `solution` is in the terms of whoever listens: a problem's solution, or a model's values."""

    seconds: float
    cost: Exact
    solution: Any = None


@dataclass(frozen=True, slots=True)
class BoundRaised:
    """A better bound is claimed, or proved: then `certificate` is the proof."""

    seconds: float
    bound: Exact
    certificate: Certificate | None = None
    origin: Origin | None = None
    """Where the bound is from; None for a backend's own."""


@dataclass(frozen=True, slots=True)
class Log:
    """A line that a person may want to read."""

    seconds: float
    line: str


@dataclass(frozen=True, slots=True)
class StillRunning:
    """Nothing new for a while: a chance to ask the solver to stop."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Phase:
    """The solver turns to something else: what, in a few words for a person."""

    seconds: float
    words: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The solver has ended."""

    seconds: float
    stop: Stop


Event = Started | Incumbent | BoundRaised | Log | StillRunning | Phase | Finished
Listener = Callable[[Event], "bool | None"]
"""Called with every event, in order; returning True asks the solver to stop and give the best it has."""


@checked
@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands: what `on_progress` is called with, and what a trace keeps."""

    seconds: float
    cost: Exact | None
    bound: Exact | None
    phase: str = ""
    """What the solver is at; left out in traces."""

    @property
    def gap(self) -> Fraction | None:
        """(cost - bound) / cost, or None while either is unknown."""
        return relative_gap(self.cost, self.bound)


Trace = tuple[Progress, ...]
"""Costs and bounds over time, for plots."""


def relative_gap(cost: Exact | None, bound: Exact | None) -> Fraction | None:
    """Return (cost - bound) / |cost|, None while either is unknown. A cost of 0 has the gap 0 or, above a lower bound, 1.

    >>> relative_gap(54, 51), relative_gap(0, 0), relative_gap(-2, -3), relative_gap(54, None)
    (Fraction(1, 18), Fraction(0, 1), Fraction(1, 2), None)
    """
    if cost is None or bound is None:
        return None
    return abs(Fraction(cost - bound) / cost) if cost else Fraction(int(bound < 0))


@dataclass(frozen=True, slots=True)
class Compiled:
    """From which second of a run on its loops ran compiled: None if they never did, and `why` says why they did not from the start.

    >>> print(Compiled(0.0), Compiled(12.34, "still being prepared"), Compiled(None, "numba is not installed"), sep="; ")
    yes; from 12.3 s on; no: numba is not installed
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
    versions: Mapping[str, str]
    seconds: float
    build_seconds: float = 0.0
    model_size: Mapping[str, int] = field(default_factory=dict)
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

    `cost` is recomputed by the problem; `bound` is the highest there is and says where it is from; `reason` says in words why there is
    no solution, or what `auto` chose and why. `certificate`, where there is one, proves `certified`: the bound itself if its origin is
    `CERTIFICATE`, and a lower one if a search has claimed more since.
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
    certificate: Certificate | None = None

    @property
    def solver(self) -> str:
        """The name of the solver that answered."""
        return self.run.solver

    @property
    def gap(self) -> Fraction | None:
        """(cost - bound) / cost, exactly; None while either is unknown."""
        return relative_gap(self.cost, self.bound.value if self.bound else None)

    @property
    def certified(self) -> Exact | None:
        """How far the certificate goes, None where there is none."""
        return None if self.certificate is None else self.certificate.value

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
        bound = f", bound {bound_text(self.bound, self.certified)}" if self.bound else ""
        stopped = "" if self.claim is Claim.OPTIMAL else f", stopped: {self.stop.value}"
        return f"{self.claim.name}  {out_of}{bound}{stopped}, {self.run.seconds:.1f} s, {self.solver}"


def bound_text(bound: Bound, certified: Exact | None) -> str:
    """Say a bound and its source: what only a backend claims is called a claim, and a certificate of less says how far it goes.

    >>> bound_text(Bound(1850, Origin.BACKEND, "highs"), 1846)
    '1,850: certificate to 1,846, claimed by highs to 1,850'
    >>> bound_text(Bound(54, Origin.BACKEND, "highs"), None)
    '54 (claimed by highs, not proved)'
    >>> bound_text(Bound(1850, Origin.CERTIFICATE, "sifting"), 1850)
    '1850 (certificate)'
    """
    further = {Origin.BACKEND: f"claimed by {bound.by}", Origin.THEOREM: "theorem"}.get(bound.origin)
    if further is not None and certified is not None and certified < bound.value:
        value = exact_grouped(bound.value)
        return f"{value}: certificate to {exact_grouped(certified)}, {further} to {value}"
    if bound.origin is Origin.BACKEND:
        return f"{exact_text(bound.value)} ({further}, not proved)"
    return str(bound)


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of an answer found; truthy when nothing is wrong.

    `proved` is the bound that was proved again just now, with no solver; `claimed` is the answer's own bound where that is higher and
    rests on a backend's word, or on a certificate that is not there. Either is None where there is none.
    """

    wrong: tuple[str, ...]
    proved: Bound | None = None
    claimed: Bound | None = None

    def __bool__(self) -> bool:
        return not self.wrong

    def __str__(self) -> str:
        if self.wrong:
            return "NOT VERIFIED: " + "; ".join(self.wrong)
        proved = f"; proved again: no solution is below {exact_text(self.proved.value)}" if self.proved else ""
        claimed = (
            f"; claimed by {self.claimed.by}: none is below {exact_text(self.claimed.value)}" if self.claimed else ""
        )
        return f"verified{proved}{claimed}"


def verify_answer(answer: Answer[Any]) -> Verification:
    """Check an answer from its problem's data: see `Answer.verify`."""
    problem, wrong = answer.problem, []
    infeasible = problem.why_infeasible()
    if infeasible is not None:
        if answer.claim is not Claim.INFEASIBLE:
            wrong.append(f"{answer.claim.value} is claimed, but no solution exists: {infeasible}")
        return Verification(tuple(wrong))
    if answer.claim is Claim.INFEASIBLE:
        wrong.append("infeasible is claimed, but a solution exists: the trivial one")
    if answer.claim in (Claim.OPTIMAL, Claim.FEASIBLE) and answer.solution is None:
        wrong.append(f"{answer.claim.value} is claimed without a solution")
    proved = Bound(problem.lower_bound(), Origin.PROBLEM, problem.name)
    if answer.solution is not None:
        wrong += problem.violations(answer.solution)
        if not wrong and problem.cost(answer.solution) != answer.cost:
            wrong.append(f"the cost is {problem.cost(answer.solution)}, not {answer.cost}")
    if answer.bound is not None and answer.cost is not None and answer.bound.value > answer.cost:
        wrong.append(f"the bound {answer.bound} is above the cost {answer.cost}")
    if answer.bound is not None and answer.bound.origin is Origin.PROBLEM and answer.bound.value != proved.value:
        wrong.append(f"the problem proves a bound of {proved.value}, not {answer.bound.value}")
    if answer.claim is Claim.OPTIMAL and (answer.bound is None or answer.bound.value != answer.cost):
        wrong.append(f"optimal is claimed at cost {answer.cost} with bound {answer.bound}")
    if answer.certificate is not None:
        try:
            certified = answer.certificate.proved(problem)
        except BadInput as error:
            wrong.append(f"the certificate does not hold: {error}")
        else:
            if certified > proved.value:
                proved = Bound(certified, Origin.CERTIFICATE, answer.solver)
            if (
                answer.bound is not None
                and answer.bound.origin is Origin.CERTIFICATE
                and answer.bound.value > certified
            ):
                wrong.append(f"the certificate proves a bound of {certified}, not {answer.bound.value}")
    higher = answer.bound is not None and answer.bound.value > proved.value
    return Verification(tuple(wrong), proved, answer.bound if higher else None)
