"""The options of `seqthink serve`, from the command line or the environment."""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from seqthink.cli.option_values import folder_path, whole_number
from seqthink.errors import UsageError

_DEFAULT_MAX_THOUGHT_BYTES = 16 << 20
_DEFAULT_AUDIT_SECONDS = 60.0
_MAX_SECONDS = 86_400


_count = partial(whole_number, limit=10**18)


def parse_options(arguments: list[str], environ: Mapping[str, str]) -> argparse.Namespace:
    """Return the options: from the command line, else from the environment, else the defaults.

    Raises:
        UsageError: one is invalid.
    """
    try:
        options, unknown = make_parser(environ).parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise _refusal(str(error)) from error
    if unknown:
        raise _refusal(f"unrecognized arguments: {' '.join(unknown)}")
    return options


def make_parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the defaults that the environment sets.

    Raises:
        UsageError: one of those is invalid.
    """
    parser = argparse.ArgumentParser(
        prog="seqthink serve",
        description="The MCP server: answers sequentialthinking over stdio and keeps a journal.",
        epilog="Every option can also be set in the environment: --journal-dir as SEQTHINK_JOURNAL_DIR, and so on. "
        "DISABLE_THOUGHT_LOGGING=true keeps thoughts off stderr; ENABLE_GAN_AUDITING=true audits code in thoughts.",
        allow_abbrev=False,
        exit_on_error=False,
    )

    def add(name: str, kind: Callable[[str], Any], default: object, **more: Any) -> None:  # noqa: ANN401 - argparse's own
        variable = "SEQTHINK_" + name.removeprefix("--").replace("-", "_").upper()
        parser.add_argument(name, type=kind, default=_from_environment(environ, variable, kind, default), **more)

    add(
        "--journal-dir",
        folder_path,
        None,
        metavar="D",
        help="the folder of the journals (default: SEQTHINK_HOME/sessions)",
    )
    add(
        "--resume",
        str,
        None,
        metavar="ID|last",
        help="continue a session; `last`: the newest of this working folder that no server uses, else a new one",
    )
    add("--title", str, None, metavar="T", help="a name for the session (default: the working folder's)")
    add(
        "--fsync",
        _one_of("never", "always"),
        "never",
        metavar="never|always",
        help="always: wait for the disk before each answer (default: never)",
    )
    add(
        "--journal-required",
        _switch,
        False,
        nargs="?",
        const=True,
        metavar="yes|no",
        help="refuse a thought that cannot be written at once; else it waits in memory (default: no)",
    )
    add(
        "--schema",
        _one_of("lenient", "plain"),
        "lenient",
        metavar="lenient|plain",
        help="plain: advertise no anyOf, for providers that refuse it (default: lenient)",
    )
    add(
        "--tools",
        _one_of("context"),
        None,
        metavar="context",
        help="list more tools: context adds store_context, update_context and search_context (default: none)",
    )
    add(
        "--max-thoughts",
        _count,
        0,
        metavar="N",
        help="ask the user before a chain grows longer; if they cannot be asked, tell the agent to conclude "
        "(default: no limit)",
    )
    add(
        "--max-thought-bytes",
        _count,
        _DEFAULT_MAX_THOUGHT_BYTES,
        metavar="N",
        help=f"longer thoughts are refused (default: {_DEFAULT_MAX_THOUGHT_BYTES})",
    )
    add(
        "--no-front",
        _switch,
        False,
        nargs="?",
        const=True,
        metavar="yes|no",
        help="let the MCP SDK answer everything: slower to start, the same answers (default: no)",
    )
    add(
        "--no-notes",
        _switch,
        False,
        nargs="?",
        const=True,
        metavar="yes|no",
        help="ignore the notes that the user writes in the viewer (default: no)",
    )
    add(
        "--workspace",
        _existing_folder,
        None,
        metavar="D",
        help="the folder of the code in thoughts, if the client names none (default: the working folder)",
    )
    add(
        "--audit-timeout",
        _seconds,
        _DEFAULT_AUDIT_SECONDS,
        metavar="S",
        help=f"end an audit after this many seconds, with what it has (default: {_DEFAULT_AUDIT_SECONDS:g})",
    )
    return parser


def _refusal(message: str) -> UsageError:
    return UsageError(f"serve: {message}; see `seqthink serve --help`")


def _from_environment(environ: Mapping[str, str], variable: str, kind: Callable[[str], Any], default: object) -> Any:  # noqa: ANN401 - as the option's kind has it
    text = environ.get(variable, "")
    if not text:
        return default
    try:
        return kind(text)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{variable}: {error}") from error


def _one_of(*words: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text not in words:
            raise argparse.ArgumentTypeError(f"must be {' or '.join(words)}, got {text[:100]!r}")
        return text

    return check


def _existing_folder(text: str) -> Path:
    folder = folder_path(text).expanduser()
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"must be an existing folder, got {text[:100]!r}")
    return folder


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError(
            f"must be a number of seconds above 0, at most {_MAX_SECONDS}, got {text[:100]!r}"
        )
    return seconds


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off"}:
        return False
    raise argparse.ArgumentTypeError(f"must be yes or no, got {text[:100]!r}")
