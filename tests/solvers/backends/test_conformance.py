"""What every backend promises, asked of every backend there is: a new one is tested without touching a list."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from anoptima.answer import Budget
from anoptima.solvers.backends import isolation, registry, running
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.testing import Check, State, check_backend
from tests.processes import PATIENCE

CHECKS = [check for name in backend_names() for check in check_backend(get_backend(name))]

NOT_PROMISED = {
    "highs": set(),
    "scip": set(),
    "ortools:scip": set(),
    "cp-sat": {"a language that it does not take is refused"},
    "pyomo:cbc": {"a warm start is accepted and never made worse", "progress is told"},
    "pyomo:glpk": {"a warm start is accepted and never made worse", "progress is told"},
}
"""What ours may refuse; nothing else, and all of it."""


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.subject}-{check.name}")
def test_every_backend_keeps_its_promises(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a machine however busy: what stops when asked passes, what does not is killed after both, and fails.
    monkeypatch.setattr("anoptima.testing.backend_demands.LATENESS", PATIENCE)
    monkeypatch.setattr("anoptima.testing.backend_demands.ENOUGH", Budget(seconds=PATIENCE))
    if not check.name.startswith("a hang is ended"):
        monkeypatch.setattr(running, "GRACE", PATIENCE)
        monkeypatch.setattr(isolation, "LAST_WORD", PATIENCE)
        monkeypatch.setattr(isolation, "PROMPT", PATIENCE)
    verdict = check.require()
    if check.subject in NOT_PROMISED:
        refused = check.name in NOT_PROMISED[check.subject]
        assert (verdict.state is State.REFUSED) == refused, str(verdict)


def test_no_backend_is_missing() -> None:
    assert {check.subject for check in CHECKS} == set(backend_names())


@pytest.mark.parametrize("entry", registry.ours().values(), ids=lambda entry: entry.name)
def test_ours_are_here_and_tested(entry: EntryPoint) -> None:
    """A family without a member here, or a backend without its package, would be tested by nothing, and nobody would know."""
    loaded = entry.load()()
    members = [loaded] if isinstance(loaded, Backend) else [loaded.member(name) for name in loaded.members()]
    usable = [member for member in members if member.availability()]
    assert usable, (
        f"{entry.name} cannot be used here: install what the tests need (requirements, group `test`, extra `scip`)"
    )
    assert {member.name for member in usable} <= {check.subject for check in CHECKS}
