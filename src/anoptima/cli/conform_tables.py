"""The results of conformance checks as text: a list for one subject, a table for several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from anoptima.testing.checks import Check, Fault, State, Verdict

SIGNS = {State.GREEN: "green", State.REFUSED: "-", State.RED: "RED"}
"""What stands in a table."""

MODEL_ON_BACKEND = "model on backend"

WIDEST = 120
"""Characters of a line of a table, beyond which its columns are numbered."""

MOST_NAMES = 6
"""How many subjects a reason names before it says how many others there are."""


@dataclass(frozen=True)
class Part:
    """The checks of one kind of thing, and what came of them."""

    title: str
    checks: Sequence[Check]
    verdicts: list[Verdict] = field(default_factory=list)


def as_list(verdicts: Sequence[Verdict]) -> str:
    """Write one line for each check."""
    width = max(len(verdict.check) for verdict in verdicts)
    return "\n".join(
        f"{verdict.check:{width}}  {verdict.state.value:7}  {verdict.reason}".rstrip() for verdict in verdicts
    )


def as_table(part: Part) -> str:
    """Write subjects and checks against each other; beneath it, why what is not green is not."""
    subjects = list(dict.fromkeys(verdict.subject for verdict in part.verdicts))
    checks = list(dict.fromkeys(verdict.check for verdict in part.verdicts))
    signs = {(verdict.subject, verdict.check): SIGNS[verdict.state] for verdict in part.verdicts}
    legend: list[str] = []
    if part.title == MODEL_ON_BACKEND:
        lines = _grid("model", subjects, checks, signs)
    elif _width(subjects, checks) <= WIDEST:
        lines = _grid(
            part.title, checks, subjects, {(check, subject): sign for (subject, check), sign in signs.items()}
        )
    else:
        numbers = {check: str(n) for n, check in enumerate(checks, 1)}
        numbered = {(subject, numbers[check]): sign for (subject, check), sign in signs.items()}
        lines = _grid(part.title, subjects, [*numbers.values()], numbered)
        legend = ["", *(f"{number:>2}  {check}" for check, number in numbers.items())]
    return "\n".join([*lines, *legend, *_whys(part, len(subjects))])


def as_sum(verdicts: Sequence[Verdict]) -> str:
    """Count what came of the checks.

    >>> as_sum([Verdict("one", "a", State.GREEN), Verdict("one", "b", State.RED, "it crashed", Fault.BUG)])
    '1 green, 0 refused, 1 red (1 a bug)'
    """
    counts = [f"{sum(verdict.state is state for verdict in verdicts)} {state.value}" for state in State]
    faults = [(sum(verdict.fault is fault for verdict in verdicts), fault.value) for fault in Fault]
    red = ", ".join(f"{count} {fault}" for count, fault in faults if count)
    return ", ".join(counts) + (f" ({red})" if red else "")


def _width(columns: Sequence[str], rows: Sequence[str]) -> int:
    return max(map(len, rows)) + sum(2 + max(len(column), len(SIGNS[State.GREEN])) for column in columns)


def _grid(corner: str, down: Sequence[str], across: Sequence[str], signs: dict[tuple[str, str], str]) -> list[str]:
    first = max(map(len, (corner, *down)))
    widths = [max(len(name), len(SIGNS[State.GREEN])) for name in across]
    lines = [[corner, *across], *([row, *(signs.get((row, column), "") for column in across)] for row in down)]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(line, (first, *widths), strict=True)).rstrip()
        for line in lines
    ]


def _whys(part: Part, subjects: int) -> list[str]:
    """Say why what is not green is not, red first, each reason once."""
    reasons: dict[tuple[State, str, str], list[str]] = {}
    for verdict in part.verdicts:
        if verdict.state is not State.GREEN:
            reasons.setdefault((verdict.state, verdict.check, verdict.reason), []).append(verdict.subject)
    lines = []
    for state, words in ((State.RED, "red, because:"), (State.REFUSED, "refused, because:")):
        whys = [(check, reason, names) for (one, check, reason), names in reasons.items() if one is state]
        lines += ["", words] if whys else []
        for check, reason, names in whys:
            who = _names(names, subjects)
            lines.append(f"  {f'{who} on {check}' if part.title == MODEL_ON_BACKEND else f'{check} ({who})'}: {reason}")
    return lines


def _names(names: Sequence[str], subjects: int) -> str:
    if len(names) == subjects > 1:
        return "all"
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: MOST_NAMES - 1])} and {len(names) - MOST_NAMES + 1} others"
