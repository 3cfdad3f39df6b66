from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest

import anoptima as ao
from anoptima.cli.list import ROOMS
from anoptima.solvers.backends.base import Availability
from anoptima.solvers.backends.highs import Highs
from tests.cli.conftest import Run


def test_everything_is_listed_room_by_room(run: Run) -> None:
    said = run("list")
    assert (said.code, said.err) == (0, "")
    headings = [line for line in said.out.splitlines() if line and not line.startswith(" ")]
    assert [heading.partition(":")[0] for heading in headings] == [
        "problems",
        "models",
        "backends",
        "solvers",
        "reductions",
        "instances",
    ]
    assert said.out == "\n\n".join(run("list", room).out.rstrip("\n") for room in ROOMS) + "\n"


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_a_document_with_a_name_and_a_line_for_everything(run: Run, room: str) -> None:
    document = run("list", room, "--json").json
    assert list(document) == [room]
    names = [entry["name"] for entry in document[room]]
    assert len(names) == len(set(names))
    for entry in document[room]:
        assert entry["about"], f"{entry['name']} has no docstring"
        assert "\n" not in entry["about"]


def entries(run: Run, room: str) -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in run("list", room, "--json").json[room]}


def test_backends_come_with_exact_versions(run: Run) -> None:
    found = entries(run, "backends")
    assert {"highs", "cp-sat"} <= found.keys()
    assert found["highs"]["versions"] == {"highspy": version("highspy")}
    assert found["highs"]["usable"]
    assert f"[highspy {version('highspy')}]" in run("list", "backends").out


def test_a_backend_that_cannot_be_used_says_why(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Highs, "availability", lambda self: Availability(False, "highspy is not installed"))
    found = entries(run, "backends")["highs"]
    assert (found["usable"], found["why not"], found["versions"]) == (False, "highspy is not installed", {})
    assert "[not usable here: highspy is not installed]" in run("list", "backends").out
    assert entries(run, "solvers")["pattern/highs"]["for"] == {}
    assert "[for no problem here]" in run("list", "solvers").out


def test_solvers_say_which_problems_they_are_for(run: Run) -> None:
    found = entries(run, "solvers")
    everything = ["k-anonymity", "l-diversity", "distinct l-diversity", "t-closeness"]
    assert found["pattern/highs"]["for"] == {"cell-suppression": everything}
    assert found["attributes/highs"]["for"] == {"attribute-suppression": everything}
    assert found["greedy-patterns"]["kind"] == "approximate"
    assert found["greedy-patterns"]["for"]["cell-suppression"] == ["k-anonymity"]
    assert "[cell-suppression under k-anonymity]" in run("list", "solvers").out
    assert "assignment/highs" not in found, "no backend is listed for a language that it does not take"


def test_problems_and_instances_are_found_where_they_are(run: Run) -> None:
    found = entries(run, "problems")
    assert {"cell-suppression", "attribute-suppression"} <= found.keys()
    assert found["vertex-cover"]["unit"] == "vertices", "in a package of its own within the room"
    assert entries(run, "solvers")["clique-present/cp-sat"]["for"] == {"clique": [], "half-clique": []}
    assert "[clique; half-clique]" in run("list", "solvers").out
    assert entries(run, "instances")["ten-rows-k3"]["best"] == 54
    open_ = ao.instance("census-eight-k3")
    assert f"[best {open_.best:,}, bound {open_.bound:,}]" in run("list", "instances").out
    assert "[17,032 is optimal]  [sifting, with a certificate]" in run("list", "instances").out


def test_an_empty_room_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROOMS, "reductions", list)
    assert run("list", "reductions").out == "reductions: none yet\n"
    assert run("list", "reductions", "--json").json == {"reductions": []}


def test_a_room_that_is_not_there_is_refused(run: Run) -> None:
    said = run("list", "solutions")
    assert said.code == 2
    assert said.err.startswith("anoptima: argument what: invalid choice: 'solutions'")
