"""Words that readers stumbled over do not come back: the list is beside this module, with better ones."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PROJECT

PATTERNS = tomllib.loads((PROJECT / "tests/project/pages/wording.toml").read_text("utf-8"))["pattern"]
PAGES = [
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((PROJECT / "docs").rglob("*.md")),
]
PROGRAMS = [path for folder in ("seqthink", "tui") for path in sorted((PROJECT / folder).rglob("*.py"))]
SHOWN = [
    path for folder in ("seqthink", "tui") for end in ("js", "html") for path in (PROJECT / folder).rglob(f"*.{end}")
]
ANY = re.compile("|".join(f"(?:{pattern['words']})" for pattern in PATTERNS), re.IGNORECASE)
SENTENCE = re.compile(r"\w+ \w+")
DRAWING = re.compile(r"^```text.*?^```$", re.MULTILINE | re.DOTALL)
"""A block of a page that has an agent's words, or the program's, which are looked at where they are made."""


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(PROJECT).as_posix()}:{line}"


def without_drawings(text: str) -> str:
    """Return the text with empty lines in place of its drawings."""
    return DRAWING.sub(lambda found: "\n" * found[0].count("\n"), text)


def lines_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each line of a file but those of drawings, and where it is."""
    for number, line in enumerate(without_drawings(path.read_text("utf-8")).splitlines(), 1):
        yield place(path, number), line


def messages_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts in a module that a person may read: its strings of two words or more, without docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    documented = {
        id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if id(node) not in documented and SENTENCE.search(text):
                yield place(path, node.lineno), text
            case _:
                pass


def faults_in(texts: Iterator[tuple[str, str]]) -> list[str]:
    """Return a line for each pattern that is found: where, what, and what to write instead."""
    return [
        f"{where}: “{found[0]}”: {pattern['instead']}"
        for where, text in texts
        if ANY.search(text)
        for pattern in PATTERNS
        for found in re.finditer(pattern["words"], text, re.IGNORECASE)
        if not ("but" in pattern and is_excused(text, pattern["but"], found.end()))
    ]


def is_excused(text: str, but: str, end: int) -> bool:
    return any(excuse.end() == end for excuse in re.finditer(but, text, re.IGNORECASE))


def test_a_page_has_none_of_them() -> None:
    assert [fault for path in PAGES for fault in faults_in(lines_of(path))] == []


def test_a_message_has_none_of_them() -> None:
    assert [fault for path in PROGRAMS for fault in faults_in(messages_of(path))] == []


def test_what_a_browser_shows_has_none_of_them() -> None:
    assert [fault for path in SHOWN for fault in faults_in(lines_of(path))] == []


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern["words"])
def test_a_pattern_names_better_words_that_it_does_not_match(pattern: dict[str, str]) -> None:
    assert re.compile(pattern["words"])
    assert pattern["instead"]
    assert re.search(pattern["words"], pattern["instead"], re.IGNORECASE) is None or "but" in pattern


def test_a_drawing_is_left_out_and_the_lines_below_it_keep_their_numbers() -> None:
    text = "# Page\n\n```text\n│ told │\n```\n\nYou are told.\n"

    assert without_drawings(text).splitlines() == ["# Page", *[""] * 5, "You are told."]


def test_a_planted_word_is_found_and_an_excused_one_is_not() -> None:
    texts = iter([("a", "What lasts is told again."), ("b", "There is no engine here."), ("c", "This is no engine.")])

    assert [fault.partition(":")[0] for fault in faults_in(texts)] == ["a", "c"]
