"""The vocabulary of all layers; imports nothing of ours."""
