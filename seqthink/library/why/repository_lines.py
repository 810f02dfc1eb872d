"""What a git repository says of lines and commits: asked of git, which somebody else runs safely."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from seqthink.core.errors import SeqthinkError
from seqthink.core.unified_diff import FileChange, parse_diff
from seqthink.library.why.attribution import SECOND, Commit
from seqthink.library.why.git_output import COMMIT_FORMAT, Blame, blame_of, commits_of, contents_of, grepped
from seqthink.library.why.line_digests import digests_of
from seqthink.library.why.questions import is_definition

MAX_VERSIONS: Final = 400
"""Versions of files that are looked at for the lines around."""
MAX_CHANGES: Final = 2_000
_DETECT: Final = ("-w", "-M", "-C")
_ALL: Final = ("--all", "--full-history", f"--max-count={MAX_CHANGES}")


class GitFailedError(SeqthinkError):
    """Git could not answer; the text says why."""


class RunGit(Protocol):
    """Runs git in a repository, safely."""

    def __call__(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return what git printed.

        Raises:
            GitFailedError: it failed.
        """
        ...


class RepositoryLines:
    """The lines of one repository.

    Args:
        git: runs git at its top.
    """

    def __init__(self, git: RunGit) -> None:
        self._git = git

    def blame(self, path: str, first: int = 0, last: int = 0) -> Blame:
        """Return the lines of a file in the working tree, or some of them.

        Raises:
            GitFailedError: git does not know the file, or it is too long.
        """
        lines = [f"-L{first},{last}"] if first else []
        return blame_of(self._git("blame", "--porcelain", *_DETECT, *lines, "--", path))

    def commit(self, name: str) -> Commit | None:
        """Return the commit that a name means; None if it means none."""
        try:
            found = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
            commit = found.decode("ascii", "replace").strip()
            return next(iter(commits_of(self._git("log", "-1", f"--format={COMMIT_FORMAT}", commit))), None)
        except GitFailedError:
            return None

    def changes_of(self, commit: Commit) -> list[FileChange]:
        """Return what a commit changed; of a merge, compared with its first parent.

        Raises:
            GitFailedError: git failed, or it is too much.
        """
        arguments = ("-1", "--first-parent", "-m", "--root", "--format=", "-p", "-U0", "-M", "--no-ext-diff")
        output = self._git(
            "log", *arguments, "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", commit.id
        )
        return parse_diff(output.decode("utf-8", "replace"))

    def versions(self, names: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Sequence[int]]:
        """Return the digests of the lines of files, by commit and path; those that cannot be read are left out."""
        wanted = [name for name in dict.fromkeys(names) if "\n" not in name[1]][:MAX_VERSIONS]
        if not wanted:
            return {}
        asked = "".join(f"{commit}:{path}\n" for commit, path in wanted)
        try:
            output = self._git("cat-file", "--batch", stdin=asked.encode("utf-8", "surrogateescape"))
        except GitFailedError:
            return {}
        contents = zip(wanted, contents_of(output, len(wanted)), strict=True)
        return {
            name: digests_of(content.decode("utf-8", "replace")) for name, content in contents if content is not None
        }

    def changes(self, path: str, since: int) -> list[Commit]:
        """Return the commits of all branches since a time (in microseconds) that changed a file, without merges."""
        try:
            output = self._git(
                "log", *_ALL, f"--since=@{max(0, since // SECOND)}", f"--format={COMMIT_FORMAT}", "--", path
            )
        except GitFailedError:
            return []
        return commits_of(output)

    def has_had(self, path: str, text: str, since: int, commit: Commit | None) -> bool:
        """Return whether another commit than this one, or a copy of it, changed how often a file has a text."""
        arguments = (*_ALL, f"--since=@{max(0, since // SECOND)}", f"--format={COMMIT_FORMAT}", f"-S{text.strip()}")
        try:
            found = commits_of(self._git("log", *arguments, "--", path))
        except GitFailedError:
            return True  # what is not known counts against it
        return any(since < one.authored and (commit is None or one.authored < commit.authored) for one in found)

    def definitions(self, name: str) -> list[tuple[str, int]]:
        """Return where a name is defined in the working tree: path and line."""
        try:
            output = self._git("grep", "-z", "-n", "-I", "-w", "-F", "--untracked", "--no-color", "-e", name)
        except GitFailedError:
            return []
        return [(path, number) for path, number, line in grepped(output) if is_definition(line, name)]

    def holds(self, commits: Sequence[str]) -> bool:
        """Return whether the repository has one of these commits."""
        try:
            output = self._git("cat-file", "--batch-check", stdin="".join(f"{commit}\n" for commit in commits).encode())
        except GitFailedError:
            return False
        return b" commit " in output
