"""Checks and their verdicts: green, refused with a reason, or red."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from anoptima.errors import FalseClaim
from anoptima.origins import raised

T = TypeVar("T")

LONGEST = 400
"""Characters of a verdict's words: it is read on one line."""


class State(enum.Enum):
    """The verdict of a check."""

    GREEN = "green"
    REFUSED = "refused"
    """The subject never promised what was asked; the words say so."""
    RED = "red"


class Fault(enum.Enum):
    """The kind of fault that a red check found."""

    FALSE_CLAIM = "a false claim"
    """It claimed something false, and misleads anyone who believes it."""
    BUG = "a bug"
    """It crashed, raised an error, was late or said nothing: a nuisance that misleads nobody."""


class Broken(AssertionError):
    """A broken promise; the message says which, and how."""


class Untrue(Broken):
    """A false claim; the message says what was claimed, and what is true."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check; truthy unless red."""

    subject: str
    check: str
    state: State
    words: str = ""
    fault: Fault | None = None
    """Of a red one."""

    def __bool__(self) -> bool:
        return self.state is not State.RED

    def __str__(self) -> str:
        return f"{self.subject}: {self.check}: {self.state.value}" + (f", {self.reason}" if self.words else "")

    @property
    def reason(self) -> str:
        """Why it is not green, in one line: of a red one, whether it is a false claim or a bug, and what."""
        return self.words if self.fault is None else f"{self.fault.value}: {self.words}"

    def as_dict(self) -> dict[str, str | None]:
        """Return what there is to say, for a document."""
        return {
            "subject": self.subject,
            "check": self.check,
            "state": self.state.value,
            "fault": self.fault and self.fault.value,
            "words": self.words,
        }


@dataclass(frozen=True)
class Check:
    """One promise of one subject. Calling it puts it to the test."""

    subject: str
    name: str
    run: Callable[[], str | None] = field(repr=False, compare=False)
    """Returns None if the promise is kept, a reason if it was never made; raises whatever it likes if it is broken."""

    def __call__(self) -> Verdict:
        """Put the promise to the test."""
        try:
            reason = self.run()
        except Untrue as untrue:
            return self._red(str(untrue), Fault.FALSE_CLAIM)
        except Broken as broken:
            return self._red(str(broken), Fault.BUG)
        except FalseClaim as claim:
            return self._red(str(claim), Fault.FALSE_CLAIM)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a plug-in raises where it should not is the finding
            return self._red(raised(error), Fault.BUG)
        return Verdict(
            self.subject, self.name, State.GREEN if reason is None else State.REFUSED, one_line(reason or "")
        )

    def _red(self, words: str, fault: Fault) -> Verdict:
        return Verdict(self.subject, self.name, State.RED, one_line(words), fault)

    def require(self) -> Verdict:
        """Put the promise to the test, and raise `AssertionError` if it is broken."""
        verdict = self()
        if not verdict:
            raise AssertionError(str(verdict))
        return verdict

    def __str__(self) -> str:
        return self.name


def demand(kept: object, otherwise: str) -> None:
    """Raise `Broken` with `otherwise`, unless `kept`."""
    if not kept:
        raise Broken(otherwise)


def demand_true(holds: object, otherwise: str) -> None:
    """Raise `Untrue` with `otherwise`, unless what was claimed `holds`."""
    if not holds:
        raise Untrue(otherwise)


def one_line(words: str) -> str:
    r"""Return `words` as a person can read them in a table: on one line, and cut in the middle where they are long.

    >>> one_line("two\n   lines")
    'two lines'
    """
    line, half = " ".join(words.split()), LONGEST // 2
    return line if len(line) <= LONGEST else f"{line[:half]} ... {line[-half:]}"


class Checklist(Generic[T]):
    """Checks of one sort of subject, in the order in which they are written down."""

    def __init__(self) -> None:
        self.checks: list[tuple[str, Callable[[T], str | None]]] = []

    def __call__(self, name: str) -> Callable[[Callable[[T], str | None]], Callable[[T], str | None]]:
        """Add a check under `name`; the decorator."""

        def add(check: Callable[[T], str | None]) -> Callable[[T], str | None]:
            self.checks.append((name, check))
            return check

        return add

    def of(self, subject: str, thing: T, suffix: str = "") -> Iterator[Check]:
        """Yield every check of `thing`, called `subject`."""
        for name, check in self.checks:
            yield Check(subject, f"{name}{suffix}", lambda check=check: check(thing))  # type: ignore[misc]


def run_all(checks: Iterable[Check]) -> list[Verdict]:
    """Put every promise to the test."""
    return [check() for check in checks]
