"""Runs git isolated from repository, user and system configuration (docs/audit.md, "The workspace is untrusted").

A repository's configuration can name programs (filters, text converters, pagers, hooks, monitors, transports), and an
attacker may have written it. So git never reads it: it runs on a temporary git folder that links to the repository's
objects and refs, copies its index, and has a configuration with a few harmless values. Attributes in the tree may still
name drivers, but none is defined.
"""

import os
import re
import shutil
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import anyio
import anyio.to_thread
from msgspec import Struct, structs

from seqthink.audit.workspace.files import RefusedFileError, read_file_at
from seqthink.audit.workspace.processes import run_process, trusted_path

TIME_LIMIT_SECONDS: Final = 20.0
MAX_OUTPUT_BYTES: Final = 16 << 20
NOT_INSTALLED: Final = "git is not installed"

_GUARDS: Final = (
    *("--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "-c", "protocol.allow=never"),
    *("--no-pager", "--no-replace-objects", "--literal-pathspecs"),
)
_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": "/dev/null",
    "XDG_CONFIG_HOME": "/dev/null",
    "LC_ALL": "C",
}
NO_REPOSITORY: Final = {"GIT_DIR": "/dev/null"}
"""Environment in which git sees plain files and no repository around them."""

_LINKED_NAMES: Final = ("refs", "packed-refs", "objects", "reftable", "shallow")
_COPIED_SETTINGS: Final = (
    r"^(core\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|worktree)"
    r"|extensions\.(objectformat|refstorage))$"
)
_WORKTREE: Final = "core.worktree"
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_MAX_ADMIN_BYTES: Final = 1 << 20
_MAX_INDEX_BYTES: Final = 256 << 20


class GitResult(Struct, frozen=True):
    """The result of a git command."""

    exit_code: int = -1
    """-1: git did not finish."""
    stdout: bytes = b""
    stderr: str = ""
    problem: str = ""
    """Why there is no other result, or ""."""
    is_too_slow: bool = False
    """Whether it was ended at its time limit."""


class Git:
    """The git program, which is never taken from the workspace at ``root``."""

    def __init__(self, root: Path) -> None:
        self._path = trusted_path(root)
        self._program = shutil.which("git", path=self._path)

    async def run(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] = NO_REPOSITORY,
        stdin_data: bytes = b"",
    ) -> GitResult:
        """Run git in ``folder`` with ``stdin_data``; kill it on cancellation, timeout or too much output."""
        if self._program is None:
            return GitResult(problem=NOT_INSTALLED)
        command = [self._program, *_GUARDS, *arguments]
        variables = {**_ENVIRONMENT, "PATH": self._path, **environment}
        with anyio.move_on_after(TIME_LIMIT_SECONDS):
            try:
                done = await run_process(command, folder, variables, stdin_data, MAX_OUTPUT_BYTES)
            except OSError as error:
                return GitResult(problem=f"git could not be started: {error.strerror}")
            if done is None:
                return GitResult(problem=f"git printed more than {MAX_OUTPUT_BYTES >> 20} MiB")
            return GitResult(done.exit_code, done.stdout, done.stderr.decode("utf-8", "replace"))
        return GitResult(problem=f"git took longer than {TIME_LIMIT_SECONDS:g} s", is_too_slow=True)


