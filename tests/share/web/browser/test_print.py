"""What a browser prints: of a session the selected thought, of an exported file everything; dark on white."""

import base64
import re
from collections.abc import Iterator

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import Page
from tests.support.web.live_scenes import LiveScenes
from tests.support.web.live_site import LiveSite, live_site

LINES = 300
SEEN = """[...document.querySelectorAll(SELECTOR)].filter(
  (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
).map((one) => one.id || one.className)"""
CUT = """[...document.querySelectorAll("#thought, #thought *")].filter((one) => one.namespaceURI.endsWith("xhtml")
  && getComputedStyle(one).overflowX !== "visible" && one.checkVisibility()
  && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)).map((one) => one.outerHTML)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("site")) as opened:
        long = "\n\n".join(f"Line {number} of a long thought" for number in range(LINES))
        builder = JournalBuilder().session().thought("A short thought", 1, 2).thought(long, 2, 2, next=False)
        opened.session("long", builder.end(), is_live=False)
        yield opened


def seen(page: Page, selector: str) -> list[str]:
    return page.ask(SEEN.replace("SELECTOR", repr(selector)))


def printed_pages(page: Page, width_inches: float = 8.27) -> int:
    """Return how many pages a page is when it is printed."""
    data = base64.b64decode(page.call("Page.printToPDF", paperWidth=width_inches, paperHeight=11.7)["data"])
    assert data.startswith(b"%PDF-")
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", data))


@pytest.mark.parametrize("dark", first(1, [True, False]), ids=["dark", "light"])
@pytest.mark.parametrize("name", first(1, ["thought with everything", "replay", "rows at 390 pixels", "changes"]))
def test_a_session_is_printed_as_its_selected_thought(scenes: LiveScenes, name: str, dark: bool) -> None:
    page = scenes.open(name, dark=dark, media="print")

    assert seen(page, "button, input, #rows, .transport, #chart, .banner, .skip, #news") == []
    assert seen(page, "#name, #facts, #thought") == ["name", "facts", "thought"]
    assert page.ask("document.querySelector('#thought').textContent.trim().length") > 0
    assert page.ask(CUT) == []
    assert page.ask("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.ask("getComputedStyle(document.querySelector('#thought .item')).color") == "rgb(31, 36, 48)"


def test_links_are_seen_on_paper(scenes: LiveScenes) -> None:
    page = scenes.open("thought with everything", media="print")
    links = "[...document.querySelectorAll('#thought .link, #thought .head a')]"
    lines = f"{links}.map((one) => getComputedStyle(one).textDecorationLine)"

    assert {*page.ask(lines)} == {"underline"}
    assert "https://example.org/x" in page.ask("document.querySelector('#thought .address').textContent")


@pytest.mark.parametrize("width_inches", first(1, [8.27, 4.1]))
def test_a_long_thought_takes_as_many_pages_as_it_needs(site: LiveSite, width_inches: float) -> None:
    page = site.show("long", after="#e2")
    short = printed_pages(page, width_inches)
    page = site.show("long", after="#e3")
    page.until(f"document.querySelector('#thought').textContent.includes('Line {LINES - 1} ')")
    long = printed_pages(page, width_inches)

    assert short == 1
    assert long >= 5


def test_an_exported_file_is_printed_whole(scenes: LiveScenes) -> None:
    page = scenes.open("exported file", media="print", dark=True)
    page.ask("dispatchEvent(new Event('beforeprint'))")

    assert (
        page.ask("[...document.querySelectorAll('main .item .prose')].filter((one) => !one.checkVisibility()).length")
        == 0
    )
    assert seen(page, "button, input") == []
    assert page.ask("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert printed_pages(page) >= 2
