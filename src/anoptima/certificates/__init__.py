"""Certificates: data from which a bound is proved in exact arithmetic, with no solver; one file a kind of proof."""
