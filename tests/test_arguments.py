"""A wrong argument of a public function is refused in a sentence, whatever is wrong with it."""

from __future__ import annotations

import enum
import inspect
import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from types import GeneratorType
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima import argument_kinds, public
from anoptima.problems.base import Problem
from anoptima.solvers.approximate.local_search import LocalSearch
from anoptima.solvers.approximate.shifted_grid import ShiftedGrid
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.modelled import Modelled
from anoptima.solvers.portfolio import Portfolio


class Thing:
    """A class of the caller's."""

    def __init__(self, *given: object) -> None:
        self.given = given


def ignore(*_: object) -> None:
    """A function of the caller's."""


ROWS = ao.ten_rows()

WRONG: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: 3,
    lambda: -1,
    lambda: 2.5,
    lambda: float("nan"),
    lambda: Decimal("nan"),
    lambda: 10**30,
    lambda: 10**5000,
    lambda: True,
    lambda: "x",
    lambda: "",
    lambda: b"x",
    list,
    lambda: [None],
    lambda: [["x"]],
    lambda: (),
    dict,
    lambda: {"a": 1},
    lambda: {1, 2},
    lambda: iter([1]),
    lambda: range(3),
    object,
    lambda: pd.DataFrame({"a": [1]}),
    lambda: pd.Series([1]),
    lambda: Thing,
    lambda: ignore,
    lambda: ao.KAnonymity(2),
    lambda: ROWS,
)
"""Each makes a value that hardly any argument may be; those that an argument may be do no harm."""

PROBLEM = ao.CellSuppression(ROWS, ao.KAnonymity(3))
SOLVED: ao.Answer[ao.Partition] = ao.solve(PROBLEM, "peel")
MODEL = ao.get_model("pattern").build(PROBLEM)

NOTHING = ao.Study("nothing to try", instances=("ten-rows-k3",), solvers=("hitting-set",))

GOOD: dict[str, Any] = {
    "path": "there is none.csv",
    "name": "peel",
    "model_name": "pattern",
    "solver": "peel",
    "solvers": ["peel"],
    # A comparison that names no solvers has all of them.
    "problems": [ao.CellSuppression(ROWS.restricted(["zip1"]), ao.KAnonymity(3))],
    "labels": np.zeros(10, dtype=int),
    "stars": np.zeros((10, 8), dtype=bool),
    "groups": ROWS.groups(np.zeros(10, dtype=int)),
    "frame": ROWS.frame,
    "folder": "a study",
    "quasi": ["zip1"],
    "columns": ["zip1"],
    "sensitive": "disease",
    "partition": SOLVED.solution,
    "release": SOLVED.release,
    "time_limit": 1.0,
    "comparison": ao.compare(PROBLEM, "peel"),
    "answers": [SOLVED],
    "sizes": ao.HuntSizes(rows=3, columns=1),
    "limits": ao.HuntLimits(steps=3),
    "quarry": "peel",
    "principle": ao.KAnonymity(2),
    # Runs side by side are threads of this process.
    "at_once": 1,
    "executor": ThreadPoolExecutor(1),
}
"""What an argument of this name may be, where its type does not tell."""


def examples() -> dict[type, Any]:
    """Return one of each public class that can be made: problems have examples, and those have solutions and data."""
    one_each: dict[type, Any] = {}
    classes = [made for name in public.__all__ if isinstance(made := getattr(ao, name), type)]
    for made in classes:
        if issubclass(made, Problem):
            for problem in itertools.islice(made.examples(), 1):
                one_each[made] = problem
                for part in (*vars(problem).values(), *([] if problem.why_infeasible() else [problem.trivial()])):
                    one_each.setdefault(type(part), part)
    for thing in (
        ROWS,
        PROBLEM,
        SOLVED,
        ao.solve_model(MODEL, "highs"),
        ao.minimal_keys(ao.IdentifyingColumns(ROWS), heaviest=1),
        SOLVED.bound,
        SOLVED.trace[0],
        ao.Budget(),
        ao.instance("ten-rows-k2"),
        NOTHING,
        ao.KAnonymity(2),
        ao.LDiversity(2, "disease"),
        ao.TCloseness(0.5, "disease"),
        ao.EntropyDiversity("3/2", "disease"),
        ao.RecursiveDiversity(2, 3, "disease"),
        ao.AlphaKAnonymity(0.5, 2, "disease"),
        ao.EqualDistance(),
        ao.Numeric(),
        ao.Ordered(["a", "b"]),
        ao.Hierarchical({"x": ["a", "b"]}),
        ao.Explicit("ab", [[0, 1], [1, 0]]),
        ao.HuntSizes(rows=3, columns=1),
        ao.HuntLimits(steps=3),
        ao.WorstRatio("peel"),
        ao.LpGap("pattern"),
        ao.Disagreement(["subset-dp"]),
        ao.LongestRun("peel"),
        ao.DearestPrinciple(2),
        ao.StudyResults("."),
        *vars(list(ao.PlanarThreeSat.examples())[-1]).values(),
    ):
        one_each[type(thing)] = thing
    return {made: thing for made, thing in one_each.items() if made in classes}


