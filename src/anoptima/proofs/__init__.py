"""Proofs as files that anyone can check: their statement, their canonical form, and a checker that stands alone (docs/proof-format.md)."""
