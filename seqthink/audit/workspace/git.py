"""git as a reader that obeys nobody: not the workspace's configuration, not the person's, not the environment.

A repository's configuration names programs (filters, text converters, pagers, hooks, monitors, transports), and
whoever could write a workspace may have written it. So git never reads it: it is run on a git folder of ours that
borrows the repository's objects, refs and index, and whose configuration holds a few harmless values. Attributes in the
tree may then name any driver: none is defined.
"""

import os
import re
import shutil
import signal
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Final

import anyio
import anyio.abc
import anyio.to_thread
from msgspec import Struct, structs

from seqthink.audit.workspace.files import RefusedFileError, read_at

TIME_LIMIT: Final = 20.0
MOST_OUTPUT: Final = 16 << 20
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
NOWHERE: Final = {"GIT_DIR": "/dev/null"}
"""Where git is to see plain files, and no repository around them."""

_BORROWED: Final = ("refs", "packed-refs", "objects", "reftable")
_CARRIED: Final = (
    r"^(core\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|worktree)"
    r"|extensions\.(objectformat|refstorage))$"
)
_WORKTREE: Final = "core.worktree"
_PLAIN = re.compile(r"[a-z0-9]+")
_MOST_ADMIN: Final = 1 << 20
_MOST_INDEX: Final = 256 << 20


class Ran(Struct, frozen=True):
    """How a run of git ended; ``problem`` says why there is no other result."""

    code: int = -1
    out: bytes = b""
    err: str = ""
    problem: str = ""


class Git:
    """The program, found where the workspace at ``root`` has no say."""

    def __init__(self, root: Path) -> None:
        self._path = os.pathsep.join(_trusted(os.environ.get("PATH", os.defpath), root))
        self._program = shutil.which("git", path=self._path)

    async def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str] = NOWHERE, given: bytes = b""
    ) -> Ran:
        """Run git in ``folder`` on ``given``; it ends with the caller, at its time limit, or when it says too much."""
        if self._program is None:
            return Ran(problem=NOT_INSTALLED)
        command = [self._program, *_GUARDS, *arguments]
        variables = {**_ENVIRONMENT, "PATH": self._path, **environment}
        with anyio.move_on_after(TIME_LIMIT):
            try:
                return await _talk(command, folder, variables, given)
            except OSError as error:
                return Ran(problem=f"git could not be started: {error.strerror}")
        return Ran(problem=f"git took longer than {TIME_LIMIT:g} s")


def _trusted(path: str, root: Path) -> list[str]:
    """Return the folders of ``path`` that lie outside ``root``, wherever this process stands."""
    absolute = [Path(folder) for folder in path.split(os.pathsep) if folder.startswith("/")]
    return [str(folder) for folder in absolute if not folder.resolve().is_relative_to(root)]


async def _talk(command: Sequence[str], folder: Path, variables: Mapping[str, str], given: bytes) -> Ran:
    started = list[anyio.abc.Process]()
    with anyio.CancelScope(shield=True):  # cancelled half-way, anyio ends git alone, and not what git has started
        process = await anyio.open_process(
            command, stdin=PIPE if given else DEVNULL, stdout=PIPE, stderr=PIPE, cwd=folder, env=variables,
            start_new_session=True,
        )  # fmt: skip
        started.append(process)
    [process] = started
    out, err = bytearray(), bytearray()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_feed, process, given)
            tasks.start_soon(_drain, process, process.stdout, out)
            tasks.start_soon(_drain, process, process.stderr, err)
        code = await process.wait()
    finally:
        _end(process)
        with anyio.CancelScope(shield=True):
            await process.aclose()
    if max(len(out), len(err)) > MOST_OUTPUT:
        return Ran(problem=f"git said more than {MOST_OUTPUT >> 20} MiB")
    return Ran(code, bytes(out), err.decode("utf-8", "replace"))


async def _feed(process: anyio.abc.Process, given: bytes) -> None:
    if process.stdin is not None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.send(given)
        await process.stdin.aclose()


async def _drain(process: anyio.abc.Process, stream: anyio.abc.ByteReceiveStream | None, into: bytearray) -> None:
    if stream is None:
        return
    async for chunk in stream:
        into += chunk
        if len(into) > MOST_OUTPUT:
            _end(process)


