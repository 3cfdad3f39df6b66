from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.sites import build_site
from tests.once import made_once


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site. Tests look at it and change nothing."""
    return made_once("documentation", build_site, tmp_path_factory) / "site"
