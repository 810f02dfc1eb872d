"""Hides names of the standard library from `seqthink` and `tui`, for what stands in for another operating system.

A `sitecustomize` calls `install`; nothing else in the process notices.
"""

import builtins
from collections.abc import Collection, Mapping, Sequence
from types import ModuleType
from typing import cast

from typing_extensions import override

PACKAGES = {"seqthink", "tui"}


class ModuleWithout(ModuleType):
    """A module without the names in ``hidden``, which white space separates, and with ``others``."""

    def __init__(self, real: ModuleType, hidden: str, **others: object) -> None:
        super().__init__(real.__name__)
        self.real, self.hidden = real, set(hidden.split())
        self.__dict__.update(others)

    @override
    def __getattr__(self, name: str) -> object:
        if name in self.hidden:
            raise AttributeError(f"module {self.real.__name__!r} has no attribute {name!r}", name=name, obj=self)
        return getattr(self.real, name)


def install(seen: Mapping[str, ModuleType], missing: Collection[str] = ()) -> None:
    """From now on our packages import ``seen`` in place of the modules of these names, and none of ``missing``."""
    real_import = builtins.__import__

    def import_module(
        name: str,
        importer: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if level == 0 and importer is not None:
            package = cast("str", importer.get("__package__") or importer.get("__name__") or "")
            if package.partition(".")[0] in PACKAGES:
                if name in missing:
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)
                if name in seen:
                    return seen[name]
        return real_import(name, importer, locals_, fromlist, level)

    builtins.__import__ = import_module
