"""Every page that a comment or docstring cites is in the repository, and has the headings that are quoted.

A citation is a file with its folder, then headings in quotes, such as ``docs/…, "One" and "Two"``. Fixtures may name
what files they like: in Python only comments and docstrings are read.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import PROJECT
from tests.support.docs.pages import Page

FOLDERS = ("seqthink", "tui", "tests")
OTHER_FILES = ("Makefile", "pyproject.toml", ".ci/run", ".ci/requirements.txt")
DATA = {"clean", "defects", "journals", "__snapshots__"}
"""Folders of tests whose files are material, not code."""

_PAGE = r"(?<![\w./-])((?:[\w.-]+/)*[\w-][\w.-]*\.md)\b"
_HEADINGS = r'(?:(?:\'s)?,? (?:and )?"[^"]+")*'
_CITATION = re.compile(f"{_PAGE}({_HEADINGS})")
_LOOSE_END = re.compile(rf"{_PAGE}(?:'s)?,? (?:\(\w\)|\"\(|(?:section|part|promises?) \d)")
"""A place that is not a heading: ``(f)``, ``promise 4``."""


_ELSEWHERE = re.compile(
    r"(?<!docs/)\b(?:screens|journal|server|viewer|tools|audit|dialogue|glossary|gan-audit|context-tags|lenient-input"
    r"|mcp-message-alignment|sequential-thinking-manual)\.md\b"
)
"""A page as it is called without its folder, or as it was called elsewhere: in no string either."""


LINKING = {Path(__file__), PROJECT / "tests/support/docs/reference.py"}
"""This module, and the one that writes pages of `docs/`, whose links begin in that folder."""


class Comment(NamedTuple):
    """A comment or docstring, in one line: where it begins, and what it says."""

    place: str
    text: str


def faults(comment: Comment) -> list[str]:
    """Return what is wrong with the citations of a comment."""
    found = [f"{comment.place}: {match[0]}" for match in _LOOSE_END.finditer(comment.text)]
    for name, quoted in _CITATION.findall(comment.text):
        known = _headings(name)
        if known is None:
            found.append(f"{comment.place}: {name} is not there")
        else:
            missing = [heading for heading in re.findall(r'"([^"]+)"', quoted) if heading not in known]
            found += [f'{comment.place}: {name} has no heading "{heading}"' for heading in missing]
    return found


@cache
def _headings(name: str) -> frozenset[str] | None:
    path = PROJECT / name
    return frozenset(Page(path).headings) if path.is_file() else None


def comments_of(path: Path) -> Iterator[Comment]:
    """Yield the comments and docstrings of a Python file, of any other each line; none where no page is named."""
    text, name = path.read_text(encoding="utf-8"), path.relative_to(PROJECT).as_posix()
    if ".md" not in text:  # four files of five: no citation, and nothing to take apart
        return
    found = _python(text) if path.suffix == ".py" else enumerate(text.splitlines(), 1)
    for line, words in found:
        yield Comment(f"{name}:{line}", " ".join(words.split()))


def _python(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    block, last = list[tokenize.TokenInfo](), -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1 and block:
                yield _joined(block)
                block = []
            block.append(token)
            last = token.start[0]
    if block:
        yield _joined(block)


def _joined(block: list[tokenize.TokenInfo]) -> tuple[int, str]:
    return block[0].start[0], " ".join(token.string.lstrip("# ") for token in block)


def cited_in() -> list[Path]:
    """Return every file whose citations have to open."""
    sources = [path for folder in FOLDERS for path in sorted((PROJECT / folder).rglob("*.py"))]
    others = [PROJECT / name for name in OTHER_FILES]
    return [*(path for path in sources if not DATA & set(path.parts)), *(path for path in others if path.is_file())]


@pytest.mark.slow  # all pages are looked up
def test_every_citation_opens() -> None:
    own = Path(__file__)
    comments = [comment for path in cited_in() if path != own for comment in comments_of(path)]

    assert sum('docs/journal.md, "' in comment.text for comment in comments) > 3
    assert [fault for comment in comments for fault in faults(comment)] == []


def test_no_page_is_named_without_its_folder() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in cited_in() if path not in LINKING}

    assert [
        f"{path.relative_to(PROJECT)}: {name}" for path, text in texts.items() for name in _ELSEWHERE.findall(text)
    ] == []


@pytest.mark.parametrize(
    "text",
    [
        "The list (screens.md, (f)).",
        "One writer (journal.md, promise 4).",
        "As server.md says.",
        'See docs/journal.md, "No such heading".',
        'See docs/journal.md, "Lines" and "No such heading".',
        "One writer (docs/journal.md, promise 4).",
        'The list (docs/screens.md, "(f)").',
        "See docs/no-such-page.md.",
        "See ../elsewhere/lines.md.",
        "See reference/gan-audit.md, part 2.",
    ],
)
def test_a_citation_that_does_not_open_is_found(text: str) -> None:
    assert faults(Comment("x.py:1", text)) != []


@pytest.mark.parametrize(
    "text",
    [
        'The list (docs/screens.md, "Sessions").',
        'See docs/journal.md, "Lines" and "Lanes".',
        'The order is docs/journal.md\'s, "Lanes".',
        "All of docs/tools.md, and README.md.",
        "An ending such as .md is none.",
    ],
)
def test_a_citation_that_opens_is_none_to_complain_of(text: str) -> None:
    assert faults(Comment("x.py:1", text)) == []


def test_names_of_files_in_fixtures_are_no_citations() -> None:
    source = '"""See docs/a.md."""\nNAME = "out.md"  # written to\n# docs/b.md,\n# "C"\n'

    assert list(_python(source)) == [(1, "See docs/a.md."), (2, 'written to docs/b.md, "C"')]
