"""What other tools say of a table; runs in their environment, without anoptima: `python other_tools_there.py JOB.json`.

JOB.json names a table, a release of it, the quasi-identifying columns, a sensitive one, and k. Prints one JSON document: for each tool its
version, its seconds and what it found, or why it could not run. `benchmarks.other_tools` writes the job and reads the document.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd


def main() -> None:
    """Run every tool on the job."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = {}
    for tool, package, run in (
        ("measuring", "pycanon", measure),
        ("mondrian", "anonypy", split),
        ("columns", "anjana", drop),
    ):
        try:
            version = metadata.version(package)
            with contextlib.redirect_stdout(io.StringIO()):
                found[tool] = {"version": f"{package} {version}", **timed(run, job)}
        except metadata.PackageNotFoundError:
            found[tool] = {"version": package, "missing": f"not installed: python -m pip install {package}"}
    json.dump(found, sys.stdout)


def timed(run: Callable[[dict[str, Any]], dict[str, Any]], job: dict[str, Any]) -> dict[str, Any]:
    """Return what a tool finds; without `seconds` of its own, those of the whole run."""
    start = time.perf_counter()
    found = run(job)
    return {"seconds": time.perf_counter() - start, **found}


def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Return which principles the release satisfies, by pycanon."""
    from pycanon import anonymity

    frame = pd.read_csv(job["release"], dtype=str, keep_default_na=False)
    quasi, sensitive = job["quasi"], [job["sensitive"]]
    start = time.perf_counter()
    alpha, k = anonymity.alpha_k_anonymity(frame, quasi, sensitive)
    found = {
        "k": int(k),
        "distinct l": int(anonymity.l_diversity(frame, quasi, sensitive)),
        "alpha": float(alpha),
        "entropy l": int(anonymity.entropy_l_diversity(frame, quasi, sensitive)),
        "t": float(anonymity.t_closeness(frame, quasi, sensitive)),
    }
    return {"seconds": time.perf_counter() - start, "found": found}


def split(job: dict[str, Any]) -> dict[str, Any]:
    """Return the groups of anonypy's Mondrian, as numbers of rows."""
    from anonypy.mondrian import Mondrian

    frame = pd.read_csv(job["table"], dtype=str, keep_default_na=False)
    for column in job["quasi"]:
        frame[column] = pd.to_numeric(frame[column]) if column in job["numbers"] else frame[column].astype("category")
    start = time.perf_counter()
    groups = Mondrian(frame, job["quasi"]).partition(job["k"])
    return {"seconds": time.perf_counter() - start, "found": [[int(row) for row in group] for group in groups]}


def drop(job: dict[str, Any]) -> dict[str, Any]:
    """Return which columns anjana drops, and how many rows, where a value can only become a star."""
    from anjana.anonymity import k_anonymity_inner

    frame = pd.read_csv(job["table"], dtype=str, keep_default_na=False)
    quasi = list(job["quasi"])
    stars = {column: {0: frame[column].to_numpy(), 1: ["*"] * len(frame)} for column in quasi}
    start = time.perf_counter()
    _, rows, levels = k_anonymity_inner(frame, [], quasi, job["k"], job["rows_percent"], stars)
    found = {"dropped": [column for column in job["quasi"] if levels[column]], "rows": int(rows)}
    return {"seconds": time.perf_counter() - start, "found": found}


if __name__ == "__main__":
    main()
