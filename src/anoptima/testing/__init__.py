"""Conformance: the promises of a backend, a model, a solver or a reduction, checked one at a time.

    import pytest
    from anoptima.testing import check_backend

    @pytest.mark.parametrize("check", check_backend(MyBackend()), ids=str)
    def test_backend(check):
        check.require()

The same from the command line: `anoptima conform my-backend`. A promise that was never made (a capability that a backend does not
have) is *refused with a reason*, not skipped; a promise that is broken is red.
"""

from anoptima.testing.backends import check_backend
from anoptima.testing.checks import Check, State, Verdict
from anoptima.testing.instances import check_instance
from anoptima.testing.models import check_model
from anoptima.testing.principles import check_principle
from anoptima.testing.problems import check_problem
from anoptima.testing.proofs import check_proof
from anoptima.testing.reductions import check_reduction
from anoptima.testing.searchers import check_searcher
from anoptima.testing.solvers import check_solver
from anoptima.testing.spaces import check_space, check_space_kind

__all__ = [
    "Check",
    "State",
    "Verdict",
    "check_backend",
    "check_instance",
    "check_model",
    "check_principle",
    "check_problem",
    "check_proof",
    "check_reduction",
    "check_searcher",
    "check_solver",
    "check_space",
    "check_space_kind",
]
