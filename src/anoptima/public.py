"""The names that a user needs. `import anoptima` has them all; the first of them that is used imports this module."""

import anoptima.plots as plots
from anoptima.answer import Answer, Bound, Budget, Claim, Origin, Progress, Stop
from anoptima.checking import check
from anoptima.documents.exports import export_model
from anoptima.documents.imports import import_solution
from anoptima.documents.pages import save_page
from anoptima.documents.proofs import read_proof, save_proof
from anoptima.errors import (
    AnoptimaError,
    BadInput,
    FalseClaim,
    InfeasibleProblem,
    ModelTooLarge,
    NotApplicable,
    PluginWarning,
    SolverFailure,
)
from anoptima.experiments.comparison import compare
from anoptima.experiments.hunting.archive import read_archive
from anoptima.experiments.hunting.engine import HuntLimits
from anoptima.experiments.hunting.hunting import hunt
from anoptima.experiments.hunting.quarry import DearestPrinciple, Disagreement, LongestRun, LpGap, Quarry, WorstRatio
from anoptima.experiments.hunting.sizes import HuntSizes
from anoptima.experiments.studies.conducting import run_study
from anoptima.experiments.studies.results import StudyResults, study_frame
from anoptima.experiments.studies.study import Study
from anoptima.experiments.together import solve_together
from anoptima.instances.census import census
from anoptima.instances.errata_text import errata_text as errata
from anoptima.instances.library import Instance, instance
from anoptima.instances.papers import ten_rows
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.attribute_suppression import AttributeSuppression, DroppedColumns
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.column_ratios import distinct_ratio, isolated_share, separation_ratio
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.problems.fake_boxes import AddedBoxes, FakeBoxes
from anoptima.problems.fake_points import FakePoints, Regime
from anoptima.problems.given_patterns import GivenPatterns, Publication
from anoptima.problems.isolating_columns import IsolatingColumns
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns
from anoptima.problems.sources.clique import CliqueOfSize, HalfClique, MaximumClique
from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.minimum_bisection import MinimumBisection
from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover
from anoptima.problems.sources.patch_cover import PatchCover, Windows
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment
from anoptima.problems.sources.simplex_matching import SimplexMatching
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching
from anoptima.problems.sources.three_partition import ThreePartition
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.reductions.lookup import get_reduction
from anoptima.solvers.approximate.approximation import CellApproximation
from anoptima.solvers.approximate.shifted_grid import grid_fakes
from anoptima.solvers.exact.minimal_keys import MinimalKeys, minimal_keys
from anoptima.solvers.formulation_bounds import lp_bounds
from anoptima.solvers.lookup import get_model, get_solver, solvers_for
from anoptima.solvers.model_answers import ModelAnswer
from anoptima.solvers.row_prices import row_prices
from anoptima.solvers.solving import solve
from anoptima.solvers.solving_models import solve_model
from anoptima.spaces import EqualDistance, Explicit, Hierarchical, Numeric, Ordered, Space
from anoptima.table import Table

__all__ = [
    "AddedBoxes",
    "AddedPoints",
    "AlphaKAnonymity",
    "AnoptimaError",
    "Answer",
    "AttributeSuppression",
    "BadInput",
    "Bound",
    "Budget",
    "CellApproximation",
    "CellSuppression",
    "ChosenSets",
    "Claim",
    "CliqueOfSize",
    "Connections",
    "DearestPrinciple",
    "DiameterSum",
    "Disagreement",
    "DroppedColumns",
    "EntropyDiversity",
    "EqualDistance",
    "Explicit",
    "FakeBoxes",
    "FakePoints",
    "FalseClaim",
    "Formula",
    "GivenPatterns",
    "Graph",
    "HalfClique",
    "Hierarchical",
    "HuntLimits",
    "HuntSizes",
    "Hypergraph",
    "HypergraphMatching",
    "IdentifyingColumns",
    "InfeasibleProblem",
    "Instance",
    "IsolatingColumns",
    "KAnonymity",
    "LDiversity",
    "LongestRun",
    "LowerBoundedFacilities",
    "LpGap",
    "Matching",
    "MaximumClique",
    "MinimalKeys",
    "MinimumBisection",
    "MinimumCover",
    "ModelAnswer",
    "ModelTooLarge",
    "NotApplicable",
    "Numeric",
    "Ordered",
    "Origin",
    "Partition",
    "PatchCover",
    "PlanarThreeSat",
    "PluginWarning",
    "Principle",
    "Progress",
    "Publication",
    "Quarry",
    "QuasiIdentifier",
    "RectilinearEmbedding",
    "RecursiveDiversity",
    "Regime",
    "SimplexMatching",
    "SolverFailure",
    "Space",
    "Stop",
    "Study",
    "StudyResults",
    "TCloseness",
    "Table",
    "ThreeDimensionalMatching",
    "ThreePartition",
    "TruthAssignment",
    "VertexCover",
    "VertexSet",
    "Windows",
    "WitnessColumns",
    "WorstRatio",
    "census",
    "check",
    "compare",
    "distinct_ratio",
    "errata",
    "export_model",
    "get_model",
    "get_reduction",
    "get_solver",
    "grid_fakes",
    "hunt",
    "import_solution",
    "instance",
    "isolated_share",
    "lp_bounds",
    "minimal_keys",
    "plots",
    "read_archive",
    "read_proof",
    "row_prices",
    "run_study",
    "save_page",
    "save_proof",
    "separation_ratio",
    "solve",
    "solve_model",
    "solve_together",
    "solvers_for",
    "study_frame",
    "ten_rows",
]
