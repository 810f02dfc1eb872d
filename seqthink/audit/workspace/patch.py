"""Checks a diff before git applies it: size, names, modes.

The names come from `git apply`, forwards and backwards, not from our own parser: the user must be asked about exactly
the files that git would touch.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Final

from msgspec import Struct

from seqthink.audit.workspace.files import MISSING, RefusedFileError, path_parts, printable_path
from seqthink.audit.workspace.git import Git, GitResult
from seqthink.core.text import sanitize
from seqthink.core.unified_diff import FileChange, normalise_diff, parse_diff

MAX_BYTES: Final = 4 << 20
"""Of a diff, and of each file that it changes."""
MAX_FILES: Final = 100
MAX_NAME_BYTES: Final = 1024
FILE_MODES: Final = {"100644", "100755"}
ALREADY_THERE: Final = "the file already exists"
UNREADABLE: Final = "its name has characters that do not display correctly"
LONG_NAME: Final = f"its name is longer than {MAX_NAME_BYTES} bytes"
STEERS_GIT: Final = "it can control git"
TWO_NAMES: Final = "its headers name different files, but it is not a rename"
BINARY: Final = "binary diffs are not judged"
_STEERS_GIT = re.compile(r"\.git(?!ignore$|keep$|hub$|lab$|lab-ci\.yml$)\w[\w.-]*|gi\w{2,4}~\d+|\.husky", re.IGNORECASE)
_KINDS: Final = {"120": "symbolic links are not made or changed", "160": "submodules are not changed"}
_MODES = re.compile(r" (?:create|delete|mode change)(?: mode)? (\d+)(?: => (\d+))?(?: (.*))?")
_ERROR_MESSAGES: Final = (
    (r"error: patch failed: (.+):(\d+)", "{0}:{1}: the lines around the change differ from the file's"),
    (r"error: (.+): No such file or directory()", "{0}: " + MISSING),
    (r"error: (.+): already exists in working directory()", "{0}: " + ALREADY_THERE),
    (r"error: corrupt patch at line ()(\d+)", "the diff is broken at its line {1}"),
    (r"(?:error|fatal): (?:git apply: )?(.+)()", "git apply: {0}"),
)


class RefusedDiffError(Exception):
    """A diff that does not apply or must not be applied; the message says why."""


class Patch(Struct, frozen=True):
    """A diff that is safe to pass to git."""

    data: bytes
    """What git reads on stdin."""
    changes: tuple[FileChange, ...]
    prefix_depth: int
    """Folders to strip from each name, git's `-p`."""

    def arguments(self, *options: str) -> list[str]:
        """Return the arguments for git."""
        return ["apply", f"-p{self.prefix_depth}", "--whitespace=nowarn", *options, "-"]


def prepare_patch(diff: str) -> Patch:
    """Return ``diff`` ready for git.

    Raises:
        RefusedDiffError: It is not a diff, too large or malformed.
    """
    if len(diff) > MAX_BYTES:
        raise RefusedDiffError(f"the diff is larger than {MAX_BYTES >> 20} MiB")
    text = normalise_diff(diff)
    changes = parse_diff(text)
    if not changes:
        raise RefusedDiffError("it contains no diff")
    for change in changes:
        if reason := change.problem or TWO_NAMES * change.has_two_names:
            raise RefusedDiffError(f"{printable_path(change.path)}: {reason}")
    depths = {change.prefix_depth for change in changes if change.prefix_depth is not None}
    if len(depths) > 1:
        raise RefusedDiffError("some of its names begin with a/ and b/, and some do not")
    return Patch(_encode(text), tuple(changes), depths.pop() if depths else 1)


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise RefusedDiffError("it contains characters that no text file can hold") from None


async def paths_in_patch(git: Git, folder: Path, patch: Patch) -> tuple[str, ...]:
    """Return every path that git would read or write for ``patch``; no file is touched.

    That includes both sides of renames and copies: forwards git names the results, in reverse the originals.

    Raises:
        RefusedDiffError: Git cannot read the diff, or it does something that the user is never asked about.
    """
    new_names, summary = _parse_numstat(await _run(git, folder, patch, "--numstat", "--summary", "-z"))
    old_names, _ = _parse_numstat(await _run(git, folder, patch, "--reverse", "--numstat", "-z"))
    if len(new_names) > MAX_FILES:
        raise RefusedDiffError(f"the diff is larger than {MAX_FILES} files")
    paths = [checked_path(name) for name in dict.fromkeys((*new_names, *old_names))]
    renames = sum(line.startswith((" rename ", " copy ")) for line in summary)
    only_old = Counter(old_names) - Counter(new_names)
    if only_old.total() > renames:
        raise RefusedDiffError(f"{printable_path(next(iter(only_old)))}: {TWO_NAMES}")
    for line in summary:
        _refuse_odd_mode(line)
    return tuple(dict.fromkeys(paths))


async def _run(git: Git, folder: Path, patch: Patch, *options: str) -> GitResult:
    ran = await git.run(patch.arguments(*options), folder, stdin_data=patch.data)
    if reason := apply_problem(ran):
        raise RefusedDiffError(reason)
    return ran


def apply_problem(ran: GitResult) -> str:
    """Return why a `git apply` failed, or ""."""
    if ran.problem or ran.exit_code == 0:
        return ran.problem
    for pattern, template in _ERROR_MESSAGES:
        if match := re.search(rf"^{pattern}$", ran.stderr, re.MULTILINE):
            return template.format(printable_path(match[1]), match[2])
    return "git apply failed"


def _parse_numstat(ran: GitResult) -> tuple[list[str], list[str]]:
    """Return the names in the output of `git apply --numstat -z`, one per change, and the lines of its summary."""
    *records, summary = ran.stdout.decode("utf-8", "surrogateescape").split("\0")
    fields = [record.split("\t", 2) for record in records]
    for added, _, name in fields:
        if added == "-":
            raise RefusedDiffError(f"{printable_path(name)}: {BINARY}")
    return [name for _, _, name in fields], summary.split("\n")


def checked_path(name: str) -> str:
    """Return the normalised path of ``name``; it has no line break, so it cannot forge lines of the summary.

    Raises:
        RefusedDiffError: The name leads out of the workspace, cannot be shown or is one of a file that controls git.
    """
    try:
        _refuse_unsafe_name(name)
        return "/".join(path_parts(name))
    except RefusedFileError as refused:
        raise RefusedDiffError(f"{printable_path(name)}: {refused.reason}") from None


def _refuse_unsafe_name(name: str) -> None:
    """Refuse unreadable names, and names of files that control git."""
    pieces = [piece for part in path_parts(name) for piece in part.split("\\")]
    if not name.isprintable() or sanitize(name, joiners=False) != name:
        raise RefusedFileError(UNREADABLE)
    if len(name.encode()) > MAX_NAME_BYTES:
        raise RefusedFileError(LONG_NAME)
    if any(_STEERS_GIT.fullmatch(piece.partition(":")[0].rstrip(" .")) for piece in pieces):
        raise RefusedFileError(STEERS_GIT)


def _refuse_odd_mode(line: str) -> None:
    """Refuse creating, deleting or changing anything but regular files."""
    if (match := _MODES.fullmatch(line)) is None:
        return
    old_mode, new_mode, name = match.groups()
    if odd := [mode for mode in (old_mode, new_mode) if mode and mode not in FILE_MODES]:
        kind = _KINDS.get(odd[0][:3], "it creates something that is not a regular file")
        raise RefusedDiffError(f"{printable_path(name)}: {kind}" if name else kind)
