"""How a diff spells the names of files: quotes, escapes, time stamps, and the prefixes `a/` and `b/`. Pure."""

import re
from collections.abc import Sequence
from typing import Final

_TIMESTAMP = re.compile(r" \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?[-+]\d{4}|Z)?$")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_PAIR = re.compile(rf"({_QUOTED}) (.+)$|(.+) ({_QUOTED})$")
_PREFIX = re.compile(r"[abciow12]/.")


def names_in_git_header(rest: str) -> tuple[str | None, str | None]:
    """Return the two names after `diff --git`; they are told apart by being the same but for their prefixes."""
    if quoted := _PAIR.match(rest):
        return unquote_name(quoted[1] or quoted[3]), unquote_name(quoted[2] or quoted[4])
    middle = len(rest) // 2
    if rest[middle : middle + 1] == " " and rest.count(" ") % 2:
        return rest[:middle], rest[middle + 1 :]
    old, _, new = rest.partition(" ")
    return (old, new) if new and " " not in new else (None, None)


def name_in_file_header(header: str) -> str | None:
    """Return the name in a `---` or `+++` line; None: no file on this side."""
    header = header.rstrip("\r")
    if quoted := re.match(_QUOTED, header):
        return unquote_name(quoted[0])
    name = _TIMESTAMP.sub("", header.partition("\t")[0]) if "\t" not in header else header.partition("\t")[0]
    return None if name == "/dev/null" else name


def unquote_name(name: str) -> str:
    """Return a name without the quotes and escapes that git writes around unusual ones."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    raw = name[1:-1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(_unescape, raw).decode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    return bytes([int(escape, 8) & 0xFF]) if len(escape) == 3 else _ESCAPES.get(escape, escape)


def strip_prefixes(old: str | None, new: str | None) -> tuple[str | None, str | None, int | None]:
    """Return the names without `a/` and `b/`, and how many folders were taken off; None: nobody knows."""
    given: Sequence[str] = [name for name in (old, new) if name]
    is_pair = len(given) == 2 and all(_PREFIX.match(name) for name in given) and given[0][0] != given[1][0]
    is_half = len(given) == 1 and given[0].startswith("b/" if new else "a/") and len(given[0]) > 2
    if is_pair or is_half:
        return old and old[2:], new and new[2:], 1
    return old, new, 0 if given else None
