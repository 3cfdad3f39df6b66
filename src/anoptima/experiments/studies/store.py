"""The folder of a study: one file for each run, written once; releases and proofs are stored by the digest of their content."""

from __future__ import annotations

import gzip
import json
import os
import secrets
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from anoptima.documents.reading import read_json
from anoptima.documents.writing import Lock, not_written
from anoptima.errors import BadInput
from anoptima.experiments.studies.running import Done, digest_of

RECORD = "remove the record, and `anoptima study run` makes the run again"
"""What helps where a record is damaged."""

FILE = "remove it and the records that name it, and `anoptima study run` makes those runs again"
"""What helps where a release or a proof is."""

NEEDED = ("name", "question", "solver", "options", "seconds", "seed", "threads")
"""What every record says of its task."""


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
        return _record_in(self._records / f"{key}.json") if self.has(key) else None

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
                yield _record_in(path)

    def content(self, digest: str) -> bytes:
        """Return a file by its digest; `BadInput` if it is not there, or has other content."""
        path = self.files / f"{digest}.gz"
        try:
            content = gzip.decompress(path.read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"{path}, which a record names, cannot be read: {error}; {FILE}") from None
        if digest_of(content) != digest:
            raise BadInput(f"{path} was changed: its content is not what its name says; {FILE}")
        return content

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


def _record_in(path: Path) -> dict[str, Any]:
    """Read a record; `BadInput` if the file is none, or that of another run."""
    try:
        found = read_json(path)
    except BadInput as damage:
        raise BadInput(f"{damage}; {RECORD}") from None
    is_whole = isinstance(found, dict) and found.get("key") == path.stem and "status" in found
    if not is_whole or not isinstance(found.get("task"), Mapping) or not all(name in found["task"] for name in NEEDED):
        raise BadInput(f"{path} is no record of the run that it is named after; {RECORD}")
    return dict(found)
