"""The stages of a run, each in a file of its own: what it does, and for which questions it is not."""
