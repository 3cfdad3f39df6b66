"""The command line: one file a command, with `EXAMPLES` that run, `declare` for its options and `run`, which returns a `Reply`.

A command's module is imported when the command is asked for.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import itertools
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NoReturn

import anoptima
from anoptima.cli.reply import (
    BAD_INPUT,
    EXIT_CODES,
    INTERRUPTED,
    NEGATIVE,
    NOT_WRITTEN,
    SOLVER_FAILED,
    complain,
    say,
    say_bytes,
    say_document,
)
from anoptima.documents.writing import FULL, not_written
from anoptima.errors import AnoptimaError, BadInput, InfeasibleProblem, NotWritten, PluginWarning, SolverFailure
from anoptima.machine import address_space
from anoptima.naming import did_you_mean, near_names
from anoptima.origins import said

COMMANDS = {
    "solve": "suppress as little of a table as possible, prove it, and write the release",
    "verify": "check a release, with its answer and its proof, from the data alone",
    "check": "say which principles a table already satisfies",
    "compare": "compare solvers: cost, bound, ratios, seconds and memory",
    "study": "run many solvers on many questions, each within limits, keep every run, and report",
    "hunt": "search for small questions on which a solver, a formulation or a principle looks worst",
    "keys": "find the smallest quasi-identifier: the fewest columns that distinguish rows",
    "points": "add as few fake points as possible so that every unit box is empty or holds at least k",
    "export": "write a model to a file for another solver, and a second file that says what its columns mean",
    "import-solution": "read the solution of an exported model, check it, and release the table",
    "reduce": "turn a problem into another by a theorem, solve that one, and carry the solution back",
    "reductions": "show which problem reduces to which, and the path from a problem to a solver",
    "list": "list problems, models, backends, solvers, reductions and instances",
    "instances": "show, verify, solve and improve the problems of the library and their records",
    "doctor": "say what is installed and works here, and what to install for the rest",
    "conform": "check that a plug-in (a backend, a model, a solver ...) meets its interface",
    "new": "write a package for a plug-in of your own that installs and passes its checks at once",
    "prepare": "compile all loops for this machine ahead of time, so that no run has to",
    "demo": "anonymise the papers' ten-patient table by every method, prove the optimum, then 30,162 census records",
}
"""The commands, each with what it does; `import-solution` is in the module `import_solution`."""


EXAMPLES = (
    "anoptima demo",
    "anoptima solve patients.csv --quasi zip,age -k 2 -o release.csv",
    "anoptima verify patients.csv release.csv --quasi zip,age -k 2",
)
"""What a person might type first."""


_CHOICE = re.compile(r"invalid choice: '(.*?)' \((.*)\)", re.DOTALL)


class _Parser(argparse.ArgumentParser):
    """Refuses options the way everything else here is refused: by one sentence, raised."""

    def error(self, message: str) -> NoReturn:
        choice = _CHOICE.search(message)
        near = did_you_mean(near_names(choice[1], re.findall("'(.*?)'", choice[2]))) if choice else ""
        raise BadInput(
            f"{f'{message[: choice.end(1) + 1]}; {near}' if choice and near else message} (see {self.prog} --help)"
        )


class _Command(_Parser):
    """Has its command declare the options once they are needed."""

    command: ModuleType | None = None
    is_mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Declare the options first. Files may stand behind options, too, where Python 3.11 leaves those over that need not be given."""
        self.complete()
        self._refuse_misspelt(args or ())
        found = super().parse_known_args(args, namespace)
        if not found[1] or self.is_mixing:
            return found
        self.is_mixing = True
        mixed = super().parse_known_intermixed_args(args, namespace)
        self.is_mixing = False
        if mixed[1]:
            # Left to the parser of all commands, the refusal would send people to its help, which has no options.
            self.error(f"unrecognized arguments: {' '.join(found[1])}")
        return mixed

    def _refuse_misspelt(self, words: Sequence[str]) -> None:
        """Refuse an option that is nearly one of ours before another is missed in its place, or its letters are taken for a value."""
        known = self._option_string_actions
        for word in itertools.takewhile("--".__ne__, words):
            name = word.partition("=")[0]
            if not name.startswith("-") or name in known:
                continue
            near = [other for other in (f"-{name}", name[1:]) if other in known and len(other) > 1]
            if name.startswith("--") and not near:
                bare = [other[2:] for other in known if other.startswith("--")]
                near = [f"--{other}" for other in near_names(name[2:], bare)]
            if near:
                self.error(f"unrecognized arguments: {word}; {did_you_mean(near)}")

    def complete(self) -> ModuleType:
        """Import the command and declare its options, once; return its module."""
        if self.command is None:
            self.command = importlib.import_module(f"{__name__}.{self.prog.split()[-1].replace('-', '_')}")
            self.command.declare(self)
            self.epilog = f"{EXIT_CODES}\n\n{_examples(self.command.EXAMPLES)}"
            self.set_defaults(run=self.command.run)
        return self.command


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 answered, 1 the answer is no, 2 bad input, 3 a solver failed,
    4 a file could not be written, 130 interrupted.
    """
    words = sys.argv[1:] if argv is None else [*argv]
    as_json = "--json" in words
    try:
        with _plugins_in_words():
            arguments = parser().parse_args(words)
            reply = arguments.run(arguments)
        if as_json:
            say_document(reply.document)
        elif reply.released is not None:
            say_bytes(reply.released)
            print(reply.text, file=sys.stderr)
        else:
            say(reply.text)
        for note in reply.notes:
            complain(note)
    except SystemExit as leave:
        # How argparse ends --help and --version.
        return int(leave.code or 0)
    except (AnoptimaError, KeyboardInterrupt) as error:
        return _complain(error, as_json)
    except Exception as error:
        cause = _cause(error)
        if not isinstance(cause, OSError | MemoryError | ImportError | KeyboardInterrupt):
            raise
        return _complain(cause, as_json)
    return int(reply.code)


@contextmanager
def _plugins_in_words() -> Iterator[None]:
    """Say what is wrong with plug-ins the way everything else is said here, in one line each."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def note(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, PluginWarning):
                complain(f"note: {message}")
            else:
                show(message, category, *where, **more)

        warnings.simplefilter("always", PluginWarning)
        warnings.showwarning = note
        yield


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    made = _Parser(
        prog="anoptima",
        description="Find the provably smallest loss that makes a table private.",
        epilog=f"{EXIT_CODES}\n\n{_examples(EXAMPLES)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"anoptima {anoptima.__version__}")
    _add_commands(made)
    return made


def every_command() -> dict[str, tuple[argparse.ArgumentParser, Sequence[str]]]:
    """Return each command's parser, its options declared, and its examples.

    >>> parser, examples = every_command()["doctor"]
    >>> parser.prog
    'anoptima doctor'
    """
    made = _add_commands(_Parser(prog="anoptima"))
    return {name: (command, command.complete().EXAMPLES) for name, command in made.items()}


def _add_commands(made: argparse.ArgumentParser) -> dict[str, _Command]:
    commands = made.add_subparsers(required=True, metavar="COMMAND", parser_class=_Command)
    for name, summary in COMMANDS.items():
        commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
    return dict(commands.choices)


def _examples(lines: Sequence[str]) -> str:
    return "\n".join(["examples:", *(f"  {line}" for line in lines)])


def _complain(error: BaseException, as_json: bool) -> int:
    words, code = _verdict(error)
    message = " ".join(words.split())
    if as_json:
        say_document({"error": {"kind": type(error).__name__, "message": message, "exit code": code}})
    complain(message)
    return code


def _cause(error: BaseException) -> BaseException:
    """Return the interrupt or the want of memory that an error comes from, such as one of a package that was being loaded; or itself."""
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, KeyboardInterrupt | MemoryError):
            return below
        if isinstance(below, RuntimeError) and "start new thread" in str(below):
            return MemoryError(str(below))
        below = below.__cause__ or below.__context__
    # What loads a shared library says nothing of memory where it has none.
    is_loading = isinstance(error, ImportError) or (isinstance(error, OSError) and not (error.errno or error.filename))
    return MemoryError() if is_loading and address_space() is not None else error


