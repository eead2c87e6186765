"""The runner of literate fixtures: runnable Python whose comments say what the checker must say.

Comments, each on the line it speaks of, or alone on the lines above it (they stack):

    # expect: CODE [proven|possible] [@column] ["part of the message"]
    # ok: CODE                      the rule is on, and silent here
    # reveal: TYPE                  what the statement gives: its targets, its result, its value
    # reveal[name]: TYPE            `name`, `a.b` or `return` there; `[name @callers]`: for known callers
    # trace[name]: STATIONS         the journey of the dtype, newest station first
    # todo-expect: ...              known gaps, strict: they fail on the day the gap is closed
    # todo-reveal: ...
    # run: CALL                     executed on the CPU; launches and reveals are compared with it
    # fixture: select=A,B ignore=C rules=FILE target=T show-possible unsafe-fixes

A folder with an `__init__.py` is one project; its parent is the root. `NAME.rules.toml` beside a fixture
holds its rules. An unexpected finding fails as a missing one does. `NAME.fixed.py` is what --fix makes of
`NAME.py`. `pytest --accept` rewrites the text after the colon of comments that are there.
"""
