"""The intermediate representation as text, one statement a line: for tests, and for eyes.

Operators are fully parenthesised. `<?reason>` is an `Opaque`.
"""

from __future__ import annotations

from . import ir

Node = ir.Expr | ir.Stmt | ir.Function | ir.Class


def text(node: Node) -> str:
    """The picture of an expression, a statement or a definition, without a final line end."""
    if isinstance(node, (ir.Function, ir.Class)):
        return "\n".join(_definition(node))
    lines = _statement(node)  # type: ignore[arg-type]
    return "\n".join(lines) if lines else _expr(node)  # type: ignore[arg-type]


def _definition(node: ir.Function | ir.Class) -> list[str]:
    lines = ["@" + _expr(d) for d in node.decorators]
    match node:
        case ir.Class():
            lines.append(f"class {node.qualname}({_commas(node.bases)}):")
        case ir.Function():
            returns = "" if node.returns is None else f" -> {_expr(node.returns)}"
            keyword = "generator" if node.generator else "def"
            lines.append(f"{keyword} {node.qualname}({_params(node.params)}){returns}:")
    return lines + _block(node.body)


def _block(body: tuple[ir.Stmt, ...]) -> list[str]:
    return ["    " + line for statement in body for line in _statement(statement)]


def _branch(keyword: str, body: tuple[ir.Stmt, ...]) -> list[str]:
    return [keyword + ":", *_block(body)] if body else []


def _statement(node: ir.Stmt) -> list[str]:
    """The lines of a statement; none where `node` is an expression."""
    match node:
        case ir.Define(definition):
            return _definition(definition)
        case ir.If() | ir.For() | ir.While() | ir.With() | ir.Try():
            return _compound(node)
        case _:
            line = _simple(node)
            return [] if line is None else [line]


def _simple(node: ir.Stmt) -> str | None:
    match node:
        case ir.Assign(targets, value):
            return "".join(_expr(t) + " = " for t in targets) + _expr(value)
        case ir.AugAssign(target, op, value):
            return f"{_expr(target)} {op}= {_expr(value)}"
        case ir.AnnAssign(target, annotation, value):
            tail = "" if value is None else f" = {_expr(value)}"
            return f"{_expr(target)}: {_expr(annotation)}{tail}"
        case ir.ExprStmt(value):
            return f"do {_expr(value)}"
        case ir.Return(value):
            return "return" if value is None else f"return {_expr(value)}"
        case ir.Raise():
            return "raise"
        case ir.Assert(test):
            return f"assert {_expr(test)}"
        case ir.Jump(kind):
            return kind
        case ir.Delete(targets):
            return f"del {_commas(targets)}"
        case ir.Import(bindings):
            return "import " + ", ".join(
                f"{name}={module}" + ("" if attr is None else f":{attr}") for name, module, attr in bindings
            )
        case ir.Scope(kind, names):
            return f"{kind} {', '.join(names)}"
    return None


def _compound(node: ir.If | ir.For | ir.While | ir.With | ir.Try) -> list[str]:
    match node:
        case ir.If(test, body, orelse):
            return [f"if {_expr(test)}:", *_block(body), *_branch("else", orelse)]
        case ir.For(target, source, body, orelse):
            return [f"for {_expr(target)} in {_expr(source)}:", *_block(body), *_branch("else", orelse)]
        case ir.While(test, body, orelse):
            return [f"while {_expr(test)}:", *_block(body), *_branch("else", orelse)]
        case ir.With(items, body):
            heads = (_expr(c) + ("" if t is None else f" as {_expr(t)}") for c, t in items)
            return [f"with {', '.join(heads)}:", *_block(body)]
        case ir.Try(body, handlers, orelse, final):
            lines = ["try:", *_block(body)]
            for name, handler in handlers:
                lines += ["except:" if name is None else f"except as {name}:", *_block(handler)]
            return lines + _branch("else", orelse) + _branch("finally", final)


def _commas(items: tuple[ir.Expr, ...]) -> str:
    return ", ".join(_expr(i) for i in items)


def _params(params: tuple[ir.Param, ...]) -> str:
    parts = []
    for p in params:
        mark = {"*": "*", "**": "**", "positional-only": "/", "keyword-only": "~"}.get(p.kind, "")
        annotation = "" if p.annotation is None else f": {_expr(p.annotation)}"
        default = "" if p.default is None else f" = {_expr(p.default)}"
        parts.append(mark + p.name + annotation + default)
    return ", ".join(parts)


def _expr(node: ir.Expr) -> str:
    match node:
        case ir.Const(value):
            return "..." if value is ... else repr(value)
        case ir.Name(name):
            return name
        case ir.Attribute(value, attr):
            return f"{_expr(value)}.{attr}"
        case ir.Subscript(value, index):
            return f"{_expr(value)}[{_expr(index)}]"
        case ir.Call(func, args):
            shown = (a.star + (f"{a.keyword}=" if a.keyword else "") + _expr(a.value) for a in args)
            return f"{_expr(func)}({', '.join(shown)})"
        case ir.Starred(value):
            return f"*{_expr(value)}"
        case ir.Walrus(name, value):
            return f"({name} := {_expr(value)})"
        case ir.Opaque(reason):
            return f"<?{reason}>"
        case ir.Yield(value, delegated):
            return f"(yield{' from' if delegated else ''}{'' if value is None else ' ' + _expr(value)})"
        case ir.Lambda(params, body):
            return f"(lambda {_params(params)}: {_expr(body)})"
        case _:
            return _operator(node)


def _operator(node: ir.Expr) -> str:
    match node:
        case ir.Unary(op, operand):
            return f"({op} {_expr(operand)})" if op == "not" else f"({op}{_expr(operand)})"
        case ir.Binary(op, left, right):
            return f"({_expr(left)} {op} {_expr(right)})"
        case ir.Compare(left, ops, rights):
            return f"({_expr(left)}{''.join(f' {op} {_expr(r)}' for op, r in zip(ops, rights, strict=True))})"
        case ir.Logic(op, values):
            return "(" + f" {op} ".join(_expr(v) for v in values) + ")"
        case ir.Conditional(test, body, orelse):
            return f"({_expr(body)} if {_expr(test)} else {_expr(orelse)})"
        case ir.Slice(lower, upper, step):
            ends = ("" if e is None else _expr(e) for e in (lower, upper))
            return ":".join(ends) + ("" if step is None else f":{_expr(step)}")
        case _:
            return _collection(node)


def _collection(node: ir.Expr) -> str:
    match node:
        case ir.Display(kind, items):
            if kind == "tuple":
                return f"({_commas(items)}{',' if len(items) == 1 else ''})"
            return f"[{_commas(items)}]" if kind == "list" else f"{{{_commas(items)}}}"
        case ir.Mapping(items):
            shown = (f"**{_expr(v)}" if k is None else f"{_expr(k)}: {_expr(v)}" for k, v in items)
            return f"{{{', '.join(shown)}}}"
        case ir.Comprehension(kind, key, element, generators):
            first = _expr(element) if key is None else f"{_expr(key)}: {_expr(element)}"
            clauses = "".join(
                f" for {_expr(g.target)} in {_expr(g.iter)}"
                + "".join(f" if {_expr(c)}" for c in g.conditions)
                for g in generators
            )
            return f"{kind}<{first}{clauses}>"
        case ir.Format(parts):
            return "f<" + ", ".join(_expr(p) for p in parts) + ">"
    raise TypeError(f"no expression of the representation: {type(node).__name__}")
