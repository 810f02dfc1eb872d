"""Every key and every command that a page names exists, and a key does what the page says it does."""

import argparse
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from seqthink.cli import COMMANDS, module_name
from tests.conftest import PROJECT
from tests.support.docs.pages import Page, pages
from tui.commands import COMMANDS as VIEWER_COMMANDS
from tui.key_map import default_keys, label

PAGES = [*pages(), *(Page(PROJECT / name) for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md"))]
every_page = pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
NAMED_KEY = r"Tab|Enter|Esc|Space|Home|End|PgUp|PgDn|(?:Ctrl|Alt|Shift)\+\S+"
SUBJECT = re.compile(rf"`([A-Za-z!#-/:-@\[\]']|{NAMED_KEY})`(?: in the viewer)? [a-z]+s\b.*")
"""A sentence whose subject is a key: `s` lists …"""
OTHER_WORDS = {"i": {"fiel"}, "?": {"colu"}, "t": {"orde"}, "x": {"fold"}}
"""What else pages say of a key that the viewer's own texts do not."""
NO_KEYS = {"docs/architecture.md": {"k"}, "docs/viewer.md": {"-"}}
"""The number of a line, and the name of stdin."""
_EMPTY = {"that", "the", "and", "with", "fals", "true", "all", "app", "this"}
"""Beginnings of words that say nothing."""
FOREIGN_KEYS = {"Ctrl+O", "Ctrl+Q"}
"""Another program's, and Textual's own."""


def words_of_keys() -> dict[str, set[str]]:
    """Return for each key of the viewer the words in which the viewer itself says what it does."""
    found: dict[str, set[str]] = {}
    for command in VIEWER_COMMANDS:
        words = _words(f"{command.name} {command.action}")
        for shown in {command.hint, *(label(key) for key in default_keys(command) if "+" in key)}:
            found.setdefault(shown, set()).update(words)
        if command.help is not None:
            for key in command.help.keys.format(**ARROWS).split():
                found.setdefault(key, set()).update(_words(command.help.meaning))
    return found


def _words(text: str) -> set[str]:
    """Return the beginnings of the words that say something."""
    return {word[:4] for word in re.findall(r"[a-z]{3,}", text.lower())} - _EMPTY


def _sentences(shown: Page) -> Iterator[str]:
    for text in re.split(r"(?<=[.;:!?])\s+|\n\n|\n(?=[|*\d-])|\|", shown.prose):
        yield " ".join(text.split())


@every_page
def test_a_key_does_what_a_page_says_it_does(shown: Page) -> None:
    keys = words_of_keys()
    said = [
        (found[1], sentence)
        for sentence in _sentences(shown)
        if (found := SUBJECT.match(sentence)) and found[1] not in NO_KEYS.get(shown.name, ())
    ]

    assert [(key, sentence) for key, sentence in said if not _agrees(key, sentence, keys)] == []


def _agrees(key: str, sentence: str, keys: dict[str, set[str]]) -> bool:
    return not (keys.get(key, set()) | OTHER_WORDS.get(key, set())).isdisjoint(_words(sentence))


@every_page
def test_every_key_with_a_name_is_one_of_the_viewer_s(shown: Page) -> None:
    named = set(re.findall(rf"`({NAMED_KEY})`", shown.prose))

    assert named - FOREIGN_KEYS - words_of_keys().keys() == set()


@every_page
def test_a_list_of_commands_names_commands_only(shown: Page) -> None:
    lists = re.findall(r"`[a-z-]+`(?:(?:,|, and|, or| and| or|/)?\s+`[a-z-]+`)+", shown.prose)
    names = [re.findall("`(.+?)`", found) for found in lists]
    of_commands = [listed for listed in names if sum(name in COMMANDS for name in listed) >= 2]

    assert [name for listed in of_commands for name in listed if name not in COMMANDS] == []


@every_page
def test_every_command_line_names_a_command_and_its_own_options(shown: Page) -> None:
    lines = [*re.findall(r"`(seqthink [^`\n]+)`", shown.prose), *_command_lines(shown)]
    wrong = [line for line in lines if not _parses(line)]

    assert wrong == []


def _command_lines(shown: Page) -> Iterator[str]:
    for fence in shown.fences:
        if fence.language == "sh":
            yield from re.findall(r"(?:^|\| |&& )(seqthink [^#|&\n]+)", fence.text, re.MULTILINE)


def _parses(line: str) -> bool:
    """Return whether the first word is a command, and every option behind it one of its own."""
    _program, name, *rest = line.split()
    if name.startswith("-") or name == "help" or not re.fullmatch(r"[a-z]+", name):
        return True
    if name not in COMMANDS:
        return False
    end = rest.index("--") if "--" in rest else len(rest)
    options = {re.split(r"[=\]]", word.lstrip("["))[0] for word in rest[:end] if re.match(r"\[?--[a-z]", word)}
    return options <= _options(name)


def _options(name: str) -> set[str]:
    parser: argparse.ArgumentParser = import_module(f"seqthink.cli.{module_name(name)}").make_parser()
    return set(re.findall(r"--[a-z][a-z-]*", parser.format_help()))
