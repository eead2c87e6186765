"""Rules: the registry, the selection, and one module for each family."""
