"""The options of `seqthink tap` that say what to listen to; `seqthink config --tap` takes them, too."""

import argparse
from collections.abc import Mapping, Sequence

from seqthink.server.tap.watched_tools import WatchedTools
from seqthink.server.tools.thinking_tool import FIELD_NAMES, TOOL_NAMES


def add_tap_options(parser: argparse.ArgumentParser, prefix: str = "") -> None:
    """Add the options; ``prefix`` begins their help."""
    parser.add_argument(
        "--tool",
        action="append",
        default=[],
        type=_tool_name,
        metavar="NAME",
        help=f"{prefix}also listen to this tool (can be repeated)",
    )
    parser.add_argument(
        "--field",
        action="append",
        default=[],
        type=_field,
        metavar="THEIRS=OURS",
        help=f"{prefix}another name for a field, such as step=thoughtNumber (can be repeated)",
    )


def watched_tools(options: argparse.Namespace) -> WatchedTools:
    """Return the tools to listen to."""
    return WatchedTools(TOOL_NAMES | frozenset(options.tool), _fields(options))


def words_of(options: argparse.Namespace) -> Sequence[str]:
    """Return the options as they are given on a command line."""
    fields = (f"{theirs}={ours}" for theirs, ours in _fields(options).items())
    return [
        *(word for name in options.tool for word in ("--tool", name)),
        *(word for field in fields for word in ("--field", field)),
    ]


def _fields(options: argparse.Namespace) -> Mapping[str, str]:
    return dict(options.field)


def _tool_name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("must be the name of a tool, got nothing")
    return text


def _field(text: str) -> tuple[str, str]:
    theirs, _, ours = text.rpartition("=")
    if theirs and ours in FIELD_NAMES:
        return theirs, ours
    known = ", ".join(sorted(FIELD_NAMES))
    raise argparse.ArgumentTypeError(f"must be THEIRS=OURS, with one of ours: {known}; got {text[:100]!r}")
