"""Spelling of file names in diffs: quotes, escapes, timestamps, and the prefixes `a/` and `b/`. Pure."""

import re
from collections.abc import Sequence
from typing import Final

_TIMESTAMP = re.compile(r" \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?[-+]\d{4}|Z)?$")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_PAIR = re.compile(rf"({_QUOTED}) (.+)$|(.+) ({_QUOTED})$")
_PREFIX = re.compile(r"[abciow12]/.")


def names_in_git_header(names: str) -> tuple[str | None, str | None]:
    """Return the two names after `diff --git`, which are told apart by being equal except for their prefixes."""
    if match := _PAIR.match(names):
        return unquote_name(match[1] or match[3]), unquote_name(match[2] or match[4])
    middle = len(names) // 2
    if names[middle : middle + 1] == " " and names.count(" ") % 2:
        return names[:middle], names[middle + 1 :]
    old, _, new = names.partition(" ")
    return (old, new) if new and " " not in new else (None, None)


def name_in_file_header(header: str) -> str | None:
    """Return the name in a `---` or `+++` line; None: no file on this side."""
    header = header.rstrip("\r")
    if match := re.match(_QUOTED, header):
        return unquote_name(match[0])
    name = _TIMESTAMP.sub("", header.partition("\t")[0]) if "\t" not in header else header.partition("\t")[0]
    return None if name == "/dev/null" else name


def unquote_name(name: str) -> str:
    """Return a name without the quotes and escapes that git adds to unusual names."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    raw = name[1:-1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(_unescape, raw).decode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    return bytes([int(escape, 8) & 0xFF]) if len(escape) == 3 else _ESCAPES.get(escape, escape)


def strip_prefixes(old: str | None, new: str | None) -> tuple[str | None, str | None, int | None]:
    """Return both names without `a/` and `b/`, and the number of folders removed; None if there is no name."""
    names: Sequence[str] = [name for name in (old, new) if name]
    is_pair = len(names) == 2 and all(_PREFIX.match(name) for name in names) and names[0][0] != names[1][0]
    is_half = len(names) == 1 and names[0].startswith("b/" if new else "a/") and len(names[0]) > 2
    if is_pair or is_half:
        return old and old[2:], new and new[2:], 1
    return old, new, 0 if names else None
