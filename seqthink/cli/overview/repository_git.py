"""Git for a command that looks at a repository, isolated from all configuration (docs/audit.md says how)."""

import os
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from anyio.from_thread import BlockingPortal, start_blocking_portal

from seqthink.audit.workspace.files import RefusedFileError
from seqthink.audit.workspace.git import NOT_INSTALLED, Git, GitRepository, find_repository
from seqthink.core.errors import reason_of
from seqthink.library.why.repository_lines import GitFailedError, RepositoryLines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TreeKind = Literal["same", "gone", "other"]
"""What a folder is to a repository: a working tree of it, or of a clone; not there; something else."""
_MAX_SLOW: Final = 2
"""How often git may take too long in one question: a pipe in place of one of its files holds up each command."""


class OpenRepository:
    """A repository that git can be asked about.

    Args:
        runner: runs git.
        repository: where it is.
        environment: what isolates it.
    """

    def __init__(self, runner: "_Runner", repository: GitRepository, environment: "Mapping[str, str]") -> None:
        self.top = repository.top
        """The root of its working tree."""
        self.lines = RepositoryLines(partial(runner.run, repository.top, environment))
        """What it says of lines and commits."""
        self._runner, self._repository = runner, repository
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
            found = self._runner.found(Path(folder).resolve())
            if found is None or found.top != Path(folder).resolve():
                return "other"
            if found.common_folder == self._repository.common_folder:
                return "same"
            with self._runner.isolated(found) as environment:
                other = RepositoryLines(partial(self._runner.run, found.top, environment))
                return "same" if commits and other.holds(commits) else "other"
        except (OSError, RuntimeError, ValueError, RefusedFileError):
            return "other"


@contextmanager
def open_repository(folder: Path) -> Generator[tuple[OpenRepository | None, str]]:
    """Give the repository that a folder lies in, or None, and why there is none if that is not plain."""
    with start_blocking_portal() as portal, ExitStack() as stack:
        yield _opened(portal, stack, folder)


def _opened(portal: BlockingPortal, stack: ExitStack, folder: Path) -> tuple[OpenRepository | None, str]:
    runner = _Runner(portal, Git(folder))
    try:
        found = runner.found(folder)
        if found is None:
            return None, ""
        environment = stack.enter_context(runner.isolated(found))
    except RefusedFileError as error:
        return None, error.reason
    except OSError as error:
        return None, reason_of(error)
    return OpenRepository(runner, found, environment), ""


class _Runner:
    """Runs git for one question.

    Args:
        portal: where it runs.
        git: the program.
    """

    def __init__(self, portal: BlockingPortal, git: Git) -> None:
        self._portal, self._git = portal, git
        self._slow_count = 0

    def found(self, folder: Path) -> GitRepository | None:
        """Return the repository that a folder lies in; raises as `find_repository` does."""
        return self._portal.call(find_repository, self._git, folder)

    def isolated(self, repository: GitRepository) -> "AbstractContextManager[Mapping[str, str]]":
        """Give the environment that isolates a repository."""
        return self._portal.wrap_async_context_manager(repository.isolated_environment())

    def run(self, top: Path, environment: "Mapping[str, str]", *arguments: str, stdin: bytes = b"") -> bytes:
        """Return what git printed.

        Raises:
            GitFailedError: it failed, or has taken too long more than once.
        """
        if self._slow_count >= _MAX_SLOW:
            raise GitFailedError("git was too slow before")
        if any("\0" in argument for argument in arguments):
            raise GitFailedError("git cannot be asked about a NUL")
        ran = self._portal.call(self._git.run, ["-c", "core.quotePath=false", *arguments], top, environment, stdin)
        self._slow_count += ran.is_too_slow
        if not ran.problem and not ran.exit_code:
            return ran.stdout
        said = ran.problem or ran.stderr.strip().removeprefix("fatal: ").split("\n")[0] or NOT_INSTALLED
        raise GitFailedError(said)
