"""The options of `seqthink serve`, from the command line or the environment.

argparse is loaded only if an option is given: most clients start the server without any, and wait for its first answer.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from seqthink.cli.option_values import bad_value, folder_path, refuse_unknown, whole_number
from seqthink.core.errors import UsageError
from seqthink.core.system import read_switch

if TYPE_CHECKING:  # see above
    import argparse
    from pathlib import Path

_DEFAULT_MAX_THOUGHT_BYTES = 16 << 20
_DEFAULT_AUDIT_SECONDS = 60.0
_MAX_SECONDS = 86_400


_count = partial(whole_number, limit=10**18)


class ServeOptions(SimpleNamespace):
    """The values of all options, by their names with underscores."""


def _one_of(*words: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text not in words:
            raise bad_value(f"must be {' or '.join(words)}, got {text[:100]!r}")
        return text

    return check


def _existing_folder(text: str) -> "Path":
    folder = folder_path(text)
    try:
        folder = folder.expanduser()
    except RuntimeError:
        raise bad_value(f"the home folder (~) is unknown; write the whole path in place of {text[:100]!r}") from None
    if not folder.is_dir():
        raise bad_value(f"must be an existing folder, got {text[:100]!r}")
    return folder


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MAX_SECONDS:
        raise bad_value(f"must be a number of seconds above 0, at most {_MAX_SECONDS}, got {text[:100]!r}")
    return seconds


def _switch(text: str) -> bool:
    switch = read_switch(text)
    if switch is None or not text.strip():
        raise bad_value(f"must be yes or no, got {text[:100]!r}")
    return switch


class _Option(NamedTuple):
    """One option; a kind of `_switch` may be named without a value."""

    name: str
    kind: Callable[[str], Any]
    """Turns its text into its value."""
    default: Any
    metavar: str
    help: str

    @property
    def key(self) -> str:
        """Its name in the values of all options."""
        return self.name.removeprefix("--").replace("-", "_")

    def value_in(self, environ: Mapping[str, str]) -> Any:  # noqa: ANN401 - as the kind has it
        """Return the value that the environment sets, else the default.

        Raises:
            UsageError: it is invalid.
        """
        variable = f"SEQTHINK_{self.key.upper()}"
        text = environ.get(variable, "")
        if not text:
            return self.default
        import argparse

        try:
            return self.kind(text)
        except argparse.ArgumentTypeError as error:
            raise UsageError(f"{variable}: {error}") from error


_OPTIONS: Final = (
    _Option(
        "--journal-dir",
        folder_path,
        None,
        "D",
        "the folder of the journals (default: SEQTHINK_HOME/sessions)",
    ),
    _Option(
        "--resume",
        str,
        None,
        "ID|last",
        "continue a session; `last`: the newest free one of this working folder, else a new one",
    ),
    _Option("--title", str, None, "T", "name the session (default: the working folder)"),
    _Option(
        "--fsync",
        _one_of("never", "always"),
        "never",
        "never|always",
        "wait for the disk before each answer (default: never)",
    ),
    _Option(
        "--journal-required",
        _switch,
        False,
        "yes|no",
        "refuse a thought that cannot be written at once (default: no: keep it in memory until it can)",
    ),
    _Option(
        "--schema",
        _one_of("lenient", "plain"),
        "lenient",
        "lenient|plain",
        "plain: no anyOf in the schema, for providers that refuse it (default: lenient)",
    ),
    _Option(
        "--tools",
        _one_of("context"),
        None,
        "context",
        "also offer store_context, update_context and search_context (default: none)",
    ),
    _Option(
        "--max-thoughts",
        _count,
        0,
        "N",
        "ask the user before a chain grows longer, or the agent to conclude if that is not possible "
        "(default: no limit)",
    ),
    _Option(
        "--max-thought-bytes",
        _count,
        _DEFAULT_MAX_THOUGHT_BYTES,
        "N",
        f"refuse longer thoughts (default: {_DEFAULT_MAX_THOUGHT_BYTES})",
    ),
    _Option(
        "--no-front",
        _switch,
        False,
        "yes|no",
        "answer everything with the MCP SDK: the same answers, a slower start (default: no)",
    ),
    _Option(
        "--no-notes",
        _switch,
        False,
        "yes|no",
        "ignore notes that the user writes in the viewer (default: no)",
    ),
    _Option(
        "--workspace",
        _existing_folder,
        None,
        "D",
        "the folder of the code in thoughts, unless the client names one (default: the working folder)",
    ),
    _Option(
        "--audit-timeout",
        _seconds,
        _DEFAULT_AUDIT_SECONDS,
        "S",
        f"end an audit after this many seconds, with the results so far (default: {_DEFAULT_AUDIT_SECONDS:g})",
    ),
)


def parse_options(arguments: list[str], environ: Mapping[str, str]) -> ServeOptions:
    """Return the options: from the command line, else from the environment, else the defaults.

    Raises:
        UsageError: one is invalid.
    """
    if not arguments:
        return ServeOptions(**{option.key: option.value_in(environ) for option in _OPTIONS})
    import argparse

    parser = make_parser(environ)
    try:
        options, unknown = parser.parse_known_args(arguments, ServeOptions())
    except argparse.ArgumentError as error:
        raise _refusal(str(error)) from error
    if unknown:
        refuse_unknown(parser, unknown)
    return options


def make_parser(environ: Mapping[str, str]) -> "argparse.ArgumentParser":
    """Return the parser of the command line, with the defaults that the environment sets.

    Raises:
        UsageError: one of those is invalid.
    """
    import argparse

    from seqthink.cli.help_page import HelpFormatter, description_of

    parser = argparse.ArgumentParser(
        prog="seqthink serve",
        description=description_of(
            "serve",
            ("seqthink serve", "seqthink serve --resume last", "seqthink serve --tools context --max-thoughts 40"),
        ),
        epilog="Your client starts the server; `seqthink config` prints its entry. Every option can also be set in the "
        "environment: --journal-dir as SEQTHINK_JOURNAL_DIR, and so on. DISABLE_THOUGHT_LOGGING=true keeps thoughts "
        "off stderr; ENABLE_GAN_AUDITING=true audits code in thoughts.",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )
    for option in _OPTIONS:
        without_value: dict[str, Any] = {"nargs": "?", "const": True} if option.kind is _switch else {}
        parser.add_argument(
            option.name,
            type=option.kind,
            default=option.value_in(environ),
            metavar=option.metavar,
            help=option.help,
            **without_value,
        )
    return parser


def _refusal(message: str) -> UsageError:
    return UsageError(f"serve: {message}; see `seqthink serve --help`")