class GitRepository(Struct, frozen=True):
    """A repository and where its parts are."""

    top: Path
    """The root of the working tree."""
    git_folder: Path
    """The git folder of this working tree."""
    common_folder: Path
    """The git folder that all working trees share."""
    settings: Mapping[str, str] = {}
    """Configuration values that affect how data is read."""

    @asynccontextmanager
    async def isolated_environment(self) -> AsyncGenerator[Mapping[str, str], None]:
        """Yield an environment in which git sees the repository's data, but none of its harmful settings.

        The index is a copy, because `git diff` updates it even without locks. The copy keeps the time of the original:
        git compares the content of files that are not older than their index, since their size and time may be those
        of the content before ("racy git").
        """
        async with temporary_folder() as folder:
            await anyio.to_thread.run_sync(self._fill_git_folder, folder)
            yield {"GIT_DIR": str(folder), "GIT_WORK_TREE": str(self.top)}

    def _fill_git_folder(self, folder: Path) -> None:
        (folder / "HEAD").write_bytes(read_file_at(self.git_folder, ("HEAD",), _MAX_ADMIN_BYTES).data)
        (folder / "config").write_text(_config_text(self.settings), encoding="utf-8")
        for name in _LINKED_NAMES:
            (folder / name).symlink_to(self.common_folder / name)
        for part in ("index", *(part.name for part in self.git_folder.glob("sharedindex.*"))):
            with suppress(FileNotFoundError):
                modified_ns = (self.git_folder / part).lstat().st_mtime_ns  # before reading: never too new
                (folder / part).write_bytes(read_file_at(self.git_folder, (part,), _MAX_INDEX_BYTES).data)
                os.utime(folder / part, ns=(modified_ns, modified_ns))

    def belongs_to_tree(self) -> bool:
        """Return whether the git folder lies in its tree or names it; a tree alone may point to any repository.

        Raises:
            RefusedFileError: what it names is not a path.
        """
        if self.git_folder == self.top / ".git":
            return True
        named_trees = [
            self.settings.get(_WORKTREE, ""),
            _read_small_file(self.git_folder, "gitdir").removesuffix("/.git"),
        ]
        return any(_resolved(self.git_folder / name) == self.top for name in named_trees if name)


async def find_repository(git: Git, root: Path) -> GitRepository | None:
    """Return the repository that ``root`` belongs to; None if there is none.

    Raises:
        RefusedFileError: Git does not run, or the tree points to a git folder that does not know it.
    """
    repository = await anyio.to_thread.run_sync(_search_upwards, root)
    if repository is None:
        return None
    repository = structs.replace(repository, settings=await _read_settings(git, repository.common_folder))
    if not await anyio.to_thread.run_sync(repository.belongs_to_tree):
        raise RefusedFileError("its .git names a repository elsewhere that does not know this folder")
    return repository


@asynccontextmanager
async def temporary_folder() -> AsyncGenerator[Path, None]:
    """Yield an empty private folder and remove it afterwards."""
    folder = Path(await anyio.to_thread.run_sync(tempfile.mkdtemp, None, "seqthink-"))
    try:
        yield folder
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(shutil.rmtree, folder, True)


def _search_upwards(root: Path) -> GitRepository | None:
    for top in (root, *root.parents):
        git_folder = top / ".git"
        if (pointer := _read_small_file(top, ".git")).startswith("gitdir: "):
            git_folder = _resolved(top / pointer.removeprefix("gitdir: "))
            common_folder = git_folder / (_read_small_file(git_folder, "commondir") or ".")
            return GitRepository(top, git_folder, _resolved(common_folder))
        if _read_small_file(git_folder, "HEAD"):
            return GitRepository(top, git_folder, git_folder)
    return None


def _resolved(path: Path) -> Path:
    """Return a path that a file of git names, without links.

    Raises:
        RefusedFileError: its links lead in a circle, or it has a NUL.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise RefusedFileError("its git folder is not where it says") from error


def _read_small_file(folder: Path, name: str) -> str:
    """Return the text of one of git's own small files; "" if it is missing."""
    with suppress(RefusedFileError):
        return read_file_at(folder, (name,), _MAX_ADMIN_BYTES).data.decode("utf-8", "surrogateescape").strip()
    return ""


async def _read_settings(git: Git, shared: Path) -> Mapping[str, str]:
    """Return the repository's settings that affect how its data is read."""
    config_bytes = (await anyio.to_thread.run_sync(_read_small_file, shared, "config")).encode(
        "utf-8", "surrogateescape"
    )
    arguments = ["config", "--file", "-", "--no-includes", "-z", "--get-regexp", _COPIED_SETTINGS]
    ran = await git.run(arguments, Path("/"), stdin_data=config_bytes + b"\n")
    if ran.problem:
        raise RefusedFileError(ran.problem)
    listed = ran.stdout.decode("utf-8", "surrogateescape")
    pairs = (entry.partition("\n") for entry in listed.split("\0") if entry)
    return {name: value for name, _, value in pairs}


def _config_text(settings: Mapping[str, str]) -> str:
    """Return a configuration file with those of ``settings`` that are one plain word."""
    lines = ["[core]\nrepositoryformatversion = 1\nbare = false\n"]
    for name, value in settings.items():
        section, _, key = name.partition(".")
        if _PLAIN_WORD.fullmatch(value) and name != _WORKTREE:
            lines.append(f"[{section}]\n{key} = {value}\n")
    return "".join(lines)
