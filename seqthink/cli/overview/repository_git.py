"""Git for a command that looks at a repository, isolated from all configuration (docs/audit.md says how)."""

import os
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from anyio.from_thread import BlockingPortal, start_blocking_portal

from seqthink.audit.workspace.files import RefusedFileError
from seqthink.audit.workspace.git import NOT_INSTALLED, Git, GitRepository, find_repository
from seqthink.library.why.repository_lines import GitFailedError, RepositoryLines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TreeKind = Literal["same", "gone", "other"]
"""What a folder is to a repository: a working tree of it, or of a clone; not there; something else."""


class OpenRepository:
    """A repository that git can be asked about.

    Args:
        portal: where git runs.
        git: the program.
        repository: where it is.
        environment: what isolates it.
    """

    def __init__(
        self, portal: BlockingPortal, git: Git, repository: GitRepository, environment: "Mapping[str, str]"
    ) -> None:
        self.top = repository.top
        """The root of its working tree."""
        self.lines = RepositoryLines(partial(_run, portal, git, repository.top, environment))
        """What it says of lines and commits."""
        self._portal, self._git, self._repository = portal, git, repository
        self._kinds: dict[str, TreeKind] = {str(repository.top): "same"}

    def kind_of(self, folder: str, commits: "Sequence[str]" = ()) -> TreeKind:
        """Return whether a folder is a working tree of this repository, or of a clone with one of these commits."""
        if folder not in self._kinds:
            self._kinds[folder] = self._looked_up(folder, commits)
        return self._kinds[folder]

    def holds_folder(self, folder: str) -> bool:
        """Return whether a folder lies in a working tree of this repository."""
        path = Path(folder)
        try:
            top = next((one for one in (path, *path.parents) if os.path.lexists(one / ".git")), None)
        except (OSError, ValueError):
            return False
        return top is not None and self.kind_of(str(top)) == "same"

    def _looked_up(self, folder: str, commits: "Sequence[str]") -> TreeKind:
        try:
            if not Path(folder).is_dir():
                return "gone"
            found = self._portal.call(find_repository, self._git, Path(folder).resolve())
        except (OSError, ValueError, RefusedFileError):
            return "other"
        if found is None or found.top != Path(folder).resolve():
            return "other"
        if found.common_folder == self._repository.common_folder:
            return "same"
        with self._portal.wrap_async_context_manager(found.isolated_environment()) as environment:
            other = RepositoryLines(partial(_run, self._portal, self._git, found.top, environment))
            return "same" if commits and other.holds(commits) else "other"


@contextmanager
def open_repository(folder: Path) -> Generator[tuple[OpenRepository | None, str]]:
    """Give the repository that a folder lies in, or None, and why there is none if that is not plain."""
    with start_blocking_portal() as portal, ExitStack() as stack:
        yield _opened(portal, stack, folder)


def _opened(portal: BlockingPortal, stack: ExitStack, folder: Path) -> tuple[OpenRepository | None, str]:
    git = Git(folder)
    try:
        found = portal.call(find_repository, git, folder)
        if found is None:
            return None, ""
        environment = stack.enter_context(portal.wrap_async_context_manager(found.isolated_environment()))
    except RefusedFileError as error:
        return None, error.reason
    return OpenRepository(portal, git, found, environment), ""


def _run(
    portal: BlockingPortal,
    git: Git,
    top: Path,
    environment: "Mapping[str, str]",
    *arguments: str,
    stdin: bytes = b"",
) -> bytes:
    ran = portal.call(git.run, ["-c", "core.quotePath=false", *arguments], top, environment, stdin)
    if ran.problem or ran.exit_code:
        said = ran.problem or ran.stderr.strip().removeprefix("fatal: ").split("\n")[0] or NOT_INSTALLED
        raise GitFailedError(said)
    return ran.stdout
