"""Host code: value graphs, the solver, launches and other facts."""
