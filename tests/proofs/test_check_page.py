"""The page that checks a proof, opened from its file in a real browser that has no display."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import anoptima as ao
from tests.proofs.browser import Browser, needs_browser
from tests.proofs.javascript import CHECK, PAGE

pytestmark = needs_browser
DONE = "['verified', 'refused'].includes(document.querySelector('output').className)"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as opened:
        yield opened


def check(browser: Browser, **files: Path) -> str:
    """Choose files, check, and return the words."""
    for name, path in files.items():
        browser.choose(f"#{name}", path)
    browser.value("document.getElementById('start').click()")
    browser.wait(DONE)
    return str(browser.value("document.querySelector('output').textContent"))


def test_the_page_says_what_is_proved_and_asks_nobody(browser: Browser, tmp_path: Path) -> None:
    answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "sifting")
    proof, table, release = (tmp_path / name for name in ("proof.json", "table.csv", "release.csv"))
    ao.save_proof(answer, proof)
    ao.ten_rows().frame.to_csv(table, index=False)
    answer.release.to_csv(release, index=False)

    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2, mobile=True)
    browser.open(PAGE)
    assert browser.value("document.getElementById('start').disabled")
    said = check(browser, table=table, proof=proof, release=release)
    assert said.startswith("VERIFIED: Every release of this table that stars cells of ")
    assert said.endswith("costs 54 stars or more. (10 rows.)\nThe release costs 54: it is optimal.")
    digest = hashlib.sha256(CHECK.read_bytes()).hexdigest()
    assert browser.value("document.getElementById('digest').textContent") == f"check.js, SHA-256 {digest}"
    assert browser.value("document.documentElement.scrollWidth") <= 390, "it can be read on a telephone"

    assert check(browser, release=table).startswith("REJECTED: the group of row 1 ")
    assert check(browser, proof=table).startswith("MALFORMED: ")
    assert {url.partition(":")[0] for url in browser.asked} <= {"file", "blob", "about"}
    refused = "fetch('https://example.org').then(() => 'sent', () => 'refused')"
    found = browser.call("Runtime.evaluate", expression=refused, awaitPromise=True, returnByValue=True)
    assert found["result"]["value"] == "refused"


def test_rows_are_shown_as_the_checker_reads_them_and_until_other_files_are_chosen(
    browser: Browser, tmp_path: Path
) -> None:
    """A quote within a field is a letter, one that begins a field is not; lines that are empty are no rows."""
    proof, table = tmp_path / "proof.json", tmp_path / "table.csv"
    table.write_text('\n\ninches,b\r\n5" nail,x\r\n\r\n"6"" nail",y\n5" nail,"x"\r7" nail,y', newline="")
    ao.save_proof(
        ao.solve(ao.CellSuppression(ao.Table.read_csv(table, ["inches", "b"]), ao.KAnonymity(2)), "sifting"), proof
    )
    browser.open(PAGE)
    assert check(browser, table=table, proof=proof).startswith("VERIFIED: ")
    browser.wait("!document.getElementById('seen').hidden")
    cells = "[...document.querySelectorAll('#rows tr')].slice(1).map((row) => row.cells[2].textContent).join(';')"
    assert browser.value(cells) == '5" nail;6" nail;5" nail;7" nail'
    browser.choose("#table", proof)
    browser.wait("document.querySelector('output').textContent === 'Ready to check.'")
    assert browser.value("document.getElementById('seen').hidden")


def test_files_are_told_apart_when_they_are_dropped(browser: Browser) -> None:
    browser.open(PAGE)
    browser.value(
        """
        const dropped = new DataTransfer();
        for (const [name, text] of [["a", "x,y\\n*,1\\n"], ["b", ' {"schema": 1}'], ["c", "x,y\\n0,1\\n"]]) {
          dropped.items.add(new File([text], name));
        }
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
        """
    )
    browser.wait("!document.getElementById('start').disabled")
    places = "['table', 'proof', 'release'].map((id) => document.getElementById(id).files[0].name).join('')"
    assert browser.value(places) == "cba"
    browser.value(
        """
        const answer = new DataTransfer();
        answer.items.add(new File(['{"schema": "anoptima/answer/1"}'], "d"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: answer, bubbles: true, cancelable: true }));
        """
    )
    browser.wait("document.querySelector('output').textContent.startsWith('d is an answer, not a proof')")
    assert browser.value(places) == "cba"


def test_a_page_that_carries_its_files_checks_itself_and_shows_any_group(browser: Browser, tmp_path: Path) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    answer, page = ao.solve(problem, "sifting"), tmp_path / "page.html"
    ao.save_page(answer, page)
    browser.open(page)
    browser.wait(DONE)
    browser.wait("!document.getElementById('seen').hidden")
    assert str(browser.value("document.querySelector('output').textContent")).endswith("it is optimal.")
    ticks = "document.querySelectorAll('#rows input')"
    assert browser.value(f"{ticks}.length") == 10
    assert browser.value("document.querySelectorAll('#rows b.star').length") == 54
    browser.value(
        f"for (const tick of {ticks}) if (tick.checked !== ['0', '4', '9'].includes(tick.value)) tick.click()"
    )
    prices = answer.proof.row_prices(problem)  # type: ignore[union-attr]
    said = str(browser.value("document.getElementById('sum').textContent"))
    assert said.startswith("Rows 1, 5, 10 agree on zip1")
    assert "costs 3 x 6 = 18." in said
    assert f"= {prices[0] + prices[4] + prices[9]}." in said
    said = str(browser.value("document.getElementById('all').textContent"))
    assert said.startswith(f"The prices of all rows add up to {sum(prices)}. ")
    assert f" {answer.cost}" in said or "That is the bound" in said
    assert {url.partition(":")[0] for url in browser.asked} <= {"file", "blob", "about"}
    browser.value("document.getElementById('others').click()")
    assert browser.value("document.getElementById('start').disabled"), "nothing that is carried is checked with others"
    ao.save_page(answer, page, table=False)
    browser.open(page)
    assert browser.value("document.getElementById('start').disabled")
    ao.ten_rows().frame.to_csv(tmp_path / "table.csv", index=False)
    assert check(browser, table=tmp_path / "table.csv").endswith("it is optimal.")
