from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.experiments.studies.conducting import run_study
from anoptima.experiments.studies.study import Study


@pytest.fixture(scope="session")
def study() -> Study:
    """A study small enough to be run in a test: two questions, an exact solver, approximations, and one that is for neither."""
    return Study(
        "small", instances=("ten-rows-*",), solvers=("auto", "peel", "mondrian", "hitting-set"), seconds=(60.0,)
    )


@pytest.fixture(scope="session")
def folder(study: Study, tmp_path_factory: pytest.TempPathFactory) -> object:
    """Where it was run, once for all tests."""
    place = tmp_path_factory.mktemp("study")
    assert not run_study(study, place).left
    assert len(ao.study_frame(place)) == 8
    return place
