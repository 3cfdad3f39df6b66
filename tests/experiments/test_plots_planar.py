"""Pictures of formulas: what is drawn is what is there."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.experiments.plots_planar import plot_formula, plot_stackwork
from anoptima.instances import formulas
from anoptima.problems.sources.patch_cover import Windows
from anoptima.reductions.planar_three_sat_to_fake_boxes import FormulaInBoxes, PlanarThreeSatToFakeBoxes

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def reduced(problem: ao.PlanarThreeSat) -> FormulaInBoxes:
    made = PlanarThreeSatToFakeBoxes().apply(problem)
    assert isinstance(made, FormulaInBoxes)
    return made


@pytest.fixture(autouse=True)
def _closed() -> object:
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def test_a_formula_that_holds() -> None:
    made = reduced(formulas.one_clause())
    axes = plot_formula(made, made.push(ao.TruthAssignment.of([2])))
    assert axes.get_title() == "159 patches, threshold 79; covered by 79 windows: every clause holds"
    texts = {text.get_text() for text in axes.texts}
    assert {"x₁ = false", "x₂ = true", "x₃ = false", "x₁ or x₂ or x₃"} <= texts
    labels = [text.get_text() for text in axes.get_legend().get_texts()]  # type: ignore[union-attr]
    assert labels == ["window on a loop: true", "window on a loop: false", "window on a wire"]
    assert len(axes.patches) == 79 + 1, "windows, and the circle around the clause's middle"


def test_a_formula_that_fails() -> None:
    made = reduced(formulas.contradiction())
    axes = plot_formula(made.patches, ao.TruthAssignment.of([]), title=None)
    assert axes.get_title() == "54 patches, threshold 26; covered by 27 windows: 1 of 2 clauses fails"
    assert "x₁ fails" in {text.get_text() for text in axes.texts}
    assert "window one too many" in {text.get_text() for text in axes.get_legend().get_texts()}  # type: ignore[union-attr]


def test_without_a_solution() -> None:
    axes = plot_formula(reduced(formulas.one_literal()))
    assert axes.get_title() == "41 patches, threshold 20"
    assert axes.get_legend() is None


def test_an_assignment_of_a_formula_without_an_embedding() -> None:
    made = reduced(ao.PlanarThreeSat(ao.Formula(1, [(-1,)])))
    axes = plot_formula(made, ao.TruthAssignment.of([]))
    assert "¬x₁" in {text.get_text() for text in axes.texts}


def test_stackwork() -> None:
    axes = plot_stackwork(reduced(formulas.one_literal()))
    assert axes.get_title() == "279 boxes: every cell lies in none or at least 2, but for the patches"


def test_refusals() -> None:
    made = reduced(formulas.one_literal())
    with pytest.raises(
        ao.NotApplicable, match="fake boxes are drawn on a reduction to fake-boxes; this one is to patch-cover"
    ):
        plot_formula(made.patches, ao.AddedBoxes())
    with pytest.raises(ao.BadInput, match=r"this is no solution to draw: the patch \(0, 8\) is in no window"):
        plot_formula(made, Windows.of([]))
