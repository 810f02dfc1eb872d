"""Finds the packages in this Python that bring a source, without loading any of them.

`importlib.metadata` takes 35 ms to load and several more to look through a hundred packages, which the first frame and
each Tab would wait for. The files are few and simple: a millisecond.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

GROUP: Final = "seqthink.sources"
_SUFFIXES: Final = (".dist-info", ".egg-info")
_FILE: Final = "entry_points.txt"
_MAX_FILE_BYTES: Final = 1 << 20
_NAME: Final = re.compile("[a-z][a-z0-9_]{0,30}")
_TARGET: Final = re.compile(r"[\w.]+:[\w.]+")


class InstalledSource(NamedTuple):
    """A source that a package brings."""

    name: str
    """Its name in ``--sources``."""
    target: str
    """Where its description is: ``module:name``."""
    package: str
    """The package, as its folder of metadata is called, without the version."""


class Installed(NamedTuple):
    """What the packages bring."""

    sources: Mapping[str, InstalledSource]
    """By name, in order of name."""
    refused: tuple[str, ...]
    """Sentences about entries that cannot be taken."""


def installed_sources(taken: frozenset[str]) -> Installed:
    """Return the sources that packages on `sys.path` bring now, but for those whose names are ``taken``."""
    return _installed_on(tuple(sys.path), taken)


@lru_cache(maxsize=4)
def _installed_on(paths: tuple[str, ...], taken: frozenset[str]) -> Installed:
    found: dict[str, InstalledSource] = {}
    refused: list[str] = []
    for entry in (entry for path in paths for entry in _entries_in(path)):
        known = found.get(entry.name)
        if known == entry:  # a folder may be on the path twice
            continue
        if _NAME.fullmatch(entry.name) is None or _TARGET.fullmatch(entry.target) is None:
            refused.append(f"{entry.package}: its entry for {GROUP} is not `name = module:object`")
        elif entry.name in taken or known is not None:
            owner = known.package if known is not None else "seqthink"
            refused.append(f"{entry.package}: {owner} has a source of the name {entry.name} already")
        else:
            found[entry.name] = entry
    return Installed({name: found[name] for name in sorted(found)}, tuple(refused))


def _entries_in(folder: str) -> Iterator[InstalledSource]:
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith(_SUFFIXES))
    except OSError:
        return
    for name in names:
        text = _text_of(os.path.join(folder, name, _FILE))  # noqa: PTH118 - hundreds at a time
        if GROUP in text:
            yield from _entries_of(text, name.partition("-")[0].removesuffix(_SUFFIXES[1]))


def _text_of(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            return file.read(_MAX_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _entries_of(text: str, package: str) -> Iterator[InstalledSource]:
    """Yield the entries of our group in a file of the format that packages have: sections of ``name = target``."""
    is_ours = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            is_ours = line == f"[{GROUP}]"
        elif is_ours and line and line[0] not in "#;":
            name, _, target = line.partition("=")
            # what follows in brackets names extras
            yield InstalledSource(name.strip(), target.partition("[")[0].strip(), package)
