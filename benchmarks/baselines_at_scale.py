"""Every approximation on a large table: `python -m benchmarks.baselines_at_scale TABLE.csv.gz 2 5 10`.

Prints, for each k, cost, proven ratio (cost / best bound), seconds and peak memory of every approximation that is for k-anonymity on the
eight quasi-identifiers of the census table, beside the best cost that other tools are known to reach on it. Exits 1 if a guarantee is
broken by what is proved, if a verification fails, or if something takes more memory than `--memory` MiB.
"""

from __future__ import annotations

import argparse
import sys

import anoptima as ao
from anoptima.experiments.comparison import approximations_for, run_all
from benchmarks.measure import MIB, print_table

A8 = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
OTHERS = {2: 19_280, 5: 33_893, 10: 43_145}
"""The best that other tools are known to reach on the whole census table."""


def main() -> int:
    """Print a table for each k; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("table")
    parser.add_argument("k", nargs="+", type=int)
    parser.add_argument("--quasi", default=",".join(A8))
    parser.add_argument("--solvers", default="", help="separated by commas (default: every approximation)")
    parser.add_argument("--time-limit", type=float, default=240.0, help="seconds for each run")
    parser.add_argument("--memory", type=float, default=4096.0, help="MiB that none may exceed")
    options = parser.parse_args()

    table = ao.Table.read_csv(options.table, options.quasi.split(","))
    wrong = []
    for k in options.k:
        problem = ao.CellSuppression(table, ao.KAnonymity(k))
        names = options.solvers.split(",") if options.solvers else approximations_for([problem])
        runs = run_all([problem], names, time_limit=options.time_limit)
        print(f"{table!r}, k = {k}, {options.time_limit:.0f} s at most", flush=True)
        rows = []
        for run in sorted(runs, key=lambda run: (run.cost is None, run.cost)):
            answer = run.answer
            if answer is None or run.cost is None or run.ratio is None:
                rows.append([run.solver, "", "", "", "", run.reason])
                continue
            guaranteed = "" if run.guaranteed is None else f"{float(run.guaranteed):.2f}"
            memory = "" if run.memory is None else f"{run.memory / MIB:,.0f}"
            rows.append([run.solver, f"{run.cost:,}", f"{run.ratio:.3f}", guaranteed, f"{run.seconds:.1f}", memory])
            verification = answer.verify()
            wrong += [f"{run.solver}, k = {k}: {words}" for words in verification.wrong]
            if (run.memory or 0) > options.memory * MIB:
                wrong.append(f"{run.solver}, k = {k}: takes {(run.memory or 0) / MIB:,.0f} MiB")
        bound = runs[0].best_bound
        print_table(["solver", "stars", "ratio", "guaranteed", "seconds", "MiB"], rows)
        print(
            f"best bound {bound.value if bound else 'none'}"
            + (f" ({bound.origin.value}, by {bound.by})" if bound else "")
        )
        if table.rows == 30_162 and options.quasi == ",".join(A8) and k in OTHERS:
            best = min(run.cost for run in runs if run.cost is not None)
            print(f"other tools: {OTHERS[k]:,}; the best here is {float(1 - best / OTHERS[k]):.1%} below")
        print(flush=True)
    print("\n".join(wrong) or "all verified")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
