from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import anoptima as ao
from anoptima import origins
from anoptima.experiments.studies import study as studies
from anoptima.experiments.studies.sources import load, named
from anoptima.experiments.studies.study import Study, versions
from anoptima.experiments.studies.task import Task
from anoptima.instances import drawn
from anoptima.solvers import algorithms
from tests.cli.conftest import PATIENTS

TOML = """
name = "patients"
instances = "ten-rows-*"
solvers = ["auto", {name = "pattern/highs", options = {parallel = "off"}}]
seconds = [1, 2.5]
seeds = [0, 1]

[[tables]]
file = "patients.csv"
quasi = ["zip", "age", "sex"]
sensitive = ["disease"]
ask = [{k = 2}, {k = 2, l = 2}, {t = "1/2", space = {kind = "equal"}}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS)
    path = tmp_path / "study.toml"
    path.write_text(TOML)
    return path


def test_a_file_says_every_run(file: Path) -> None:
    study = Study.read(file)
    tasks = [task for task, _ in study.tasks()]
    assert len(tasks) == 5 * 2 * 2 * 2
    assert len({task.key for task in tasks}) == len(tasks)
    names = list(dict.fromkeys(task.name for task in tasks))
    assert names[:2] == named("ten-rows-*")
    assert names[2:] == ["patients k=2", "patients k=2 l=2", "patients t=1/2"]
    both: Any = load(next(task.source for task in tasks if "l=2" in task.name), file.parent)
    assert str(both.principle) == "2-anonymity and frequency 2-diversity"


def test_questions_that_differ_in_their_space_alone_have_names_of_their_own(file: Path) -> None:
    diseases = ["", "cancer", "flu", "heart"]
    spaces = [
        {"kind": "equal"},
        *({"kind": "ordered", "order": order} for order in (diseases, [*diseases[1:], ""])),
    ]
    asked = [{"t": "1/2", "space": space} for space in spaces]
    table = {"file": str(file.parent / "patients.csv"), "quasi": ["zip"], "sensitive": ["disease"], "ask": asked}
    study = Study("spaces", tables=[table], solvers=["peel"])
    assert [name for name, _, _ in study.questions()] == [f"patients t=1/2{more}" for more in ("", " (2)", " (3)")]


def test_a_solver_is_run_no_oftener_than_its_answer_can_change() -> None:
    study = Study("s", instances=("ten-rows-k3",), solvers=("peel", "local-search"), seconds=(10, 60), seeds=(0, 1, 2))
    tasks = [task for task, _ in study.tasks()]
    assert [(task.solver, task.seconds, task.seed) for task in tasks] == [
        ("peel", 10, 0),
        ("peel", 60, 0),
        *(("local-search", seconds, seed) for seconds in (10, 60) for seed in (0, 1, 2)),
    ]
    assert [study.shorter(task) for task in tasks] == [
        [],
        [tasks[0].key],
        *[[]] * 3,
        *([task.key] for task in tasks[2:5]),
    ]


def test_instances_can_be_left_out_whose_optimum_is_not_known_well() -> None:
    def asked(gap: Any) -> set[str]:
        study = Study("s", instances=("clustered-*-k5",), solvers=("peel",), largest_gap=gap)
        return {task.name for task, _ in study.tasks()}

    known = {name: (ao.instance(name).best or 0, ao.instance(name).bound or 0) for name in named("clustered-*-k5")}
    assert asked(None) == set(known)
    assert asked(0) == {name for name, (best, bound) in known.items() if best == bound} != set(known)
    assert asked("1/40") == {name for name, (best, bound) in known.items() if (best - bound) * 40 <= best}
    with pytest.raises(ao.BadInput, match="largest_gap is 2; it must lie between 0 and 1"):
        asked(2)


def test_a_key_changes_with_all_that_decides_and_with_nothing_else(file: Path) -> None:
    task = next(task for task, _ in Study.read(file).tasks())
    same = replace(task, name="other", source={"file": "moved.csv"})
    changes: tuple[dict[str, Any], ...] = (
        {"question": {"of": "another table"}},
        {"solver": "peel"},
        {"options": {"x": 1}},
        {"seconds": 3.0},
        {"seed": 7},
        {"threads": 2},
        {"memory": 1},
        {"versions": {**versions(), "anoptima": "0"}},
    )
    keys = {replace(task, **change).key for change in changes}
    assert same.key == task.key == Task.from_json(task.as_json()).key
    assert len(keys | {task.key}) == len(changes) + 1


def test_the_version_of_a_plug_in_decides_about_its_own_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Theirs(ao.CellApproximation):
        name = "theirs"

        def partition(self, problem: ao.CellSuppression, is_over: Callable[[], bool]) -> ao.Partition:
            return problem.trivial()

    monkeypatch.setitem(algorithms._entries, "theirs", Theirs())
    monkeypatch.setitem(cast(dict[Any, str], origins._origins), Theirs, "their-package")

    def keys(theirs: str) -> dict[str, str]:
        of = {"their-package": theirs}
        monkeypatch.setattr(studies, "version", lambda package: of.get(package, "1"))
        return {task.solver: task.key for task, _ in Study("s", ("ten-rows-k3",), solvers=("peel", "theirs")).tasks()}

    one, other = keys("1"), keys("2")
    assert one["peel"] == other["peel"]
    assert one["theirs"] != other["theirs"]


def test_a_file_that_moves_is_the_same_question_and_one_that_changes_is_another(file: Path) -> None:
    def keys() -> set[str]:
        return {task.key for task, _ in Study.read(file).tasks() if task.name == "patients k=2"}

    before = keys()
    (file.parent / "patients.csv").rename(file.parent / "moved.csv")
    file.write_text(
        TOML.replace("patients.csv", "moved.csv").replace('quasi = ["zip"', 'name = "patients"\nquasi = ["zip"')
    )
    assert keys() == before
    (file.parent / "moved.csv").write_text(PATIENTS.replace("98765", "98764"))
    assert not keys() & before


def test_whoever_is_not_for_a_question_is_not_tried() -> None:
    study = Study("s", instances=("ten-rows-k3",), solvers=("peel", "hitting-set"))
    assert [reason for _, reason in study.tasks()] == [
        "",
        "hitting-set is for problems that choose columns, not for cell-suppression",
    ]


ZIPS = '[[tables]]\nfile = "p.csv"\nquasi = ["zip"]\n'
"""A table without questions."""


@pytest.mark.parametrize("field", ["solvers", "seconds", "seeds"])
def test_a_study_without_runs_is_refused(field: str) -> None:
    empty: dict[str, Any] = {field: ()}
    with pytest.raises(ao.BadInput, match=f"^{field} of the study 's' is empty, so it has no runs; name at least one"):
        Study("s", instances=("ten-rows-k3",), **empty)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('colour = "red"', "a study may say"),
        ('instances = "nothing-like-it"', "no instance is called 'nothing-like-it'"),
        ('instances = "ten-rows-k3"\nsolvers = ["no-such"]', "no-such"),
        ('instances = "ten-rows-k3"\nsolvers = [{nome = "peel"}]', "it must be a name, or have name and options"),
        ("instances = 'ten-rows-k3", "cannot be read as TOML"),
        ("seconds = 1", "has no instances, tables or drawn tables"),
        ('[[tables]]\nfile = "a.csv"', "must have file, quasi and ask"),
        ('[[tables]]\nfile = "a.csv"\nquasi = "x"\nask = [{k = 2}]', "a.csv"),
        ('[[tables]]\nfile = "p.csv"\nquasi = ["zip"]\nask = [{kk = 2}]', "says 'kk'"),
        ('[[tables]]\nfile = "p.csv"\nquasi = ["zip"]\nask = [{column = "age"}]', "asks for nothing"),
        ('instances = "ten-rows-k3"\nseconds = "soon"', "seconds"),
        ('instances = "ten-rows-k3"\nthreads = "many"', "threads"),
        ('instances = "ten-rows-k3"\nseconds = []', "says seconds = []; name at least one, or leave 'seconds' out"),
        ('instances = "ten-rows-k3"\nsolvers = []', "says solvers = []; name at least one, or leave 'solvers' out"),
        (
            'instances = "ten-rows-k3"\nseconds = [5, -1]',
            "seconds of the study 'study' is -1; it must be at least 0 and",
        ),
        ('instances = "ten-rows-k3"\nseconds = nan', "seconds of the study 'study' is nan; it must be"),
        (
            'instances = "ten-rows-k3"\nseconds = inf',
            "seconds of the study 'study' is inf; it must be at least 0 and finite",
        ),
        (
            'instances = "ten-rows-k3"\nseeds = [0, -1]',
            "seeds of the study 'study' is -1; it must be at least 0 and less",
        ),
        ('instances = "ten-rows-k3"\nseeds = 2147483648', "seeds of the study 'study' is 2147483648; it must be"),
        ('instances = "ten-rows-k3"\nthreads = 0', "threads of the study 'study' is 0; it must be at least 1"),
        ('instances = "ten-rows-k3"\nmemory = 0', "memory of the study 'study' is 0; it must be at least 1"),
        (
            'instances = "ten-rows-k3"\nsolvers = [{name = "peel", options = 3}]',
            "it must be a name, or have name and options",
        ),
        (
            'instances = "ten-rows-k3"\nsolvers = [{name = "peel", options = {x = 1}}]',
            "the option 'x' is for a backend",
        ),
        ('instances = "ten-rows-k3"\nsolvers = [{name = "pattern/highs", options = {x = 1}}]', "it has no option 'x'"),
        (f"{ZIPS}ask = 3", "must have file, quasi and ask"),
        (f"{ZIPS}ask = [3]", "must have file, quasi and ask"),
        (f"{ZIPS}ask = {{k = 3}}", "must have file, quasi and ask, a list"),
        (f'{ZIPS}ask = [{{principle = "x"}}]', "the principle of a question is 'x'; it must be an object"),
        (f'{ZIPS}ask = [{{k = 2, column = "age"}}]', "says column = 'age', but asks for none of l, distinct_l, t"),
        (f'{ZIPS}ask = [{{k = 2, space = {{kind = "equal"}}}}]', "but asks for none of t"),
        (f'{ZIPS}ask = [{{t = 0, space = {{kind = "equal"}}}}]', "needs a sensitive column"),
        ("instances = []", "says instances = []; name at least one, or leave 'instances' out"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "p.csv").write_text(PATIENTS)
    path = tmp_path / "study.toml"
    path.write_text(line)
    with pytest.raises(ao.AnoptimaError) as error:
        list(Study.read(path).tasks())
    assert says in str(error.value)
    assert "\n" not in str(error.value)


DRAWN = """
solvers = "peel"

