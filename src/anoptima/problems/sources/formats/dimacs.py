"""The lines of DIMACS files: comments, the line that announces numbers, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.problems.sources.formats.blame import MOST, WHOLE


def lines_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of each line that has any and is no comment, with its number, up to the line that begins with %."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if words and words[0].startswith("%"):
            return
        if words and words[0] != "c":
            yield number, words


def promise(
    words: list[str], kinds: Sequence[str], of: str, here: str, line: int, before: tuple[int, int, int] | None
) -> tuple[int, int, int]:
    """Return line and both numbers of the problem line."""
    if before is not None:
        raise BadInput(f"{here}: there is a line that begins with p already, line {before[0]}")
    if len(words) != 4 or words[1] not in kinds:
        raise BadInput(f"{here} is {' '.join(words)!r:.80}; it must be 'p {kinds[0]}' and two numbers")
    nodes = "vertices" if of == "edges" else "variables"
    return (
        line,
        number_in(words[2], here, 1, MOST, f"the number of {nodes}"),
        number_in(words[3], here, 0, None, f"the number of {of}"),
    )


def number_in(word: str, here: str, least: int, most: int | None, what: str) -> int:
    """Return the whole number that a word is, if it is one from `least` to `most`; `what` is what it is for."""
    number = int(word) if WHOLE.fullmatch(word) else None
    if number is None or number < least or (most is not None and number > most):
        limits = f"from {least} up" if most is None else f"from {least} to {most}"
        raise BadInput(f"{here}: {shown(word)} is not {what}; that is a whole number {limits}")
    return number


def require_kept(promised: tuple[int, int, int] | None, there: int, one: str, form: str, where: str) -> None:
    """Refuse a file without the line that announces numbers, or with `there` edges or clauses where that line says otherwise."""
    if promised is None:
        raise BadInput(f"{where} has no line '{form}'; it must come before the {one}s")
    if promised[2] != there:
        here = f"{where}, line {promised[0]}"
        are = "is" if there == 1 else "are"
        raise BadInput(f"{here}: the number of {one}s is given as {promised[2]}, and there {are} {there}")
