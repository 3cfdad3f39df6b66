"""The report of a study, opened from its file in a real browser that has no display, as wide as a window and as narrow as a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anoptima.experiments.studies.report import write_report
from tests.proofs.browser import Browser, needs_browser

pytestmark = needs_browser

RUNS = "[...document.querySelectorAll('section')].at(-1)"
"""The last part of the page: the table of runs."""


@pytest.fixture(params=(1000, 390))
def browser(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Iterator[Browser]:
    """The report, open at a width."""
    page = tmp_path / "report.html"
    write_report("A small study", folder, page)
    with Browser(tmp_path / "profile") as opened:
        opened.resize(request.param)
        opened.open(page)
        yield opened


def shown(browser: Browser, column: int) -> list[str]:
    """Return the texts of a column of the table of runs, as far as its rows are shown."""
    rows = f"[...{RUNS}.querySelectorAll('tbody tr')].filter(row => row.offsetHeight)"
    found: list[str] = browser.value(f"{rows}.map(row => row.cells[{column}].textContent)")
    return found


def test_a_report_is_read_sorted_and_filtered_and_asks_nobody(browser: Browser) -> None:
    width = browser.value("window.innerWidth")
    assert browser.value("document.documentElement.scrollWidth") <= width, (
        "only its tables and pictures scroll sideways"
    )
    assert browser.value("[...document.querySelectorAll('figure svg')].every(picture => picture.clientHeight > 100)")

    heads = browser.value(f"[...{RUNS}.querySelectorAll('th')].map(head => head.textContent)")
    cost, solver = heads.index("cost"), heads.index("solver")
    everything = shown(browser, cost)
    for order in (sorted, lambda found: sorted(found, reverse=True)):
        browser.value(f"{RUNS}.querySelectorAll('th button')[{cost}].click()")
        numbers = [int(text) for text in shown(browser, cost) if text]
        assert numbers == order(numbers)
        assert len(set(numbers)) > 2
        assert shown(browser, cost)[len(numbers) :] == [""] * (len(everything) - len(numbers)), (
            "what is empty comes last"
        )

    browser.value(
        f"const field = {RUNS}.querySelector('input'); field.value = 'k3 PEEL'; field.dispatchEvent(new Event('input'))"
    )
    assert shown(browser, solver) == ["peel"]

    links = browser.value(f"[...{RUNS}.querySelectorAll('td a')].map(link => decodeURI(new URL(link.href).pathname))")
    assert len(links) == 12
    assert all(Path(link).is_file() for link in links)
    assert {url.partition(":")[0] for url in browser.asked} <= {"file", "about", "data"}
