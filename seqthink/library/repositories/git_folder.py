"""What a git folder says about its repository, without running git: a few small files, read with bounds.

Their texts are untrusted. Files are never opened through a link; only a branch's name and the URL of a remote are taken
out of them. Standard library only: `serve` reads its branch with it.
"""

import os
import re
import stat
from collections.abc import Iterator
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.core.remote_address import remote_address

_DOT_GIT: Final = ".git"
_MAX_LINK_BYTES: Final = 8 << 10
"""Of a file with one path or one name."""
_MAX_CONFIG_BYTES: Final = 256 << 10
_MAX_BRANCH_CHARS: Final = 250
_MAX_FOLDERS: Final = 128
"""How many folders are looked at, one above the other."""
_BRANCH: Final = "ref: refs/heads/"
_NOT_A_BRANCH: Final = ".invalid"
"""What ``HEAD`` says where git keeps its references in tables."""
_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")
_SECTION: Final = re.compile(r'\s*\[\s*(?P<name>[\w.-]+)(?:\s+"(?P<sub>(?:[^"\\]|\\.)*)")?\s*\](?P<rest>.*)')
_URL: Final = re.compile(r"\s*url\s*=\s*(?P<value>.*)", re.IGNORECASE)
_ORIGIN: Final = "origin"


class GitFolder(NamedTuple):
    """The git folder of a working tree."""

    own: str
    """That of this working tree alone: it has ``HEAD``."""
    common: str
    """The one that all working trees of the repository share; the same as ``own`` for most."""

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty for none, or if it cannot be read."""
        head = _text(os.path.join(self.own, "HEAD"), _MAX_LINK_BYTES).strip()  # noqa: PTH118 - as text
        branch = head.removeprefix(_BRANCH)
        is_named = branch not in {head, _NOT_A_BRANCH} and len(branch) <= _MAX_BRANCH_CHARS
        return branch if is_named and branch.isprintable() else ""

    @property
    def remote(self) -> str:
        """The address of ``origin``, else of the first remote, as `remote_address` has it; empty for none."""
        return _remote_in(_text(os.path.join(self.common, "config"), _MAX_CONFIG_BYTES))  # noqa: PTH118 - as text


def may_look(folder: str) -> bool:
    """Return whether a folder is one of this machine: a share on a network may ask for a password, or hang."""
    return os.path.isabs(folder) and not folder.startswith(("\\\\", "//")) and "\0" not in folder  # noqa: PTH117 - text


def with_parents(folder: str) -> Iterator[str]:
    """Yield a folder and those above it; none if it is not one that may be looked at."""
    for _ in range(_MAX_FOLDERS if may_look(folder) else 0):
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120 - as text
        if above == folder:
            return
        folder = above


def git_folder_above(folder: str) -> GitFolder | None:
    """Return the git folder of the working tree that ``folder`` is in; None without git."""
    return next(filter(None, map(git_folder_in, with_parents(folder))), None)


def git_folder_in(folder: str) -> GitFolder | None:
    """Return the git folder of the working tree whose top is ``folder``; None if that is not one."""
    path = os.path.join(folder, _DOT_GIT)  # noqa: PTH118 - as text
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(mode):
        own = path
    elif stat.S_ISREG(mode):
        line = _text(path, _MAX_LINK_BYTES).rstrip("\r\n")
        named = line.removeprefix("gitdir:").strip()
        if named == line or not named or not may_look(own := _joined(folder, named)):
            return None
    else:
        return None
    common_name = _text(os.path.join(own, "commondir"), _MAX_LINK_BYTES).strip()  # noqa: PTH118 - as text
    common = _joined(own, common_name) if common_name else own
    head = _text(os.path.join(own, "HEAD"), _MAX_LINK_BYTES).strip()  # noqa: PTH118 - as text
    is_git = head.startswith("ref: ") or _COMMIT.fullmatch(head) is not None
    return GitFolder(own, common) if is_git and may_look(common) else None


def _joined(folder: str, path: str) -> str:
    return os.path.normpath(os.path.join(folder, path))  # noqa: PTH118 - as text


def _remote_in(config: str) -> str:
    found: dict[str, str] = {}
    remote: str | None = None
    for line in config.splitlines():
        section = _SECTION.match(line)
        if section is not None:
            remote = section["sub"] if section["name"].lower() == "remote" else None
            line = section["rest"]  # noqa: PLW2901 - a value may follow on the same line
        value = _URL.match(line) if remote is not None else None
        if value is not None and remote is not None:
            found.setdefault(remote, _unquoted(value["value"]))
    url = found.get(_ORIGIN) or next(iter(found.values()), "")
    return remote_address(url)


def _unquoted(value: str) -> str:
    """Return the value of a setting, without its quotes and the comment behind it."""
    value = value.strip()
    if value.startswith('"'):
        return value[1:].partition('"')[0]
    return re.split(r"\s[#;]", value, maxsplit=1)[0].strip()


def _text(path: str, limit: int) -> str:
    """Return the text of a small regular file; empty if there is none, or if it is longer than ``limit``."""
    try:
        descriptor = os.open(path, system.READ | system.NO_LINK)
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        data = os.read(descriptor, limit + 1)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    return data.decode("utf-8", "replace") if len(data) <= limit else ""