def _end(process: anyio.abc.Process) -> None:
    """End the process and whatever it started."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


class Repository(Struct, frozen=True):
    """A repository around a folder: its top, its own git folder, the one that its trees share, and its settings."""

    top: Path
    own: Path
    shared: Path
    settings: Mapping[str, str] = {}

    @asynccontextmanager
    async def borrowed(self) -> AsyncGenerator[Mapping[str, str], None]:
        """Lend an environment in which git sees the repository's data and none of its settings that could do harm.

        The index is a copy: `git diff` writes down in it what it learns of files, locks or no locks.
        """
        async with scratch() as folder:
            await anyio.to_thread.run_sync(self._lend, folder)
            yield {"GIT_DIR": str(folder), "GIT_WORK_TREE": str(self.top)}

    def _lend(self, folder: Path) -> None:
        (folder / "HEAD").write_bytes(read_at(self.own, ("HEAD",), _MOST_ADMIN).data)
        (folder / "config").write_text(_configuration(self.settings), encoding="utf-8")
        for name in _BORROWED:
            (folder / name).symlink_to(self.shared / name)
        for part in ("index", *(part.name for part in self.own.glob("sharedindex.*"))):
            if os.path.lexists(self.own / part):
                (folder / part).write_bytes(read_at(self.own, (part,), _MOST_INDEX).data)

    def is_agreed(self) -> bool:
        """Return whether the git folder stands in its tree, or names it: a tree alone may point at any repository."""
        if self.own == self.top / ".git":
            return True
        named = [self.settings.get(_WORKTREE, ""), _line(self.own, "gitdir").removesuffix("/.git")]
        return any((self.own / name).resolve() == self.top for name in named if name)


async def repository(git: Git, root: Path) -> Repository | None:
    """Return the repository that ``root`` belongs to; None: there is none.

    Raises:
        RefusedFileError: git does not run, or the tree points at a git folder that knows nothing of it.
    """
    found = await anyio.to_thread.run_sync(_around, root)
    if found is None:
        return None
    found = structs.replace(found, settings=await _settings(git, found.shared))
    if not await anyio.to_thread.run_sync(found.is_agreed):
        raise RefusedFileError("its .git names a repository elsewhere that does not know this folder")
    return found


@asynccontextmanager
async def scratch() -> AsyncGenerator[Path, None]:
    """Lend an empty folder that nobody else may enter, and take it away afterwards."""
    folder = Path(await anyio.to_thread.run_sync(tempfile.mkdtemp, None, "seqthink-"))
    try:
        yield folder
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(shutil.rmtree, folder, True)


def _around(root: Path) -> Repository | None:
    for top in (root, *root.parents):
        own = top / ".git"
        if (named := _line(top, ".git")).startswith("gitdir: "):
            own = (top / named.removeprefix("gitdir: ")).resolve()
            return Repository(top, own, (own / (_line(own, "commondir") or ".")).resolve())
        if _line(own, "HEAD"):
            return Repository(top, own, own)
    return None


def _line(folder: Path, name: str) -> str:
    """Return the text of one of git's own small files; "": there is none."""
    with suppress(RefusedFileError):
        return read_at(folder, (name,), _MOST_ADMIN).data.decode("utf-8", "surrogateescape").strip()
    return ""


async def _settings(git: Git, shared: Path) -> Mapping[str, str]:
    """Return those of a repository's settings that say how its data is to be read."""
    told = (await anyio.to_thread.run_sync(_line, shared, "config")).encode("utf-8", "surrogateescape")
    arguments = ["config", "--file", "-", "--no-includes", "-z", "--get-regexp", _CARRIED]
    ran = await git.run(arguments, Path("/"), given=told + b"\n")
    if ran.problem:
        raise RefusedFileError(ran.problem)
    listed = ran.out.decode("utf-8", "surrogateescape")
    pairs = (entry.partition("\n") for entry in listed.split("\0") if entry)
    return {name: value for name, _, value in pairs}


def _configuration(settings: Mapping[str, str]) -> str:
    """Return a configuration that says what ``settings`` do, where that is one plain word."""
    lines = ["[core]\nrepositoryformatversion = 1\nbare = false\n"]
    for name, value in settings.items():
        section, _, key = name.partition(".")
        if _PLAIN.fullmatch(value) and name != _WORKTREE:
            lines.append(f"[{section}]\n{key} = {value}\n")
    return "".join(lines)
