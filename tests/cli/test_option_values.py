"""Values that options take: ages, dates and times."""

import argparse
import time
from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest

from seqthink.cli import COMMANDS, module_name
from seqthink.cli.connecting.writing_options import client_named
from seqthink.cli.option_values import since
from seqthink.sources.transcripts.registry import parse_sources

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected", "heading"),
    [
        ("12h", NOW - timedelta(hours=12), "last 12 hours"),
        ("7d", NOW - timedelta(days=7), "last 7 days"),
        ("2026-11-20", datetime(2026, 11, 19, 22, tzinfo=UTC), "since 2026-11-20"),
        ("2026-11-20T09:30", datetime(2026, 11, 20, 7, 30, tzinfo=UTC), "since 2026-11-20 09:30"),
        ("2026-11-20T09:30Z", datetime(2026, 11, 20, 9, 30, tzinfo=UTC), "since 2026-11-20 09:30"),
        ("0001-01-01T00:00+05:00", datetime.min.replace(tzinfo=UTC), "since 0001-01-01"),
        ("999999999w", datetime.min.replace(tzinfo=UTC), "last 6999999993 days"),
    ],
)
def test_since_takes_ages_dates_and_local_times(
    text: str, expected: datetime, heading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "XXX-2")  # two hours ahead of UTC
    time.tzset()
    try:
        taken = since(text)
        meant = taken.time(NOW)
    finally:
        monkeypatch.undo()
        time.tzset()

    assert (meant, taken.heading) == (expected, heading)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("soon", "must be a number above 0 and h, d or w, as in 30d, or a date, as in 2026-11-20, got 'soon'"),
        ("0d", "must be a number above 0 and h, d or w, as in 30d, got '0d'"),
        ("2026-13-20", "no such date: '2026-13-20'; write it as in 2026-11-20 or 2026-11-20T09:30"),
    ],
)
def test_what_is_no_age_and_no_date_is_refused_with_both_forms(text: str, refusal: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        since(text)

    assert str(refused.value) == refusal


def test_a_client_has_the_same_names_as_a_source_and_as_a_program_to_configure() -> None:
    assert parse_sources("claude-code,Gemini-CLI") == parse_sources("claude,gemini") == {"claude", "gemini"}
    assert client_named("config", "claude") is client_named("config", "claude-code")
    assert client_named("config", "gemini") is client_named("config", "gemini-cli")


def test_every_command_with_since_takes_a_date() -> None:
    parsers = {name: import_module(f"seqthink.cli.{module_name(name)}").make_parser() for name in COMMANDS}
    kinds = {
        name: action.type
        for name, parser in parsers.items()
        for action in parser._actions
        if "--since" in action.option_strings
    }

    assert kinds == dict.fromkeys(("ship", "stats", "find", "import", "why"), since)
