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
# # 7. A cover *is* a table: why this is hard
#
# Vertex cover: choose few vertices that touch every edge. Nobody knows a fast algorithm. We turn a graph into a table whose cheapest
# release *is* a smallest cover. A fast algorithm for tables would then be one for covers.
# (Chakaravarthy, Pandit, Sabharwal 2010, Theorem 3.1.)

# %%
import itertools

import anoptima as ao

graph = ao.Graph(range(1, 5), itertools.combinations(range(1, 5), 2))
reduced = ao.get_reduction("vertex-cover-to-k-anonymity").apply(ao.VertexCover(graph))

# %% [markdown]
# ## Graph beside table
#
# Every vertex becomes 20 rows, every edge two, and 14 rows are padding. No row equals six others, so for $k = 7$ every row gets a star,
# and some rows get two: $30 r + 14$ stars in all for $r$ vertices, and **one more for each vertex in the cover**.
#
# Why one more? Each vertex has one *critical* row, which gets by with one star in a group with six other rows of its vertex. An edge's
# rows, too, get by with one star in a group with rows of one of its ends, but only if that end gives up some of these six. Its critical
# row then pays a second star. Every edge needs an end that pays (an edge that pays itself is no cheaper), so the vertices that pay cover
# all edges.

# %% alt="The complete graph on four vertices with three of them chosen, beside its table of 106 rows with 137 red stars."
cover = ao.solve(reduced.source).require_solution()
figure = ao.plots.reduction(reduced, cover)
figure.set_size_inches(7.4, 5)

# %% [markdown]
# ## Predict, then compute
#
# **Exercise 1.** The picture counts the stars for $K_4$. The *prism*, two triangles with each corner joined to its twin, has six vertices
# and needs a cover of 4. Predict the optimum of its table before you run the next cell.

# %% tags=["solution"] jupyter={"source_hidden": true}
edges = [*itertools.combinations("abc", 2), *itertools.combinations("xyz", 2), *zip("abc", "xyz", strict=True)]
prism = ao.get_reduction("vertex-cover-to-k-anonymity").apply(ao.VertexCover(ao.Graph("abcxyz", edges)))
answer = ao.solve(prism.target, time_limit=60)
print("predicted:", 30 * 6 + 14 + 4, " computed:", answer)
print("the cover read off the release:", sorted(prism.pull(answer.require_solution()).vertices))

# %% [markdown]
# **Change one number.** A ring of `n` vertices, each joined to the opposite one. The relation holds for every even `n` from 4 on.

# %%
n = 6
edges = [(v, (v + 1) % n) for v in range(n)] + [(v, v + n // 2) for v in range(n // 2)]
ring = ao.get_reduction("vertex-cover-to-k-anonymity").apply(ao.VertexCover(ao.Graph(range(n), edges)))
least = ao.solve(ring.source).cost
print("predicted:", 30 * n + 14 + least, " computed:", ao.solve(ring.target, time_limit=60).cost)

# %% [markdown]
# ## A formula made of boxes
#
# Fake boxes are hard, too: a formula becomes a layout of small *patches*, places that lie in one box too few. A *window* is a box to be
# added; it covers two neighbouring patches. A closed loop of patches can be covered in pairs in two ways: *true* (green) and *false*
# (orange). A clause is satisfied if one of its wires ends at a loop in the right state.


# %%
def laid_out(*clauses):
    formula = ao.PlanarThreeSat(ao.Formula(2, clauses))
    line = ao.get_reduction("planar-3-sat-to-rectilinear-3-sat").apply(formula)
    return ao.get_reduction("rectilinear-3-sat-to-patch-cover").apply(line.target)


layout = laid_out((1, 2), (-1, 2), (1, -2))
windows = ao.solve(layout.target, "patch-windows/highs")
print("threshold:", layout.threshold(), " fewest windows:", windows.cost)

# %% alt="A solved layout: two loops of patches, both true, and wires to three clauses, all covered within the threshold."
axes = ao.plots.formula(layout, windows.require_solution())
axes.figure.set_size_inches(7.4, 4.4)

# %% [markdown]
# **Exercise 2.** Add the clause `(-1, -2)`. Then no assignment satisfies all four clauses. By how much do the fewest windows exceed the
# threshold?

# %% tags=["solution"] jupyter={"source_hidden": true}
four = laid_out((1, 2), (-1, 2), (1, -2), (-1, -2))
print("threshold:", four.threshold(), " fewest windows:", ao.solve(four.target, "patch-windows/highs").cost)

# %% [markdown] tags=["solution"]
# <details><summary>Solution in words</summary>
#
# By one. The best assignment leaves one clause unsatisfied, and one window of its own covers the patch of that clause; none fewer will do,
# since windows within the threshold would make an assignment that satisfies all. In general the excess is at most the number of clauses
# that stay unsatisfied: of $x$ twice and $\lnot x$ twice two do, and one window more is enough.
#
# </details>
