"""Guessed launch signatures for a kernel of which only the body is known, and variations of them."""

from __future__ import annotations

import ast
import random
import re

FLOATS = ("fp16", "bf16", "fp32")
ALL = ("fp16", "bf16", "fp32", "fp64", "i8", "u8", "i16", "i32", "u32", "i64", "i1", "fp8e5", "fp8e4nv")
_FLAG = re.compile(
    r"^(is_|has_|use_|do_|with_|enable|apply|return_|store_|save_|causal|reverse|even_|need)|_flag$|^[A-Z]*_?(CAUSAL|TRANS|REVERSE)\w*$",
    re.I,
)
_NUMBER = re.compile(r"eps|scale|alpha|beta$|theta|^p$|slope|temperature|clip|limit$|softcap", re.I)
_MEMORY = {"load", "store", "make_block_ptr", "make_tensor_descriptor"}


def pointers(node: ast.FunctionDef, params: set[str]) -> set[str]:
    """Parameters that stand leftmost in an address."""
    alias: dict[str, set[str]] = {}
    found: set[str] = set()

    def bases(e: ast.expr) -> set[str]:
        match e:
            case ast.Name(id=n):
                return {n}
            case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub()):
                return bases(left) or bases(right)
            case ast.Call(func=ast.Attribute(value=v, attr="to" | "cast")):
                return bases(v)
            case ast.IfExp(body=b):
                return bases(b)
        return set()

    def roots(names: set[str], depth: int = 0) -> set[str]:
        out = set()
        for n in names:
            if n in params:
                out.add(n)
            elif depth < 6:
                out |= roots(alias.get(n, set()), depth + 1)
        return out

    for n in ast.walk(node):
        if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name):
            if n.targets[0].id not in params:
                alias.setdefault(n.targets[0].id, set()).update(bases(n.value))
        if (
            isinstance(n, ast.Assign)
            and isinstance(n.targets[0], ast.Tuple)
            and isinstance(n.value, ast.Tuple)
        ):
            for t, v in zip(n.targets[0].elts, n.value.elts):
                if isinstance(t, ast.Name):
                    alias.setdefault(t.id, set()).update(bases(v))
    for n in ast.walk(node):
        if isinstance(n, ast.Call):
            name = n.func.attr if isinstance(n.func, ast.Attribute) else getattr(n.func, "id", "")
            if name in _MEMORY or name.startswith("atomic"):
                first = (
                    n.args[0]
                    if n.args
                    else next((k.value for k in n.keywords if k.arg in ("pointer", "base")), None)
                )
                if first is not None:
                    found |= roots(bases(first))
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
            alias.setdefault(n.target.id, set())
    return found | {p for p in params if re.search(r"_?ptrs?\d*$|_ptr_|^ptr", p, re.I)}


def constant(name: str, default: object, rng: random.Random) -> object:
    if isinstance(default, (bool, int, float, str)):
        return default
    lowered = name.lower()
    if _FLAG.search(name):
        return rng.random() < 0.5
    if "dtype" in lowered:
        return {"dtype": "fp32"}
    if re.search(r"activation|mode|method|format|type$", lowered):
        return "silu"
    if re.search(r"stages|warps|split|num_|group|^g$|^h$|^hq$", lowered):
        return 2
    return 64 if re.search(r"block|size|dim|head|^[A-Z]{1,2}$|tile|pow|pad", name, re.I) else 16


def signature(
    node: ast.FunctionDef, rng: random.Random, vary: bool
) -> tuple[dict[str, str], dict[str, object]]:
    """(signature, constexprs)."""
    args = (*node.args.args, *node.args.kwonlyargs)
    defaults = dict(zip([a.arg for a in node.args.args][::-1], node.args.defaults[::-1]))
    addressed = pointers(node, {a.arg for a in args})
    base = rng.choice(FLOATS)
    types: dict[str, str] = {}
    constants: dict[str, object] = {}
    for a in args:
        default = defaults.get(a.arg)
        value = default.value if isinstance(default, ast.Constant) else None
        if a.annotation is not None and "constexpr" in ast.unparse(a.annotation):
            types[a.arg] = "constexpr"
            constants[a.arg] = constant(a.arg, value, rng)
        elif a.arg in addressed:
            types[a.arg] = "*" + _element(a.arg, base)
        else:
            types[a.arg] = "fp32" if _NUMBER.search(a.arg) else "i32"
    if vary:
        _vary(types, constants, rng)
    return types, constants


def _element(name: str, base: str) -> str:
    if re.search(
        r"idx|ind(ex|ices)|offset|cu_|seq|len|loc|table|slot|pos|ids?_|_ids|token|num|count|lora", name, re.I
    ):
        return "i32"
    return (
        "i1"
        if "mask" in name.lower()
        else "fp32"
        if re.search(r"scale|lse|sum|max|mean|rstd", name, re.I)
        else base
    )


def _vary(types: dict[str, str], constants: dict[str, object], rng: random.Random) -> None:
    """Changes the type of one to three arguments."""
    names = [n for n, t in types.items() if t != "constexpr"]
    for name in rng.sample(names, min(len(names), rng.choice((1, 1, 2, 3)))):
        if types[name].startswith("*"):
            if rng.random() < 0.06:
                types[name], constants[name] = "constexpr", None
            else:
                types[name] = "*" + rng.choice(ALL)
        else:
            types[name] = rng.choice(("i64", "i32", "fp32", "i1", "u64", "i64"))
