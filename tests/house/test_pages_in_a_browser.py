"""Pages in a real browser, as wide as a telephone: nothing hangs over, nobody else is asked, formulas are drawn, and the search finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import jupytext
import pytest

import anoptima as ao
from anoptima.experiments.studies.report import write_report
from tests.house.notebook_pages import page
from tests.proofs.browser import Browser, needs_browser

pytestmark = [
    pytest.mark.slow,
    needs_browser,
]
ROOT = Path(__file__).parents[2]
WIDTH = 390
BEYOND = "[document.documentElement.scrollWidth, ...[...document.images].map((one) => one.alt ? 0 : 1e6)]"
DRAWN = "[...document.querySelectorAll('math')].map((one) => one.getBoundingClientRect().width)"


@pytest.fixture
def telephone(tmp_path: Path) -> Iterator[Browser]:
    """A browser whose window is as wide as a telephone."""
    with Browser(tmp_path / "profile") as browser:
        browser.resize(WIDTH)
        yield browser


def look(browser: Browser, pages: Iterable[Path]) -> None:
    """Open pages: each fits, every picture has its text, and nothing is asked of another host."""
    for one in pages:
        browser.open(one)
        assert max(browser.value(BEYOND)) <= WIDTH, f"{one.name} is wider than {WIDTH} pixels, or a picture has no text"
    assert {url.partition(":")[0] for url in browser.asked} <= {"file", "data", "blob", "about"}, browser.asked


def test_notebooks_fit_and_their_formulas_are_drawn(telephone: Browser, tmp_path: Path) -> None:
    drawn = []
    for notebook in sorted((ROOT / "notebooks").glob("*.py")):
        written = tmp_path / f"{notebook.stem}.html"
        written.write_text(page(jupytext.read(notebook)), encoding="utf-8")
        look(telephone, [written])
        telephone.value("for (const one of document.querySelectorAll('details')) one.open = true")
        drawn += telephone.value(DRAWN)
    assert len(drawn) > 50
    assert min(drawn) > 0


def test_a_table_a_release_and_a_report_fit(telephone: Browser, tmp_path: Path) -> None:
    answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "subset-dp")
    study = ao.Study("small", instances=("ten-rows-k3",), solvers=("subset-dp", "mondrian"), seconds=(60.0,))
    assert not ao.run_study(study, tmp_path / "runs").left
    pages = [tmp_path / name for name in ("release.html", "report.html")]
    ao.save_page(answer, pages[0])
    write_report("small", tmp_path / "runs", pages[1])
    look(telephone, [ROOT / "src" / "anoptima" / "proofs" / "check.html", *pages])


def test_the_documentation_fits_and_its_search_finds(telephone: Browser, site: Path) -> None:
    look(telephone, sorted(site.rglob("*.html")))
    telephone.call("Page.navigate", url=f"{(site / 'search.html').as_uri()}?q=suppression")
    telephone.wait("document.querySelectorAll('#search-results li a').length > 3")
    found = telephone.value("[...document.querySelectorAll('#search-results li a')].map((one) => one.textContent)")
    assert "Cell suppression" in found
    look(telephone, [])
