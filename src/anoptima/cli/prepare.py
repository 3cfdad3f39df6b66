"""`anoptima prepare`: compile all loops for this machine ahead of time, so that no run has to."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from anoptima.answer import Clock
from anoptima.cli import arguments as shared
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.cli.status_line import StatusLine
from anoptima.solvers.compiling.loops import Loop
from anoptima.solvers.compiling.preparing import prepare, state

EXAMPLES = ("anoptima prepare",)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Compile what is missing."""
    clock, before = Clock(), state()
    if not before.why and before.missing:
        before = prepare(_Line(clock, quiet=arguments.quiet))
        text = f"{before}: {len(before.prepared)} loops, {clock.seconds():.0f} s"
    else:
        text = str(before)
    return Reply(text, before.as_dict(), ANSWERED if not before.missing else NEGATIVE)


class _Line(StatusLine):
    """Says how far it is."""

    def __init__(self, clock: Clock, *, quiet: bool) -> None:
        super().__init__(quiet)
        self._clock = clock

    def __call__(self, done: int, count: int, loop: Loop) -> None:
        name = loop.function.__module__.rpartition(".")[2].removesuffix("_compiled").replace("_", " ")
        line = f"compiling loops, once for this machine: {done} of {count}, {self._clock.seconds():.0f} s ({name})"
        (self.show if done + 1 < count else self.say)(line)
