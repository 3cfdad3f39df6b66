"""The figures of studies/README.md, from the runs in studies/approximations.csv.gz: `python -m benchmarks.study_findings [--write]`.

Without `--write`, it prints them and exits with 1 if the page says anything else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd

from anoptima.experiments.studies.findings import by_algorithm, by_part, hardest, prices, read_runs, saved, true_ratios
from anoptima.experiments.studies.frame import SOLVED

FOLDER = Path(__file__).parents[1] / "studies"
PAGE, RUNS = FOLDER / "README.md", FOLDER / "approximations.csv.gz"

BEGIN, END = "<!-- {}: from here on by `python -m benchmarks.study_findings --write` -->", "<!-- end of {} -->"


def what_ran(runs: pd.DataFrame) -> pd.DataFrame:
    """Return how many runs of each kind there are."""
    tried = runs[runs["status"] != "unsupported"]
    counts = {
        "runs in the table": len(runs),
        "do not apply": len(runs) - len(tried),
        "were tried": len(tried),
        "of these, with a solution that the checker passed": int(tried["status"].isin(SOLVED).sum()),
        "out of time or memory, or crashed": int(tried["status"].isin(("time", "memory", "crashed")).sum()),
        "claims that a check refuted": int((tried["status"] == "lied").sum()),
        "questions": tried["instance"].nunique(),
        "solvers": tried["solver"].nunique(),
        "runs with a true ratio, on which the tables below rest": len(true_ratios(runs)),
    }
    return pd.DataFrame([{"what": what, "number": f"{number:,}"} for what, number in counts.items()])


PARTS: Mapping[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "what ran": what_ran,
    "algorithms": by_algorithm,
    "k": lambda runs: by_part(runs, "k"),
    "families": lambda runs: by_part(runs, "family"),
    "structure": hardest,
    "stars saved": saved,
    "prices": prices,
}
"""What the page has, by name."""


def written(page: str, runs: pd.DataFrame) -> str:
    """Return the page with every part as the runs have it."""
    for name, part in PARTS.items():
        begin, end = BEGIN.format(name), END.format(name)
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise SystemExit(f"{PAGE} has no part {name!r}")
        page = f"{before}{begin}\n\n{_markdown(part(runs))}\n\n{end}{after}"
    return page


def _markdown(frame: pd.DataFrame) -> str:
    if frame.empty:
        return "No run of the table says anything about this yet."
    lines = [list(map(str, frame.columns)), ["---"] * len(frame.columns), *frame.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main() -> int:
    """Write the page, or compare it; return 1 if it is not what the runs say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write studies/README.md anew")
    options = parser.parse_args()
    runs, page = read_runs(RUNS), PAGE.read_text(encoding="utf-8")
    again = written(page, runs)
    if options.write:
        PAGE.write_text(again, encoding="utf-8")
        return 0
    for name, part in PARTS.items():
        print(f"{name}\n\n{_markdown(part(runs))}\n")
    if again != page:
        print(f"{PAGE} says something else; --write writes it anew")
    return int(again != page)


if __name__ == "__main__":
    sys.exit(main())
