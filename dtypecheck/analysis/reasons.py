"""Why something is not known, in words: what stood in the way and, where there is one, the way around it."""

from __future__ import annotations

_SAY = "say it there with `dtype=...`, or after it with `.to(...)`"
_ATTRIBUTE = "nothing in the project tells what this attribute holds"
_CONTAINER = "what is in the container, or in which order, is not known"
_LAYER = "the layers of this module are not known one by one"
_KEPT = "what `forward` kept for `backward` is not known"
_CLASS = "this use of a class is not followed"

FAMILIES = {
    "no-model": f"what `{{}}` gives is not known here: {_SAY}",
    "arguments": f"the arguments of `{{}}` do not tell the dtype: {_SAY}",
    "one-of": "`{}` gives one of several dtypes, and only the run shows which",
    "other": "objects such as {} are not followed",
    "several-functions": "`{}` is registered with several functions",
}
"""By what stands before the brackets of a reason; `{}` is what stands between them."""

REASONS = {
    "abstract-method": "subclasses say what this method gives, and which of them it is is not known",
    "annotation": "the annotation does not tell what it is",
    "assigned-elsewhere": "other code assigns it too",
    "assigned-in-several-methods": "several methods assign it, in an order that is not known",
    "async-comprehension": "asynchronous comprehensions are not followed",
    "attribute": _ATTRIBUTE,
    "autograd": "this use of torch.autograd.Function is not followed",
    "budget": "it takes too much to follow: ask for it nearer to where it is made",
    "call": "what is called here is not known",
    "changed-in-place": "the container was changed in place in a way that is not followed",
    "class-attribute": _ATTRIBUTE,
    "compiled-kernel": "a launch gives a compiled kernel, and no tensor",
    "context-manager": "what this `with` gives is not known",
    "decorator": "what this decorator makes of its function is not known",
    "dict": _CONTAINER,
    "dict-keys": _CONTAINER,
    "dict-spread": _CONTAINER,
    "dtype-attribute": "this attribute of a dtype depends on which dtype it is",
    "dynamic-attribute": "the name of the attribute is computed",
    "dynamic-import": "the name of the module is computed",
    "ellipsis": "it is `...`",
    "enum": "members of an enum are not followed",
    "enumerate": _CONTAINER,
    "exception": "it is an exception that was caught",
    "filled-elsewhere": "other code fills this container",
    "format-specification": "it is part of a text",
    "getattr": "the name of the attribute is computed",
    "item": "items of such an object are not followed",
    "iteration": "what is iterated over is not known",
    "kernel-attribute": "this attribute of a kernel is not followed",
    "kernel-call": "a kernel is called like a function, without a grid",
    "layer-dtype": _LAYER,
    "layers": _LAYER,
    "local-class": _CLASS,
    "long-chain": "the expression is too long to follow",
    "made-elsewhere": "the object was made where nobody looks",
    "map": _CONTAINER,
    "match-capture": "what a `match` pattern binds is not followed",
    "match-pattern": "whether this `match` pattern fits is not known",
    "missing-argument": "the call gives no argument for it",
    "module-cast": "which tensors a cast of a whole module changes is not followed",
    "module-variable": "the module gives this name no value that is known",
    "namespace": _CONTAINER,
    "next": _CONTAINER,
    "no-annotation": "nothing says what it is",
    "no-such-definition": "the definition was not found",
    "no-value": "no value comes here",
    "not-callable": "what is called here is not known",
    "not-modelled": "this expression is not followed",
    "operand": "what this operator makes of such operands is not known",
    "partial": "what is called in the end is not known",
    "recursion": "functions that call themselves, or calls nested very deep, are not followed",
    "replace": "what is replaced is not known",
    "reversed": _CONTAINER,
    "saved-star": _KEPT,
    "saved-tensors": _KEPT,
    "sent-value": "what is sent to a generator is not known",
    "several-dtypes": "it is one of several dtypes, and which is not known",
    "slice": "it is a slice",
    "sorted": _CONTAINER,
    "star-argument": "it may come through `*` or `**` arguments that are not known singly: pass it by name",
    "star-expression": "what a star spreads here is not known",
    "string": "it is a text",
    "super": "what `super()` means here is not known",
    "template-string": "it is a template string",
    "too-deep": "the definition is nested too deep to be read",
    "too-many-alternatives": "too many different things come together here",
    "type": "what `type(...)` gives here is not known",
    "type-alias": "it is an alias of a type",
    "unbound-variable": "the variable has no value on the way to this line",
    "union-annotation": "the annotation admits several kinds of things",
    "unknown-attribute": _ATTRIBUTE,
    "unpacking": "what is unpacked is not known",
    "unresolved-name": "neither the project nor what it imports has this name",
    "which-element": _CONTAINER,
    "zip": _CONTAINER,
}


def in_words(reason: str) -> str:
    """A reason as a clause; a construct of Python that the analysis lacks is called by its name."""
    family, bracket, inner = reason.partition("(")
    if bracket and family in FAMILIES:
        return FAMILIES[family].format(inner.removesuffix(")"))
    return REASONS.get(reason) or f"{reason.replace('-', ' ')} is not followed"
