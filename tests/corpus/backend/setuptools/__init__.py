"""Stands before the real setuptools while pip fetches a source archive; see build_meta."""
