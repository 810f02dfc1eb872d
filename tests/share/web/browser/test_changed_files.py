"""What calls changed in files, on the page: by ``o``, and by a click."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.support.screens.browser import Page, browser
from tests.support.transcripts.recorded import lay_out
from tests.support.web.command import running_web

_ROWS: Final = "document.getElementById('rows')?.innerText"
_PAGE: Final = "document.querySelector('dialog.changes')"
_SELECTED: Final = "document.querySelector('#rows [aria-selected=true]')?.innerText"
WRITTEN, EDITED = "Write report.py", "Edit report.py"
"""How the rows begin of what was done in the recorded session."""


@pytest.fixture
def page(tmp_path: Path) -> Generator[Page]:
    """Open a recorded session of Claude Code that wrote and edited a file, at its first row."""
    home = lay_out("claude/writing", tmp_path / "home")
    (tmp_path / "runtime").mkdir()
    environ = {"HOME": str(home), "SEQTHINK_HOME": str(tmp_path / "ours"), "XDG_RUNTIME_DIR": str(tmp_path / "runtime")}
    with running_web("--sources", "claude", environ=environ) as web, browser(tmp_path / "browser") as page:
        page.visit(web.url)
        page.until("document.querySelector('a.one') !== null")
        page.visit(page.ask("document.querySelector('a.one').href"))
        page.until(f"{_ROWS}?.includes({json.dumps(EDITED)})")
        page.press("g")
        page.until(f"{_SELECTED}?.includes('Report the 502s')")
        yield page
        assert page.complaints == []


def go_to(page: Page, words: str) -> None:
    """Go down to the row with these words, and wait for its card."""
    for _ in range(8):
        if words in (page.ask(_SELECTED) or ""):
            break
        before = page.ask(_SELECTED)
        page.press("j")
        page.until(f"{_SELECTED} !== {json.dumps(before)}")
    page.until(f"document.getElementById('thought').innerText.includes({json.dumps(words.split(maxsplit=1)[0])})")
    page.until("!document.getElementById('files').hidden")


def test_o_shows_each_change_and_closes_it_again(page: Page) -> None:
    go_to(page, EDITED)
    page.press("o")
    page.until(f"{_PAGE}?.innerText.includes('nothing was changed')")

    added = page.ask(f"[...{_PAGE}.querySelectorAll('.added code')].map((one) => one.textContent)")
    assert added == ["    pool.open()", "pool.close()"]
    assert "+1 -2" in page.ask(f"{_PAGE}.querySelector('summary').innerText")
    page.press("o")
    page.until(f"!{_PAGE}")


def test_a_click_shows_them_too(page: Page) -> None:
    go_to(page, WRITTEN)
    page.click("#files")
    page.until(f"{_PAGE}?.innerText.includes('new file')")

    assert page.ask(f"{_PAGE}.querySelectorAll('.added').length") == 12
