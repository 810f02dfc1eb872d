"""The workspace folder: finds it, collects files to judge, and tries and applies diffs."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.config import SessionConfig
from seqthink.audit.workspace.dry_run import DryRun, as_unified, dry_run, is_applied
from seqthink.audit.workspace.file_writes import write_all
from seqthink.audit.workspace.files import RefusedFileError, decode_text, path_parts, printable_path, read_file
from seqthink.audit.workspace.git import Git, GitRepository, GitResult, find_repository
from seqthink.audit.workspace.patch import RefusedDiffError
from seqthink.core.unified_diff import parse_diff

TOTAL_BUDGET_BYTES: Final = 512 * 1024
FILE_BUDGET_BYTES: Final = 128 * 1024
"""Larger files are left out when the scope is the whole workspace, so that one cannot crowd out all others."""
_BUDGET_USED_UP: Final = f"the budget of {TOTAL_BUDGET_BYTES // 1024} KiB is used up"
_MAX_LISTED: Final = 5
_DIFF_COMMAND: Final = (
    *("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules"),
    *("--no-color", "--unified=0", "--find-renames", "--relative", "--src-prefix=a/", "--dst-prefix=b/"),
)
_MADE_BY_TOOLS = re.compile(r"(?:.*/)?(?:[^/]*(?:\.lock|-lock\.(?:json|yaml|yml)|\.min\.(?:js|css))|go\.sum)")

_CODE_SUFFIXES: Final = {
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".rs", ".go", ".java", ".kt", ".c", ".h", ".cc"),
    *(".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".bash", ".sql", ".lua", ".ex", ".vue"),
}


class WorkspaceFiles(Struct, frozen=True):
    """Workspace files to judge, and sentences about what was left out."""

    units: tuple[CodeUnit, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences about what was left out and why."""


