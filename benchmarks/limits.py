"""Whether time limits are kept: `python -m benchmarks.limits [--limits 0,1,5,20] [--only TEXT] [--solver TEXT] [--out FILE]`.

Every question is an instance and a solver that is for it; each is asked at every limit, in a process that is kept for the next one and
killed when it does not come back. What is measured is `solve`; the loops that the solver compiles are loaded before. From the seconds
above the limit those are taken that the process waited for a processor then, because the machine was busy with others.

Results are lines of JSON in `--out`: what is there is not asked again, so that a run can be broken off, and made in parts. Prints how late
each solver was at worst, the worst first. Exits 1 if one was late by more than 1 s and 5 % of its limit, or ended without a release
or a bound.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import anoptima as ao
from benchmarks.limits_questions import instances, solvers_of
from benchmarks.measure import print_table

GRACE = 120.0
"""Seconds after its limit at which a run is given up."""
PREPARING = 600.0
"""Seconds that reading a table and loading loops may take."""
MOST_LARGE = 1.0
"""Tables of a million rows are asked at limits up to this one, unless they are asked for by name."""


def main() -> int:
    """Ask, and print the table; return 1 if a limit was not kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limits", type=lambda text: [float(part) for part in text.split(",")], default=[0, 1, 5, 20])
    parser.add_argument("--only", default="", help="text in the instance's name")
    parser.add_argument("--solver", default="", help="text in the solver's name")
    parser.add_argument("--data", type=Path, help="a folder with more tables")
    parser.add_argument("--out", type=Path, help="a file of JSON lines, read first")
    parser.add_argument("--worst", type=int, default=40, help="how many of the latest runs to print")
    parser.add_argument(
        "--processor",
        action="store_true",
        help="count processor time instead, of one thread; for busy machines, and for solvers without a backend only",
    )
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        if options.processor:
            time.monotonic = time.process_time
        _serve(options.data, 1 if options.processor else None)
        return 0
    results = _known(options.out)
    runner = _Runner([part for part in sys.argv[1:] if part == "--processor"], options.data)
    names = [name for name in instances(options.data) if options.only in name]
    try:
        for name in names:
            limits = [x for x in options.limits if x <= MOST_LARGE or "1,000,000" not in name or options.only]
            for result in runner.ask(name, options.solver, limits, {_key(result) for result in results}):
                results.append(result)
                print(_line(result), flush=True)
                if options.out is not None:
                    with options.out.open("a") as file:
                        file.write(json.dumps(result) + "\n")
    finally:
        runner.close()
    return _report(
        [r for r in results if options.only in r["instance"] and options.solver in r["solver"]], options.worst
    )


def allowed(limit: float) -> float:
    """Return how many seconds late a run may be.

    >>> allowed(5), allowed(60)
    (1.0, 3.0)
    """
    return max(1.0, 0.05 * limit)


def _known(path: Path | None) -> list[dict[str, Any]]:
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def _key(result: dict[str, Any]) -> tuple[str, str, float]:
    return result["instance"], result["solver"], result["limit"]


def _is_kept(result: dict[str, Any]) -> bool:
    return result["late"] <= allowed(result["limit"]) and not result["wrong"]


def _line(result: dict[str, Any]) -> str:
    mark = "  " if _is_kept(result) else "! "
    return (
        f"{mark}{result['limit']:4g} s  {result['late']:6.2f} late  cpu {result['cpu']:6.2f}  {result['instance']}  {result['solver']}  "
        f"{result['said']}{' WRONG: ' + result['wrong'] if result['wrong'] else ''}"
    )


def _report(results: list[dict[str, Any]], worst: int) -> int:
    by_solver: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        by_solver.setdefault(result["solver"], []).append(result)
    table = []
    for solver, its in sorted(by_solver.items(), key=lambda item: -max(r["late"] for r in item[1])):
        latest = max(its, key=lambda r: r["late"])
        table.append(
            [
                solver,
                str(len(its)),
                f"{latest['late']:.2f}",
                f"{latest['limit']:g}",
                str(sum(not _is_kept(r) for r in its)),
                latest["instance"],
            ]
        )
    print()
    print_table(["solver", "runs", "worst, s late", "at limit", "not kept", "on"], table)
    broken = sorted((r for r in results if not _is_kept(r)), key=lambda r: -r["late"])
    questions = len({(r["instance"], r["solver"]) for r in results})
    print(f"\n{questions:,} questions, {len(results):,} runs, {len(broken):,} not kept")
    for result in broken[:worst]:
        print(_line(result))
    return 1 if broken else 0


