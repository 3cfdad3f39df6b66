"""Rules: what a principle asks of a group, as pricing sees it."""
