"""Typing of Triton kernels: a second semantics on the shared walker."""
