"""The problems that the hardness proofs start from: matchings, bisections, cliques, covers, satisfiability; and their file formats."""
