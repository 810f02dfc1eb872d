"""Options that nobody gives are read without argparse: to the same values, with the same errors."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from seqthink.cli.serve_options import ServeOptions, make_parser, parse_options
from seqthink.core.errors import UsageError

SOUND = [
    {},
    {"SEQTHINK_JOURNAL_DIR": "~/j", "SEQTHINK_RESUME": "last", "SEQTHINK_TITLE": "T"},
    {"SEQTHINK_FSYNC": "always", "SEQTHINK_JOURNAL_REQUIRED": "yes", "SEQTHINK_SCHEMA": "plain"},
    {"SEQTHINK_TOOLS": "context", "SEQTHINK_MAX_THOUGHTS": "12", "SEQTHINK_MAX_THOUGHT_BYTES": "9"},
    {"SEQTHINK_NO_FRONT": "1", "SEQTHINK_NO_NOTES": " On ", "SEQTHINK_AUDIT_TIMEOUT": "2.5", "SEQTHINK_WORKSPACE": "."},
    {"SEQTHINK_TITLE": "", "SEQTHINK_FSYNC": ""},
]
BAD = [
    {"SEQTHINK_FSYNC": "sometimes"},
    {"SEQTHINK_MAX_THOUGHTS": "0"},
    {"SEQTHINK_NO_NOTES": "maybe"},
    {"SEQTHINK_AUDIT_TIMEOUT": "nan"},
    {"SEQTHINK_WORKSPACE": "/no/such/folder"},
]


@pytest.mark.parametrize("environ", SOUND)
def test_without_arguments_the_values_are_those_of_the_parser(environ: Mapping[str, str]) -> None:
    assert parse_options([], environ) == make_parser(environ).parse_args([], ServeOptions())


@pytest.mark.parametrize("environ", BAD)
def test_without_arguments_a_bad_value_is_refused_in_the_same_words(environ: Mapping[str, str]) -> None:
    with pytest.raises(UsageError) as plain:
        parse_options([], environ)
    with pytest.raises(UsageError) as parsed:
        parse_options(["--title", "T"], environ)

    assert str(plain.value) == str(parsed.value)
    assert str(plain.value).startswith(f"{next(iter(environ))}: must be ")


def test_an_argument_counts_before_the_environment() -> None:
    options = parse_options(["--journal-dir", "here", "--no-notes"], {"SEQTHINK_JOURNAL_DIR": "there"})

    assert (options.journal_dir, options.no_notes, options.fsync) == (Path("here"), True, "never")


@pytest.mark.parametrize("arguments", [["--fsync", "x"], ["--nonsense"], ["--max-thoughts"]])
def test_a_bad_argument_is_one_line(arguments: list[str]) -> None:
    with pytest.raises(UsageError, match=r"^serve: .*; see `seqthink serve --help`$"):
        parse_options(arguments, {})
