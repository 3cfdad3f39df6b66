"""anoptima: how little a table must lose to be private, stated as optimisation models, solved exactly, and proved.

>>> import anoptima as ao
>>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
>>> answer.claim.name, answer.cost
('OPTIMAL', 46)
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from anoptima.public import *  # noqa: F403  (a list of names, kept there)
else:  # a type checker would take any name for one of ours

    def __getattr__(name: str) -> object:
        """Import what a public name stands for when it is first used, or a module: `import anoptima` suffices for `anoptima.models`."""
        if name == "__all__" or not name.startswith("_"):
            public = importlib.import_module("anoptima.public")
            if name == "__all__" or name in public.__all__:
                return globals().setdefault(name, getattr(public, name))
            if importlib.util.find_spec(f"anoptima.{name}"):
                return importlib.import_module(f"anoptima.{name}")
        raise AttributeError(f"module 'anoptima' has no attribute {name!r}", name=name, obj=sys.modules[__name__])

    def __dir__() -> list[str]:
        return [*__getattr__("__all__"), *(name for name in globals() if name.startswith("__"))]
