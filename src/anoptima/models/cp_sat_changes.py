"""Changes to a CP-SAT program since it was built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from anoptima.models.cp_sat_reading import ConstraintReading, is_of_kind

Key = tuple[Any, ...]


def compare_constraints(old: ConstraintReading, now: ConstraintReading) -> tuple[list[str], str | None]:
    """Return the new constraints, and why a change does more than restrict; None if it only restricts. Variables keep their numbers."""
    before, after = old.program.proto, now.program.proto
    if len(now.domains) < len(old.domains):
        return [], f"there are {len(now.domains)} columns, and {len(old.domains)} were built"
    if _objective(before) != _objective(after):
        return [], "the objective is another"
    news = []
    for j, (was, is_now) in enumerate(zip(old.domains, now.domains, strict=False)):
        if was == is_now:
            continue
        name = old.names[j] or f"column {j}"
        if not _within(is_now, was):
            return [], f"{name} may take values that it could not"
        news.append(f"{name} is in {_text(is_now)}")
    news += [f"the column {name} is new" for name in now.names[len(old.names) :]]
    more, why_other = _rows(before, after)
    news += more
    if list(before.assumptions) != list(after.assumptions):
        if len(before.assumptions):
            return [], "the assumptions are others"
        news.append(f"{len(after.assumptions)} literals are assumed")
    return news, why_other


def _objective(proto: Any) -> Key:
    # Looking at a part of a message that is not there would make it.
    if is_of_kind(proto, "floating_point_objective"):
        return (str(proto.floating_point_objective),)
    if not is_of_kind(proto, "objective"):
        return ()
    objective = proto.objective
    scale = objective.scaling_factor or 1.0
    terms = Counter[int]()
    for j, c in zip(objective.vars, objective.coeffs, strict=True):
        terms[j] += c
    used = sorted((j, c) for j, c in terms.items() if c)
    return used, objective.offset, scale, list(objective.domain)


def _rows(before: Any, after: Any) -> tuple[list[str], str | None]:
    there: dict[Key, list[list[int]]] = {}
    for constraint in after.constraints:
        there.setdefault(_key(constraint), []).append(_domain(constraint))
    for i, constraint in enumerate(before.constraints):
        found = there.get(_key(constraint), [])
        best = next((domain for domain in found if _within(domain, _domain(constraint))), None)
        if best is None:
            return [], f"the constraint {constraint.name or i} is gone, or allows what it did not"
    moved = next((i for i, c in enumerate(before.constraints) if _is_referred_to(c) and not _is_at(after, i, c)), None)
    if moved is not None:
        return [], f"constraint {moved} is another, and others refer to it by its place"
    old = Counter(map(_whole_key, before.constraints))
    fresh = Counter(map(_whole_key, after.constraints)) - old
    count = sum(fresh.values())
    return ([f"{count} constraint{'s are' if count > 1 else ' is'} new"] if count else []), None


def _key(constraint: Any) -> Key:
    """Return all that a constraint says, but for its name and for the domain of a sum."""
    enforced = tuple(constraint.enforcement_literal)
    if is_of_kind(constraint, "linear"):
        return ("linear", enforced, tuple(constraint.linear.vars), tuple(constraint.linear.coeffs))
    text = str(constraint)
    if constraint.name:
        text = "\n".join(line for line in text.splitlines() if not line.startswith("name:"))
    return (text,)


def _is_referred_to(constraint: Any) -> bool:
    return is_of_kind(constraint, "interval")


def _is_at(proto: Any, place: int, constraint: Any) -> bool:
    return place < len(proto.constraints) and _key(proto.constraints[place]) == _key(constraint)


def _whole_key(constraint: Any) -> Key:
    return (_key(constraint), tuple(_domain(constraint)))


def _domain(constraint: Any) -> list[int]:
    return list(constraint.linear.domain) if is_of_kind(constraint, "linear") else []


def _within(inner: Sequence[int], outer: Sequence[int]) -> bool:
    """Return whether each range of `inner` lies in one of `outer`; ranges are listed by their ends."""
    ranges = list(zip(outer[::2], outer[1::2], strict=True))
    return all(
        any(low <= first and last <= high for low, high in ranges)
        for first, last in zip(inner[::2], inner[1::2], strict=True)
    ) and (bool(outer) or not inner)


def _text(domain: Sequence[int]) -> str:
    ranges = zip(domain[::2], domain[1::2], strict=True)
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in ranges)