class Workspace:
    """The folder ``root``, resolved once; no path leads out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)
        self._git = Git(self.root)

    async def read_files(self, config: SessionConfig) -> WorkspaceFiles:
        """Return the files that the scope of ``config`` covers (docs/audit.md, "Scope")."""
        collector = _FileCollector(self.root)
        try:
            await self._collect(collector, config, await find_repository(self._git, self.root))
        except RefusedFileError as refused:
            collector.notes.append(f"git was not used: {refused.reason}.")
            if config.scope == "paths":
                await anyio.to_thread.run_sync(collector.add_paths, config.paths, ())
        return collector.files()

    async def dry_run(self, diff: str, virtual_files: Mapping[str, str] = {}) -> DryRun:
        """Try ``diff`` on copies; the workspace stays as it is.

        ``virtual_files`` maps further paths to texts that are in no workspace.
        """
        return await dry_run(self._git, self.root, diff, virtual_files)

    async def as_unified(self, diff: str, virtual_files: Mapping[str, str] = {}) -> str:
        """Return ``diff`` as a unified diff if it is a patch of Codex that applies; else as it is."""
        with suppress(RefusedDiffError):
            return await anyio.to_thread.run_sync(as_unified, self.root, diff, virtual_files)
        return diff

    async def is_applied(self, diff: str) -> bool:
        """Return whether the workspace already is as ``diff`` would leave it."""
        return await is_applied(self._git, self.root, diff)

    async def apply(self, dry_run: DryRun) -> str:
        """Write the result of a dry run, all files or none; return why it was not written, or "".

        Nothing is staged, and nothing is written if a file has changed since the dry run. Writing cannot be cancelled.
        """
        if dry_run.problem:
            return dry_run.problem
        writes = [file_write for difference in dry_run.differences for file_write in difference.writes]
        return await anyio.to_thread.run_sync(write_all, self.root, writes)

    async def _collect(
        self, collector: "_FileCollector", config: SessionConfig, repository: GitRepository | None
    ) -> None:
        if repository is None and config.scope != "paths":
            collector.notes.append("The workspace is not a git repository: nothing in it was read.")
        elif repository is None:
            await anyio.to_thread.run_sync(collector.add_paths, config.paths, ())
        elif config.scope == "diff":
            await anyio.to_thread.run_sync(collector.add_changes, await self._diff_from_head(repository))
        else:
            ran = await self._run_git(repository, ["ls-files", "--stage", "-z", "--", "."])
            tracked = collector.tracked_paths(ran)
            if config.scope == "paths":
                await anyio.to_thread.run_sync(collector.add_paths, config.paths, tracked)
            else:
                await anyio.to_thread.run_sync(collector.add_all, tracked)

    async def _run_git(self, repository: GitRepository, arguments: Sequence[str]) -> GitResult:
        async with repository.isolated_environment() as environment:
            return await self._git.run(arguments, self.root, environment)

    async def _diff_from_head(self, repository: GitRepository) -> GitResult:
        """Run `git diff` against the last commit, staged or not; before the first commit, against the empty tree."""
        async with repository.isolated_environment() as environment:
            base = "HEAD"
            head = await self._git.run(["rev-parse", "--verify", "--quiet", base], self.root, environment)
            if head.problem:
                return head
            if head.exit_code:
                empty = await self._git.run(["hash-object", "-t", "tree", "/dev/null"], self.root, environment)
                base = empty.stdout.decode("ascii", "replace").strip()
            return await self._git.run([*_DIFF_COMMAND, base, "--", "."], self.root, environment)


class _FileCollector:
    """Collects files until the budget is used, and notes what it leaves out."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._units: dict[str, CodeUnit] = {}
        self._skipped: dict[str, list[str]] = {}
        self._bytes_left = TOTAL_BUDGET_BYTES
        self.notes: list[str] = []

    def files(self) -> WorkspaceFiles:
        """Return the collected files."""
        notes = [f"Left out ({reason}): {_listed(paths)}." for reason, paths in self._skipped.items()]
        return WorkspaceFiles(tuple(self._units.values()), (*self.notes, *notes))

    def tracked_paths(self, ran: GitResult) -> tuple[str, ...]:
        """Return the paths in the output of `git ls-files`, including links and submodules."""
        if self._failed(ran, "list files"):
            return ()
        entries = ran.stdout.decode("utf-8", "surrogateescape").split("\0")
        return tuple(dict.fromkeys(entry.partition("\t")[2] for entry in entries if entry))

    def add_changes(self, ran: GitResult) -> None:
        """Add the files of a `git diff`, with their current content."""
        if self._failed(ran, "diff"):
            return
        changes = [
            change for change in parse_diff(ran.stdout.decode("utf-8", "surrogateescape")) if not change.is_deleted
        ]
        for change in changes:
            is_all_new = change.is_new or change.is_binary
            self._add(change.path, None if is_all_new else frozenset(number for number, _ in change.added_lines))
        if not changes:
            self.notes.append("git diff lists no changed file.")

    def add_paths(self, paths: Sequence[str], tracked: Sequence[str]) -> None:
        """Add the files at ``paths``; of folders, the tracked files below them."""
        for path in paths:
            relative = path.removeprefix(f"{self._root}/")
            try:
                folder = "/".join(path_parts(relative))
            except RefusedFileError as refused:
                self._skip(path, refused.reason)
                continue
            below = [file for file in tracked if not folder or file.startswith(f"{folder}/")]
            for file in below or [folder]:
                self._add(file)

    def add_all(self, tracked: Sequence[str]) -> None:
        """Add all tracked files except generated ones, code first."""
        for path in sorted(tracked, key=lambda path: Path(path).suffix not in _CODE_SUFFIXES):
            if _MADE_BY_TOOLS.fullmatch(path):
                self._skip(path, "made by a tool")
            else:
                self._add(path, max_bytes=FILE_BUDGET_BYTES)

    def _add(self, path: str, added: frozenset[int] | None = None, max_bytes: int = TOTAL_BUDGET_BYTES) -> None:
        if path not in self._units and (reason := self._try_to_add(path, added, max_bytes)):
            self._skip(path, reason)

    def _try_to_add(self, path: str, added: frozenset[int] | None, max_bytes: int) -> str:
        """Add a file; return why it was left out, or ""."""
        if self._bytes_left <= 0:
            return _BUDGET_USED_UP
        try:
            data = read_file(self._root, path, max_bytes).data
            text = decode_text(data)
        except RefusedFileError as refused:
            return refused.reason
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            return _BUDGET_USED_UP
        if not text:
            return "it is empty"
        self._units[path] = CodeUnit(path=path, text=text, added_lines=added)
        return ""

    def _skip(self, path: str, reason: str) -> None:
        self._skipped.setdefault(reason, []).append(path)

    def _failed(self, ran: GitResult, task: str) -> bool:
        if ran.problem or ran.exit_code:
            reason = ran.problem or printable_path(next(iter(ran.stderr.splitlines()), "it gave no reason"))
            self.notes.append(f"git could not {task}: {reason}.")
            return True
        return False


def _listed(paths: Sequence[str]) -> str:
    names = ", ".join(printable_path(path) for path in paths[:_MAX_LISTED])
    return names if len(paths) <= _MAX_LISTED else f"{names} and {len(paths) - _MAX_LISTED} more"


def find_root(roots: Sequence[str], option: Path | None, cwd: Path) -> Path | str:
    """Return the workspace folder, or a sentence that says why there is none.

    The first usable one of the client's ``roots`` wins, then the command line's ``option``, then ``cwd``. The root of
    the file system and anything inside a git folder are refused. An unusable ``option`` is an error, not skipped: the
    user gave it on purpose.
    """
    for uri in roots:
        if (folder := _folder_of_uri(uri)) is not None and not _objection(folder):
            return folder.resolve()
    chosen = option if option is not None else cwd
    if objection := _objection(chosen):
        hint = "--workspace" if option is not None else "the working folder; set --workspace"
        return f"No workspace: {printable_path(str(chosen))} {objection} ({hint})."
    return chosen.resolve()


def _folder_of_uri(uri: str) -> Path | None:
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
            return "is not a folder"
        names = path_parts(str(resolved).removeprefix("/"))
    except RefusedFileError:
        return "is inside a git folder"
    except (OSError, ValueError):
        return "does not exist"
    return "" if names else "is the whole file system"
