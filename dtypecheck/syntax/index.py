"""The index of one file: one pass of Python's own tree, no meaning.

It decides what is a definition, a module-level name, a call and a launch-like site. It refuses to know
what any of these names stands for.
"""

from __future__ import annotations

from ..core.spans import Span
from .index_scope import Collector, Scope
from .index_visit import visit_block
from .model import FileIndex, SyntaxFault
from .source import Source, collector_paused, parse

_WORDS = (("torch", b"torch"), ("triton", b"triton"))


def index(source: Source | SyntaxFault, module: str, is_package: bool) -> FileIndex:
    """What `source` holds, as the module named `module`; never raises."""
    if isinstance(source, SyntaxFault):
        return FileIndex(source.path, module, is_package, fault=source)
    try:
        with collector_paused():
            return _index(source, module, is_package)
    except RecursionError:
        fault = SyntaxFault(source.path, Span(1, 1, 1, 1), "too deeply nested")
        return FileIndex(source.path, module, is_package, fault=fault)


def _index(source: Source, module: str, is_package: bool) -> FileIndex:
    mentions = tuple(word for word, token in _WORDS if token in source.data)
    tree = parse(source.text, source.path)
    if isinstance(tree, SyntaxFault):
        return FileIndex(source.path, module, is_package, fault=tree, mentions=mentions)
    collector = Collector(source, module, is_package)
    scope = Scope("module", "", None)
    visit_block(collector, tree.body, scope, "")
    return FileIndex(
        path=source.path,
        module=module,
        is_package=is_package,
        mentions=mentions,
        imports=tuple(collector.imports),
        stars=tuple(collector.stars),
        functions=tuple(f for f in collector.functions if f is not None),
        classes=tuple(c for c in collector.classes if c is not None),
        constants=tuple(scope.constants),
        attribute_writes=tuple(collector.attribute_writes),
        global_writes=tuple(collector.global_writes),
        compiled=tuple(dict.fromkeys(collector.compiled)),
        operators=tuple(collector.operators),
        libraries=tuple(dict.fromkeys(collector.libraries)),
        module_sites=tuple(sorted(scope.sites)),
        module_calls=tuple(sorted(scope.calls)),
    )
