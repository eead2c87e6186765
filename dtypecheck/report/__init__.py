"""Renderers: each turns a report into text, and prints nothing. `formats` lists them."""
