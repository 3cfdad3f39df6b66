"""Pictures, under short names. They need matplotlib: the extra `anoptima[plots]`; each says so where it is not there.

`costs`, `ratios` and `ratio_profile` draw what `compare` returns, `bounds` what `lp_bounds` returns, `trace` how answers came about,
`release` a released table with its groups; `study_ratios`, `proofs`, `profiles`, `growth` and `price` what `study_frame` returns, `gaps`,
`excess`, `starred` and `agreement` a study's folder; `points`, `depths` and `before_and_after` fake points in the plane, `formula` and
`stackwork` the reduction of planar 3-SAT, `reductions` the graph of all reductions, `reduction` a graph beside its table, `matching`
groups of rows on a circle, `group_prices` what groups cost beside their rows' prices, `proof` the same with the prices beside the rows,
`emd` the mass that an earth mover's distance moves. All return the axes (or the figure) that they drew on, except `reductions`, which
writes a file.

>>> import anoptima as ao
>>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
>>> axes = ao.plots.release(ao.solve(problem, "mondrian"))
>>> axes.get_title()
'57 stars of 80 cells under 3-anonymity (mondrian)'
"""

from anoptima.experiments.plots import plot_costs as costs
from anoptima.experiments.plots import plot_ratio_profile as ratio_profile
from anoptima.experiments.plots import plot_ratios as ratios
from anoptima.experiments.plots import plot_release as release
from anoptima.experiments.plots_bounds import plot_bounds as bounds
from anoptima.experiments.plots_emd import plot_emd as emd
from anoptima.experiments.plots_graphs import plot_matching as matching
from anoptima.experiments.plots_graphs import plot_reduction as reduction
from anoptima.experiments.plots_planar import plot_formula as formula
from anoptima.experiments.plots_planar import plot_stackwork as stackwork
from anoptima.experiments.plots_points import plot_before_and_after as before_and_after
from anoptima.experiments.plots_points import plot_depths as depths
from anoptima.experiments.plots_points import plot_points as points
from anoptima.experiments.plots_prices import plot_group_prices as group_prices
from anoptima.experiments.plots_prices import plot_proof as proof
from anoptima.experiments.plots_reductions import draw_graph as reductions
from anoptima.experiments.plots_study import plot_price as price
from anoptima.experiments.plots_study import plot_profiles as profiles
from anoptima.experiments.plots_study import plot_proofs as proofs
from anoptima.experiments.plots_study import plot_study_ratios as study_ratios
from anoptima.experiments.plots_study_runs import plot_agreement as agreement
from anoptima.experiments.plots_study_runs import plot_excess as excess
from anoptima.experiments.plots_study_runs import plot_gaps as gaps
from anoptima.experiments.plots_study_runs import plot_growth as growth
from anoptima.experiments.plots_study_runs import plot_starred as starred
from anoptima.experiments.plots_trace import plot_progress as trace

__all__ = [
    "agreement",
    "before_and_after",
    "bounds",
    "costs",
    "depths",
    "emd",
    "excess",
    "formula",
    "gaps",
    "group_prices",
    "growth",
    "matching",
    "points",
    "price",
    "profiles",
    "proof",
    "proofs",
    "ratio_profile",
    "ratios",
    "reduction",
    "reductions",
    "release",
    "stackwork",
    "starred",
    "study_ratios",
    "trace",
]


def __dir__() -> list[str]:
    return __all__