[[drawn]]
generator = "clustered"
rows = [12, 20]
columns = 3
values = 4
size = 4
noise = [0, 0.25]
seed = [1, 2, 3]
ask = [{k = 2}, {k = 3}]

[[drawn]]
generator = "skewed"
name = "ill"
rows = 9
columns = 2
values = 3
skew = 1
seed = 5
diseases = 3
problem = "attribute-suppression"
ask = [{l = 2}]
"""


def test_tables_are_drawn_by_every_combination_of_knobs(tmp_path: Path) -> None:
    path = tmp_path / "drawn.toml"
    path.write_text(DRAWN)
    tasks = [task for task, _ in Study.read(path).tasks()]
    assert len(tasks) == 2 * 2 * 3 * 2 + 1
    assert len({task.key for task in tasks}) == len(tasks)
    assert tasks[0].name == "clustered rows=12 columns=3 values=4 size=4 noise=0 seed=1 k=2"
    first: Any = load(tasks[0].source, tmp_path)
    assert first.table.digest == drawn.clustered(12, 3, 4, 4, 0, 1).digest
    last: Any = load(tasks[-1].source, tmp_path)
    assert tasks[-1].name == "ill rows=9 columns=2 values=3 skew=1 seed=5 diseases=3 l=2"
    assert last.name == "attribute-suppression"
    assert last.table.sensitive == ("s",)


@pytest.mark.parametrize(
    ("generator", "knobs"),
    [("planted", {"groups": 2, "k": 2, "differing": 4}), ("near-duplicates", {"pairs": 2, "values": 2, "distance": 4})],
)
def test_rows_differ_in_no_more_columns_than_there_are(generator: str, knobs: dict[str, int]) -> None:
    def asked(columns: int) -> list[Any]:
        entry = {"generator": generator, "columns": columns, "seed": 1, "ask": [{"k": 2}], **knobs}
        return list(Study("drawn", drawn=[entry], solvers=["peel"]).questions())

    assert asked(4)
    with pytest.raises(ao.BadInput, match="is 4; rows of 3 columns cannot differ in more of them"):
        asked(3)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"clustered"', '"normal"'), "generator, one of uniform, skewed, clustered, planted, near-duplicates"),
        (("size = 4\n", ""), "does not say 'size', which clustered needs"),
        (("size = 4", "sizes = 4"), "says 'sizes'; it may say"),
        (("rows = [12, 20]", 'rows = [12, "20"]'), "rows is '20'; it must be a whole number"),
        (("rows = [12, 20]", "rows = []"), "says rows = [], so it draws nothing; give a value"),
        (("noise = [0, 0.25]", "noise = nan"), "noise is nan; it must be a number"),
        (("skew = 1", "skew = inf"), "skew is inf; it must be a number"),
        (("rows = [12, 20]", "rows = 0"), "rows is 0; it is too small"),
        (("noise = [0, 0.25]", "noise = true"), "noise is True; it must be a number"),
        (("noise = [0, 0.25]", "noise = [2]"), "noise is 2; it is a probability and must lie between 0 and 1"),
        (("ask = [{k = 2}, {k = 3}]", ""), "must have ask"),
        (("ask = [{k = 2}, {k = 3}]", "ask = [{m = 3}]"), "a question in generator 1 of the study 'drawn' says 'm'"),
    ],
)
def test_a_generator_that_makes_no_sense_is_refused(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    path = tmp_path / "drawn.toml"
    path.write_text(DRAWN.replace(*change))
    with pytest.raises(ao.BadInput) as refusal:
        list(Study.read(path).tasks())
    assert says in str(refusal.value)
