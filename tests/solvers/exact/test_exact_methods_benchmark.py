"""`benchmarks.exact_methods` counts methods that refuse a problem, and goes on."""

from __future__ import annotations

import pytest

from benchmarks import exact_methods


def test_costs_too_large_for_backends_count_as_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, huge = exact_methods.instances(7)
    problem = huge[1]
    assert problem.cost(problem.trivial()) * problem.cost_scale > 2**53
    monkeypatch.setattr(exact_methods, "instances", lambda _: iter([huge]))
    assert exact_methods.main(1, 7) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 seeds from 7, 1 answers, 0 wrong"
