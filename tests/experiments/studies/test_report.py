from __future__ import annotations

import operator
import random
import re
import shutil
from fractions import Fraction
from html.parser import HTMLParser
from itertools import combinations, permutations
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.experiments.studies.releases import agreement, agreements, pairs_kept, starred_columns
from anoptima.experiments.studies.report import write_report
from anoptima.experiments.studies.running import Done
from anoptima.experiments.studies.store import Store
from anoptima.experiments.studies.study import Study


class Reading(HTMLParser):
    """Counts what a page has, and looks at whether each element is closed."""

    OPEN = ("meta", "input", "br", "path", "use", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.OPEN:
            self.stack.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href") and tag == "a"]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.OPEN:
            assert self.stack.pop() == tag


def test_a_report_is_one_page_that_loads_nothing(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_report("a <study>", folder, page)
    text = page.read_text()
    reading = Reading()
    reading.feed(text)
    assert not reading.stack
    assert len(set(reading.ids)) == len(reading.ids)
    assert "a &lt;study&gt;" in text
    assert not re.search(r'(src|href)="https?:|@import|url\(https?:', text)
    assert text.count("<svg") == 7
    assert text.count("<td>proved</td>") == 2 + 2, "two questions, and a run of each: what was not tried is no question"
    assert len(reading.links) == 6 + 6
    assert all((tmp_path / link).exists() for link in reading.links)


def test_a_liar_with_the_most_proofs_is_no_reference(folder: Path, tmp_path: Path) -> None:
    source, store = Store(folder), Store(tmp_path / "study")
    for place, with_files in enumerate(source.records()):
        record = {**with_files, "files": {}}
        store.put(Done(record))
        for number in range(2):
            task = {**record["task"], "solver": "liar", "seed": 2 * place + number}
            status = "lied" if record["status"] == "feasible" else record["status"]
            store.put(Done({**record, "task": task, "key": f"{record['key']}{number}", "status": status}))
    page = tmp_path / "report.html"
    write_report("with a liar", store.folder, page)
    assert "Time to proof beside that of auto" in page.read_text()
    alone = Store(tmp_path / "alone")
    alone.put(Done(next(record for record in store.records() if record["status"] == "lied")))
    write_report("a liar alone", alone.folder, page)
    assert "Time to proof beside" not in page.read_text()


def test_a_liar_is_in_no_figure_about_releases(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "study")
    store = Store(tmp_path / "study")
    record = next(one for one in store.records() if one["task"]["solver"] == "mondrian")
    task = {**record["task"], "seed": 7}
    store.put(Done({**record, "task": task, "key": "lie", "status": "lied", "files": {}}))
    assert set(agreements(store.folder)["solver"]) == {"peel"}
    assert set(starred_columns(store.folder)["solver"]) == {"auto", "peel"}


def test_results_are_read_once_and_say_what_the_folder_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = ao.StudyResults(folder)
    assert results.frame.equals(ao.study_frame(folder))
    whole = agreements(folder), starred_columns(folder)
    assert len(results.releases) == 6
    monkeypatch.setattr(Store, "records", None)
    monkeypatch.setattr(Store, "content", None)
    assert whole[0].equals(agreements(results))
    assert whole[1].equals(starred_columns(results))


def test_starred_columns_add_up_to_the_cost(folder: Path) -> None:
    starred = starred_columns(folder)
    peel = starred[(starred["solver"] == "peel") & (starred["instance"] == "ten-rows-k3")]
    assert len(peel) == 8
    assert round(10 * peel["starred_share"].sum()) == 58


def test_agreement_is_with_a_proved_optimum(folder: Path) -> None:
    found = agreements(folder)
    assert set(found["solver"]) == {"peel", "mondrian"}
    assert found["agreement"].between(-0.5, 1).all()
    assert found["kept"].between(0, 1).all()
    assert (found["ratio"] > 1).all()


def test_agreement_is_what_counting_pairs_gives() -> None:
    assert pairs_kept([0, 0, 1, 1], [5, 5, 5, 5]) == 1
    assert agreement([0, 0, 1, 1], [5, 5, 5, 5]) == 0
    assert agreement([0, 1, 2], [0, 0, 0]) == 0
    chance = random.Random(3)
    for _ in range(50):
        first, second = ([chance.randrange(3) for _ in range(7)] for _ in range(2))
        pairs = list(combinations(range(7), 2))
        one, other = ([groups[a] == groups[b] for a, b in pairs] for groups in (first, second))
        both, apart = sum(map(operator.and_, one, other)), sum(a != b for a, b in zip(one, other, strict=True))
        by_chance = Fraction(sum(one) * sum(other), len(pairs))
        found = agreement(first, second)
        assert found == agreement(second, first) <= 1
        assert (found == 1) == (apart == 0)
        if apart:
            assert found == (both - by_chance) / (Fraction(sum(one) + sum(other), 2) - by_chance)


def test_agreement_is_0_on_average_for_groups_dealt_out_at_random() -> None:
    first, second = (0, 0, 1, 1, 1), (0, 0, 0, 1, 1)
    dealt = [agreement(first, order) for order in permutations(second)]
    assert sum(dealt) == 0


def test_there_is_nothing_to_report_before_the_first_run(tmp_path: Path) -> None:
    with pytest.raises(ao.BadInput, match="nothing to report"):
        write_report(Study("none").name, tmp_path, tmp_path / "report.html")
