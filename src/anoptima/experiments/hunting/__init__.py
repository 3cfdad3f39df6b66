"""The hunter: small questions on which a solver, a formulation or a principle looks worst, found by search and kept with proof."""
