"""What an audit may read and change on disk: the files below one folder, and nothing else."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.config import SessionConfig
from seqthink.audit.sources import Source
from seqthink.audit.workspace.diffs import parse
from seqthink.audit.workspace.files import RefusedFileError, parts, read, shown, text_of
from seqthink.audit.workspace.git import Git, Ran, Repository, repository
from seqthink.audit.workspace.trial import Checked, is_applied, tried
from seqthink.audit.workspace.writing import write

TOTAL_BUDGET: Final = 512 * 1024
FILE_BUDGET: Final = 128 * 1024
"""Of a whole workspace, larger files are left out, so that one does not crowd out all others."""
_USED_UP: Final = f"the budget of {TOTAL_BUDGET // 1024} KiB is used up"
_NAMED: Final = 5
_DIFF: Final = (
    *("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules"),
    *("--no-color", "--unified=0", "--find-renames", "--relative", "--src-prefix=a/", "--dst-prefix=b/"),
)
_MADE_BY_TOOLS = re.compile(r"(?:.*/)?(?:[^/]*(?:\.lock|-lock\.(?:json|yaml|yml)|\.min\.(?:js|css))|go\.sum)")

_CODE: Final = {
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".rs", ".go", ".java", ".kt", ".c", ".h", ".cc"),
    *(".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".bash", ".sql", ".lua", ".ex", ".vue"),
}


class Material(Struct, frozen=True):
    """What there is to judge: the files, and sentences about what was left out and why."""

    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


class Workspace:
    """The folder ``root``, resolved once; no path leads out of it, by whatever way."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)
        self._git = Git(self.root)

    async def gather(self, config: SessionConfig) -> Material:
        """Return what ``config`` says is to be judged."""
        gathering = _Gathering(self.root)
        try:
            await self._fill(gathering, config, await repository(self._git, self.root))
        except RefusedFileError as refused:
            gathering.notes.append(f"git was not asked: {refused.reason}.")
            if config.scope == "paths":
                await anyio.to_thread.run_sync(gathering.take_paths, config.paths, ())
        return gathering.material()

    async def check(self, diff: str, texts: Mapping[str, str] = {}) -> Checked:
        """Return whether ``diff`` applies, and what it would leave; the workspace stays as it is.

        ``texts`` stand, by their paths, for files that are in no workspace.
        """
        return await tried(self._git, self.root, diff, texts)

    async def has(self, diff: str) -> bool:
        """Return whether the workspace is already as ``diff`` would leave it."""
        return await is_applied(self._git, self.root, diff)

    async def apply(self, checked: Checked) -> str:
        """Write what was seen on trial, all of it or nothing; return why it was not written, or "".

        Nothing is staged, and nothing is written where a file is not as it was on trial. Once begun, it is not
        interrupted.
        """
        if checked.problem:
            return checked.problem
        writes = [one for difference in checked.differences for one in difference.writes]
        return await anyio.to_thread.run_sync(write, self.root, writes)

    async def _fill(self, gathering: "_Gathering", config: SessionConfig, found: Repository | None) -> None:
        if found is None and config.scope != "paths":
            gathering.notes.append("The workspace is no git repository: nothing of it was read.")
        elif found is None:
            await anyio.to_thread.run_sync(gathering.take_paths, config.paths, ())
        elif config.scope == "diff":
            await anyio.to_thread.run_sync(gathering.take_changes, await self._ask_for_changes(found))
        else:
            ran = await self._ask(found, ["ls-files", "--stage", "-z", "--", "."])
            tracked = gathering.tracked(ran)
            if config.scope == "paths":
                await anyio.to_thread.run_sync(gathering.take_paths, config.paths, tracked)
            else:
                await anyio.to_thread.run_sync(gathering.take_all, tracked)

    async def _ask(self, found: Repository, arguments: Sequence[str]) -> Ran:
        async with found.borrowed() as environment:
            return await self._git.run(arguments, self.root, environment)

    async def _ask_for_changes(self, found: Repository) -> Ran:
        """Ask for what is different from the last commit, staged or not; before the first, from nothing."""
        async with found.borrowed() as environment:
            base = "HEAD"
            head = await self._git.run(["rev-parse", "--verify", "--quiet", base], self.root, environment)
            if head.problem:
                return head
            if head.code:
                empty = await self._git.run(["hash-object", "-t", "tree", "/dev/null"], self.root, environment)
                base = empty.out.decode("ascii", "replace").strip()
            return await self._git.run([*_DIFF, base, "--", "."], self.root, environment)


