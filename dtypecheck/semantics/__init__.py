"""What operations do to dtypes, as data."""
