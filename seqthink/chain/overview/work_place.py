"""Where a session works, as its events say: folder, repository, branch. Nothing is looked up; no text is trusted."""

import re
from typing import Final

from msgspec import Struct

from seqthink.core.events import SessionEvent

CLAUDE_WORKTREE: Final = re.compile(r"(?<=[^/\\])[/\\]\.claude[/\\]worktrees[/\\][^/\\]+")
"""Where Claude Code puts a worktree, under a name that it invents. Of one elsewhere only the client knows."""


class WorkPlace(Struct, frozen=True, array_like=True):
    """Where a session works, as its events say; each text is untrusted, and empty if nothing says it."""

    host: str = ""
    """The machine, where a server of ours says it."""
    folder: str = ""
    """The working folder."""
    repository: str = ""
    """The folder of the repository whose git worktree it works in."""
    remote: str = ""
    """The address of the repository's origin."""
    branch: str = ""
    """The git branch."""


def last_part(path: str) -> str:
    """Return the last part of a path or an address."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def work_place(info: SessionEvent | None) -> WorkPlace:
    """Return where a session works whose newest ``session`` event this is."""
    if info is None:
        return WorkPlace()
    host, folder = info.host or "", info.cwd or ""
    repository = repository_folder(info)
    return WorkPlace(host, folder, repository if repository != folder else "", info.remote or "", info.branch or "")


def repository_folder(info: SessionEvent) -> str:
    """Return the folder of a session; of one in a git worktree that a client made, the repository's."""
    return info.repository or CLAUDE_WORKTREE.sub("", info.cwd or "")
