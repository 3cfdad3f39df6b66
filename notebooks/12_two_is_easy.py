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
# # 12. Two is easy, three is hard: simplex matching
#
# For $k = 2$, groups of two and three are enough: any group of four splits into pairs, and larger ones into pairs and triples. Choosing
# the cheapest pairs and triples is *simplex matching*, which takes polynomial time. For $k = 3$ the problem is NP-hard.

# %%
import matplotlib.pyplot as plt

import anoptima as ao

problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
answer = ao.solve(problem, "simplex-matching")
print(answer)

# %% [markdown]
# ## A matching, drawn
#
# Vertices are rows, numbered from 0. Beside each group stands its cost.

# %% alt="Ten numbered vertices on a circle, joined into five pairs, each with its cost; the costs add up to 46."
reduced = ao.get_reduction("2-anonymity-to-simplex-matching").apply(problem)
axes = ao.plots.matching(reduced.target, reduced.push(answer.require_solution()))

# %% [markdown]
# The theorem behind it is the *simplex condition*: a triple costs at least half of its three pairs together. Check one column at a
# time: if three rows are not all alike, the triple pays 3 stars and each of its pairs at most 2. The three pairs together then pay at most
# 6, twice the triple's 3.
#
# ## Growth
#
# **Change one number.** `n` is the largest sample. The seconds are your machine's; two runs before the first only warm the solver up.

# %%
n, frame = 80, ao.census().frame


def seconds(rows, k, solver):
    sample = ao.Table.from_frame(frame.sample(rows, random_state=1), quasi=list(frame.columns))
    return ao.solve(ao.CellSuppression(sample, ao.KAnonymity(k)), solver, time_limit=8).run.seconds


# %% alt="Seconds over rows for k = 2 by simplex matching and for k = 3 by the pattern program."
rows = [n // 8, n // 4, n // 2, n]
figure, axes = plt.subplots(figsize=(5.6, 3), layout="constrained")
for k, solver in ((2, "simplex-matching"), (3, "pattern/highs")):
    taken = [seconds(size, k, solver) for size in [*rows[:2], *rows]][2:]
    axes.plot(rows, taken, "o-", label=f"k = {k}, {solver}")
axes.set(xlabel="rows", ylabel="seconds", yscale="log")
axes.yaxis.set_major_formatter("{x:g}")
axes.yaxis.set_minor_formatter("")
_ = axes.legend()

# %% [markdown]
# NP-hard does not mean slow on every table: these samples are small and kind. It means that no known method is fast on every table.
#
# **Exercise.** Solve 2-diversity of the ten rows by hand: pair each patient with one of another disease so that few columns differ.
# How many stars do you need?

# %% tags=["solution"] jupyter={"source_hidden": true}
diverse = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)), "simplex-matching")
print(diverse)
print("rows, numbered from 1:", [[row + 1 for row in group] for group in diverse.require_solution().groups()])
