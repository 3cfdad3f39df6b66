"""The documentation builds without a warning, asks no other host for anything, and holds what the code knows."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import anoptima as ao
from anoptima import public
from anoptima.cli import COMMANDS
from anoptima.models import models
from anoptima.problems.isolating_columns import every_kind
from anoptima.registry import OURS, origin_of
from anoptima.solvers import algorithms
from anoptima.testing.examples import examples_for
from benchmarks.concept_pictures import FOLDER, PICTURES
from benchmarks.opening_picture import PICTURE, picture
from tests.house.sites import PRINTED

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
DOCS = ROOT / "docs"
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"(?:https?:)?//|<link\b[^>]*rel=\"stylesheet\"[^>]*//"
)


@pytest.mark.slow
def test_site_builds_and_stands_alone(site: Path) -> None:
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")} <= pages.keys()
    assert 'href="sortable-records.html"' in pages["records.html"]
    assert pages["sortable-records.html"] == (DOCS / "records.html").read_text(encoding="utf-8")
    for name, page in pages.items():
        assert not FETCHED.search(page), f"{name} asks another host: {FETCHED.search(page)}"
    assert [
        name for name in public.__all__ if f'id="anoptima.{name}"' not in pages["reference.html"] and name != "plots"
    ] == []
    for notebook in NOTEBOOKS:
        page, text = pages[f"notebooks/{notebook.stem}.html"], notebook.read_text(encoding="utf-8")
        assert f'href="notebooks/{notebook.stem}.html"' in pages["notebooks.html"]
        assert f'href="notebooks/{notebook.stem}.html"' in pages["reference.html"], "a name says which notebooks use it"
        assert page.count(PRINTED) == text.count("\n# %%") - text.count("\n# %% [markdown]") - text.count(' alt="')
        assert [html.unescape(alt) for alt in re.findall(r'<img alt="([^"]*)"', page)] == re.findall(
            r' alt="(.*?)"', text
        )
        assert page.count("<details") == text.count('tags=["solution"]'), "every solution is folded"
        assert ("<math" in page) == ("$" in text), "formulas are drawn"
        assert "without its output" not in page
    for model in models.all():
        for problem in examples_for(model):
            page = f"problems/{problem.name}.html"
            assert f">{model.name}<" in pages[page], f"{page} does not have the model {model.name}"
    for name in algorithms.names():
        told = [page for page in pages if page.startswith("algorithms/") and f'id="{name}"' in pages[page]]
        assert len(told) == 1, (
            f"the algorithm {name} must be on one page of docs/algorithms, and is on {told or 'none'}"
        )
    assert [name for name in COMMANDS if f">anoptima {name}<" not in pages["commands.html"]] == []


def test_every_algorithm_says_which_page_has_it() -> None:
    written = {path.stem for path in (DOCS / "algorithms").glob("*.md")} - {"index"}
    ours = {solver.name: solver.family for solver in algorithms.all() if origin_of(solver) == OURS}
    assert {name: family for name, family in ours.items() if family not in written} == {}
    assert set(ours.values()) == written


def test_every_problem_has_its_page() -> None:
    written = {path.stem for path in (DOCS / "problems").glob("*.md")} - {"index"}
    ours = {name for name, kind in every_kind().items() if kind.__module__.startswith("anoptima.")}
    assert written == ours, "docs/problems has a page for each problem: a title, and what is known of its complexity"


def test_the_opening_picture_is_what_its_command_draws() -> None:
    """Prices may be others with another version of HiGHS; those in the picture add up to the optimum."""
    kept, drawn = PICTURE.read_text(encoding="utf-8"), picture()
    price = re.compile(r'(?<=class="right">)\d+(?=<)')
    assert price.sub("", kept) == price.sub("", drawn), "run `python -m benchmarks.opening_picture --write`"
    assert sum(map(int, price.findall(kept))) == 54


def test_the_pictures_of_the_concepts_are_what_their_command_draws() -> None:
    shown = (DOCS / "concepts.md").read_text(encoding="utf-8")
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(PICTURES)
    for name, draw in PICTURES.items():
        kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert kept == draw(), "run `python -m benchmarks.concept_pictures --write`"
        (title,) = re.findall(r"<title>(.*)</title>", kept)
        assert f"![{html.unescape(title)}](concepts/{name}.svg)" in shown
    assert shown.count("\n## ") == len(PICTURES)


def test_every_public_name_has_an_example_that_runs() -> None:
    """Examples are run as doctests with the modules that they are in; the reference shows them."""
    named = {name: getattr(ao, name) for name in public.__all__}
    named |= {f"plots.{name}": getattr(ao.plots, name) for name in ao.plots.__all__}
    assert [name for name, thing in named.items() if ">>> " not in (thing.__doc__ or "")] == []