def _verdict(error: BaseException) -> tuple[str, int]:
    match error:
        case KeyboardInterrupt():
            return "; ".join(["interrupted", *map(str, error.args)]), INTERRUPTED
        case MemoryError():
            most = address_space()
            limit = "" if most is None else f": the address space is limited to {most >> 20:,} MiB (ulimit -v)"
            return f"there is not enough memory for this{limit}", SOLVER_FAILED
        case ImportError():
            return f"a package cannot be loaded: {said(error)}", SOLVER_FAILED
        case InfeasibleProblem():
            return said(error), NEGATIVE
        case SolverFailure():
            best = "" if error.answer is None else f"; the best until then: {error.answer}"
            return f"{said(error)}{best}", SOLVER_FAILED
        case NotWritten():
            return str(error), NOT_WRITTEN
        case OSError() if error.errno in FULL:
            return str(not_written(error.filename or "a file", error)), NOT_WRITTEN
        case OSError() if error.errno in (errno.EMFILE, errno.ENFILE):
            return "this needs more open files than are allowed here (ulimit -n)", SOLVER_FAILED
        case BlockingIOError():
            return "this needs more processes or threads than are allowed here (ulimit -u)", SOLVER_FAILED
        case OSError() if error.filename is not None:
            return f"{error.filename}: {error.strerror}", BAD_INPUT
        case _:
            return said(error), BAD_INPUT
