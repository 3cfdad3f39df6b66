"""A release and its proof as one page: what it holds is what check.js verifies, and nothing in the files can leave its place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.pages import page_text
from tests.proofs.javascript import PAGE, Checker


def carried(page: Path) -> dict[str, str]:
    """Return the files that a page holds."""
    (held,) = re.findall(r'<script type="text/plain" id="carried">(.*?)</script>', page.read_text(), re.DOTALL)
    found: dict[str, str] = json.loads(held)
    return found


def says(folder: Path, files: dict[str, str]) -> tuple[str, str]:
    """Return what check.js says of the files."""
    for name, text in files.items():
        (folder / name).write_text(text)
    with Checker() as checker:
        return checker.says(**{name: folder / name for name in files})


class Unspoken(ao.LDiversity):
    """A principle that the proof format has no word for."""


def odd() -> Any:
    """Return an answer about a table of texts that end scripts, fields and lines, at weights, under two conditions."""
    frame = pd.DataFrame(
        {
            'a "b", c': ["</script>", "<!--", 'q"q', "x,y", "u\nv", "", "é", "</script>"],
            "d;e": [1, 2, 1, 2, 1, 2, 1, 2],
            "ill": ["1", "2", "1", "3", "2", "1", "2", "3"],
        }
    )
    table = ao.Table.from_frame(frame, ['a "b", c', "d;e"], "ill", weights={"d;e": "3/2"})
    return ao.solve(ao.CellSuppression(table, ao.KAnonymity(2) & ao.LDiversity(2)), "sifting")


def test_what_a_page_holds_is_verified_and_nothing_leaves_its_place(tmp_path: Path) -> None:
    answer = odd()
    ao.save_page(answer, tmp_path / "page.html")
    held = carried(tmp_path / "page.html")
    verdict, words = says(tmp_path, held)
    assert verdict == "verified", words
    assert words.endswith("it is optimal.")
    page = (tmp_path / "page.html").read_text()
    assert page.count("</script>") == PAGE.read_text().count("</script>")
    assert re.sub(r'(id="carried">).*?(</script>)', r"\1\2", page, flags=re.DOTALL) == PAGE.read_text()


def test_without_the_table_a_page_holds_the_release_and_the_proof(tmp_path: Path) -> None:
    answer = odd()
    ao.save_page(answer, tmp_path / "page.html", table=False)
    held = carried(tmp_path / "page.html")
    assert set(held) == {"release", "proof"}
    ao.save_page(answer, tmp_path / "whole.html")
    assert says(tmp_path, {**held, "table": carried(tmp_path / "whole.html")["table"]})[0] == "verified"


def test_what_no_page_can_check_is_refused(tmp_path: Path) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), Unspoken(2))
    with pytest.raises(ao.NotApplicable, match="a page checks proofs in anoptima/proof/3"):
        ao.save_page(ao.solve(problem), tmp_path / "page.html")
    assert not list(tmp_path.iterdir())
    assert page_text({"proof": "<\u2028"}).count("\\u003c\\u2028") == 1
