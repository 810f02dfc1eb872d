"""What the pages of `docs/` show is so: commands run, JSON decodes, drawings are the program's, links open."""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.support.docs.pages import README, Fence, Page, drawn, pages
from tests.support.docs.proofs import lay_out, prove

every_page = pytest.mark.parametrize("shown", pages(), ids=lambda shown: shown.name)


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run commands in."""
    return lay_out(tmp_path / "desk", seqthink_home, monkeypatch)


@pytest.mark.parametrize("command", sorted({command for one in pages() for command in one.commands()}))
def test_a_command_does_what_it_is_there_for(command: str, desk: Path) -> None:
    prove(command, desk)


@every_page
def test_a_page_begins_with_a_title_and_says_in_a_sentence_what_it_is_for(shown: Page) -> None:
    title, blank, first, *_ = shown.text.split("\n")

    assert re.fullmatch(r"# \S.*", title)
    assert blank == ""
    assert re.match(r"[A-Z`]", first)


@every_page
def test_every_piece_of_json_decodes(shown: Page) -> None:
    blocks = [fence.text for fence in shown.fences if fence.language == "json"]

    assert all(isinstance(json.loads(block), dict) for block in blocks)


@pytest.mark.parametrize("shown", [*pages(), README], ids=lambda shown: shown.name)
def test_every_link_opens(shown: Page) -> None:
    dead = [link for link in shown.links if not link.startswith("https://") and not _opens(link, shown)]

    assert dead == []


def _opens(link: str, shown: Page) -> bool:
    name, _, anchor = link.partition("#")
    target = (shown.path.parent / name).resolve() if name else shown.path
    if not target.is_relative_to(PROJECT) or not target.exists():
        return False
    return not anchor or (target.suffix == ".md" and anchor in Page(target).anchors)


@every_page
def test_no_heading_stands_twice_on_a_page(shown: Page) -> None:
    assert len(shown.anchors) == len(shown.headings)


DRAWINGS = sorted({fence for one in pages() for fence in one.drawings})


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda drawing: drawing.info)
def test_a_drawing_is_what_the_program_draws(drawing: Fence) -> None:
    assert drawing.language == "text"
    assert drawing.text == drawn(drawing.info)
