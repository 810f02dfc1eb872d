"""Lets the viewer's tests wait for what happens rather than for times, and leaves out what costs them seconds."""

from functools import cache

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation

from tests.support.screens import idle
from tui.terminal.memory_tuning import GarbageScheduler


@pytest.fixture(autouse=True)
def quick_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    idle.use(monkeypatch)


@pytest.fixture(autouse=True)
def no_full_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full collection here looks through what all tests have made, not one viewer: up to some seconds each."""

    def leave_it(_scheduler: GarbageScheduler) -> None: ...

    monkeypatch.setattr(GarbageScheduler, "collect_if_due", leave_it)
    monkeypatch.setattr(GarbageScheduler, "unfreeze", leave_it)


@pytest.fixture(autouse=True)
def styles_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All viewers have the same styles, whose parsing is a twentieth of a short test."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)


_parse = Stylesheet._parse_rules  # pyright: ignore[reportPrivateUsage] - there is no public way to parse


def _parse_once(
    sheet: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    variables = frozenset(sheet._variables.items())  # pyright: ignore[reportPrivateUsage] - nor to read its variables
    return _parsed(variables, css, read_from, is_default_rules, tie_breaker, scope)


@cache
def _parsed(
    variables: frozenset[tuple[str, str]], css: str, read_from: CSSLocation, is_default: bool, order: int, scope: str
) -> list[RuleSet]:
    return _parse(Stylesheet(variables=dict(variables)), css, read_from, is_default, order, scope)
