"""`anoptima study`: many solvers on many questions, each run in a process of its own within limits, recorded once, and reported."""

from __future__ import annotations

import gzip
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anoptima.cli import arguments as shared
from anoptima.cli.options import refuse_of_other_actions
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.cli.status_line import StatusLine
from anoptima.cli.tables import PARQUET
from anoptima.cli.together import workers_of
from anoptima.documents.writing import refuse_shared
from anoptima.errors import BadInput
from anoptima.exact import as_fraction, exact_text
from anoptima.experiments.studies.conducting import Plan, Standing, in_all, jobs_for, plan, run_study
from anoptima.experiments.studies.report import write_report
from anoptima.experiments.studies.results import StudyResults
from anoptima.experiments.studies.statistics import summaries
from anoptima.experiments.studies.store import Store
from anoptima.experiments.studies.study import Study
from anoptima.experiments.studies.task import canonical
from anoptima.machine import is_installed

EXAMPLES = (
    "anoptima study plan study.toml",
    "anoptima study run study.toml --jobs 2",
    "anoptima study report study.toml -o report.html",
)

DOINGS = ("plan", "run", "status", "report")

OF_ACTIONS: Mapping[str, Mapping[str, object]] = {
    "plan": {"jobs": None},
    "run": {"jobs": None, "dask": None},
    "status": {"jobs": None},
    "report": {"output": None, "table": None},
}
"""Options that some actions have and others do not, with their defaults."""

