"""Backends by name: ours, plug-ins, broken ones and unknown ones."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from anoptima.errors import BadInput, PluginWarning, SolverFailure
from anoptima.solvers.backends import registry
from anoptima.solvers.backends.registry import backend_names, get_backend, register_backend, usable_backends
from tests.solvers.backends import plugins


def declare(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Let these entry points be all that is installed."""
    entries = EntryPoints(EntryPoint(name.replace("_", "-"), value, registry.GROUP) for name, value in values.items())
    monkeypatch.setattr(registry, "entry_points", lambda group: entries.select(group=group))
    monkeypatch.setattr(registry, "_declared", registry._declared.__wrapped__)


OURS = ["cp-sat", "highs", "ortools:scip", "scip"]


def own() -> list[str]:
    """The names there are, but for those of programs that this machine may have or not."""
    return [name for name in backend_names() if not name.startswith("pyomo:")]


@pytest.fixture(autouse=True)
def _no_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_instances", {})


class TestRegistry:
    def test_ours(self) -> None:
        assert {"highs", "cp-sat"} <= set(backend_names())
        assert get_backend("highs").name == "highs"
        assert get_backend("cp-sat").name == "cp-sat"

    def test_ours_need_no_metadata(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declare(monkeypatch)
        assert own() == OURS

    def test_a_plugin_by_its_entry_point(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declare(monkeypatch, zeros="tests.solvers.backends.plugins:Zeros")
        assert own() == sorted([*OURS, "zeros"])
        assert isinstance(get_backend("zeros"), plugins.Zeros)

    def test_a_plugin_cannot_take_one_of_our_names(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declare(monkeypatch, highs="tests.solvers.backends.plugins:Zeros")
        with pytest.warns(PluginWarning, match="there already is a backend named 'highs'"):
            assert type(get_backend("highs")).__name__ == "Highs"

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ("no.such.module:Thing", "cannot be loaded: ModuleNotFoundError"),
            ("tests.solvers.backends.plugins:Nothing", "cannot be loaded: AttributeError"),
            (
                "fractions:Fraction",
                "fractions:Fraction is no backend: it is of the class Fraction, not of .*Backend",
            ),
            ("tests.solvers.backends.plugins:Zeros", "the backend at .* is named 'zeros'"),
        ],
    )
    def test_a_broken_plugin_is_a_warning_until_it_is_asked_for(
        self, monkeypatch: pytest.MonkeyPatch, value: str, said: str
    ) -> None:
        declare(monkeypatch, broken=value)
        with pytest.warns(PluginWarning, match=f"^the backend plug-in 'broken' .* is left out: broken: .*{said}"):
            assert own() == OURS
        assert own() == OURS, "which is said once"
        with pytest.raises(SolverFailure, match=f"^broken: .*{said}"):
            get_backend("broken")

    def test_one_that_breaks_is_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declare(monkeypatch, torn="tests.solvers.backends.plugins:Torn")
        with pytest.warns(
            PluginWarning, match="^the backend torn .of tests. is left out: .*it raises ZeroDivisionError: torn$"
        ):
            assert {"highs", "cp-sat"} <= {backend.name for backend in usable_backends()}
        assert "torn" not in {backend.name for backend in usable_backends()}

    def test_unknown(self) -> None:
        with pytest.raises(BadInput, match=r"there is no backend named 'gurobi'; did you mean pyomo:gurobi_direct"):
            get_backend("gurobi")

    def test_an_instance(self) -> None:
        backend = plugins.Zeros()
        register_backend(backend)
        assert "zeros" in backend_names()
        assert get_backend("zeros") is backend
        with pytest.raises(BadInput, match="a backend named 'zeros' already"):
            register_backend(plugins.Zeros())

    def test_an_instance_cannot_take_one_of_our_names(self) -> None:
        class Impostor(plugins.Zeros):
            name = "highs"

        with pytest.raises(BadInput, match="a backend named 'highs' already"):
            register_backend(Impostor())


class TestFamilies:
    def test_members_that_are_here_are_listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declare(monkeypatch, family="tests.solvers.backends.plugins:Family")
        assert own() == sorted([*OURS, "family:one", "family:two"])
        assert get_backend("family:two").name == "family:two"

    def test_others_may_be_asked_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declare(monkeypatch, family="tests.solvers.backends.plugins:Family")
        assert get_backend("family:three").name == "family:three"

    @pytest.mark.parametrize("name", ["family", "family:"])
    def test_a_family_is_no_backend(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        declare(monkeypatch, family="tests.solvers.backends.plugins:Family")
        with pytest.raises(BadInput, match=r"family stands for several backends; .* here are: family:one, family:two"):
            get_backend(name)

    def test_a_backend_is_no_family(self) -> None:
        with pytest.raises(BadInput, match=r"no backend named 'highs:ipm': highs is one backend and has no members"):
            get_backend("highs:ipm")

    def test_unknown_families_and_members(self) -> None:
        with pytest.raises(BadInput, match=r"there is no backend named 'gams:cbc'"):
            get_backend("gams:cbc")
        with pytest.raises(BadInput, match=r"OR-Tools brings no other solver named 'glop' .*; it brings: scip"):
            get_backend("ortools:glop")
        with pytest.raises(BadInput, match=r"Pyomo knows no solver named 'abacus'; it knows: .*cbc, .*glpk"):
            get_backend("pyomo:abacus")
