"""Which released packages the corpus holds: versions, hashes, and what CI runs by default.

Says nothing of how they are fetched or what is found on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique


@unique
class Archive(Enum):
    WHEEL = "wheel"
    """Its Python files are taken, whatever platform and Python it was built for."""
    SDIST = "sdist"
    """Its folder named like the package is taken, with pyproject.toml."""


@dataclass(frozen=True, slots=True)
class Package:
    """One release. `sha256` is that of the archive; `kernels` and `launches` are how few would mean
    that reading failed."""

    name: str
    version: str
    sha256: str
    kernels: int = 0
    launches: int = 0
    archive: Archive = Archive.WHEEL
    default: bool = False

    @property
    def key(self) -> str:
        """`vllm-0.20.0`: the name of its folder, and of its rows and tests."""
        return f"{self.name}-{self.version}"

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


PACKAGES = (
    Package(
        "vllm",
        "0.20.0",
        "a6d50152936ee292455af3ffbe359f7a284ac43bf3b68caccf29f368e196cc72",
        200,
        150,
        archive=Archive.SDIST,
        default=True,
    ),
    Package(
        "fla-core",
        "0.6.0",
        "b0708b70e0b119cd58a0a5146ea56cb175cef6ed969d8ac60267e3e077ce3ebd",
        490,
        410,
        default=True,
    ),
    Package(
        "liger-kernel",
        "0.8.5",
        "60789cd576af073ab9b192b570d2597fd0cdad489cd62fb44fb16256d43754c9",
        170,
        190,
        default=True,
    ),
    Package(
        "conch-triton-kernels",
        "1.3",
        "bbbdbbcc2ea5650f582a00d9c9ad9ca65b822a64b3cf41856c5e83efcdbe7cea",
        30,
        20,
        default=True,
    ),
    Package(
        "xformers",
        "0.0.35",
        "ccc73c7db9890224ab05f5fb60e2034f9e6c8672a10be0cf00e95cbbae3eda7c",
        10,
        10,
        default=True,
    ),
    Package(
        "torchao",
        "0.18.0",
        "6540b148e40ba81cbd4de86392225a076a1591146e9cebb099b3b234ba9feebe",
        90,
        90,
        default=True,
    ),
    Package(
        "flash-linear-attention",
        "0.6.0",
        "6dec9735f8454523c13553622e98aff30152dde6586b4ac7d88010fbb7a06b5f",
        0,
        0,
    ),
    Package(
        "unsloth", "2026.10.9", "feb40b99bc4f8c543a36cbd0fe6e1410d6e4ac16bd4d0c731f607adce3d63bb0", 110, 60
    ),
    Package(
        "flag-gems", "5.0.2", "d7c5a6121bf2d3f7daddde43bfa7cae739de6cb5b294dcfe7ae6173045c35552", 2520, 1630
    ),
    Package(
        "lmdeploy", "0.18.0", "e6790a25dcdb0345c160567fdf2ac604fec319389523a8b806834c9d92c8ffe1", 130, 80
    ),
    Package("sglang", "0.5.23", "00b3cd5b265ac76c64185fbb6b95424f324ddd9f428d0306b77bc9db9d859937", 930, 810),
    Package(
        "vllm",
        "0.33.0",
        "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112",
        770,
        520,
        archive=Archive.SDIST,
    ),
)


class UnknownPackage(LookupError):
    """A name that is in no list here; the message says which there are."""


def named(words: Sequence[str]) -> tuple[Package, ...]:
    """Packages by key (`vllm-0.20.0`), by name (all its versions), or by `default` and `all`."""
    chosen: dict[str, Package] = {}
    for word in words:
        matching = [p for p in PACKAGES if _is_named(p, word)]
        if not matching:
            known = ", ".join(p.key for p in PACKAGES)
            raise UnknownPackage(f"no package {word!r} in the corpus: it holds {known}; or say default, all")
        chosen.update((p.key, p) for p in matching)
    return tuple(chosen.values())


def package(key: str) -> Package:
    """The one release with this key."""
    (only,) = named([key])
    return only


def _is_named(package: Package, word: str) -> bool:
    return word in (package.key, package.name, "all") or (word == "default" and package.default)
