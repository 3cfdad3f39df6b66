from __future__ import annotations

from pathlib import Path

import pytest

from anoptima import packages
from anoptima.packages import Later


def test_a_package_that_the_system_does_not_let_load_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "refused.py").write_text('raise OSError(30, "Read-only file system")')
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match=r"^refused: \[Errno 30\] Read-only file system"):
        _ = Later("refused").anything
    monkeypatch.setattr(packages, "_SHARED", tmp_path / "shm")
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(ImportError, match=r"system; .*/shm is not there, or cannot be written to$"):
        _ = Later("refused").anything
