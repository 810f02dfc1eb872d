"""Dry run of a diff: whether it applies, which files it changes, and their content afterwards.

Git applies the diff to copies only. The differences between the copies are what the user is asked about and what is
later written into the workspace.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import anyio.to_thread
from msgspec import Struct, structs

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.workspace.file_writes import FileWrite
from seqthink.audit.workspace.files import (
    FileContent,
    RefusedFileError,
    decode_text,
    path_parts,
    printable_path,
    read_file,
    read_file_if_present,
)
from seqthink.audit.workspace.git import Git, GitResult, temporary_folder
from seqthink.audit.workspace.patch import (
    FILE_MODES,
    MAX_BYTES,
    MAX_FILES,
    Patch,
    RefusedDiffError,
    apply_problem,
    checked_path,
    paths_in_patch,
    prepare_patch,
)
from seqthink.audit.workspace.patch_conversion import FileText, PatchError, is_in_place, unified_from_patch
from seqthink.core.codex_patch import FilePatch, is_patch, parse_patch
from seqthink.core.unified_diff import FileChange, parse_diff

MAX_TOTAL_BYTES: Final = 16 << 20
_BEFORE, _AFTER = "was", "now"
_DIFF_COMMAND: Final = ("diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames")
_NO_FILE_MODE: Final = "000000"
NO_CHANGE: Final = "it changes nothing"


class FileDifference(Struct, frozen=True, kw_only=True):
    """The change of one file by a diff, or of one renamed file."""

    old_path: str
    path: str
    before: FileContent | None
    """None: there was no file."""
    after: FileContent | None
    """None: there is no file any more."""
    added_lines: frozenset[int] = frozenset()
    """Numbers of the new lines."""
    removed_line_count: int = 0

    @property
    def is_rename(self) -> bool:
        """Whether the file is renamed."""
        return self.old_path != self.path

    @property
    def becomes_executable(self) -> bool:
        """Whether the change makes the file executable."""
        return bool(self.after and self.after.is_executable and not (self.before and self.before.is_executable))

    @property
    def is_no_longer_executable(self) -> bool:
        """Whether the change makes the file no longer executable."""
        return bool(self.before and self.before.is_executable and self.after and not self.after.is_executable)

    @property
    def writes(self) -> tuple[FileWrite, ...]:
        """The writes that make this change."""
        if self.is_rename:
            return (FileWrite(self.old_path, self.before, None), FileWrite(self.path, None, self.after))
        return (FileWrite(self.path, self.before, self.after),)


class DryRun(Struct, frozen=True):
    """The result of trying a diff on copies."""

    problem: str = ""
    """Why the diff is refused; "": it applies."""
    files: tuple[str, ...] = ()
    """The paths that it names or changes."""
    differences: tuple[FileDifference, ...] = ()
    """The changed files."""
    units: tuple[CodeUnit, ...] = ()
    """The changed files as code to judge."""
    notes: tuple[str, ...] = ()
    """Sentences about executable bits and files left out."""


async def dry_run(git: Git, root: Path, diff: str, virtual_files: Mapping[str, str]) -> DryRun:
    """Apply ``diff`` to copies of ``virtual_files`` (path to text) and of files below ``root``; return the result."""
    paths: list[str] = []
    try:
        async with _apply_to_copies(git, root, diff, virtual_files, paths) as folder:
            raw = await git.run([*_DIFF_COMMAND, "--raw", "-z", "--", _BEFORE, _AFTER], folder)
            lines = await git.run([*_DIFF_COMMAND, "--text", "--unified=0", "--", _BEFORE, _AFTER], folder)
            return await anyio.to_thread.run_sync(_compare, folder, paths, raw, lines)
    except RefusedDiffError as refused:
        return DryRun(problem=str(refused), files=tuple(paths))


async def is_applied(git: Git, root: Path, diff: str) -> bool:
    """Return whether the files below ``root`` already are as ``diff`` would leave them."""
    with suppress(RefusedDiffError):
        if is_patch(diff):
            return await anyio.to_thread.run_sync(_is_patch_in_place, root, diff)
        async with _apply_to_copies(git, root, diff, {}, [], "--reverse"):
            return True
    return False


def as_unified(root: Path, diff: str, virtual_files: Mapping[str, str]) -> str:
    """Return ``diff`` as git reads it: a patch of Codex as a unified diff of the files, any other diff as it is.

    Raises:
        RefusedDiffError: The patch does not apply, is too large, or names what no diff may name.
    """
    if len(diff) > MAX_BYTES or not is_patch(diff):
        return diff
    try:
        unified = unified_from_patch(_checked_files(diff), _Reader(root, virtual_files).read)
    except PatchError as error:
        raise RefusedDiffError(f"{printable_path(error.path)}: {error.reason}") from None
    if not unified:
        raise RefusedDiffError(NO_CHANGE)
    return unified


def _is_patch_in_place(root: Path, patch: str) -> bool:
    if len(patch) > MAX_BYTES:
        return False
    try:
        return is_in_place(_checked_files(patch), _Reader(root, {}).read)
    except PatchError:
        return False


def _checked_files(patch: str) -> list[FilePatch]:
    """Return what a patch does to each file, under paths that are safe to read."""
    files = parse_patch(patch)
    if len(files) > MAX_FILES:
        raise RefusedDiffError(f"the diff is larger than {MAX_FILES} files")
    return [
        structs.replace(
            file, path=checked_path(file.path), new_path=checked_path(file.new_path) if file.new_path else ""
        )
        for file in files
    ]


class _Reader:
    """Reads the files that a patch names, up to the limit for all of them."""

    def __init__(self, root: Path, virtual_files: Mapping[str, str]) -> None:
        self._root = root
        self._virtual_files = virtual_files
        self._bytes_left = MAX_TOTAL_BYTES

    def read(self, path: str) -> FileText | None:
        """Return the file at ``path``; None: there is none."""
        if path in self._virtual_files:
            return FileText(self._virtual_files[path])
        try:
            content = read_file_if_present(self._root, path, MAX_BYTES)
        except RefusedFileError as refused:
            raise RefusedDiffError(f"{printable_path(path)}: {refused.reason}") from None
        if content is None:
            return None
        self._bytes_left -= len(content.data)
        if self._bytes_left < 0:
            raise RefusedDiffError(f"the files are larger than {MAX_TOTAL_BYTES >> 20} MiB")
        return FileText(content.data.decode("utf-8", "surrogateescape"), is_executable=content.is_executable)


@asynccontextmanager
async def _apply_to_copies(
    git: Git, root: Path, diff: str, virtual_files: Mapping[str, str], paths: list[str], *options: str
) -> AsyncGenerator[Path, None]:
    """Apply ``diff`` to copies; yield their folder and append the paths that the diff names to ``paths``.

    Raises:
        RefusedDiffError: It does not apply, or must not be applied.
    """
    unified = await anyio.to_thread.run_sync(as_unified, root, diff, virtual_files)
    patch = await anyio.to_thread.run_sync(prepare_patch, unified)
    async with temporary_folder() as folder:
        paths += await paths_in_patch(git, folder, patch)
        await anyio.to_thread.run_sync(_copy_files, root, paths, folder, virtual_files)
        applied = await git.run(patch.arguments(*options), folder / _AFTER, stdin_data=patch.data)
        if reason := apply_problem(applied):
            raise RefusedDiffError(
                reason + await anyio.to_thread.run_sync(_line_ending_hint, folder, patch, paths, reason)
            )
        yield folder


def _copy_files(root: Path, paths: Iterable[str], folder: Path, virtual_files: Mapping[str, str]) -> None:
    """Copy the files at ``paths`` into two folders: one to change, one to compare with."""
    for name in (_BEFORE, _AFTER):
        (folder / name).mkdir()
    bytes_left = MAX_TOTAL_BYTES
    for path in paths:
        try:
            content = (
                _content_of_text(virtual_files[path])
                if path in virtual_files
                else read_file_if_present(root, path, MAX_BYTES)
            )
        except RefusedFileError as refused:
            raise RefusedDiffError(f"{printable_path(path)}: {refused.reason}") from None
        if content is None:
            continue
        bytes_left -= len(content.data)
        if bytes_left < 0:
            raise RefusedDiffError(f"the files are larger than {MAX_TOTAL_BYTES >> 20} MiB")
        try:
            for name in (_BEFORE, _AFTER):
                _write_copy(folder.joinpath(name, *path_parts(path)), content)
        except OSError as error:
            raise RefusedDiffError(f"{printable_path(path)}: it cannot be copied: {error.strerror}") from None


def _write_copy(copy: Path, content: FileContent) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(content.data)
    copy.chmod(0o755 if content.is_executable else 0o644)


def _content_of_text(text: str) -> FileContent:
    return FileContent(text.encode("utf-8", "replace"), is_executable=False)


def _line_ending_hint(folder: Path, patch: Patch, paths: Iterable[str], reason: str) -> str:
    """Return what to add to ``reason`` if only the line endings differ."""
    path = next((path for path in paths if reason.startswith(f"{printable_path(path)}:")), None)
    copy = folder.joinpath(_BEFORE, *path_parts(path or ""))
    if path is None or not copy.is_file():
        return ""
    lines = [line for change in patch.changes if change.path == path for hunk in change.hunks for line in hunk.lines]
    in_file, in_diff = b"\r\n" in copy.read_bytes(), any(line.text.endswith("\r") for line in lines)
    if in_file == in_diff:
        return ""
    return f" (lines end in {'CRLF' if in_file else 'LF'} in the file, in {'CRLF' if in_diff else 'LF'} in the diff)"


def _compare(folder: Path, paths: Sequence[str], raw: GitResult, lines: GitResult) -> DryRun:
    """Return the differences between the copies; names come from git's raw output, line numbers from its diff."""
    for ran in (raw, lines):
        if ran.problem or ran.exit_code not in (0, 1):
            raise RefusedDiffError(ran.problem or "git could not compare the files")
    entries = _raw_entries(raw)
    if not entries:
        raise RefusedDiffError(NO_CHANGE)
    changes = parse_diff(lines.stdout.decode("utf-8", "surrogateescape"))
    if len(changes) != len(entries):
        raise RefusedDiffError("git could not compare the files")
    differences = [_difference(folder, *entry, change) for entry, change in zip(entries, changes, strict=True)]
    touched = dict.fromkeys(write.path for difference in differences for write in difference.writes)
    if hidden := [path for path in touched if path not in paths]:
        raise RefusedDiffError(
            f"{printable_path(hidden[0])}: it would also change, but the diff does not clearly name it"
        )
    units, notes = list[CodeUnit](), list[str]()
    for difference in differences:
        notes += [f"{printable_path(difference.path)} becomes executable."] * difference.becomes_executable
        try:
            units += _unit_of_difference(difference)
        except RefusedFileError as refused:
            notes.append(f"Left out ({refused.reason}): {printable_path(difference.path)}.")
    return DryRun(files=tuple(sorted(touched)), differences=tuple(differences), units=tuple(units), notes=tuple(notes))


