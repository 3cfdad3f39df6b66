"""The files that are read and written: tables, answers, proofs, checkpoints, and models with their solutions.

Begin with the kind of file:

- `answers`: an answer, with all that `anoptima verify` needs;
- `proofs`: a proof of a bound, for anyone to check;
- `checkpoints`: what a run that is still going on has found and proved;
- `exports`, with `sidecars`: a model for any solver;
- `imports`, with `solution_files`: the solution that comes back;
- `csv_texts` and `parquet`: tables.

Every one of them is read through `reading`, which keeps `anoptima.limits` and refuses a file in one sentence, and written through
`writing`, which leaves a file whole or not at all. `questions` is what answers, proofs and sidecars have in common: the problem and the
table. Each document names its own schema and is checked against the problem and the table
that it speaks of: nothing in it is believed.

The modules have places of their own in the order of imports (`pyproject.toml`): a table is read before there is a problem, and a model
is exported after there are models.
"""
