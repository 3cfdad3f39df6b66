from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from anoptima.errors import BadInput
from anoptima.registry import Registry


class Thing:
    def __init__(self, name: str = "thing") -> None:
        self.name = name


@pytest.fixture
def registry() -> Registry[Thing]:
    return Registry("thing", "anoptima.tests.nothing")


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
    registry: Registry[Thing] = Registry("thing", "anoptima.tests.nothing", "walked_package")
    assert "walked_package" not in sys.modules
    registry.all()
    registry.all()
    assert sys.modules["walked_package"].made == ["one", "two"]


PLUGIN = """
class Thing:
    name = "plugged"

class Broken:
    def __init__(self):
        raise RuntimeError("no licence")
"""


def test_a_plug_in_comes_in_by_its_entry_point_and_a_broken_one_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugged_in.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    places = {"broken": "plugged_in:Broken", "absent": "nowhere_at_all:Thing", "plugged": "plugged_in:Thing"}
    asked: list[str] = []

    def entry_points(*, group: str) -> list[EntryPoint]:
        asked.append(group)
        return [EntryPoint(name, place, group) for name, place in places.items()]

    monkeypatch.setattr("anoptima.registry.entry_points", entry_points)
    registry: Registry[Thing] = Registry("thing", "anoptima.tests")
    with pytest.warns(UserWarning, match="plug-in") as caught:
        assert [thing.name for thing in registry.all()] == ["plugged"]
    assert sorted(str(warning.message) for warning in caught) == [
        "the thing plug-in 'absent' (nowhere_at_all:Thing) does not load: No module named 'nowhere_at_all'",
        "the thing plug-in 'broken' (plugged_in:Broken) does not load: no licence",
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
    assert Registry[Thing]("thing", "anoptima.tests.nothing", "walked").all() == []
    with pytest.raises(RuntimeError, match="imported"):
        Registry[Thing]("thing", "anoptima.tests.nothing", "walked", "walked.inner").all()
