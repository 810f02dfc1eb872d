"""Which requests are surely well-formed: what fits a shape here is accepted by the SDK too; a doubt is a no. Pure."""

from collections.abc import Callable, KeysView, Mapping
from typing import Any, Final, cast

from seqthink.dialogue.protocol_versions import LOG_LEVEL, LOG_LEVELS, STATELESS_VERSION
from seqthink.server.jsonrpc import is_utf8_text
from seqthink.server.protocol import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY
from seqthink.server.tools import FIELD_NAMES, TOOL_NAMES

Validator = Callable[[Any], bool]

_LEVELS = 32
"""What is nested deeper is for the SDK to judge: Python's own limit lies far higher, and is not to be met here."""

_RESERVED = "io.modelcontextprotocol/"


def _object(
    required: Mapping[str, Validator], optional: Mapping[str, Validator], others: Callable[[str], bool]
) -> Validator:
    """Return the shape of an object; of keys that are neither required nor optional, ``others`` decides by name."""
    known = {**required, **optional}
    needed = required.keys()

    def fits(value: Any) -> bool:  # noqa: ANN401 - any JSON
        if not isinstance(value, dict) or not needed <= value.keys():
            return False
        for key, item in cast("dict[str, Any]", value).items():
            shape = known.get(key)
            if not (others(key) if shape is None else shape(item)):
                return False
        return True

    return fits


def _or_null(shape: Validator) -> Validator:
    return lambda value: value is None or shape(value)


def _no(_key: str) -> bool:
    return False


def _unreserved(key: str) -> bool:
    return not key.startswith(_RESERVED) and is_utf8_text(key)


def _is_token(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return type(value) is int or is_utf8_text(value)


def _is_flag(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return value is None or isinstance(value, bool)


def _is_plain(value: Any, levels: int = _LEVELS) -> bool:  # noqa: ANN401 - any JSON
    """Return whether every string in ``value`` has a UTF-8, and nothing lies deeper than ``levels``."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        return levels > 0 and all(is_utf8_text(key) and _is_plain(item, levels - 1) for key, item in items.items())
    if isinstance(value, list):
        return levels > 0 and all(_is_plain(item, levels - 1) for item in cast("list[Any]", value))
    return not isinstance(value, str) or is_utf8_text(value)


def _is_plain_object(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, dict) and _is_plain(value)


def _is_map_of_objects(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return _is_plain_object(value) and all(isinstance(item, dict) for item in value.values())


def _is_nothing_but_objects(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return _is_plain_object(value) and all(map(_is_nothing_but_objects, value.values()))


_words = _or_null(is_utf8_text)
_some_object = _or_null(_is_plain_object)

_ICON = _object({"src": is_utf8_text}, {"mimeType": _words}, _no)


def _is_list_of_icons(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, list) and all(map(_ICON, value))  # pyright: ignore[reportUnknownArgumentType] - any JSON


_CLIENT = _object(
    {"name": is_utf8_text, "version": is_utf8_text},
    {"title": _words, "description": _words, "websiteUrl": _words, "icons": _or_null(_is_list_of_icons)},
    is_utf8_text,
)
_CAPABILITIES = _object(
    {},
    {
        "experimental": _or_null(_is_map_of_objects),
        "extensions": _or_null(_is_map_of_objects),
        "roots": _or_null(_object({}, {"listChanged": _is_flag}, is_utf8_text)),
        "sampling": _or_null(_object({}, {"context": _some_object, "tools": _some_object}, is_utf8_text)),
        "elicitation": _or_null(_object({}, {"form": _some_object, "url": _some_object}, is_utf8_text)),
        "tasks": _or_null(_is_nothing_but_objects),
    },
    is_utf8_text,
)
_LEGACY_META = _or_null(_object({}, {"progressToken": _is_token}, _unreserved))
_MODERN_META = _object(
    {PROTOCOL_VERSION_KEY: lambda value: value == STATELESS_VERSION, CLIENT_CAPABILITIES_KEY: _CAPABILITIES},
    {CLIENT_INFO_KEY: _CLIENT, "progressToken": _is_token, LOG_LEVEL: LOG_LEVELS.__contains__},
    _unreserved,
)


_NONE: Final[Mapping[str, Validator]] = {}


def _tools(required: Mapping[str, Validator], optional: Mapping[str, Validator]) -> dict[str, Validator]:
    """Return the shapes that the eras share but for their envelope."""
    return {
        "tools/list": _object(required, {**optional, "cursor": _words}, is_utf8_text),
        "tools/call": _object({"name": _is_alias, **required}, {**optional, "arguments": _has_plain_keys}, _no),
    }


def _has_plain_keys(value: Any) -> bool:  # noqa: ANN401 - any JSON
    """Return whether ``value`` is an object whose keys have a UTF-8; what they mean is for the tool to judge."""
    if not isinstance(value, dict):
        return False
    keys: KeysView[Any] = cast("dict[str, Any]", value).keys()
    return keys <= FIELD_NAMES or all(map(is_utf8_text, keys))


def _is_alias(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, str) and value in TOOL_NAMES


_LEGACY_PARAMS: Final = {
    "initialize": _object(
        {"protocolVersion": is_utf8_text, "capabilities": _CAPABILITIES, "clientInfo": _CLIENT},
        {"_meta": _LEGACY_META},
        is_utf8_text,
    ),
    "ping": _object({}, {"_meta": _LEGACY_META}, is_utf8_text),
    "logging/setLevel": _object({"level": LOG_LEVELS.__contains__}, {"_meta": _LEGACY_META}, is_utf8_text),
    **_tools(_NONE, {"_meta": _LEGACY_META}),
}
_MODERN_PARAMS: Final = {
    "server/discover": _object({"_meta": _MODERN_META}, {}, is_utf8_text),
    **_tools({"_meta": _MODERN_META}, _NONE),
}


def is_well_formed(method: str, params: Mapping[str, Any], *, is_stateless: bool) -> bool:
    """Return whether a request's parameters are surely what its era asks for."""
    shape = (_MODERN_PARAMS if is_stateless else _LEGACY_PARAMS).get(method)
    return shape is not None and shape(params)
