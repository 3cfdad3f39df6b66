"""Pages in a real browser, as wide as a telephone: nothing hangs over, nobody else is asked, formulas are drawn, and the search finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.experiments.studies.report import write_report
from tests.house.sites import WIDE
from tests.proofs.browser import Browser, needs_browser

pytestmark = [
    pytest.mark.slow,
    needs_browser,
]
ROOT = Path(__file__).parents[2]
WIDTH = 390
BEYOND = "[document.documentElement.scrollWidth, ...[...document.images].map((one) => one.alt ? 0 : 1e6)]"
LOWERED = """[...document.querySelectorAll('msub')].map((one) => [...one.children].map((part) => part.getBoundingClientRect()))
    .map(([base, index]) => (index.top + index.bottom - base.top - base.bottom) / 2)"""
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
    for words, title in (("suppression", "Cell suppression"), ("pencil", "1. Privacy is a partition with a price")):
        telephone.call("Page.navigate", url=f"{(site / 'search.html').as_uri()}?q={words}")
        results = "[...document.querySelectorAll('#search-results li a')]"
        telephone.wait(f"{results}.some((one) => one.textContent === '{title}')")
    look(telephone, [])
    look_into_notebooks(telephone, site / "notebooks")


def look_into_notebooks(browser: Browser, folder: Path) -> None:
    """Open solutions and enlarge a picture in every notebook: all of it fits or scrolls, and formulas are drawn."""
    drawn = []
    for page in sorted(folder.glob("*.html")):
        browser.open(page)
        assert set(browser.value("[...document.querySelectorAll('details')].map((one) => one.open)")) == {False}
        browser.value("for (const one of document.querySelectorAll('details')) one.open = true")
        browser.value("for (const one of document.querySelectorAll('.cell_output img')) one.click()")
        assert set(browser.value("[...document.querySelectorAll('.cell_output img')].map((one) => one.width)")) == {
            WIDE
        }
        assert max(browser.value(BEYOND)) <= WIDTH, f"an opened solution or picture of {page.name} is cut off"
        drawn += browser.value(DRAWN)
        assert min(browser.value(LOWERED), default=2) >= 2, f"in {page.name} an index stands on the line"
    assert len(drawn) > 50
    assert min(drawn) > 0
