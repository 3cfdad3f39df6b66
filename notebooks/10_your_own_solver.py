# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 10. Your own solver, raced
#
# A solver is a class with a name and one method. You return groups; the framework checks them, counts the stars and compares with the
# proven optimum. Ours sorts the rows and cuts them into groups of $k$;
# the last takes what is left over. A group that breaks the principle is an error that names your solver.

# %%
import numpy as np

import anoptima as ao


def cut(order, size):
    label = np.empty(len(order), dtype=np.int64)
    label[order] = np.minimum(np.arange(len(order)) // size, len(order) // size - 1)
    return ao.Partition.from_labels(label)


# %%
class SortAndCut(ao.CellApproximation):
    name = "sort-and-cut"

    def order(self, table):
        return np.lexsort(table.types[table.type_of_row].T[::-1])

    def partition(self, problem, is_over):
        return cut(self.order(problem.table), problem.principle.k)


# %%
print(ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), SortAndCut()))

# %% [markdown]
# ## The race
#
# **Change one number.** `k` is the group size. Who wins for $k = 2$, who for $k = 10$?

# %%
k = 3
frame = ao.census().frame


def sample(seed):
    table = ao.Table.from_frame(frame.sample(60, random_state=seed), quasi=list(frame.columns))
    return ao.CellSuppression(table, ao.KAnonymity(k))


# %% alt="Costs relative to the best bound, one line for each solver; sort-and-cut is far to the right of the others."
rivals = [SortAndCut(), "auto", "mondrian", "greedy-patterns"]
runs = ao.compare([sample(seed) for seed in (1, 2, 3)], rivals, time_limit=5)
axes = ao.plots.ratios(runs)

# %% [markdown]
# **Exercise.** Beat sort-and-cut without leaving the idea: sort by another order of the columns. Which order loses the fewest stars?


# %% tags=["solution"] jupyter={"source_hidden": true}
class FewValuesFirst(SortAndCut):
    name = "few-values-first"

    def order(self, table):
        few = np.argsort([len(column.values) for column in table.quasi_columns])
        return np.lexsort(table.types[table.type_of_row][:, few].T[::-1])


both = ao.compare([sample(seed) for seed in (1, 2, 3)], [SortAndCut(), FewValuesFirst()])
both.groupby("solver")[["cost"]].sum()
