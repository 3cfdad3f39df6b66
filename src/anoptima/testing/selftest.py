"""Every reduction on small problems, and every broken version of it: a table of what came out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from anoptima.exact import counted
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction
from anoptima.testing.families import spread
from anoptima.testing.line_mutants import run_anew
from anoptima.testing.mutant import Mutant
from anoptima.testing.mutants import mutants_of
from anoptima.testing.soundness import Trial, small_sources, trial

FOR_MUTANTS = 8
"""How many problems a broken reduction is tried on."""

FEWEST = 5
"""How many broken versions of a reduction a self-test tries at least."""

THICK = 30
"""How many yes-instances and how many no-instances a whole self-test has of each reduction."""


@dataclass(frozen=True)
class Line:
    """What came of one reduction: its trial, and each broken version with the complaint that it drew, if any."""

    trial: Trial
    mutants: Mapping[Mutant, str | None]
    least: int = 1

    @property
    def missed(self) -> list[Mutant]:
        """The broken versions that nobody noticed."""
        return [mutant for mutant, complaint in self.mutants.items() if complaint is None]

    @property
    def passed(self) -> bool:
        """Whether the reduction is sound on enough instances, and every one of enough broken versions was noticed."""
        return self.trial.sound and self.trial.has(self.least) and not self.missed and len(self.mutants) >= FEWEST


@dataclass(frozen=True)
class SelfTest:
    """The table."""

    lines: tuple[Line, ...]

    @property
    def passed(self) -> bool:
        """Whether every line is as it should be."""
        return all(line.passed for line in self.lines)

    def text(self) -> str:
        """Write the table, then whatever was wrong."""
        head = ("reduction", "instances", "yes", "no", "mutants caught")
        rows = [
            (
                line.trial.reduction,
                str(line.trial.instances),
                str(line.trial.yes),
                str(line.trial.no),
                f"{len(line.mutants) - len(line.missed)} of {len(line.mutants)}",
            )
            for line in self.lines
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        table = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (head, *rows)
        ]
        wrong = [f"{line.trial.reduction}: {fault}" for line in self.lines for fault in line.trial.faults]
        wrong += [
            f"{line.trial.reduction}: there were {counted(len(line.mutants), 'mutants')}; {FEWEST} are asked for"
            for line in self.lines
            if len(line.mutants) < FEWEST
        ]
        wrong += [
            f"{line.trial.reduction}: there were {count} {word}-instances; {max(1, line.least)} are asked for"
            for line in self.lines
            for word, count in (("yes", line.trial.yes), ("no", line.trial.no))
            if count < max(1, line.least)
        ]
        wrong += [f"{m.reduction}: not noticed: {m.sort}, {m.change}" for line in self.lines for m in line.missed]
        return "\n".join([*table, *([""] if wrong else []), *wrong])

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "passed": self.passed,
            "reductions": [
                {
                    "name": line.trial.reduction,
                    "instances": line.trial.instances,
                    "yes": line.trial.yes,
                    "no": line.trial.no,
                    "faults": line.trial.faults,
                    "mutants": [
                        {"sort": m.sort, "change": m.change, "noticed": complaint}
                        for m, complaint in line.mutants.items()
                    ],
                }
                for line in self.lines
            ],
        }


def selftest(
    instances: int = 12,
    mutants: int | None = 12,
    chosen: Iterable[Reduction[Any, Any]] | None = None,
    least: int = THICK,
) -> SelfTest:
    """Try reductions on a number of small problems each, and on a number of broken versions, all if None.

    They are all there are but those that are composed of others, unless some are chosen. With too few yes-instances or no-instances
    (sources with a bound) among the problems, more are tried until there are `least` of both.

    >>> from anoptima.reductions import reductions
    >>> print(selftest(6, 5, [reductions.get("minimum-cover-to-identifying-columns")], least=5).text())
    reduction                             instances  yes  no  mutants caught
    minimum-cover-to-identifying-columns  6          6    8   5 of 5
    """
    lines = []
    for reduction in (one for one in reductions.all() if not one.composed) if chosen is None else chosen:
        problems = small_sources(reduction, FOR_MUTANTS)
        broken = list(mutants_of(reduction, problems[0])) if problems else []
        tried = broken if mutants is None else spread(broken, mutants)
        tested = trial(reduction, instances, least=least)
        complaint = run_anew(reduction).noticed(problems[:1])
        if complaint is not None:
            tested.faults.append(
                f"with its module run anew and no line changed there is a complaint, so that none is of a change: {complaint}; "
                "define problems and solutions in another module than the reduction"
            )
        lines.append(Line(tested, {mutant: mutant.noticed(problems) for mutant in tried}, least))
    return SelfTest(tuple(lines))