EXAMPLES = examples()


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def good(parameter: inspect.Parameter, function: Callable[..., Any], owner: Any) -> Any:
    """Return a value that this parameter of a function, or of a method of `owner`, may have."""
    if parameter.name == "solution" and isinstance(owner, Problem):
        return None if owner.why_infeasible() else owner.trivial()
    if parameter.name in GOOD:
        return GOOD[parameter.name]
    if parameter.default is not parameter.empty:
        return parameter.default
    kind = argument_kinds.kinds_of(inspect.unwrap(function), type(owner)).get(parameter.name)
    bag = (*EXAMPLES.values(), 1, "a", [1], ["a"], {}, frozenset())
    return next((value for value in bag if kind is None or kind.takes(value)), None)


def public_callables() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield everything that can be called from outside, with a good value for each parameter."""
    for name in public.__all__:
        made = getattr(ao, name)
        if isinstance(made, type):
            if made not in EXAMPLES or issubclass(made, enum.Enum):
                continue
            thing = EXAMPLES[made]
            yield name, made, {p.name: getattr(thing, p.name, p.default) for p in parameters(made)}
            for method, function in inspect.getmembers(thing, callable):
                if not method.startswith("_") and not isinstance(function, type):
                    given = {p.name: good(p, function, thing) for p in parameters(function)}
                    yield f"{name}.{method}", function, given
        elif callable(made):
            yield name, made, {p.name: good(p, made, None) for p in parameters(made)}
    for name in dir(ao.plots):
        draw = getattr(ao.plots, name)
        yield f"plots.{name}", draw, {p.name: good(p, draw, None) for p in parameters(draw)}


def call_with(function: Callable[..., Any], given: dict[str, Any], wrong: str, value: Any) -> None:
    """Call with a wrong value in the place of one argument, and take something out of a generator."""
    places, names = [], {}
    for parameter in parameters(function):
        argument = value if parameter.name == wrong else given[parameter.name]
        if parameter.kind is parameter.KEYWORD_ONLY:
            names[parameter.name] = argument
        elif parameter.kind is not parameter.VAR_POSITIONAL or parameter.name == wrong:
            places.append(argument)
    try:
        found = function(*places, **names)
        if isinstance(found, GeneratorType):
            list(itertools.islice(found, 3))
    finally:
        plt.close("all")


@pytest.mark.slow
def test_a_wrong_argument_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    raw, refused, tried = [], 0, 0
    for name, function, given in public_callables():
        for wrong in given:
            for make in WRONG:
                value = make()
                tried += 1
                try:
                    call_with(function, given, wrong, value)
                except ao.AnoptimaError as error:
                    refused += bool(str(error))
                except Exception as error:  # noqa: BLE001  (which is what is looked for)
                    raw.append(f"{name}({wrong}={type(value).__name__}): {type(error).__name__}: {error}")
    assert not raw, "\n".join(raw)
    assert tried > 5_000
    assert refused > tried // 2


def test_everything_public_is_tried() -> None:
    left_out = {
        name
        for name in public.__all__
        if isinstance(made := getattr(ao, name), type)
        and made not in EXAMPLES
        and not issubclass(made, Exception | enum.Enum)
        and not inspect.isabstract(made)
    }
    assert not left_out


@pytest.mark.parametrize("kind", [ao.Claim, ao.Stop, ao.Origin, ao.Regime])
def test_a_value_that_no_member_has_is_refused(kind: type[enum.Enum]) -> None:
    for value in (None, 3, "x", [], {}, object()):
        with pytest.raises(ao.BadInput, match=f"there is no {kind.__name__} .*; it must be one of '"):
            kind(value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: a.Table.from_frame([1, 2], ["a"]), "frame is a list; it must be a pandas DataFrame"),
        (
            lambda a: a.solve(ROWS),
            "problem is a Table; it must be a Problem, such as CellSuppression(table, KAnonymity(3))",
        ),
        (
            lambda a: a.solve(PROBLEM, solver=3),
            "solver is 3; it must be text or a Solver, such as get_solver('sifting')",
        ),
        (lambda a: a.solve(PROBLEM, on_progress=3), "on_progress is 3; it must be a function or None"),
        (
            lambda a: a.CellSuppression(ROWS, 2),
            "principle is 2; it must be a Principle, such as KAnonymity(3)",
        ),
        (
            lambda a: a.CellSuppression(a.KAnonymity(2), ROWS),
            (
                "table is a KAnonymity; it must be a Table, such as Table.from_frame(frame, quasi=['zip', 'age']); "
                "a KAnonymity is given as principle="
            ),
        ),
        (lambda a: 3 & a.KAnonymity(2), "other is 3; it must be a Principle, such as KAnonymity(3)"),
        (lambda a: a.FakePoints(3, 2), "points is 3; it must be a list of lists of finite numbers"),
        (lambda a: a.ten_rows().release(3), "stars is 3; it must be a NumPy array"),
        (lambda a: a.plots.costs(PROBLEM), "comparison is a CellSuppression; it must be a pandas DataFrame"),
        (lambda a: a.plots.release(SOLVED, axes=3), "axes is 3; it must be the axes of a matplotlib figure, or None"),
        (lambda a: a.plots.reductions("x.txt"), "x.txt is to be a picture; its name must end in .svg, .png, .pdf"),
        (lambda a: a.KAnonymity(2) & 3, "other is 3; it must be a Principle, such as KAnonymity(3)"),
        (
            lambda a: a.TCloseness(0.2, a.Numeric()),
            "column is a Numeric; it must be text or None; a Numeric is given as space=",
        ),
        (
            lambda a: a.TCloseness(0.2, space="ill"),
            "space is 'ill'; it must be a Space, such as Numeric(), or None",
        ),
        (
            lambda a: a.Table.from_frame(ROWS.frame, ["zip1"], weights={"zip1": None}),
            "weights['zip1'] is None; it must be a finite number, such as 2, 0.2 or '1/5'",
        ),
        (
            lambda a: a.Table.from_frame(ROWS.frame, {"zip1"}),
            "quasi is a set; it must be a list of texts",
        ),
        (lambda a: a.check(ROWS, 3), "principles is 3; it must be a Principle, such as KAnonymity(3)"),
        (lambda a: a.Partition.from_groups([[0, "x"]], 2), "groups[0][1] is 'x'; it must be a whole number"),
        (lambda a: a.KAnonymity(True), "k is True; it must be a whole number"),
        (lambda a: a.solve(PROBLEM, seed=10**5000), "seed is a number of 16,610 bits; it must be a whole number"),
    ],
)
def test_the_sentence_says_what_is_allowed(call: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        call(ao)
    assert str(caught.value) == message


def test_what_people_give_is_taken() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 1, 1, 2]})
    for quasi in (["a", "b"], ("a", "b"), frame.columns, np.array(["a", "b"]), {"a": 1, "b": 2}.keys()):
        assert ao.Table.from_frame(frame, quasi).quasi == ("a", "b")  # type: ignore[arg-type]
    assert ao.KAnonymity(np.int64(3)).k == 3  # type: ignore[arg-type]
    assert ao.Partition.from_labels([5, 5, 1]).labels.tolist() == [0, 0, 1]
    assert ao.Explicit("ab", np.array([[0, 1], [1, 0]])).values == ("a", "b")  # type: ignore[arg-type]


def test_a_missing_argument_is_left_to_python() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'principle'"):
        ao.CellSuppression(ROWS)  # type: ignore[call-arg]


def test_inherited_fields_are_looked_up_where_they_were_written() -> None:
    kinds = argument_kinds.kinds_of(inspect.unwrap(ao.CellSuppression.__init__), ao.CellSuppression)
    assert kinds["table"].words.startswith("a Table")
    assert kinds["principle"].words.startswith("a Principle")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sifting(searchers=[3]), "searchers[0] is 3; it must be a Searcher"),  # type: ignore[list-item]
        (lambda: Sifting(without=["cuts"]), "without[0] is 'cuts'; it must be a Part"),  # type: ignore[list-item]
        (lambda: LocalSearch("no"), "is_patient is 'no'; it must be True or False"),  # type: ignore[arg-type]
        (lambda: ShiftedGrid(backend=3), "backend is 3; it must be text"),  # type: ignore[arg-type]
        (lambda: Modelled("pattern", "highs"), "model is 'pattern'; it must be a Model"),  # type: ignore[arg-type]
        (lambda: Portfolio("sifting", "peel"), "first is 'sifting'; it must be a Solver, such as"),  # type: ignore[arg-type]
    ],
)
def test_options_of_solvers_are_held_against_what_they_must_be(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ao.BadInput) as refusal:
        make()
    assert str(refusal.value).startswith(message)
