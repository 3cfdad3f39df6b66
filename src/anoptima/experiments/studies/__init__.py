"""Studies: many solvers on many instances, each run in a process of its own under limits, recorded once, resumed and reported."""
