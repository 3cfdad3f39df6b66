"""The site shows the mathematics in docstrings of models and problems as formulas, and leaves no notation among the words."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from latex2mathml.converter import convert

from anoptima.models import models
from anoptima.problems.isolating_columns import every_kind

SITE = Path(__file__).parents[2] / "docs" / "_site"
NOTATION = re.compile(r"[A-Za-z]_\w|[<>=^+~{}]|\d [A-Za-z]\b|\.\.\.|\bsum_")
LEFT = ("with kinds = row types", "cost = ")
"""Notation that stays among the words, knowingly."""


@pytest.fixture(name="site")
def modules_of_the_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The modules that complete the pages."""
    monkeypatch.syspath_prepend(str(SITE))
    yield importlib.import_module
    for name in ("formulas", "docstrings"):
        sys.modules.pop(name, None)


def of_models() -> dict[str, str]:
    return {model.name: str(importlib.import_module(type(model).__module__).__doc__) for model in models.all()}


def documented() -> dict[str, str]:
    """What pages say of models and problems; of problems, what is before the sections for callers."""
    kinds = {name: kind for name, kind in every_kind().items() if kind.__module__.startswith("anoptima.")}
    modules = {f"{name}, its module": importlib.import_module(kind.__module__).__doc__ for name, kind in kinds.items()}
    own = {name: inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[2] for name, kind in kinds.items()}
    return of_models() | {name: str(text).partition("\nReferences\n")[0] for name, text in (modules | own).items()}


def test_examples(site: Any) -> None:
    for name in ("formulas", "docstrings"):
        module = site(name)
        assert doctest.testmod(module).attempted
        assert not doctest.testmod(module).failed


def test_every_formula_is_typeset(site: Any) -> None:
    for name, text in documented().items():
        page = site("docstrings").as_markdown(text, formulas=True)
        words = re.sub(r"```pycon\n(?s:.*?)```|```(?:\{table\}\n:class: program)?\n?|`[^`]*`|\$+[^$]+\$+", "", page)
        for known in LEFT:
            words = words.replace(known, "")
        found = NOTATION.search(words)
        assert found is None, (
            f"{name}: notation is left among words: {words[max(0, found.start() - 60) : found.end() + 20]!r}"
        )
        assert "```text" not in page


def test_formulas_become_mathml(site: Any) -> None:
    for name, text in documented().items():
        for formula in re.findall(r"\$+([^$]+)\$+", site("docstrings").as_markdown(text, formulas=True)):
            drawn = ET.fromstring(convert(formula))
            said = "".join(drawn.itertext())
            assert "\\" not in said, f"{name}: {formula} has a command that is not known"
            for opening, closing in (("[(]|\\[", "[)]|\\]"), ("{", "}")):  # an interval may be half open
                assert len(re.findall(opening, said)) == len(re.findall(closing, said)), f"{name}: {formula}"


def test_displayed_programs_keep_their_lines(site: Any) -> None:
    """Every line of a program has its name, and nothing of it gets lost but spaces."""
    for name, text in of_models().items():
        for block in re.findall(r"(?:(?<=\n\n)|(?<=\n)) {4}(?:.+\n)+", inspect.cleandoc(text) + "\n"):
            table = site("formulas").program(inspect.cleandoc("\n" + block))
            named = re.findall(r"^ {4}(minimise|\([a-z ]+\)) ", block, re.MULTILINE)
            assert re.findall(r"^\| (minimise|\([a-z ]+\)) \|", table, re.MULTILINE) == named, name
            assert table.count("\n| ") > len(named)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a row, at a, and A pairs. A row", "a row, at $a$, and $A$ pairs. A row"),
        ("triples u, v, w a cost of a\nrow", "triples $u$, $v$, $w$ a cost of a\nrow"),
        ("k-anonymity of k rows, 0/1, in 2010", "k-anonymity of $k$ rows, 0/1, in 2010"),
        ("row i is in D if i in D", "row $i$ is in $D$ if $i \\in D$"),
        ("v's edge e, not x_v, if not", "$v$'s edge $e$, $\\neg x_{v}$, if not"),
        ("n^(2k - 1) of `x_pr`", "$n^{2k - 1}$ of `x_pr`"),
        ("p = sum |j|, the sum of c*_r", "$p = \\sum \\vert j\\vert$, the sum of $c^*_{r}$"),
        ("w_{d,-x}, i', w_rd'", "$w_{d,-x}$, $i'$, $w_{rd'}$"),
    ],
)
def test_what_is_a_formula(site: Any, text: str, expected: str) -> None:
    assert site("formulas").typeset(text) == expected
