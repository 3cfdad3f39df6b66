from __future__ import annotations

import ast
from pathlib import Path

import pytest

from anoptima.cli.new import KINDS, package
from tests.cli.conftest import Run

NAMES = {kind: "vertex-cover-to-minimum-cover" if kind == "reduction" else f"own-{kind}" for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_it_writes_a_package_that_says_where_to_write(run: Run, tmp_path: Path, kind: str) -> None:
    name = NAMES[kind]
    said = run("new", kind, name, "--folder", tmp_path)
    assert said.code == 0
    folder = tmp_path / f"anoptima-{name}"
    assert f"pip install -e {folder}" in said.out
    module = folder / "src" / f"anoptima_{name.replace('-', '_')}.py"
    source = module.read_text()
    made = [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    assert "".join(map(str.capitalize, name.split("-"))) in made
    assert "Yours" in source
    assert "emplate" not in source
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(package(kind, name))


def test_it_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    assert run("new", "model", "mine", "--folder", tmp_path).code == 0
    module = tmp_path / "anoptima-mine" / "src" / "anoptima_mine.py"
    module.write_text("an afternoon's work")
    said = run("new", "model", "mine", "--folder", tmp_path)
    assert said.code == 2
    assert "is there already; choose another name" in said.err
    assert module.read_text() == "an afternoon's work"


@pytest.mark.parametrize("name", ["My-Solver", "1st", "a--b", "a_b", "../up", ""])
def test_a_name_that_cannot_be_typed_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    said = run("new", "backend", name, "--folder", tmp_path)
    assert said.code == 2
    assert "lower-case words" in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("algorithm", "mondrian", "there already is a solver named 'mondrian', of anoptima"),
        ("algorithm", "auto", "'auto' is no name for a solver: the word is taken"),
        ("backend", "highs", "there is a backend named 'highs' already; give yours another name"),
        ("model", "pattern", "there already is a model named 'pattern', of anoptima"),
        ("principle", "k-anonymity", "there already is a principle named 'k-anonymity', of anoptima"),
        ("problem", "cell-suppression", "there already is a problem named 'cell-suppression', of anoptima"),
        (
            "reduction",
            "vertex-cover-to-k-anonymity",
            "there already is a reduction named 'vertex-cover-to-k-anonymity', of anoptima",
        ),
        ("searcher", "auto", "'auto' is no name for a searcher: the word is taken"),
    ],
)
def test_a_name_that_is_taken_is_refused(run: Run, tmp_path: Path, kind: str, name: str, message: str) -> None:
    said = run("new", kind, name, "--folder", tmp_path)
    assert (said.code, said.err) == (2, f"anoptima: {message}\n")
    assert not list(tmp_path.iterdir())


def test_a_reduction_is_named_by_its_ends(run: Run, tmp_path: Path) -> None:
    said = run("new", "reduction", "mine", "--folder", tmp_path)
    assert said.code == 2
    assert "must be SOURCE-to-TARGET" in said.err


@pytest.mark.parametrize(
    ("kind", "name", "made"),
    [
        ("algorithm", "none", "NoneAlgorithm"),
        ("algorithm", "partition", "PartitionAlgorithm"),
        ("model", "language", "LanguageModel"),
        ("problem", "deleted-rows", "DeletedRowsProblem"),
    ],
)
def test_a_class_takes_no_word_that_python_or_the_module_has(kind: str, name: str, made: str) -> None:
    texts = package(kind, name)
    assert f':{made}"' in texts["pyproject.toml"]
    (module,) = (text for place, text in texts.items() if place.startswith("src/"))
    tree = ast.parse(module)
    there = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    there += [one.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names]
    assert there.count(made) == 1
    assert len(there) == len({*there})
