"""Source problems from files and into files: DIMACS for graphs and formulas, edge lists, JSON for everything.

What is written is read back equal. What is wrong in a file is said with the line and the word, or the place in a JSON document.

- *DIMACS graphs* (`.col`, `.clq`, `.dimacs`): `c` comments, one line `p edge VERTICES EDGES` (or `p col`), then lines `e U V` with vertices
  numbered from 1. An edge that is there twice is two edges; `Graph.simple` makes them one.
- *DIMACS formulas* (`.cnf`): `c` comments, one line `p cnf VARIABLES CLAUSES`, then clauses that end with 0. A line that begins with `%`
  ends the formula, as in the files of SATLIB.
- *Edge lists*: two names a line, `#` begins a comment; one name alone is a vertex without an edge. Names are whole numbers where they
  look like one, and texts otherwise.
- *JSON*: `{"vertices": [...], "edges": [[...], ...]}` for graphs and hypergraphs, `{"w": [...], "x": [...], "y": [...], "triples": [...]}`,
  `{"universe": [...], "sets": {"name": [...], ...}}`, `{"variables": 3, "clauses": [[1, -2], ...]}` and, with an embedding,
  `"embedding": {"order": [...], "above": [...]}`.
"""
