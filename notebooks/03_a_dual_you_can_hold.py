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
# # 3. A dual you can hold: proofs
#
# A solver says "54 stars, optimal". Do you believe it? You need not. A *proof* is a list of numbers that anyone can check, here one
# price for each row.

# %%
from dataclasses import replace

import anoptima as ao

problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
found = ao.row_prices(problem)
print(found.prices, "add up to", sum(found.prices))

# %% [markdown]
# ## One picture, 120 inequalities
#
# Each dot stands for groups of three rows; the number beside it says how many. The horizontal axis is the sum of the rows' prices, the
# vertical axis the cost of the group. If **no dot lies below the line**, no group costs less than its prices. Groups of
# four and five rows need the same test.

# %% alt="Groups of three rows: cost against the sum of their prices. No dot lies below the diagonal."
axes = ao.plots.group_prices(problem, found.prices, 3)

# %% [markdown]
# ## The checker
#
# The checker knows the table, $k$ and these ten numbers. It solves nothing.

# %%
print("proved:", found.proof.proved(problem))
ao.save_proof(ao.solve(problem, proof=True), "proof.json")
print("from a file:", ao.read_proof("proof.json").proved(problem))

# %% [markdown]
# ## Break it
#
# **Change one number.** `change` is added to the price of `row`. Red crosses are groups that now cost less than their prices: a single
# one is enough to break the proof.

# %% alt="The same groups after one price was raised: groups below the diagonal are red crosses."
row, change = 0, 3
prices = [price + change * (number == row) for number, price in enumerate(found.prices)]
axes = ao.plots.group_prices(problem, prices, 3)

# %% [markdown]
# **Exercise 1.** Lower one price by 1. Every group still costs at least its prices. What does the checker say to the claim 54, and why?

# %% tags=["solution"] jupyter={"source_hidden": true}
lower = replace(found.proof, worth=(found.proof.worth[0] - 1, *found.proof.worth[1:]))
try:
    print(lower.proved(problem))
except ao.BadInput as error:
    print(error)
print("as a proof of 53:", replace(lower, value=53).proved(problem))

# %% [markdown] tags=["solution"]
# <details><summary>Solution in words</summary>
#
# The prices now add up to 53, so they prove 53 and no more. The claim of 54 is refused although it is true: what
# counts is the proof, not the truth.
#
# </details>

# %% [markdown]
# **Exercise 2.** Find *another* proof of 54 in whole prices (denominator 1): move one star's worth of price from a row to another and
# ask the checker.


# %% tags=["solution"] jupyter={"source_hidden": true}
def proves(a, b):
    worth = [price - (i == a) + (i == b) for i, price in enumerate(found.proof.worth)]
    try:
        return replace(found.proof, worth=tuple(worth)).proved(problem) == 54
    except ao.BadInput:
        return False


print("from row, to row:", [(a, b) for a in range(10) for b in range(10) if a != b and proves(a, b)])