MINUTE, HOUR = 60, 3600


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "doing",
        metavar="ACTION",
        choices=DOINGS,
        help="plan: list the runs and their time; run: do the remaining ones; status: count them; report: write a page of HTML",
    )
    parser.add_argument("study", metavar="STUDY", help="a TOML file: instances, tables, solvers, seconds, seeds")
    parser.add_argument(
        "--folder", metavar="FOLDER", help="the folder of the records (default: beside the file, under its name)"
    )
    parser.add_argument("--jobs", metavar="N", help="runs at a time (default: one per core)")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="run on the workers of a Dask cluster; needs anoptima[cluster]"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the report's file (default: report.html in the folder)")
    parser.add_argument(
        "--table", metavar="FILE", help="with report: also write all runs as CSV (.csv, .csv.gz) or Parquet"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Do what is asked."""
    refuse_of_other_actions(arguments, OF_ACTIONS)
    study = Study.read(arguments.study)
    folder = Path(arguments.folder) if arguments.folder else Path(arguments.study).with_suffix("")
    if folder == Path(arguments.study):
        raise BadInput(f"{folder} is the study itself; name a folder for its records with --folder")
    jobs = None if arguments.jobs is None else shared.from_1(shared.whole(arguments.jobs, "--jobs"), "--jobs")
    return {"plan": _plan, "run": _run, "status": _status, "report": _report}[arguments.doing](
        study, folder, jobs, arguments
    )


def _plan(study: Study, folder: Path, jobs: int | None, arguments: Namespace) -> Reply:
    planned = plan(study, folder)
    return Reply("\n".join(_planned(planned, jobs_for(study, jobs))), _document(planned, folder), ANSWERED)


def _planned(planned: Plan, jobs: int) -> list[str]:
    left = planned.left
    instances = {task.name for task in planned.tasks.values()}
    solvers = {(task.solver, canonical(task.options)) for task in planned.tasks.values()}
    lines = [
        f"{len(planned.tasks):,} runs: {len(instances):,} questions, {len(solvers)} solvers",
        f"{len(planned.done):,} are done, {len(set(planned.refused) - planned.done):,} do not apply, {len(left):,} are left",
    ]
    if planned.known:
        lines.append(
            f"{len(planned.known):,} of those ended by themselves under a shorter limit and will not be repeated"
        )
    if planned.lost:
        lines.append(f"{len(planned.lost):,} began and never ended; they will be repeated")
    if left:
        most = planned.most_seconds(jobs)
        lines.append(f"that takes at most about {duration(most)} with {jobs} at a time")
    return lines


def _run(study: Study, folder: Path, jobs: int | None, arguments: Namespace) -> Reply:
    said = _Said(arguments.quiet or arguments.json)
    with workers_of(arguments.dask) as executor:
        try:
            planned = run_study(study, folder, jobs=jobs, executor=executor, on_standing=said)
        except KeyboardInterrupt:
            said.clear()
            raise KeyboardInterrupt(f"finished runs are in {folder}, and `anoptima study run` continues") from None
    said.clear()
    reply = _status(study, folder, jobs, arguments)
    return Reply(reply.text, reply.document, NEGATIVE if planned.left else ANSWERED)


def _status(study: Study, folder: Path, jobs: int | None, arguments: Namespace) -> Reply:
    planned = plan(study, folder)
    records = [record for record in Store(folder).records() if record["key"] in planned.tasks]
    lines = _planned(planned, jobs_for(study, jobs))
    lines += [f"{count:>6,}  {status}" for status, count in in_all(records).items()]
    document = {**_document(planned, folder), "statuses": in_all(records)}
    return Reply("\n".join(lines), document, ANSWERED)


def _report(study: Study, folder: Path, jobs: int | None, arguments: Namespace) -> Reply:
    results = StudyResults(folder) if folder.is_dir() else None
    if results is None or results.frame.empty:
        raise BadInput(f"{folder} holds no run of the study; `anoptima study run {arguments.study}` does them")
    target = Path(arguments.output) if arguments.output else folder / "report.html"
    refuse_shared({"report": target, "table of runs": arguments.table}, {"study": arguments.study})
    if arguments.table is not None:
        _require_format(Path(arguments.table))
    write_report(study.name, results, target)
    lines = [f"the report is in {target}"]
    if arguments.table is not None:
        _write_table(results.frame, Path(arguments.table))
        lines.append(f"the runs are in {arguments.table}")
    shown: list[Mapping[str, Any]] = [vars(one) for one in summaries(results.frame)]
    return Reply("\n".join(lines), {"report": str(target), "solvers": shown}, ANSWERED)


def _require_format(path: Path) -> None:
    """Refuse a table of runs that could not be written, before the report is."""
    if path.suffix in PARQUET:
        if not is_installed("pyarrow"):
            raise BadInput(f"{path}: writing Parquet needs pyarrow; install anoptima[parquet], or write a .csv file")
    elif path.suffix != ".csv" and not path.name.endswith(".csv.gz"):
        raise BadInput(f"{path} must end in .csv, .csv.gz or .parquet")


def _write_table(frame: Any, path: Path) -> None:
    if path.suffix in PARQUET:
        # A column of Parquet is of one type: where some question has several values of l or t, which are a text, all are.
        mixed = [name for name in ("l", "t") if any(isinstance(value, str) for value in frame[name])]
        texts = {
            name: [None if value != value or value is None else str(value) for value in frame[name]] for name in mixed
        }
        frame.assign(**texts).to_parquet(path, index=False)
    elif path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        # The same runs are the same file, whenever it is written and whatever its name is.
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode(), mtime=0))


def _document(planned: Plan, folder: Path) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "runs": len(planned.tasks),
        "done": len(planned.done),
        "unsupported": len(planned.refused),
        "lost": len(planned.lost),
        "left": len(planned.left),
        "known": len(planned.known),
    }


class _Said(StatusLine):
    """A line for each run that has ended; on a terminal, with how far the study is below it."""

    def __call__(self, now: Standing) -> None:
        task, cost = now.last["task"], now.last.get("cost")
        outcome = (
            now.last["status"] if cost is None else f"{now.last['status']} {exact_text(as_fraction(cost, 'a cost'))}"
        )
        self.say(f"{task['name']}, {task['solver']}, {task['seconds']:g} s, seed {task['seed']}: {outcome}")
        if self.on_terminal:
            left = duration(now.seconds_left)
            gap = "" if now.gap is None else f"median gap {float(now.gap):.1%}, "
            self.show(
                f"{now.done:,} of {now.runs:,} done, {now.running} running, {now.failed:,} failed, {gap}at most {left} left"
            )


def duration(seconds: float) -> str:
    """Say a number of seconds as people do.

    >>> duration(59), duration(90), duration(8000)
    ('59 s', '2 min', '2.2 h')
    """
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < HOUR else f"{seconds / HOUR:.1f} h"
