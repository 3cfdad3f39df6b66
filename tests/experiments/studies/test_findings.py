from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from anoptima.experiments.studies.findings import by_algorithm, by_part, hardest, prices, read_runs, saved, true_ratios
from benchmarks.study_findings import PAGE, RUNS, written

QUESTIONS = {
    ("census-a", "t1", "cell-suppression, 2-anonymity", 2, None, None): (10, {"good": 10, "bad": 15}),
    ("census-b", "t2", "cell-suppression, 3-anonymity", 3, None, None): (20, {"good": 22, "bad": 25}),
    ("census-c", "t1", "cell-suppression, frequency 2-diversity", None, 2, None): (25, {"good": 25}),
    ("drawn-a", "t3", "cell-suppression, 2-anonymity", 2, None, None): (4, {"good": 4, "bad": 16}),
    ("drawn-b", "t4", "cell-suppression, 2-anonymity", 2, None, None): (8, {"good": 8, "bad": 16}),
    ("open-a", "t5", "cell-suppression, 2-anonymity", 2, None, None): (8, {}),
}


@pytest.fixture
def runs() -> pd.DataFrame:
    """Six questions, two honest solvers, one that lied once, and a question whose optimum is not proved."""
    rows: list[dict[str, Any]] = []
    for (instance, table, asks, k, diversity, t), (best, costs) in QUESTIONS.items():
        for solver, cost in [*costs.items(), ("liar", best), ("good, longer", best)]:
            rows.append(
                {
                    "instance": instance, "table": table, "problem": "cell-suppression", "k": k, "l": diversity, "t": t, "asks": asks,
                    "solver": solver.partition(",")[0], "limit_s": 60.0 if "longer" in solver else 10.0,
                    "seed": 0, "status": "feasible", "cost": str(cost), "best_cost": str(best),
                    "best_proved": str(best - (instance == "open-a")), "key": f"{instance}/{solver}",
                    "repeats": "another" if "longer" in solver else None,
                }
            )  # fmt: skip
    rows[2] |= {"status": "lied", "cost": None}
    assert rows[2]["solver"] == "liar"
    return pd.DataFrame(rows)


def test_findings_are_true_ratios_of_honest_runs_that_were_made(runs: pd.DataFrame) -> None:
    known = true_ratios(runs)
    assert set(known["solver"]) == {"good", "bad"}
    assert "open-a" not in set(known["instance"])
    assert list(by_algorithm(runs)["limit, s"]) == ["10", "10"], "what stands for a longer limit is not told twice"
    told = by_algorithm(runs).set_index("solver").to_dict("index")
    assert told["good"] == {
        "limit, s": "10", "runs": 5, "median": "1.000", "worst": "1.100", "optimal": "80%", "worst on": "census-b",
        "record": "census-b/good",
    }  # fmt: skip
    assert (told["bad"]["median"], told["bad"]["worst"], told["bad"]["record"]) == ("1.750", "4.000", "drawn-a/bad")


def test_algorithms_are_in_the_order_of_their_ratios_whatever_their_digits(runs: pd.DataFrame) -> None:
    worse = [runs[runs["solver"] == "bad"].assign(solver=name, cost=name) for name in ("80", "200")]
    told = by_algorithm(pd.concat([runs, *worse], ignore_index=True))
    assert list(told["median"]) == ["1.000", "1.750", "9.000", "22.500"]


def test_findings_by_part(runs: pd.DataFrame) -> None:
    assert by_part(runs, "k").set_index("solver").to_dict("index") == {
        "bad": {"k = 2": "2.000, 4.000", "k = 3": "1.250, 1.250"},
        "good": {"k = 2": "1.000, 1.000", "k = 3": "1.100, 1.100"},
    }
    assert hardest(runs).to_dict("records") == [
        {"solver": "bad", "hardest": "drawn", "median": "3.000", "elsewhere": "1.375"},
        {"solver": "good", "hardest": "census", "median": "1.000", "elsewhere": "1.000"},
    ]


def test_what_exactness_saves_and_what_diversity_costs(runs: pd.DataFrame) -> None:
    assert saved(runs).set_index("solver")["saved"].to_dict() == {"bad": "25.0%", "good": "3.5%"}
    assert prices(runs).to_dict("records") == [
        {
            "instance": "census-c", "asks": "frequency 2-diversity", "optimum": "25", "for k alone": "10 (k = 2)", "price": "2.500",
        }
    ]  # fmt: skip


def test_several_values_of_l_have_a_price_too(runs: pd.DataFrame) -> None:
    first = runs[runs["instance"] == "census-c"]
    both = first.assign(
        instance="census-d", l="2, 3/2", asks="cell-suppression, both", cost="30", best_cost="30", best_proved="30"
    )
    whole = pd.concat([runs, both], ignore_index=True)
    assert prices(whole)[["asks", "price"]].to_numpy().tolist() == [
        ["frequency 2-diversity", "2.500"],
        ["both", "3.000"],
    ]
    assert list(by_part(whole, "l").columns) == ["solver", "l = 2", "2, 3/2"]


def test_a_broken_l_stands_beside_the_next_whole_k(runs: pd.DataFrame) -> None:
    asked = runs[runs["instance"] == "census-c"]
    for broken, k, beside in (("3/2", 2, "10 (k = 2)"), ("5/2", 3, "10 (k = 3)")):
        alone = runs[runs["instance"] == "census-a"].assign(k=k, asks=f"cell-suppression, {k}-anonymity")
        diverse = asked.assign(l=broken, asks=f"cell-suppression, frequency {broken}-diversity")
        assert prices(pd.concat([alone, diverse], ignore_index=True))["for k alone"].tolist() == [beside]


def test_the_page_of_findings_says_what_its_runs_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(PAGE.read_text(encoding="utf-8"), read_runs(RUNS)), (
        "run `python -m benchmarks.study_findings --write`"
    )


def test_the_runs_of_the_page_are_small_and_name_no_machine() -> None:
    assert Path(RUNS).stat().st_size < 1 << 20
    runs = read_runs(RUNS)
    assert runs["key"].is_unique
    assert list(runs["instance"]) == sorted(runs["instance"])
    assert not runs["why"].fillna("").str.contains("/work|/home|/tmp", regex=True).any()
