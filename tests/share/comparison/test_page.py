"""The page of two compared sessions: read back by a parser, and opened in a browser at three widths."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.library.session_comparing import compare_sessions, read_session
from seqthink.share.comparison.page import comparison_html
from tests.share.export.test_export_html import Read
from tests.share.web.browser.test_axe import AXE, FOUND, RULES
from tests.share.web.browser.test_contrasts import FAINT
from tests.support.journals.build import JournalBuilder
from tests.support.journals.exports import HOSTILE as HOSTILE_TEXTS
from tests.support.journals.two_runs import run_that_failed, run_that_worked
from tests.support.screens.browser import Page, browser

HOSTILE = "\n".join(HOSTILE_TEXTS.values())
WIDTHS = (390, 768, 1280)


def page_of(left: JournalBuilder, right: JournalBuilder, folder: Path) -> str:
    paths = left.write(folder / "left.jsonl"), right.write(folder / "right.jsonl")
    return "".join(comparison_html(compare_sessions(*(read_session(path) for path in paths))))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "diff.html").write_text(page_of(run_that_worked(), run_that_failed(), folder), "utf-8")
    return folder / "diff.html"


def test_nothing_of_a_session_is_markup_and_nothing_may_be_loaded(tmp_path: Path) -> None:
    def hostile(title: str) -> JournalBuilder:
        builder = JournalBuilder().session(title=f"<b>{HOSTILE}{title}", client="<script>alert(1)</script>")
        builder.thought(f"<img src=x onerror=alert(1)> the pool of the gateway {title}", 1, 3)
        return builder.thought(f"<script>{title}</script>{HOSTILE}", 2, 3, branch="<i>", from_=1)

    text = page_of(hostile("one"), hostile("two"), tmp_path)
    read = Read(text)

    assert not {"script", "img", "i"} & set(read.tags)
    assert "default-src 'none'" in text
    assert "script-src" not in text
    assert not [char for char in text if ord(char) < 32 and char not in "\n"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_and_can_be_read(opened: Page, written: Path, width: int, dark: bool) -> None:
    opened.open(written, width, dark=dark)

    assert opened.ask("document.documentElement.scrollWidth <= innerWidth")
    count, faint = opened.ask(FAINT)
    assert (count > 40, faint) == (True, [])
    assert opened.complaints == []
    columns = "getComputedStyle(document.querySelector('.pair')).gridTemplateColumns.split(' ').length"
    assert opened.ask(columns) == (1 if width < 760 else 2)


@pytest.mark.skipif(not AXE.exists(), reason=f"there is no axe-core at {AXE}")
def test_axe_finds_nothing(opened: Page, written: Path) -> None:
    opened.open(written, 1280)
    opened.ask(AXE.read_text("utf-8"))

    assert opened.ask(FOUND.replace("RULES", json.dumps(RULES))) == []
