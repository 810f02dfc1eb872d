"""Recognises whole texts in data formats: JSON, YAML, TOML and INI. Pure."""

import json
import re
from typing import Final

_MAX_LINE_CHARS: Final = 300
_MAX_VALUE_CHARS: Final = 40
_YAML_KEY = re.compile(r"\s*+(?>(?:- )*)(?P<key>[\w.\"'/$-]+):(?: (?P<value>.*))?$|\s*- (?P<item>.*)$")
_PLAIN_KEY = re.compile(r"[a-z_.\"'/$][\w.\"'/$-]*$|[A-Z][A-Z_0-9]+$|(?:[A-Z][a-z]+){2,3}$")
_YAML_NEST = re.compile(r"^(?P<blank> *)[\w.\"'/-]+:\n(?P=blank)(?:  +[\w.\"'/-]+:(?: .*)?$| *- )", re.MULTILINE)
_EXACT_VALUE = re.compile(
    r"-?\d[\d.]*(?:ms|s|m|h|[KMG]i?B?)?$|(?:true|false|null|yes|no|on|off)$|[\"'\[{&*|>$!].*|\S*[\w.-][:/@][\w/.*-]\S*$|\S*\w[._=]\w\S*$"
    r"|v\d+$|(?:[a-z-]+ )?(?:\S+/)?\S*[-.]\S+$"
)
_SECTION = re.compile(r"\[\[?[A-Za-z][\w.\" -]*\]\]?\s*$")
_SETTING = re.compile(r"[\w.\"-]+\s?=\s?\S.*$")
_ENTRY_WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")


def is_data(text: str) -> bool:
    """Return whether ``text`` is JSON, YAML, TOML or INI rather than notes of a similar form."""
    return is_json(text) or is_settings(text) or is_sure_yaml(text)


def is_json(text: str) -> bool:
    """Return whether ``text`` is a JSON object or a list of objects; a list of numbers may also be prose."""
    text = text.strip()
    if not re.match(r"\{\s*\"|\[\s*\{\s*\"", text) or text[-1] not in "]}":
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def is_yaml(text: str) -> bool:
    """Return whether ``text``, known to be code, has the form of YAML."""
    lines = _content_lines(text)
    keys = sum(bool(match and match["key"]) for line in lines if (match := _YAML_KEY.match(line)))
    return len(lines) >= 3 and keys * 3 >= len(lines) * 2 and bool(_YAML_NEST.search(text))


def is_sure_yaml(text: str) -> bool:
    """Return whether ``text`` is YAML: notes also have keys and indentation, but words for values."""
    if ":\n" not in text:
        return False
    matches = [_YAML_KEY.match(line) for line in _content_lines(text)]
    if len(matches) < 2 or not all(matches) or not _YAML_NEST.search(text):
        return False
    found = [match for match in matches if match]
    if not all(_PLAIN_KEY.match(match["key"]) for match in found if match["key"]):
        return False
    values = [value for match in found if (value := (match["value"] or match["item"] or "").strip())]
    if any(_ENTRY_WORDS.search(value) and value[0] not in "\"'[{|>" for value in values):
        return False
    if len({len(match[0]) - len(match[0].lstrip(" -")) for match in found}) > 2 or found[0][0].startswith("- "):
        return True
    exact = sum(bool(_EXACT_VALUE.match(value[:_MAX_VALUE_CHARS])) for value in values)
    return exact * 2 >= len(values) and exact > 0


def is_settings(text: str) -> bool:
    """Return whether ``text`` is a section of TOML or INI: a name in brackets, then settings."""
    lines = _content_lines(text)
    if len(lines) < 2 or not _SECTION.match(lines[0]):
        return False
    return all(_SECTION.match(line) or _SETTING.match(line) for line in lines)


def _content_lines(text: str) -> list[str]:
    """Return the lines of ``text`` that are neither blank nor a comment, cut."""
    lines = [line[:_MAX_LINE_CHARS].rstrip() for line in text.split("\n")]
    return [line for line in lines if line and not line.lstrip().startswith(("#", ";"))]
