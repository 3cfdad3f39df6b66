"""Compiled loops, and nothing else: what is done many millions of times."""
