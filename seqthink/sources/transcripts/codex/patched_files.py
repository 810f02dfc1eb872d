"""Which files a call of Codex edits by a patch: of the tool `apply_patch`, or of a shell that it gives a patch to.

Codex itself applies a patch that is all that a command does, and runs no shell for it.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

from seqthink.core.codex_patch import parse_patch
from seqthink.sources.transcripts.edits.recorded import RecordedEdits
from seqthink.sources.transcripts.facts import FileEdit
from seqthink.sources.transcripts.files.json_lines import decode_value
from seqthink.sources.transcripts.json_fields import as_fields, object_in, text_in

PATCH_TOOL: Final = "apply_patch"
_COMMAND_KEYS: Final = ("cmd", "command")
_MAX_CHARS: Final = 65_536
_APPLIES: Final = re.compile(
    r"\s*(?:cd\s+(\S+)\s*&&\s*)?apply_?patch\s+(?:<<-?\s*['\"]?\w+['\"]?\s*\n\s*|['\"]?)(?=\*{3} Begin)"
)
_REST: Final = re.compile(r"\s*(?:\w*|['\"])\s*")
"""What is behind a patch: the word that ends a here-document, or a quote."""
_END: Final = "*** End Patch"


def patch_summary(patch: str) -> str:
    """Return the file that a patch edits, with how many more; empty if the text is not a patch."""
    return _summary(patch, "")


def command_summary(arguments: object) -> str:
    """Return the same of a command that does nothing but apply a patch; empty for any other one."""
    command = _command(arguments)
    applied = _APPLIES.match(command[:_MAX_CHARS])
    end = command.rfind(_END)
    if applied is None or end < 0 or not _REST.fullmatch(command[end + len(_END) :]):
        return ""
    return _summary(command[applied.end() : end + len(_END)], applied[1] or "")


def patch_edits(arguments: object) -> Sequence[FileEdit]:
    """Return what a patch changes that a tool or a shell was given; ``arguments`` may be the patch, or JSON."""
    return RecordedEdits(partial(_patch_edits, arguments))


def change_edits(changes: Mapping[str, object]) -> Sequence[FileEdit]:
    """Return the changes that Codex made of a patch, by the paths of the files."""
    return RecordedEdits(partial(_change_edits, changes))


def _patch_edits(arguments: object) -> Iterator[FileEdit]:
    from seqthink.sources.transcripts.edits import parsing  # noqa: PLC0415 - few ask for an edit

    given = arguments
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        given = decode_value(arguments.encode("utf-8", "surrogatepass"))
    command = _command(given)
    applied = _APPLIES.match(command)
    if applied is not None:
        yield from parsing.patched(command[applied.end() :], applied[1] or "")
    else:
        yield from parsing.asked(PATCH_TOOL, given)


def _change_edits(changes: Mapping[str, object]) -> Iterator[FileEdit]:
    from seqthink.sources.transcripts.edits import parsing  # noqa: PLC0415 - as above

    for path, value in changes.items():
        change = as_fields(value)
        kind = text_in(change, "type") or next(iter(change), "")
        change = object_in(change, kind) or change  # older versions name the kind as a key
        content, moved_to = change.get("content"), text_in(change, "move_path") or None
        text = content if isinstance(content, str) else None
        if kind == "add":
            yield parsing.edit(path, "write", "", text, 1)
        elif kind == "delete":
            yield parsing.edit(path, "delete", text, None)
        elif diff := text_in(change, "unified_diff"):
            yield from parsing.different(diff, path, moved_to)
        elif moved_to is not None:
            yield parsing.edit(path, "move", None, None, None, moved_to)


def changed_files(changes: Mapping[str, object]) -> str:
    """Return the same of the changes that Codex made of a patch, by their paths."""
    return _named(list(changes), "")


def _command(arguments: object) -> str:
    """Return the command that a shell is called with: the last part of ``bash -lc COMMAND``."""
    if not isinstance(arguments, Mapping):
        return ""
    given = cast("Mapping[str, Any]", arguments)
    command = next((given[key] for key in _COMMAND_KEYS if given.get(key)), "")
    if isinstance(command, list):
        parts = [part for part in cast("list[Any]", command) if isinstance(part, str)]
        command = " ".join(parts) if parts[:1] == [PATCH_TOOL] else (parts or [""])[-1]
    return command if isinstance(command, str) else ""


def _summary(text: str, folder: str) -> str:
    return _named([*dict.fromkeys(file.path for file in parse_patch(text[:_MAX_CHARS]) if file.path)], folder)


def _named(paths: list[str], folder: str) -> str:
    if not paths:
        return ""
    more = f" +{len(paths) - 1}" if len(paths) > 1 else ""
    return f"{posixpath.join(folder, paths[0])}{more}"
