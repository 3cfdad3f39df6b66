"""Share two groups of a release out anew, or divide one."""

# Yours: say above how your searcher finds better releases, and cite it.

import numpy as np

from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.sifting.searchers import Searcher

# Yours: after this many trials without a gain the turn is given up.
TRIALS = 200


class Template(Searcher):
    """Two groups at random, or one, are put in the order of some columns and cut at a random place; O(n m) for each trial."""

    name = "template"

    # Yours, if it is not for every principle: `def why_not(self, problem)` returns a reason.

    def search(self, problem, partition, turn):
        """Return a release that costs less; the partition itself where none was found this time, to be asked again."""
        # Yours. What is returned is checked: one that is no release leaves the searcher out of the run, and names it.
        table, chance = problem.table, turn.chance
        values = table.types[table.type_of_row]
        best, cost, failed = partition, problem.cost(partition), 0
        while failed < TRIALS and not turn.is_over():
            failed += 1
            labels = best.labels.copy()
            one, other = chance.integers(0, labels.max() + 1, 2)
            rows = np.flatnonzero((labels == one) | (labels == other))
            if len(rows) < 2:
                continue
            order = rows[np.lexsort(values[rows][:, chance.permutation(values.shape[1])].T)]
            labels[order] = one
            labels[order[: chance.integers(1, len(rows))]] = other if other != one else labels.max() + 1
            found = Partition.from_labels(labels)
            if problem.is_feasible(found) and problem.cost(found) < cost:
                best, cost, failed = found, problem.cost(found), 0
        return best
