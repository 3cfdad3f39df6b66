"""Trees of cases, which prove one cost after the other until nothing is left."""
