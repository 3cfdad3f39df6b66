"""Every notebook runs from its first cell to its last, in a kernel of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

from tests.house.notebooks import execute, hand_out, slides
from tests.once import made_once
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
MOST_LINES = 10


def test_notebooks_are_text() -> None:
    assert NOTEBOOKS, "there are notebooks"
    for notebook in NOTEBOOKS:
        assert "# %%" in notebook.read_text(encoding="utf-8"), f"{notebook.name} is in the percent format"


def test_notebooks_keep_their_form() -> None:
    for notebook in NOTEBOOKS:
        cells = jupytext.read(notebook).cells
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        for source in code:
            assert source.count("\n") < MOST_LINES, (
                f"{notebook.name}: a cell has more than {MOST_LINES} lines:\n{source}"
            )
        ours = re.findall(r"^(?:import|from) (anoptima\S*.*)", "\n".join(code), re.MULTILINE)
        assert ours == ["anoptima as ao"], f"{notebook.name} uses the public interface alone"
        words = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        assert "**Change one number.**" in words, f"{notebook.name} has a number to change"
        assert "**Exercise" in words, f"{notebook.name} has an exercise"
        solutions = [cell for cell in cells if "solution" in cell.metadata.get("tags", ())]
        assert solutions, f"{notebook.name} has a solution"
        for cell in solutions:
            folded = "<details>" in cell.source or cell.metadata.get("jupyter", {}).get("source_hidden")
            assert folded, f"{notebook.name}: a solution is not folded:\n{cell.source}"


def test_a_handout_has_exercises_and_no_solutions(tmp_path: Path) -> None:
    for notebook in NOTEBOOKS:
        handout = json.loads(hand_out(notebook, tmp_path).read_text(encoding="utf-8"))
        text = json.dumps(handout)
        assert "**Exercise" in text
        assert '"solution"' not in text
        assert "Solution" not in text
        assert text.count("# Your answer") > 0, "there is a cell to answer in"


@pytest.mark.notebook
def test_slides_have_texts_and_say_which_are_solutions(tmp_path: Path) -> None:
    (tmp_path / "notebooks").mkdir()
    notebook = tmp_path / "notebooks" / "one.py"
    draw = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])\n"
    notebook.write_text(
        f'# %% alt="A line & more."\n{draw}\n# %% tags=["solution"] alt="It."\n{draw}', encoding="utf-8"
    )
    slides(notebook, tmp_path / "slides")
    made = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "slides").iterdir()}
    assert made.keys() == {"one-1.svg", "one-2-solution.svg"}
    assert "<title>A line &amp; more.</title>" in made["one-1.svg"]
    assert "<title>It.</title>" in made["one-2-solution.svg"]


def test_a_notebook_that_is_not_there_is_named(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("notebooks.py")), str(tmp_path), "notebooks/99*.py"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert said.returncode == 1
    assert said.stderr.startswith("there is no notebook notebooks/99*.py; ")


@pytest.mark.notebook
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(
    notebook: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        (tmp_path / name.lower()).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    # Where matplotlib keeps the list of fonts that it makes the first time.
    monkeypatch.setenv("MPLCONFIGDIR", str(made_once("matplotlib", lambda folder: None, tmp_path_factory)))
    execute(notebook, tmp_path)
    rendered = json.loads((tmp_path / notebook.with_suffix(".ipynb").name).read_text(encoding="utf-8"))
    cells = [cell for cell in rendered["cells"] if cell["cell_type"] == "code"]
    assert cells
    pictures = []
    for cell in cells:
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                assert output["metadata"]["image/png"]["alt"], f"a picture has no text:\n{cell['source']}"
                pictures.append(data["image/png"])
            elif "text/plain" in data and not {"text/html", "text/markdown"} & set(data):
                shown = "".join(data["text/plain"])
                assert not re.match(r"<|\[(<|Text)", shown), f"a cell ends with {shown}"
    assert pictures, "a notebook shows a picture"
    assert len(set(pictures)) == len(pictures), "a picture is shown twice"
