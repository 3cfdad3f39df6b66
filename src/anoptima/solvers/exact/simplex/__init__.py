"""Minimum-cost simplex matching: a linear program over pairs and triples with odd sets, and a search around its solution."""
