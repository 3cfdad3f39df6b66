"""What a check is, and what comes of it: green, refused with a reason, or red."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


class State(enum.Enum):
    """What comes of a check."""

    GREEN = "green"
    REFUSED = "refused"
    """What was asked for was never promised; the words say so."""
    RED = "red"


class Broken(AssertionError):
    """A promise that is not kept; the message says which, and how."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a check; truthy unless red."""

    subject: str
    check: str
    state: State
    words: str = ""

    def __bool__(self) -> bool:
        return self.state is not State.RED

    def __str__(self) -> str:
        return f"{self.subject}: {self.check}: {self.state.value}" + (f", {self.words}" if self.words else "")

    def as_dict(self) -> dict[str, str]:
        """Return what there is to say, for a document."""
        return {"subject": self.subject, "check": self.check, "state": self.state.value, "words": self.words}


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
        except Broken as broken:
            return Verdict(self.subject, self.name, State.RED, str(broken))
        except Exception as error:  # noqa: BLE001 - whatever a plug-in raises where it should not is the finding
            return Verdict(self.subject, self.name, State.RED, f"{type(error).__name__}: {error}")
        return Verdict(self.subject, self.name, State.GREEN if reason is None else State.REFUSED, reason or "")

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


class Checklist(Generic[T]):
    """Checks of one sort of subject, in the order in which they are written down."""

    def __init__(self) -> None:
        self._checks: list[tuple[str, Callable[[T], str | None]]] = []

    def __call__(self, name: str) -> Callable[[Callable[[T], str | None]], Callable[[T], str | None]]:
        """Add a check under `name`; the decorator."""

        def add(check: Callable[[T], str | None]) -> Callable[[T], str | None]:
            self._checks.append((name, check))
            return check

        return add

    def of(self, subject: str, thing: T, suffix: str = "") -> Iterator[Check]:
        """Yield every check of `thing`, called `subject`."""
        for name, check in self._checks:
            yield Check(subject, f"{name}{suffix}", lambda check=check: check(thing))  # type: ignore[misc]


def run_all(checks: Iterable[Check]) -> list[Verdict]:
    """Put every promise to the test."""
    return [check() for check in checks]
