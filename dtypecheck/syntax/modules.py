"""From a file's place to the name that it is imported by."""

from __future__ import annotations


def module_name(path: str) -> tuple[str, bool]:
    """The dotted module of a path relative to the root, and whether it is a package; a `src` folder names nothing."""
    parts = path.removesuffix(".py").removesuffix(".pyi").split("/")
    if parts[0] == "src" and len(parts) > 1:
        parts = parts[1:]
    is_package = parts[-1] == "__init__"
    return ".".join(parts[:-1] if is_package else parts), is_package
