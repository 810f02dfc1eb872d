"""The fenced code blocks of the pages in docs/, by language and by the file name that may follow it."""

import re
from typing import NamedTuple

from tests.conftest import PROJECT

_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<name>\S+))?\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


class DocBlock(NamedTuple):
    """One block."""

    language: str
    name: str
    """What follows the language, else nothing."""
    code: str


def doc_blocks(page: str) -> list[DocBlock]:
    """Return the blocks of a page, named from the project's folder, in order."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    return [DocBlock(found["language"], found["name"] or "", found["code"]) for found in _BLOCK.finditer(text)]
