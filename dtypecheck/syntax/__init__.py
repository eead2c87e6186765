"""From bytes to the index and to the intermediate representation: the only reader of Python's syntax."""
