"""A diff tried on copies: whether it applies, which files it touches, and what it would leave in them.

What git does to the copies is seen, not guessed: a file that changes without being named plainly refuses the diff, so
whoever is asked about a list of files is asked about all of them.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.sources import Source
from seqthink.audit.workspace.diffs import FileChange, normalised, parse
from seqthink.audit.workspace.files import MISSING, Content, RefusedFileError, parts, read, shown, text_of
from seqthink.audit.workspace.git import Git, Ran, scratch

MOST_BYTES: Final = 4 << 20
MOST_FILES: Final = 100
THERE: Final = "there is already such a file"
UNREADABLE: Final = "a name with control characters"
STEERS_GIT: Final = "it tells git what to do"
_STEERS_GIT = re.compile(r"\.git(?!ignore$|keep$|hub$|lab$|lab-ci\.yml$)\w[\w.-]*|gi\w{2,4}~\d+|\.husky", re.IGNORECASE)
_WAS, _NOW = "was", "now"
_FILE_MODES: Final = {"100644", "100755"}
_MODE_LINE = re.compile(r"^(?:old mode|new mode|deleted file mode|new file mode)[ \t]+(\d.*?)\r?$", re.MULTILINE)
_SEEN: Final = (
    *("diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "--unified=0", "--find-renames"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--", _WAS, _NOW),
)
_SAID: Final = (
    (r"error: patch failed: (.+):(\d+)", "{0}:{1}: the lines around the change differ from the file's"),
    (r"error: (.+): No such file or directory()", "{0}: " + MISSING),
    (r"error: (.+): already exists in working directory()", "{0}: " + THERE),
    (r"error: corrupt patch at line ()(\d+)", "the diff is broken at its line {1}"),
    (r"(?:error|fatal): (.+)()", "git apply: {0}"),
)


class Checked(Struct, frozen=True):
    """What became of a diff on trial: why it is refused ("": it applies), and what it touches and leaves."""

    problem: str = ""
    files: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


class Patch(Struct, frozen=True):
    """A diff that may be shown to git: its bytes, what it says, and how many folders its names carry too many."""

    data: bytes
    changes: tuple[FileChange, ...]
    depth: int

    @property
    def arguments(self) -> list[str]:
        """How git is to be asked."""
        return ["apply", f"-p{self.depth}", "--whitespace=nowarn", "-"]

    @property
    def paths(self) -> dict[str, None]:
        """Every path that it names."""
        return dict.fromkeys(path for change in self.changes for path in (change.old_path, change.new_path) if path)


class RefusedDiffError(Exception):
    """A diff that does not apply, or must not; the message says why."""


def patch(diff: str) -> Patch:
    """Return ``diff`` ready for git.

    Raises:
        RefusedDiffError: it is none, or one of those that are not even tried.
    """
    text = normalised(diff)
    changes = parse(text)
    if not changes:
        raise RefusedDiffError("there is no diff in it")
    if len(diff) > MOST_BYTES or len(changes) > MOST_FILES:
        raise RefusedDiffError(f"the diff is larger than {MOST_BYTES >> 20} MiB or {MOST_FILES} files")
    for change in changes:
        if reason := _refusal(change):
            raise RefusedDiffError(f"{shown(change.path)}: {reason}")
    if any(mode not in _FILE_MODES for mode in _MODE_LINE.findall(text)):
        raise RefusedDiffError("it makes something that is no regular file")
    depths = {change.depth for change in changes if change.depth is not None}
    if len(depths) > 1:
        raise RefusedDiffError("some of its names begin with a/ and b/, and some do not")
    return Patch(_encoded(text), tuple(changes), depths.pop() if depths else 1)


def _refusal(change: FileChange) -> str:
    kinds = {"120": "symbolic links are not made or changed", "160": "submodules are not changed"}
    odd = [mode for mode in change.modes if mode not in _FILE_MODES]
    if odd:
        return kinds.get(odd[0][:3], "it is no regular file")
    try:
        for path in (change.old_path, change.new_path):
            _check(path or "")
    except RefusedFileError as refused:
        return refused.reason
    return "binary diffs are not judged" if change.is_binary else change.problem


def _check(path: str) -> None:
    """Refuse a path that nobody should be asked about: one that cannot be read, or that tells git what to run."""
    if not path.isprintable():
        raise RefusedFileError(UNREADABLE)
    pieces = [piece for part in parts(path) for piece in part.split("\\")]
    if any(_STEERS_GIT.fullmatch(piece.partition(":")[0].rstrip(" .")) for piece in pieces):
        raise RefusedFileError(STEERS_GIT)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise RefusedDiffError("it is no text that a file could hold") from None


async def tried(git: Git, root: Path, diff: str, texts: Mapping[str, str]) -> Checked:
    """Return what ``diff`` would do to ``texts`` and to the files below ``root``; those are only read."""
    named: tuple[str, ...] = ()
    try:
        asked = await anyio.to_thread.run_sync(patch, diff)
        named = tuple(asked.paths)
        async with scratch() as folder:
            await anyio.to_thread.run_sync(_copy, root, asked, folder, texts)
            applied = await git.run(asked.arguments, folder / _NOW, given=asked.data)
            if reason := problem_of(applied):
                return Checked(
                    problem=reason + await anyio.to_thread.run_sync(_endings, folder, asked, reason), files=named
                )
            seen = await git.run(_SEEN, folder)
            return await anyio.to_thread.run_sync(_seen, folder, asked, seen)
    except RefusedDiffError as refused:
        return Checked(problem=str(refused), files=named)


def problem_of(ran: Ran) -> str:
    """Return why a `git apply` failed; "": it did not."""
    if ran.problem or ran.code == 0:
        return ran.problem
    for pattern, words in _SAID:
        if match := re.search(rf"^{pattern}$", ran.err, re.MULTILINE):
            return words.format(shown(match[1]), match[2])
    return "git apply failed"


def _copy(root: Path, asked: Patch, folder: Path, texts: Mapping[str, str]) -> None:
    """Put what ``asked`` touches into two folders, the one to change and the one to compare it with."""
    for name in (_WAS, _NOW):
        (folder / name).mkdir()
    old_paths = {change.old_path for change in asked.changes}
    new_paths = {change.new_path for change in asked.changes if change.is_new or change.is_rename}
    for path in asked.paths:
        try:
            content = _given(texts[path]) if path in texts else read(root, path, MOST_BYTES)
        except RefusedFileError as refused:
            if refused.reason == MISSING and path not in old_paths:
                continue
            raise RefusedDiffError(f"{shown(path)}: {refused.reason}") from None
        if path in new_paths and path not in old_paths:
            raise RefusedDiffError(f"{shown(path)}: {THERE}")
        for name in (_WAS, _NOW):
            copy = folder.joinpath(name, *parts(path))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content.data)
            copy.chmod(0o755 if content.is_executable else 0o644)


def _given(text: str) -> Content:
    return Content(text.encode("utf-8", "replace"), is_executable=False)


def _endings(folder: Path, asked: Patch, reason: str) -> str:
    """Return what to add to ``reason`` where only the ends of lines are in the way."""
    path = next((path for path in asked.paths if reason.startswith(f"{shown(path)}:")), None)
    copy = folder.joinpath(_WAS, *parts(path or ""))
    if path is None or not copy.is_file():
        return ""
    lines = [text for change in asked.changes if change.path == path for hunk in change.hunks for _, text in hunk.lines]
    in_file, in_diff = b"\r\n" in copy.read_bytes(), any(line.endswith("\r") for line in lines)
    if in_file == in_diff:
        return ""
    return f" (lines end in {'CRLF' if in_file else 'LF'} in the file, in {'CRLF' if in_diff else 'LF'} in the diff)"


def _seen(folder: Path, asked: Patch, seen: Ran) -> Checked:
    """Return what is different now."""
    if seen.problem or seen.code not in (0, 1):
        raise RefusedDiffError(seen.problem or "git could not compare the files")
    changes = parse(seen.out.decode("utf-8", "surrogateescape"))
    touched = dict.fromkeys(path for change in changes for path in _paths(change))
    if not touched:
        raise RefusedDiffError("it changes nothing")
    if hidden := [path for path in touched if path not in asked.paths]:
        raise RefusedDiffError(f"{shown(hidden[0])}: it would change too, and is not named plainly")
    if any(mode not in _FILE_MODES for change in changes for mode in change.modes):
        raise RefusedDiffError("it makes something that is no regular file")
    sources, notes = list[Source](), list[str]()
    for change in changes:
        path = _paths(change)[-1]
        notes += [f"{shown(path)} becomes executable."] * change.becomes_executable
        try:
            sources += _left(folder, path, change)
        except RefusedFileError as refused:
            notes.append(f"Left out ({refused.reason}): {shown(path)}.")
    return Checked(files=tuple(sorted(touched)), sources=tuple(sources), notes=tuple(notes))


def _left(folder: Path, path: str, change: FileChange) -> list[Source]:
    if change.is_deleted:
        return []
    text = text_of(read(folder / _NOW, path, 2 * MOST_BYTES).data)
    added = None if change.is_new else frozenset(number for number, _ in change.added)
    return [Source(path=path, text=text, added=added)]


def _paths(change: FileChange) -> list[str]:
    """Return the paths that a comparison of the two folders names, as they are below either."""
    return [path.partition("/")[2] for path in (change.old_path, change.new_path) if path]
