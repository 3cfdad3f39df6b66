"""Every public method of every kind of plug-in, made to raise: whoever is asked then answers, or names the plug-in and its method."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import anoptima as ao
from anoptima.documents.questions import problem_document
from anoptima.errors import AnoptimaError, PluginWarning
from anoptima.instances.library import Instance, instances
from anoptima.models import models
from anoptima.models.pattern import PatternModel
from anoptima.reductions import reductions
from anoptima.solvers.approximate.peel import Peel
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.exact.sifting.searchers import Searcher, Turn, searchers
from anoptima.solvers.modelled import Modelled
from anoptima.solvers.solving import solve
from anoptima.spaces import EqualDistance


class Moon(Exception):
    """What no handler expects."""


class Wordless(Exception):
    """What fails even at saying what is wrong."""

    def __str__(self) -> str:
        raise ValueError


class MyPrinciple(ao.KAnonymity):
    kind = "mine"


class MyProblem(ao.CellSuppression):
    name = "mine"


class MyModel(PatternModel):
    name = "mine"


class MyAlgorithm(Peel):
    name = "mine"


class MyBackend(Highs):
    name = "mine"


class MyReduction(type(reductions.get("2-anonymity-to-simplex-matching"))):  # type: ignore[misc]
    name = "mine"


class MySpace(EqualDistance):
    kind = "mine"


class MySearcher(Searcher):
    name = "mine"

    def search(self, problem: ao.CellSuppression, partition: ao.Partition, turn: Turn) -> ao.Partition | None:
        return None


@dataclass(frozen=True)
class Case:
    """A class, and questions that come upon its methods."""

    made: type[Any]

    def ask(self, broken: type[Any]) -> Iterator[Any]:
        """Ask everything that a person may ask with a thing of this class."""
        table = ao.ten_rows()
        if self.made is MyPrinciple:
            names = ("auto", "subset-dp", "peel", "pattern/highs")
            yield from (lambda name=name: solve(ao.CellSuppression(table, broken(3)), name) for name in names)
            yield lambda: ao.solvers_for(ao.CellSuppression(table, broken(3)))
        elif self.made is MyProblem:
            yield from (
                lambda name=name: solve(broken(table, ao.KAnonymity(3)), name) for name in ("auto", "pattern/highs")
            )
        elif self.made is MySpace:
            names = ("auto", "subset-dp", "peel", "sifting")
            yield from (lambda name=name: solve(_close(broken()), name) for name in names)
            yield lambda: problem_document(_close(broken()))
        elif self.made is MySearcher:
            yield lambda: _searched(broken())
        elif self.made is MyModel:
            yield lambda: solve(_cells(), Modelled(broken(), Highs().in_this_process()), start=None)
        elif self.made is MyBackend:
            yield lambda: solve(_cells(), Modelled(models.get("pattern"), broken()), start=None, isolated=False)
        elif self.made is MyAlgorithm:
            yield lambda: solve(_cells(), broken(), start=None)
        else:
            reduced = self.made().apply(ao.CellSuppression(table, ao.KAnonymity(2)))
            yield lambda: broken().apply(reduced.source)


def _searched(searcher: Searcher) -> None:
    searchers.add(searcher)
    try:
        answer = solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "sifting", time_limit=2)
        assert answer.verify()
    finally:
        searchers.remove(searcher.name)


def _close(space: ao.Space) -> ao.CellSuppression:
    return ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/5", space=space))


def _cells() -> ao.CellSuppression:
    return ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


SAID = ("asked whether", "could not be built", "mine: Moon: no moon", "mine: Wordless: it cannot say what is wrong")
"""What is said in place of the name of a method: what it was asked, or that a model or a solver in its own process failed."""

KINDS = [MyPrinciple, MyProblem, MySpace, MyModel, MyBackend, MyAlgorithm, MyReduction, MySearcher]


def _methods(made: type[Any]) -> list[str]:
    found = inspect.getmembers(made, predicate=inspect.isfunction)
    return [name for name, _ in found if not name.startswith("_") and name != "apply"]


def _broken(made: type[Any], method: str, raises: type[Exception] = Moon) -> type[Any]:
    def fails(self: Any, *args: Any, **named: Any) -> Any:
        raise raises("no moon")

    fails.__name__ = method
    # The name of the method is what a traceback knows it by.
    fails.__code__ = fails.__code__.replace(co_name=method)
    return type(made.__name__, (made,), {method: fails, "__module__": __name__})


@pytest.mark.parametrize("raises", [Moon, Wordless])
@pytest.mark.parametrize(
    ("made", "method"),
    [pytest.param(made, method, id=f"{made.__name__}.{method}") for made in KINDS for method in _methods(made)],
)
def test_a_method_that_raises_is_named_or_done_without(made: type[Any], method: str, raises: type[Exception]) -> None:
    for ask in Case(made).ask(_broken(made, method, raises)):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                ask()
            except AnoptimaError as error:
                told = str(error)
                assert "\n" not in told
                assert "mine" in told, told
                assert method in told or any(words in told for words in SAID), told
        for one in said:
            if issubclass(one.category, PluginWarning):
                assert "mine" in str(one.message)


@pytest.mark.filterwarnings("ignore::anoptima.errors.PluginWarning")
def test_conditions_that_cannot_be_had_leave_those_who_ask_the_principle_itself() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), _broken(MyPrinciple, "conditions")(3))
    answer = ao.solve(problem, "subset-dp")
    assert (answer.claim.name, answer.cost) == ("OPTIMAL", 54)
    with pytest.raises(ao.NotApplicable, match=r"conditions\(\) of the principle mine .* it raises Moon: no moon"):
        ao.solve(problem, "pattern/highs")


def test_the_innermost_plug_in_is_to_blame() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), _broken(MyPrinciple, "holds_each")(3))
    with pytest.raises(
        ao.SolverFailure, match=r"^the principle mine \(of tests\): its holds_each raises Moon: no moon$"
    ) as told:
        ao.solve(problem, MyAlgorithm())
    assert isinstance(told.value.__cause__, Moon)


def test_an_instance_that_cannot_be_made_is_named() -> None:
    def broken() -> Any:
        raise Moon("no moon")

    instances.add(Instance("mine", "an instance", broken, "nowhere"))
    try:
        study = ao.Study("mine", instances=("mine",), solvers=("peel",))
        asked = (ao.instance("mine").load, lambda: ao.compare(["mine"], ["peel"]), lambda: list(study.tasks()))
        for ask in asked:
            with pytest.raises(
                ao.SolverFailure, match=r"^the instance mine \(of tests\): making it raises Moon: no moon$"
            ):
                ask()
    finally:
        instances.remove("mine")


def test_an_answer_that_is_known_comes_with_the_failure() -> None:
    with pytest.raises(ao.SolverFailure, match="its as_json raises") as told:
        ao.solve(_close(_broken(MySpace, "as_json")()), "sifting")
    assert isinstance(told.value.answer, ao.Answer)
    assert told.value.answer.solution is not None


def test_what_we_do_wrong_ourselves_is_no_plug_ins_fault() -> None:
    def asked(_: ao.Progress) -> bool:
        raise Moon("a listener's own")

    with pytest.raises(Moon):
        ao.solve(_cells(), "peel", on_progress=asked)
