"""The bound: multipliers of the Lagrangian dual, what makes them better, and the cuts that it pays for."""
