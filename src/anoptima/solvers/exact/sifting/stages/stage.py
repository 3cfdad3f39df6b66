"""What a stage of a run is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.standing import Standing

S = TypeVar("S", bound=Standing[Any])


@dataclass(eq=False)
class Stage(ABC, Generic[S]):
    """One step of the plan, of one run: it has what it keeps from one turn to the next."""

    part: ClassVar[Part | None] = None
    """Which part of the method it is, if the method can do without it."""

    standing: S

    @property
    def is_needed(self) -> bool:
        """Whether the stage runs even when time is over, since there is no release or no bound without it."""
        return False

    def why_not(self) -> str | None:
        """Say why the stage has nothing to do here, or nothing any more; None if it has."""
        return None

    @abstractmethod
    def run(self, limit: float) -> None:
        """Take the run further, until it is over or the stage has nothing left to try; `limit` guides stages that could take for ever."""
