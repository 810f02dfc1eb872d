"""Finds calls with which an agent puts a file back, by git, that it edited before: it takes its edit back by a deed."""

import re
from typing import Final

from seqthink.core.text import MAX_FOLDED_CHARS

MAX_EDITED: Final = 1024
"""How many edited files are remembered, the newest."""
_EDITORS: Final = frozenset(
    {"edit", "write", "multiedit", "notebookedit", "apply_patch", "patch", "replace", "write_file"}
)
"""The tools of clients that change a file, in lower case."""
_GIT: Final = re.compile(r"(?:^|[;&|(])\s*git (?:-C \S+ )?(checkout|restore|commit)\b([^;&|)]*)")
_MORE_FILES: Final = re.compile(r" \+\d{1,9}\Z")
"""How many other files a patch edits."""
_NOT_THE_FILE: Final = frozenset({"--staged", "-S", "-b", "-B", "--orphan", "--ours", "--theirs", "-p", "--patch"})
"""Options with which the file is not put back, or not as a whole."""


class EditedFiles:
    """The files that the agents of a session have edited, and not committed since."""

    def __init__(self) -> None:
        self._paths: dict[str, None] = {}

    def put_back_by(self, tool: str, summary: str) -> str:
        """Take in a call of a tool, and return the edited file that it puts back; an empty string if it does not."""
        if tool.lower() in _EDITORS:
            self._paths[_MORE_FILES.sub("", summary)] = None
            if len(self._paths) > MAX_EDITED:
                del self._paths[next(iter(self._paths))]
            return ""
        if not self._paths or "git " not in summary:
            return ""
        found = ""
        for command, arguments in _GIT.findall(summary[:MAX_FOLDED_CHARS]):
            if command == "commit":
                self._paths.clear()
            elif _NOT_THE_FILE.isdisjoint(arguments.split()):
                found = found or self._named(arguments.split())
        return found

    def _named(self, arguments: list[str]) -> str:
        """Return the edited file that one of the arguments names."""
        for argument in arguments:
            name = argument.strip("'\"").removeprefix("./")
            if name and (path := next((path for path in self._paths if f"/{path}".endswith(f"/{name}")), "")):
                return path
        return ""
