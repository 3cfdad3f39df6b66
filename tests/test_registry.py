from __future__ import annotations

import re
import sys
import warnings
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import BadInput, OutOfTime, PluginWarning
from anoptima.registry import Registry, is_for, why_not_for


class Thing:
    name: str
    colours: frozenset[int]
    place: int | None = None

    def __init__(self, name: str = "thing", **others: object) -> None:
        self.name = name
        self.colours = frozenset({1})
        vars(self).update(others)


@pytest.fixture
def registry() -> Registry[Thing]:
    return Registry("thing", Thing, "anoptima.tests.nothing")


def test_things_are_found_by_name_and_listed_in_order(registry: Registry[Thing]) -> None:
    b, a = Thing("b"), Thing("a")
    registry.add(b)
    registry.add(a)
    assert registry.all() == [a, b]
    assert registry.get("b") is b
    registry.remove("b")
    assert registry.all() == [a]


def test_a_class_registers_one_of_itself(registry: Registry[Thing]) -> None:
    assert registry.register(Thing) is Thing
    assert type(registry.get("thing")) is Thing


def test_a_name_that_is_taken_is_refused(registry: Registry[Thing]) -> None:
    registry.add(Thing("a"))
    with pytest.raises(BadInput, match="there already is a thing named 'a'"):
        registry.add(Thing("a"))


def test_an_unknown_name_is_refused_with_those_there_are(registry: Registry[Thing]) -> None:
    registry.add(Thing("b"))
    registry.add(Thing("a"))
    with pytest.raises(BadInput, match="there is no thing named 'c'; there are a, b"):
        registry.get("c")


def test_a_package_is_walked_once_when_it_is_first_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "walked_package"
    package.mkdir()
    (package / "__init__.py").write_text("made = []\n")
    for name in ("one", "two"):
        (package / f"{name}.py").write_text(f"from walked_package import made\nmade.append({name!r})\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry: Registry[Thing] = Registry("thing", Thing, "anoptima.tests.nothing", "walked_package")
    assert "walked_package" not in sys.modules
    registry.all()
    registry.all()
    assert sys.modules["walked_package"].made == ["one", "two"]


PLACES = {"broken": "Broken", "odd": "Odd", "leaving": "leave", "plugged": "Thing"}

PLUGIN = """
from tests.test_registry import Thing as Base

class Thing(Base):
    def __init__(self):
        super().__init__("plugged")

class Odd:
    name = "odd"

def leave():
    raise SystemExit(3)

class Broken:
    def __init__(self):
        raise RuntimeError("no licence")
"""


def test_a_plug_in_comes_in_by_its_entry_point_and_a_broken_one_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugged_in.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    places = {name: f"plugged_in:{value}" for name, value in PLACES.items()} | {"absent": "absent:Thing"}
    asked: list[str] = []

    def entry_points(*, group: str) -> list[EntryPoint]:
        asked.append(group)
        return [EntryPoint(name, place, group) for name, place in places.items()]

    monkeypatch.setattr("anoptima.registry.entry_points", entry_points)
    registry: Registry[Thing] = Registry("thing", Thing, "anoptima.tests")
    with pytest.warns(PluginWarning, match="plug-in") as caught:
        assert [thing.name for thing in registry.all()] == ["plugged"]
    assert sorted(str(warning.message) for warning in caught) == [
        "the thing plug-in 'absent' (absent:Thing) is left out: ModuleNotFoundError: No module named 'absent'",
        "the thing plug-in 'broken' (plugged_in:Broken) is left out: RuntimeError: no licence",
        "the thing plug-in 'leaving' (plugged_in:leave) is left out: SystemExit: 3",
        "the thing plug-in 'odd' (plugged_in:Odd) is left out: this is no thing: it is of the class Odd, not of Thing",
    ]
    assert asked == ["anoptima.tests"]


def test_packages_within_a_package_are_walked_if_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "walked" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "walked" / "__init__.py").touch()
    (inner / "__init__.py").touch()
    (inner / "deep.py").write_text("raise RuntimeError('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert Registry[Thing]("thing", Thing, "anoptima.tests.nothing", "walked").all() == []
    with pytest.raises(RuntimeError, match="imported"):
        Registry[Thing]("thing", Thing, "anoptima.tests.nothing", "walked", "walked.inner").all()


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (3, "this is no thing: it is of the class int, not of Thing"),
        (Thing(name=4), "this is no thing: its 'name' is 4; it must be of the type str"),  # type: ignore[arg-type]
        (Thing("a/b"), "'a/b' is no name for a thing: it must consist of letters, digits, '-', '_' and '.'"),
        (Thing(""), "'' is no name for a thing"),
        (Thing("red", colours={1}), "its 'colours' is {1}; it must be of the type frozenset"),
        (Thing("red", colours=frozenset({"red"})), "its 'colours' is frozenset({'red'}); it must be of the type"),
        (Thing("red", place="first"), "its 'place' is 'first'; it must be of the type int | None"),
    ],
)
def test_what_is_none_or_has_no_name_is_refused(registry: Registry[Thing], thing: Thing, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        registry.add(thing)
    assert registry.all() == []


def test_one_without_an_attribute_is_refused(registry: Registry[Thing]) -> None:
    thing = Thing("red")
    del thing.colours
    with pytest.raises(BadInput, match="this is no thing: its class Thing has no 'colours'; a Thing must have one"):
        registry.add(thing)


class Asked:
    name = "asked"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def why_not(self, problem: object) -> str | None:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


def test_who_cannot_say_whether_it_is_for_a_problem_is_not_and_is_named_once() -> None:
    assert is_for(Asked(None), 1)
    assert not is_for(Asked("it is for nothing"), 1)
    for wrong, said in ((AttributeError("quasi"), "it raises AttributeError: quasi"), (True, "it says True")):
        asked = Asked(wrong)
        asked.name = type(wrong).__name__
        with pytest.warns(PluginWarning, match=rf"^{asked.name} \(of tests\) is left out: .*{said}"):
            assert not is_for(asked, 1)
        assert not is_for(asked, 1)
    with pytest.raises(OutOfTime):
        is_for(Asked(OutOfTime()), 1)


def test_what_a_solver_of_ours_says_of_a_problem_is_no_warning_about_a_plugin() -> None:
    table = ao.Table.from_frame(
        pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 3]}), ["a", "b"], weights={"a": 10**12, "b": "1e-9"}
    )
    problem = ao.CellSuppression(table, ao.KAnonymity(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ao.PluginWarning)
        assert "the weights need more than 62 bits" in str(why_not_for(ao.get_solver("near-patterns"), problem))
        with pytest.raises(ao.BadInput, match="the weights need more than 62 bits"):
            ao.solve(problem)
