"""What the pages of `docs/` show is so: commands run, JSON decodes, drawings are the program's, links open."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.docs import readme
from tests.support.docs.pages import README, Fence, Page, drawn, page, pages
from tests.support.docs.proofs import HUB, lay_out, prove
from tests.support.docs.reference import GENERATED

every_page = pytest.mark.parametrize("shown", pages(), ids=lambda shown: shown.name)


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run commands in."""
    return lay_out(tmp_path / "desk", seqthink_home, monkeypatch)


SHOWN_ELSEWHERE = {"seqthink demo", f"seqthink fetch last --fleet {HUB}"}
"""Commands that `tests/cli` runs as they are here: a demo, and an engine with a session."""


def _commands() -> list[ParameterSet]:
    """Return every command; where nothing changed that concerns them, one of a kind is enough for `make test`."""
    all_of_them = sorted({command for one in pages() for command in one.commands()})
    shown = {_kind(command) for command in readme.shell_commands()}  # which test_readme runs
    first = {_kind(command): command for command in reversed(all_of_them) if _kind(command) not in shown}
    wanted = {*all_of_them} if _is_changed("docs", "seqthink", "tui") else {*first.values()} - SHOWN_ELSEWHERE
    return [pytest.param(command, marks=() if command in wanted else pytest.mark.deep) for command in all_of_them]


def _kind(command: str) -> tuple[str, ...]:
    """Return the program, and what it is asked for."""
    return tuple(shlex.split(command)[:2])


def _is_changed(*folders: str) -> bool:
    """Return whether the checkout differs from its commit there; without git there is nothing to compare with."""
    git = shutil.which("git")
    if git is None or not (PROJECT / ".git").exists():
        return False
    asked = [git, "-C", str(PROJECT), "diff", "--quiet", "HEAD", "--", *folders]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("command", first(3, _commands()))
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


FEW_DRAWINGS = 10
"""How many show that a page's drawing is made as the program draws; what the program draws, the scenes hold."""


def _drawings() -> Iterator[ParameterSet]:
    """Yield every drawing; where no page and no program changed, a few are enough: the scenes hold the others."""
    drawings = sorted({fence for one in pages() for fence in one.drawings})
    changed = _is_changed("docs", "seqthink", "tui", "tests/support")
    for place, drawing in enumerate(drawings):
        is_wanted = changed or not place % -(-len(drawings) // FEW_DRAWINGS)
        yield pytest.param(drawing, id=drawing.info, marks=() if is_wanted else pytest.mark.deep)


@pytest.mark.parametrize("drawing", _drawings())
def test_a_drawing_is_what_the_program_draws(drawing: Fence) -> None:
    assert drawing.language == "text"
    assert drawing.text == drawn(drawing.info)


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_what_the_program_says(name: str) -> None:
    assert page(name).text == GENERATED[name](), "run `make docs`"
