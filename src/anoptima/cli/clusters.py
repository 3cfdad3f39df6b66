"""The workers of a cluster, for commands that hand out work."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext

from anoptima.errors import NotApplicable
from anoptima.machine import is_installed


def workers_of(address: str | None) -> AbstractContextManager[Executor | None]:
    """Return the workers of the Dask cluster whose scheduler has this address; None where no address is given."""
    if address is None:
        return nullcontext()
    if not is_installed("distributed"):
        raise NotApplicable("Dask is not installed; `pip install anoptima[cluster]` brings it")
    from anoptima.experiments.studies.dask import dask_executor

    return dask_executor(address)
