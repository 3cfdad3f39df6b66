"""What a stage of a run is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from anoptima.solvers.exact.sifting.standing import Standing


class Stage(ABC):
    """One step of the plan, of one run: it has what it keeps from one turn to the next."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing

    def why_not(self) -> str | None:
        """Say why the stage has nothing to do here, or nothing any more; None if it has."""
        return None

    @abstractmethod
    def run(self, limit: float) -> None:
        """Take the run further, until it is over or the stage has nothing left to try; `limit` guides stages that could take for ever."""
