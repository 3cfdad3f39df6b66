"""Loops that are compiled: how they are marked, kept, prepared, and taken up by a run that began without them."""
