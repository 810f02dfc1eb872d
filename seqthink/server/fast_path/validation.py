"""Validates the requests of the fast path. Pure.

A request that passes is one that the SDK accepts too, once `VersionRouter` has made an object of arguments that came as
a string. Whatever is in doubt does not pass; the SDK then decides.
"""

from collections.abc import Callable, KeysView, Mapping
from typing import Any, Final, cast

from seqthink.dialogue.protocol_versions import LOG_LEVEL_KEY, LOG_LEVELS, STATELESS_VERSION
from seqthink.server.tools.thinking_tool import FIELD_NAMES, TOOL_NAMES
from seqthink.server.wire.jsonrpc import is_utf8_text
from seqthink.server.wire.meta_keys import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY

Validator = Callable[[Any], bool]
"""Returns whether a JSON value has the expected form."""

_MAX_DEPTH = 32
"""Deeper values do not pass: far below Python's own recursion limit."""

_RESERVED_PREFIX = "io.modelcontextprotocol/"


def _object_validator(
    required: Mapping[str, Validator], optional: Mapping[str, Validator], accepts_other_key: Callable[[str], bool]
) -> Validator:
    """Return a validator for objects; ``accepts_other_key`` decides about keys that are not listed."""
    known = {**required, **optional}
    needed = required.keys()

    def fits(value: Any) -> bool:  # noqa: ANN401 - any JSON
        if not isinstance(value, dict) or not needed <= value.keys():
            return False
        for key, item in cast("dict[str, Any]", value).items():
            validator = known.get(key)
            if not (accepts_other_key(key) if validator is None else validator(item)):
                return False
        return True

    return fits


def _or_null(validator: Validator) -> Validator:
    return lambda value: value is None or validator(value)


def _no_key(_key: str) -> bool:
    return False


def _is_unreserved(key: str) -> bool:
    return not key.startswith(_RESERVED_PREFIX) and is_utf8_text(key)


def _is_token(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return type(value) is int or is_utf8_text(value)


def _is_flag(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return value is None or isinstance(value, bool)


def _is_utf8_json(value: Any, levels: int = _MAX_DEPTH) -> bool:  # noqa: ANN401 - any JSON
    """Return whether all strings in ``value`` can be encoded as UTF-8, and nothing is nested deeper than ``levels``."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        return levels > 0 and all(is_utf8_text(key) and _is_utf8_json(item, levels - 1) for key, item in items.items())
    if isinstance(value, list):
        return levels > 0 and all(_is_utf8_json(item, levels - 1) for item in cast("list[Any]", value))
    return not isinstance(value, str) or is_utf8_text(value)


def _is_utf8_object(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, dict) and _is_utf8_json(value)


def _is_map_of_objects(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return _is_utf8_object(value) and all(isinstance(item, dict) for item in value.values())


def _is_map_of_texts(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return _is_utf8_object(value) and all(isinstance(item, str) for item in value.values())


def _is_tree_of_objects(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return _is_utf8_object(value) and all(map(_is_tree_of_objects, value.values()))


_optional_text = _or_null(is_utf8_text)
_optional_object = _or_null(_is_utf8_object)

_ICON = _object_validator({"src": is_utf8_text}, {"mimeType": _optional_text}, _no_key)


def _is_list_of_icons(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, list) and all(map(_ICON, value))  # pyright: ignore[reportUnknownArgumentType] - any JSON


_CLIENT = _object_validator(
    {"name": is_utf8_text, "version": is_utf8_text},
    {
        "title": _optional_text,
        "description": _optional_text,
        "websiteUrl": _optional_text,
        "icons": _or_null(_is_list_of_icons),
    },
    is_utf8_text,
)
_CAPABILITIES = _object_validator(
    {},
    {
        "experimental": _or_null(_is_map_of_objects),
        "extensions": _or_null(_is_map_of_objects),
        "roots": _or_null(_object_validator({}, {"listChanged": _is_flag}, is_utf8_text)),
        "sampling": _or_null(
            _object_validator({}, {"context": _optional_object, "tools": _optional_object}, is_utf8_text)
        ),
        "elicitation": _or_null(
            _object_validator({}, {"form": _optional_object, "url": _optional_object}, is_utf8_text)
        ),
        "tasks": _or_null(_is_tree_of_objects),
    },
    is_utf8_text,
)
_HANDSHAKE_META = _or_null(_object_validator({}, {"progressToken": _is_token}, _is_unreserved))
_STATELESS_META = _object_validator(
    {PROTOCOL_VERSION_KEY: lambda value: value == STATELESS_VERSION, CLIENT_CAPABILITIES_KEY: _CAPABILITIES},
    {CLIENT_INFO_KEY: _CLIENT, "progressToken": _is_token, LOG_LEVEL_KEY: LOG_LEVELS.__contains__},
    _is_unreserved,
)


_NO_FIELDS: Final[Mapping[str, Validator]] = {}


def _request_validators(required: Mapping[str, Validator], optional: Mapping[str, Validator]) -> dict[str, Validator]:
    """Return the validators of what both kinds of version have: they differ in ``required`` and ``optional`` fields."""
    listing = _object_validator(required, {**optional, "cursor": _optional_text}, is_utf8_text)
    return {
        "tools/list": listing,
        "prompts/list": listing,
        "prompts/get": _object_validator(
            {"name": is_utf8_text, **required}, {**optional, "arguments": _is_map_of_texts}, _no_key
        ),
        "tools/call": _object_validator(
            {"name": _is_tool_name, **required}, {**optional, "arguments": _are_arguments}, _no_key
        ),
    }


def _are_arguments(value: Any) -> bool:  # noqa: ANN401 - any JSON
    """Return whether ``value`` is an object whose keys can be encoded as UTF-8, or a string that holds one as JSON.

    The tool checks the rest.
    """
    if not isinstance(value, dict):
        from seqthink.core.arguments import InvalidArguments, read_arguments  # noqa: PLC0415 - with the first call

        given = read_arguments(value)
        if isinstance(given, InvalidArguments):
            return False
        value = given.fields
    keys: KeysView[str] = cast("dict[str, Any]", value).keys()
    return keys <= FIELD_NAMES or all(map(is_utf8_text, keys))


def _is_tool_name(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, str) and value in TOOL_NAMES


_HANDSHAKE_PARAMS: Final = {
    "initialize": _object_validator(
        {"protocolVersion": is_utf8_text, "capabilities": _CAPABILITIES, "clientInfo": _CLIENT},
        {"_meta": _HANDSHAKE_META},
        is_utf8_text,
    ),
    "ping": _object_validator({}, {"_meta": _HANDSHAKE_META}, is_utf8_text),
    "logging/setLevel": _object_validator({"level": LOG_LEVELS.__contains__}, {"_meta": _HANDSHAKE_META}, is_utf8_text),
    **_request_validators(_NO_FIELDS, {"_meta": _HANDSHAKE_META}),
}
_STATELESS_PARAMS: Final = {
    "server/discover": _object_validator({"_meta": _STATELESS_META}, {}, is_utf8_text),
    **_request_validators({"_meta": _STATELESS_META}, _NO_FIELDS),
}


def is_well_formed(method: str, params: Mapping[str, Any], *, is_stateless: bool) -> bool:
    """Return whether a request's parameters are surely valid for its kind of version."""
    validator = (_STATELESS_PARAMS if is_stateless else _HANDSHAKE_PARAMS).get(method)
    return validator is not None and validator(params)
