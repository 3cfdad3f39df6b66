"""The records of a study as a table: a row for each run, units in the column names, and each cost beside the optimum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from anoptima.exact import Exact, as_fraction, simplest
from anoptima.experiments.studies.task import canonical
from anoptima.packages import pd

SOLVED = ("proved", "claimed", "feasible")
"""Statuses of runs with a solution that the checker has passed."""

PER_MIB = 1 << 20

DIGITS = 12
"""Characters of a table's digest that distinguish it from others."""


Known = Mapping[str, tuple[Exact | None, Exact | None]]
"""The best bound that has a checked proof, and the best cost, by question."""


def frame_of(records: Sequence[Mapping[str, Any]], known: Known | None = None) -> pd.DataFrame:
    """Return records as a table; see `study_frame`. What is known of their questions may be given, if it has been found out before."""
    known = known_of(records) if known is None else known
    rows = [_row(record, *known[question_of(record)]) for record in records]
    frame = pd.DataFrame(rows)
    if rows:
        frame = frame.sort_values(["instance", "solver", "limit_s", "seed"], ignore_index=True)
    return frame


def question_of(record: Mapping[str, Any]) -> str:
    """Return a text that identifies a record's question."""
    return canonical(record["task"]["question"])


def run_of(record: Mapping[str, Any]) -> str:
    """Return a text that identifies a run, whatever it was made with: question, solver, options, limit, seed and threads."""
    task = record["task"]
    return canonical([task[name] for name in ("question", "solver", "options", "seconds", "seed", "threads")])


def solver_of(record: Mapping[str, Any]) -> str:
    """Return what a record's solver is called: its name, and its options if it has some, as one with other options is another.

    >>> solver_of({"task": {"solver": "pattern/highs", "options": {"parallel": "off"}}})
    'pattern/highs (parallel=off)'
    """
    task = record["task"]
    told = ", ".join(f"{name}={value}" for name, value in sorted(task["options"].items()))
    return f"{task['solver']} ({told})" if told else str(task["solver"])


def exact_of(record: Mapping[str, Any], field: str) -> Exact | None:
    """Return an exact number of a record, None where it has none."""
    value = record.get(field)
    return None if value is None else simplest(as_fraction(value, field))


def known_of(records: Iterable[Mapping[str, Any]]) -> Known:
    """Return the best bound that has a checked proof, and the best cost, for each question: of the runs, and of the library's record."""
    bounds: dict[str, list[Exact]] = defaultdict(list)
    costs: dict[str, list[Exact]] = defaultdict(list)
    for record in records:
        question, proved, cost = question_of(record), exact_of(record, "proved"), exact_of(record, "cost")
        bounds[question] += [] if proved is None or record["status"] == "lied" else [proved]
        costs[question] += [] if cost is None or record["status"] not in SOLVED else [cost]
        library = record.get("library", {})
        bounds[question] += [] if (known := exact_of(library, "bound")) is None else [known]
        costs[question] += [] if (known := exact_of(library, "best")) is None else [known]
    return {question: (max(bounds[question], default=None), min(costs[question], default=None)) for question in bounds}


def _row(record: Mapping[str, Any], bound: Exact | None, best: Exact | None) -> dict[str, Any]:
    task, shape = record["task"], record.get("shape", {})
    cost = exact_of(record, "cost") if record["status"] in SOLVED else None
    peak = record.get("peak bytes")
    return {
        "instance": task["name"],
        "table": str(task["question"]["of"])[:DIGITS],
        **{name: _number(shape.get(name)) for name in ("problem", "rows", "columns", "k", "l", "t", "space", "asks")},
        "solver": solver_of(record),
        "options": canonical(task["options"]) if task["options"] else "",
        "limit_s": float(task["seconds"]),
        "seed": task["seed"],
        "threads": task["threads"],
        "status": record["status"],
        "stop": record.get("stop"),
        "cost": None if cost is None else str(cost),
        "bound": _text(record, "bound"),
        "bound_from": record.get("bound from"),
        "proved": _text(record, "proved"),
        "best_cost": None if best is None else str(best),
        "best_proved": None if bound is None else str(bound),
        "ratio_low": _ratio(cost, best),
        "ratio_high": _ratio(cost, bound),
        "guaranteed": None if record.get("guaranteed") is None else float(Fraction(record["guaranteed"])),
        "solve_s": _seconds(record, "seconds"),
        "setup_s": _seconds(record, "setup seconds"),
        "wall_s": _seconds(record, "wall seconds"),
        "cpu_s": _seconds(record, "cpu seconds"),
        "peak_MiB": None if peak is None else peak / PER_MIB,
        "limits_by": record.get("limits", {}).get("by"),
        "compiled": record.get("compiled"),
        "repeats": record.get("repeats"),
        "why": record.get("why", ""),
        "key": record["key"],
    }


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = exact_of(record, name)
    return None if value is None else str(value)


def _number(value: Any) -> Any:
    """Return what a shape says; a decimal, which is read as a text, is a number again."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _seconds(record: Mapping[str, Any], name: str) -> float | None:
    """Return a time of a record, to a millisecond; decimals are read as they are written, as texts."""
    value = record.get(name)
    return None if value is None else round(float(value), 3)


def _ratio(cost: Exact | None, least: Exact | None) -> float | None:
    """Return cost / least, for reading and plotting; 1 where both are 0, None where nothing is known."""
    if cost is None or least is None:
        return None
    if not least:
        return None if cost else 1.0
    return float(Fraction(cost) / Fraction(least))
