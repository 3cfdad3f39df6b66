"""Parquet files, read whole, once what they unpack to is known to be in proportion to what they are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from anoptima.documents.reading import require_file
from anoptima.errors import BadInput
from anoptima.limits import unpacked_bytes

if TYPE_CHECKING:
    import pandas as pd

_CELL = 8
"""Bytes that a cell takes in memory at least, however well the file packs it."""


def read_parquet(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a Parquet file, with the types that it declares, and an index that had a name as a column. Needs the extra `anoptima[parquet]`.

    Raises `BadInput` when the file is not there, is no such file, or would unpack to more than `limits.unpacked_bytes`.
    """
    import pandas as pd

    try:
        from pyarrow import parquet
    except ImportError:
        raise BadInput(f"{path}: reading Parquet needs pyarrow; install anoptima[parquet]") from None
    found = require_file(path)
    try:
        # Opened here, so that no name ever reaches a reader that takes URLs.
        with found.open("rb") as stream:
            most = unpacked_bytes(os.fstat(stream.fileno()).st_size)
            told = _unpacked(parquet.ParquetFile(stream).metadata)
            if told > most:
                raise BadInput(
                    f"{path} unpacks to {told >> 20:,} MiB; from a file of its size {most >> 20:,} MiB are taken"
                )
            stream.seek(0)
            return _without_index(pd.read_parquet(stream, engine="pyarrow"))
    except BadInput:
        raise
    except (OSError, ValueError, TypeError, NotImplementedError) as error:
        reason = " ".join(str(error).split())
        raise BadInput(f"{path} is not a Parquet file that can be read: {reason:.200}") from None


def _without_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Take the named parts of an index for the columns that they are in the file: one that nobody names is not released."""
    names = [name for name in frame.index.names if isinstance(name, str) and name not in frame.columns]
    return (frame.reset_index(names) if names else frame).reset_index(drop=True)


def _unpacked(metadata: Any) -> int:
    """Return how many bytes the file says that it holds, and no fewer than its cells take."""
    told = sum(int(metadata.row_group(i).total_byte_size) for i in range(metadata.num_row_groups))
    return max(told, _CELL * int(metadata.num_rows) * int(metadata.num_columns))