class _Gathering:
    """Takes up files until the budget is used, and says what it leaves out."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._sources: dict[str, Source] = {}
        self._left: dict[str, list[str]] = {}
        self._budget = TOTAL_BUDGET
        self.notes: list[str] = []

    def material(self) -> Material:
        """Return all that was taken up."""
        notes = [f"Left out ({reason}): {_listed(paths)}." for reason, paths in self._left.items()]
        return Material(tuple(self._sources.values()), (*self.notes, *notes))

    def tracked(self, ran: Ran) -> tuple[str, ...]:
        """Return the files that git told of, links and submodules too, in its order."""
        if self._failed(ran, "list files"):
            return ()
        entries = ran.out.decode("utf-8", "surrogateescape").split("\0")
        return tuple(dict.fromkeys(entry.partition("\t")[2] for entry in entries if entry))

    def take_changes(self, ran: Ran) -> None:
        """Take the files that git's diff tells of, as they are now."""
        if self._failed(ran, "diff"):
            return
        changes = [change for change in parse(ran.out.decode("utf-8", "surrogateescape")) if not change.is_deleted]
        for change in changes:
            is_all_new = change.is_new or change.is_binary
            self._take(change.path, None if is_all_new else frozenset(number for number, _ in change.added))
        if not changes:
            self.notes.append("git diff tells of no changed file.")

    def take_paths(self, paths: Sequence[str], tracked: Sequence[str]) -> None:
        """Take the files at ``paths``, and the tracked ones below those that are folders."""
        for path in paths:
            inside = path.removeprefix(f"{self._root}/")
            try:
                folder = "/".join(parts(inside))
            except RefusedFileError as refused:
                self._leave(path, refused.reason)
                continue
            below = [file for file in tracked if not folder or file.startswith(f"{folder}/")]
            for file in below or [folder]:
                self._take(file)

    def take_all(self, tracked: Sequence[str]) -> None:
        """Take all files of ``tracked`` that somebody wrote, programs first."""
        for path in sorted(tracked, key=lambda path: Path(path).suffix not in _CODE):
            if _MADE_BY_TOOLS.fullmatch(path):
                self._leave(path, "made by a tool")
            else:
                self._take(path, most=FILE_BUDGET)

    def _take(self, path: str, added: frozenset[int] | None = None, most: int = TOTAL_BUDGET) -> None:
        if path not in self._sources and (reason := self._taken(path, added, most)):
            self._leave(path, reason)

    def _taken(self, path: str, added: frozenset[int] | None, most: int) -> str:
        """Take a file; return why it is not taken, or ""."""
        if self._budget <= 0:
            return _USED_UP
        try:
            data = read(self._root, path, most).data
            text = text_of(data)
        except RefusedFileError as refused:
            return refused.reason
        self._budget -= len(data)
        if self._budget < 0:
            return _USED_UP
        if not text:
            return "it is empty"
        self._sources[path] = Source(path=path, text=text, added=added)
        return ""

    def _leave(self, path: str, reason: str) -> None:
        self._left.setdefault(reason, []).append(path)

    def _failed(self, ran: Ran, task: str) -> bool:
        if ran.problem or ran.code:
            reason = ran.problem or shown(next(iter(ran.err.splitlines()), "it did not say why"))
            self.notes.append(f"git could not {task}: {reason}.")
            return True
        return False


def _listed(paths: Sequence[str]) -> str:
    names = ", ".join(shown(path) for path in paths[:_NAMED])
    return names if len(paths) <= _NAMED else f"{names} and {len(paths) - _NAMED} more"


def find_root(roots: Sequence[str], option: Path | None, cwd: Path) -> Path | str:
    """Return the folder to work in, or a sentence that says why there is none.

    The first of the client's ``roots`` that names a usable folder wins, then the command line's ``option``, then
    ``cwd``. The root of the file system is no workspace, nor is anything inside a git folder. An option that cannot be
    used is told rather than passed over: somebody wrote it.
    """
    for uri in roots:
        if (folder := _folder(uri)) is not None and not _objection(folder):
            return folder.resolve()
    chosen = option if option is not None else cwd
    if objection := _objection(chosen):
        hint = "--workspace" if option is not None else "the working folder; set --workspace"
        return f"No workspace: {shown(str(chosen))} {objection} ({hint})."
    return chosen.resolve()


def _folder(uri: str) -> Path | None:
    try:
        split = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(split.path, errors="surrogateescape")
    is_local = split.scheme == "file" and split.netloc in ("", "localhost")
    return Path(path) if is_local and path.startswith("/") else None


def _objection(folder: Path) -> str:
    try:
        resolved = folder.resolve(strict=True)
        if not resolved.is_dir():
            return "is no folder"
        inside = parts(str(resolved).removeprefix("/"))
    except RefusedFileError:
        return "lies in a git folder"
    except (OSError, ValueError):
        return "is not there"
    return "" if inside else "is the whole file system"
