"""The command line: one file a command, each with a `SUMMARY`, `declare` for its options, and `run`, which returns a `Reply`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

import anoptima
from anoptima.cli import (
    check,
    compare,
    conform,
    demo,
    export,
    import_solution,
    keys,
    list,  # noqa: A004  (the command's name)
    points,
    reduce,
    reductions,
    solve,
    verify,
)
from anoptima.cli.reply import (
    BAD_INPUT,
    EXIT_CODES,
    INTERRUPTED,
    NEGATIVE,
    NOT_WRITTEN,
    SOLVER_FAILED,
    complain,
    say,
    say_document,
)
from anoptima.errors import AnoptimaError, BadInput, InfeasibleProblem, NotWritten, SolverFailure
from anoptima.files import FULL

COMMANDS: tuple[ModuleType, ...] = (
    solve,
    verify,
    check,
    compare,
    keys,
    points,
    export,
    import_solution,
    reduce,
    reductions,
    list,
    conform,
    demo,
)


class _Parser(argparse.ArgumentParser):
    """Refuses options the way everything else here is refused: by one sentence, raised."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 answered, 1 the answer is no, 2 bad input, 3 a solver failed,
    4 a file could not be written, 130 interrupted.
    """
    words = sys.argv[1:] if argv is None else [*argv]
    as_json = "--json" in words
    try:
        arguments = parser().parse_args(words)
        reply = arguments.run(arguments)
        if as_json:
            say_document(reply.document)
        else:
            say(reply.text)
        for note in reply.notes:
            complain(note)
    except SystemExit as leave:
        # How argparse ends --help and --version.
        return int(leave.code or 0)
    except (AnoptimaError, OSError, MemoryError, KeyboardInterrupt) as error:
        return _complain(error, as_json)
    return int(reply.code)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    made = _Parser(
        prog="anoptima",
        description="Find the provably smallest loss that makes a table private.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"anoptima {anoptima.__version__}")
    commands = made.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    for command in COMMANDS:
        added = commands.add_parser(
            command.__name__.rpartition(".")[2].replace("_", "-"),
            help=command.SUMMARY,
            description=f"{command.SUMMARY[0].upper()}{command.SUMMARY[1:]}.",
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.declare(added)
        added.set_defaults(run=command.run)
    return made


def _complain(error: BaseException, as_json: bool) -> int:
    words, code = _verdict(error)
    message = " ".join(words.split())
    if as_json:
        say_document({"error": {"kind": type(error).__name__, "message": message, "exit code": code}})
    complain(message)
    return code


def _verdict(error: BaseException) -> tuple[str, int]:
    match error:
        case KeyboardInterrupt():
            return "interrupted", INTERRUPTED
        case MemoryError():
            return "there is not enough memory for this", SOLVER_FAILED
        case InfeasibleProblem():
            return str(error), NEGATIVE
        case SolverFailure():
            best = "" if error.answer is None else f"; the best until then: {error.answer}"
            return f"{error}{best}", SOLVER_FAILED
        case NotWritten():
            return str(error), NOT_WRITTEN
        case OSError() if error.errno in FULL:
            return f"{error.filename or 'a file'} could not be written: {error.strerror}", NOT_WRITTEN
        case OSError() if error.filename is not None:
            return f"{error.filename}: {error.strerror}", BAD_INPUT
        case _:
            return str(error), BAD_INPUT