class _Runner:
    """A process that solves, made anew when it was killed."""

    def __init__(self, flags: list[str], data: Path | None) -> None:
        self._processor = bool(flags)
        self._command = [sys.executable, "-m", "benchmarks.limits", "--serve", *flags]
        if data is not None:
            self._command += ["--data", str(data)]
        self._process: subprocess.Popen[str] | None = None

    def ask(
        self, instance: str, chosen: str, limits: list[float], known: set[tuple[str, str, float]]
    ) -> Iterator[dict[str, Any]]:
        """Yield the results of every solver that is for an instance, at every limit at which it is not known."""
        solvers = self._talk({"list": instance, "chosen": chosen}, PREPARING)
        if solvers is None:
            raise SystemExit(f"{instance}: could not be prepared in {PREPARING:.0f} s")
        for solver in solvers:
            if self._processor and ("/" in solver or solver == "auto"):
                continue
            wanted = [limit for limit in limits if (instance, solver, limit) not in known]
            if wanted:
                self._talk({"warm": instance, "solver": solver}, PREPARING)
            for limit in wanted:
                result = self._talk({"ask": instance, "solver": solver, "limit": limit}, limit + GRACE)
                yield result or {
                    "instance": instance,
                    "solver": solver,
                    "limit": limit,
                    "late": GRACE,
                    "cpu": 0.0,
                    "said": "",
                    "wrong": "did not come back",
                }

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _talk(self, request: dict[str, Any], seconds: float) -> Any:
        """Return the reply; None, and no process, if none comes in time."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            self.close()
            return None
        return json.loads(line)


def _serve(data: Path | None, threads: int | None) -> None:
    """Reply to requests, one a line."""
    replies, sys.stdout = sys.stdout, sys.stderr
    makers = instances(data)

    @cache
    def problem(name: str) -> Any:
        return makers[name]()

    warm: set[tuple[str, str]] = set()
    last = ""
    for line in sys.stdin:
        request = json.loads(line)
        name = next(request[key] for key in ("list", "warm", "ask") if key in request)
        if name != last:
            problem.cache_clear()
            last = name
        if "list" in request:
            reply: Any = solvers_of(problem(name), request["chosen"])
        elif "warm" in request:
            kind = (type(problem(name)).__name__ + str(getattr(problem(name), "principle", "")), request["solver"])
            if kind not in warm:
                warm.add(kind)
                _warm(problem(name), request["solver"])
            reply = True
        else:
            reply = _run(name, makers[name], request["solver"], request["limit"], threads)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _warm(problem: Any, solver: str) -> None:
    """Load what the solver compiles and starts, by a small problem of the same sort."""
    small = next((p for p in type(problem).examples() if type(p) is type(problem)), None)
    if isinstance(problem, ao.CellSuppression):
        few = problem.table.frame.iloc[: min(150, problem.table.rows)]
        quasi = problem.table.quasi[:8]
        try:
            small = ao.CellSuppression(ao.Table.from_frame(few, quasi, problem.table.sensitive), problem.principle)
        except ao.AnoptimaError:
            small = None
    if small is None:
        return
    try:
        ao.solve(small, solver, time_limit=3)
    except ao.AnoptimaError as refused:
        print(f"{solver}: {refused}", file=sys.stderr)


def _run(name: str, make: Callable[[], Any], solver: str, limit: float, threads: int | None) -> dict[str, Any]:
    """Solve a problem that is made anew, so that nothing is known of it from the last run."""
    problem = make()
    waits: list[float] = []
    main = threading.main_thread().native_id
    timer = threading.Timer(limit, lambda: waits.append(_waited(main)))
    timer.daemon = True
    wrong, said = "", ""
    cpu, began = time.process_time(), time.monotonic()
    timer.start()
    try:
        answer = ao.solve(problem, solver, time_limit=limit, threads=threads)
    except ao.ModelTooLarge as refused:
        said = f"refused: {refused}"
    except Exception as error:  # noqa: BLE001  (whatever it is, it is the finding)
        wrong = f"{type(error).__name__}: {error}"
    seconds, used = time.monotonic() - began, time.process_time() - cpu
    waited = _waited(main) - waits[0] if waits and threads is None else 0.0
    timer.cancel()
    if not wrong and not said:
        said = str(answer)
        if answer.claim is not ao.Claim.INFEASIBLE and answer.solution is None:
            wrong = "no solution"
        elif answer.claim is not ao.Claim.INFEASIBLE and answer.bound is None:
            wrong = "no bound"
    return {
        "instance": name,
        "solver": solver,
        "limit": limit,
        "late": max(0.0, seconds - limit - waited),
        "wall": seconds,
        "cpu": used,
        "said": said,
        "wrong": wrong,
    }


def _waited(thread: int | None) -> float:
    """Return the seconds that a thread was ready to run and had no processor; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


if __name__ == "__main__":
    sys.exit(main())
