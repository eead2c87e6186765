"""What a run is asked to do: settings, where they come from, and the files they cover.

Knows no rule and no analysis; names of rules are checked by `checks.selection`.
"""
