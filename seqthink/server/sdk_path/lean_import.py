"""Loads of the SDK only what a server on stdin and stdout needs: its packages import HTTP clients and more, too."""

import importlib.util
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import ModuleType
from typing import Final, cast

_PACKAGES: Final = ("mcp", "mcp.server")
"""Packages whose `__init__` imports clients and a framework, a fifth of the SDK's loading time; parents come first."""
_OPTIONAL: Final = ("uvicorn",)
"""What the SDK's packages import only to work with it, if it is there: an HTTP server, 50 modules and 4 MiB."""


@contextmanager
def without_optional_packages() -> Generator[None]:
    """Let a package that is optional to the SDK be as if it were not installed, unless it is loaded already."""
    missing = [name for name in _OPTIONAL if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing, cast("ModuleType", None)))  # None: importing it fails, by definition
    try:
        yield
    finally:
        for name in missing:
            sys.modules.pop(name, None)


def defer_packages() -> None:
    """Put off the `__init__` of the SDK's packages until a name of theirs is asked for.

    Their submodules can be imported before that. What is loaded already stays as it is.
    """
    for name in _PACKAGES:
        spec = None if name in sys.modules else importlib.util.find_spec(name)
        if spec is None:
            continue  # loaded, or not installed: then the import that follows says so
        package = importlib.util.module_from_spec(spec)
        vars(package)["__getattr__"] = _init_on_demand(package)
        sys.modules[name] = package
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, package)


def _init_on_demand(package: ModuleType) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package (PEP 562) that runs its `__init__` at the first missing name."""

    def find(name: str) -> object:
        if name.startswith("__"):  # the import system asks for these, and lacks some by design
            raise AttributeError(name)
        del vars(package)["__getattr__"]
        spec = package.__spec__
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(package)
        return getattr(package, name)

    return find
