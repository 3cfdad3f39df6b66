"""Any principle, ours or a plug-in's, is asked for by the name that documents give it."""

from __future__ import annotations

import pytest

from anoptima.cli.arguments import principle_data
from tests.cli.conftest import Run

WORDS = ("patients.csv", "--quasi", "zip,age", "--sensitive", "disease")


@pytest.mark.usefixtures("patients")
def test_an_answer_under_any_principle_is_solved_written_and_verified(run: Run) -> None:
    for principle in (
        "entropy-l-diversity:l=3/2",
        "recursive-diversity:c=3,l=2,column=disease",
        'alpha-k-anonymity:{"alpha": 0.5, "k": 2}',
    ):
        told = ("--principle", principle, "-k", 2)
        said = run("solve", *WORDS, *told, "-o", "release.csv", "--answer", "answer.json")
        assert said.code == 0, said.err
        assert run("verify", "patients.csv", "release.csv", "answer.json").code == 0
        assert run("verify", "patients.csv", "release.csv", *WORDS[1:], *told).code == 0
        assert run("compare", *WORDS, *told, "--solvers", "peel").code == 0


@pytest.mark.usefixtures("patients")
def test_what_names_no_principle_is_refused_in_a_sentence(run: Run) -> None:
    for text, complaint in (
        ("entropy:l=2", "there is no principle named 'entropy'; did you mean entropy-l-diversity?"),
        ("entropy-l-diversity", "the principle lacks the entry 'l'"),
        ("entropy-l-diversity:l", "after the colon it must have KEY=VALUE, each key once"),
        ("entropy-l-diversity:l=2,l=3", "each key once"),
        ("entropy-l-diversity:l=x", "l is 'x'; it must be a finite number"),
        ("entropy-l-diversity:l=2,column=pay", "entropy l-diversity speaks of 'pay', which is no sensitive column"),
        ("entropy-l-diversity:{l}", "--principle entropy-l-diversity, line 1, column 2"),
        ("entropy-l-diversity:l=2,colum=pay", "entropy-l-diversity has no 'colum'; it has l, column"),
        ('all:{"members": 3}', "the list of members is 3; it must be a list"),
        ('all:{"members": [3]}', "a member is 3; it must be an object"),
        ('t-closeness:{"t": 1, "column": null, "space": 3}', "the space is 3; it must be an object"),
        ('t-closeness:{"t": 1, "column": null, "space": {"kind": [1]}}', "there is no space named [1]"),
    ):
        said = run("solve", *WORDS, "--principle", text)
        assert said.code == 2, text
        assert complaint in said.err


@pytest.mark.usefixtures("patients")
@pytest.mark.parametrize(
    "words",
    [
        ("solve", *WORDS),
        ("keys", *WORDS),
        ("points", "patients.csv"),
        ("reduce", "k-anonymity", "lower-bounded-facilities", *WORDS),
        ("hunt", "forest"),
    ],
    ids=lambda words: words[0],
)
def test_a_second_k_is_refused(run: Run, words: tuple[str, ...]) -> None:
    said = run(*words, "-k", 3, "-k", 2)
    assert said.code == 2
    assert "-k is given twice, as 3 and 2; give it once" in said.err


def test_numbers_are_numbers_where_they_are_whole() -> None:
    assert principle_data("k-anonymity:k=3") == {"principle": "k-anonymity", "k": 3}
    assert principle_data('l-diversity:{"l": 2.5}') == {"principle": "l-diversity", "l": "2.5"}
