"""The folder of a study: one file for each run, written once; releases and proofs are stored by the digest of their content."""

from __future__ import annotations

import gzip
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from anoptima.documents.reading import read_json
from anoptima.documents.writing import Lock, not_written
from anoptima.experiments.studies.running import Done


class Store:
    """The results of a study so far: `records/KEY.json`, a line of JSON each, `files/DIGEST.gz`, and `begun/KEY` during a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._records, self.files, self._begun = folder / "records", folder / "files", folder / "begun"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the folder for this process; `BadInput` if another one is running the same study. What stays empty is removed."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(self.folder, error) from None
        held = Lock(self.folder / "study")
        try:
            yield
        finally:
            held.release()
            for one in (self._begun, self.folder):
                with suppress(OSError):
                    one.rmdir()

    def has(self, key: str) -> bool:
        """Tell whether a run has its record."""
        return (self._records / f"{key}.json").exists()

    def record(self, key: str) -> dict[str, Any] | None:
        """Return the record of a run; None where it has none."""
        return read_json(self._records / f"{key}.json") if self.has(key) else None

    def begin(self, key: str) -> None:
        """Note that a run has begun: if it never gets a record, it was lost."""
        self._begun.mkdir(parents=True, exist_ok=True)
        (self._begun / key).touch()

    def give_up(self, key: str) -> None:
        """Remove the note that a run has begun: it was interrupted on purpose."""
        (self._begun / key).unlink(missing_ok=True)

    def lost(self) -> list[str]:
        """Return the runs that have begun and have no record."""
        return sorted(one.name for one in self._begun.glob("*") if not self.has(one.name))

    def put(self, done: Done) -> bool:
        """Write a run's files, and then its record, whole or not at all; False if there was one already, which stays."""
        for digest, content in done.files.items():
            target = self.files / f"{digest}.gz"
            if not target.exists():
                self._write(target, content)
        key = str(done.record["key"])
        is_new = self._write(self._records / f"{key}.json", f"{json.dumps(done.record)}\n".encode())
        self.give_up(key)
        return is_new

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all records, in the order of their keys."""
        for path in sorted(self._records.glob("*.json")):
            if not path.name.startswith("."):
                yield read_json(path)

    def content(self, digest: str) -> bytes:
        """Return a file by its digest."""
        return gzip.decompress((self.files / f"{digest}.gz").read_bytes())

    def _write(self, target: Path, content: bytes) -> bool:
        draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            # A link fails where the name is taken: whoever comes first has it.
            os.link(draft, target)
        except FileExistsError:
            return False
        except OSError as error:
            raise not_written(target, error) from None
        finally:
            draft.unlink(missing_ok=True)
        return True
