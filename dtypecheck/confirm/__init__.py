"""Turns findings into evidence: kernels are cut out and given to Triton itself, in a process of its own."""