def _raw_entries(raw: GitResult) -> list[tuple[str | None, str | None]]:
    """Return old and new name of each file in `git diff --raw -z`; None: no file on this side."""
    fields = iter(raw.stdout.decode("utf-8", "surrogateescape").split("\0"))
    entries = list[tuple[str | None, str | None]]()
    for head in fields:
        if not head:
            break
        old_mode, new_mode, *_, status = head.removeprefix(":").split(" ")
        if {old_mode, new_mode} - {*FILE_MODES, _NO_FILE_MODE}:
            raise RefusedDiffError("it creates something that is not a regular file")
        old = next(fields).partition("/")[2]
        new = next(fields).partition("/")[2] if status[0] in "RC" else old
        entries.append((None if old_mode == _NO_FILE_MODE else old, None if new_mode == _NO_FILE_MODE else new))
    return entries


def _difference(folder: Path, old: str | None, new: str | None, change: FileChange) -> FileDifference:
    try:
        before, after = (
            read_file(folder / side, path, 2 * MAX_BYTES) if path is not None else None
            for side, path in ((_BEFORE, old), (_AFTER, new))
        )
    except RefusedFileError as refused:
        raise RefusedDiffError(f"{printable_path(new or old or '')}: {refused.reason}") from None
    return FileDifference(
        old_path=old or new or "",
        path=new or old or "",
        before=before,
        after=after,
        added_lines=frozenset(number for number, _ in change.added_lines),
        removed_line_count=len(change.removed_lines),
    )


def _unit_of_difference(difference: FileDifference) -> list[CodeUnit]:
    if difference.after is None:
        return []
    added = None if difference.before is None else difference.added_lines
    return [CodeUnit(path=difference.path, text=decode_text(difference.after.data), added_lines=added)]
