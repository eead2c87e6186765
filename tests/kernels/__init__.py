"""The oracle of kernel typing: Triton itself."""
