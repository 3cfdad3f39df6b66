"""`anoptima solve --together`: several runs of one question side by side, which exchange what they find."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from anoptima.answer import Answer, Budget
from anoptima.cli import arguments as shared
from anoptima.cli.live import live
from anoptima.errors import BadInput, NotApplicable
from anoptima.experiments.together import LEG_S, solve_together
from anoptima.machine import is_installed
from anoptima.problems.base import Problem

S = TypeVar("S")

ALONE = ("cross_check", "option", "log", "memory")
"""Options of one run alone."""


def add_together(parser: ArgumentParser) -> None:
    """Add how many runs there are at once, and where."""
    group = parser.add_argument_group(
        "several runs at once",
        "Runs with seeds of their own go on from the best release and the best proof of all, leg by leg.",
    )
    group.add_argument(
        "--together", metavar="N", help="run N legs at a time; --solver may name several, separated by commas"
    )
    group.add_argument(
        "--leg", metavar="SECONDS", help=f"how long a leg runs before it hears of the others (default: {LEG_S:g})"
    )
    group.add_argument(
        "--dask", metavar="ADDRESS", help="have the workers of a Dask cluster run the legs; needs anoptima[cluster]"
    )


def solve_live_together(problem: Problem[S], arguments: Namespace, budget: Budget) -> Answer[S] | None:
    """Solve by several runs at once if that is asked for, and show how far they are; None if it is not."""
    if arguments.together is None:
        for option in ("leg", "dask"):
            if getattr(arguments, option) is not None:
                raise BadInput(f"--{option} is for several runs at once; say how many with --together")
        return None
    for option in ALONE:
        if getattr(arguments, option):
            raise BadInput(f"--{option.replace('_', '-')} is for a single run; leave it or --together out")
    solvers = "sifting" if arguments.solver == "auto" else arguments.solver.split(",")
    at_once = shared.from_1(shared.whole(arguments.together, "--together"), "--together")
    leg = LEG_S if arguments.leg is None else shared.seconds_of(arguments.leg, "--leg")
    if not leg:
        raise BadInput(f"--leg is {arguments.leg}; it must be a number of seconds above 0")
    with (
        workers_of(arguments.dask) as executor,
        live(problem.unit, quiet=arguments.quiet, limit=budget.seconds, lines=not arguments.json) as on_progress,
    ):
        return solve_together(
            problem,
            solvers,
            at_once=at_once,
            time_limit=budget.seconds,
            leg_seconds=leg,
            gap=budget.gap,
            threads=budget.threads or 1,
            seed=budget.seed,
            checkpoint=arguments.checkpoint,
            executor=executor,
            on_progress=on_progress,
        )


def workers_of(address: str | None) -> AbstractContextManager[Executor | None]:
    """Return the workers of the Dask cluster whose scheduler has this address; None where no address is given."""
    if address is None:
        return nullcontext()
    if not is_installed("distributed"):
        raise NotApplicable("Dask is not installed; `pip install anoptima[cluster]` brings it")
    from anoptima.experiments.studies.dask import dask_executor

    return dask_executor(address)
