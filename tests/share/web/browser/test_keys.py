"""Every key of docs/web.md does in a browser what the page says, on a session's page and on the list."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.native_journal import native_journal
from tests.support.screens.browser import Page
from tests.support.web.live_site import GrowingSession, LiveSite, live_site, sound_rows, until_selected, until_text

DOC = (PROJECT / "docs" / "web.md").read_text("utf-8").split("\n## Keys\n")[1].split("\n## ")[0]


def session_keys() -> list[str]:
    """Return the keys of the table, as it names them."""
    cells = [line.split("|")[1] for line in DOC.splitlines() if line.startswith("| `")]
    keys = [key for cell in cells for key in re.findall(r"`([^`]+)`", cell)]
    assert "`0` to `9`" in DOC
    return [*(key for key in keys if not key.isdigit()), "0123456789"]


def list_keys() -> list[str]:
    [sentence] = re.findall(r"The list has (.*?)\. An exported file", DOC, re.DOTALL)
    return re.findall(r"`([^`]+)`", sentence)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("keys")) as running:
        running.session("shop", shop_api(), is_live=False)
        running.session("long", long(), is_live=False)
        running.session("revised", revised(), is_live=False)
        running.session("native", native_journal(), is_live=False)
        yield running


@pytest.fixture(autouse=True)
def quiet(site: LiveSite) -> Iterator[None]:
    """Hold that the browser complained of nothing."""
    yield
    assert site.page.complaints == [], site.page.complaints


def long() -> JournalBuilder:
    builder = JournalBuilder().session()
    for number in range(1, 101):
        builder.thought(f"step {number}.", number, 100, next=number < 100)
    return builder.end()


def revised() -> JournalBuilder:
    builder = JournalBuilder().session().thought("The pool of checkout has 40 connections, and it starves.", 1, 2)
    return builder.thought("The pool of checkout has 50 connections, and it starves.", 2, 2, revises=1).end()


# A session's page


def next_row(site: LiveSite) -> None:
    page = site.show("shop", after="#e3")
    until_selected(page, "Layers: CDN")
    for down, up in (("j", "k"), ("ArrowDown", "ArrowUp")):
        page.press(down)
        until_selected(page, "Hypotheses")
        page.press(*[down] * 3)
        until_selected(page, "It holds 40")
        page.press(*[up] * 4)
        until_selected(page, "Layers: CDN")
        page.press(up)
        until_selected(page, "Symptoms")
        page.press(*[up] * 3, down)
        until_selected(page, "Layers: CDN")  # the first row has none above it


def next_page(site: LiveSite) -> None:
    page = site.show("long", after="#e51")
    until_selected(page, "step 50.")
    rows = page.ask("Math.ceil(document.querySelector('#rows').clientHeight / 28) + 1 - 3")
    page.press("PageDown")
    until_selected(page, f"step {50 + rows}.")
    page.press("PageUp")
    until_selected(page, "step 50.")
    page.press("PageUp")
    until_selected(page, f"step {50 - rows}.")


def an_end(site: LiveSite) -> None:
    page = site.show("long", after="#e51")
    until_selected(page, "step 50.")
    for start, end in (("g", "G"), ("Home", "End")):
        page.press(start)
        until_selected(page, "step 1.")
        page.press(end)
        until_selected(page, "step 100.")


def fold(site: LiveSite) -> None:
    page = site.show("shop", after="#e7")
    until_selected(page, "What runs at :00?")
    for inward, outward in (("h", "l"), ("ArrowLeft", "ArrowRight")):
        page.press(inward)
        until_selected(page, "cron-job", is_read=False)
        page.press(inward)
        page.until("document.querySelector('#rows [aria-selected=true]').getAttribute('aria-expanded') === 'false'")
        assert not [row for row in sound_rows(page) if row["text"].startswith("What runs")]
        page.press(outward)
        page.until("document.querySelector('#rows [aria-selected=true]').getAttribute('aria-expanded') === 'true'")
        page.press(outward)
        until_selected(page, "What runs at :00?")


def enter(site: LiveSite) -> None:
    page = site.show("shop", after="#e7")
    until_selected(page, "What runs at :00?")
    page.press("h")
    until_selected(page, "cron-job", is_read=False)
    page.press("Enter")
    page.until("document.querySelector('#rows [aria-selected=true]').getAttribute('aria-expanded') === 'false'")
    page.press("Enter")
    page.until("document.querySelector('#rows [aria-selected=true]').getAttribute('aria-expanded') === 'true'")
    page.press("j")
    until_selected(page, "What runs at :00?")
    page.press("Enter")
    page.until("document.activeElement.id === 'thought'")
    page.press("ArrowDown")
    until_selected(page, "What runs at :00?")  # the arrow keys move its text
    page.press("Escape")
    page.until("document.activeElement.id === 'rows'")


def follow(site: LiveSite) -> None:
    session = site.session("followed", long_live())
    page = site.show(session)
    until_selected(page, "step 5.")
    page.press("g")
    until_selected(page, "step 1.")
    page.press("f")
    until_selected(page, "step 5.")
    session.builder.thought("step 6.", 6, 100)
    session.grow()
    until_selected(page, "step 6.")


def long_live() -> JournalBuilder:
    builder = JournalBuilder().session()
    for number in range(1, 6):
        builder.thought(f"step {number}.", number, 100)
    return builder


def timeline(site: LiveSite) -> None:
    page = site.show("shop")
    page.press("t")
    page.until("document.querySelector('#timeline').getAttribute('aria-pressed') === 'true'")
    page.until("document.querySelectorAll('#rows .slot').length === 11")
    assert [row for row in sound_rows(page) if row["isOpen"] is not None] == []
    page.press("t")
    page.until("document.querySelector('#tree').getAttribute('aria-pressed') === 'true'")
    page.until("document.querySelectorAll('#rows [aria-expanded]').length === 1")


def native(site: LiveSite) -> None:
    page = site.show("native")
    until_text(page, "#rows", "Looking at the symptoms")
    page.press("v")
    page.until("!document.querySelector('#rows').textContent.includes('Looking at the symptoms')")
    page.press("v")
    until_text(page, "#rows", "Looking at the symptoms")


def files(site: LiveSite) -> None:
    page = site.show("native", after="#e4")
    page.until("!document.querySelector('#files').hidden")
    page.press("o")
    page.until("document.querySelector('dialog.changes')?.innerText.includes('A journal does not keep')")
    page.press("o")
    page.until("!document.querySelector('dialog.changes')")


def changes(site: LiveSite) -> None:
    page = site.show("revised")
    until_selected(page, "has 50 connections")
    page.press("d")
    page.until("document.querySelector('#thought ins')?.textContent === '50'")
    assert page.ask("document.querySelector('#thought del').textContent") == "40"
    page.press("d")
    page.until("document.querySelectorAll('#thought :is(ins, del)').length === 0")
    until_selected(page, "has 50 connections")


def copy(site: LiveSite) -> None:
    page = site.show("shop", after="#e4")
    until_selected(page, "Hypotheses")
    page.ask("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.press("Y")
    page.until("!!window.copied")
    assert page.ask("window.copied") == f"http://{site.web.host}/s/shop#e4"
    until_text(page, "#copy", "Copied")


def search(site: LiveSite) -> None:
    page = site.show("shop", after="#e2")
    until_selected(page, "Symptoms")
    page.press("/")
    page.until("document.activeElement.id === 'find'")
    page.press(*"is:revision")
    until_text(page, "#found", "2")
    page.press("Enter")
    until_selected(page, "Not the gateway")
    until_text(page, "#found", "1 of 2")
    assert page.ask("document.querySelectorAll('#rows .hit').length") == 2
    for key in "nN":
        page.press(key)
        until_selected(page, "Fix again")
        until_text(page, "#found", "2 of 2")
        page.press(key)
        until_selected(page, "Not the gateway")  # it goes round
        until_text(page, "#found", "1 of 2")
    page.press("n", "n", "n", "N")
    until_selected(page, "Not the gateway")


def play(site: LiveSite) -> None:
    page = site.show("shop")
    page.press(" ")
    page.until("document.querySelector('#play').getAttribute('aria-label') === 'Pause'")
    until_text(page, "#position", "1 of 11")
    page.press(" ")
    page.until("document.querySelector('#play').getAttribute('aria-label') === 'Play'")
    session = site.session("held", long_live())
    page = site.show(session)
    until_text(page, "#follow", "Following")
    page.press(" ")
    page.until("document.querySelector('#follow').textContent === 'Follow'")
    page.press(" ")
    until_text(page, "#follow", "Following")


def a_step(site: LiveSite) -> None:
    page = site.show("shop")
    page.press("5")
    until_text(page, "#position", "6 of 11")
    before = int(page.ask("time.value"))
    for key in ",.[]()":
        page.press(key)
        page.until(f"Number(time.value) {'<' if key in ',[(' else '>'} {before}")
        page.press("5")
        page.until(f"Number(time.value) === {before}")


def speed(site: LiveSite) -> None:
    page = site.show("shop")
    until_text(page, "#speed", "1×")
    speeds = ["0.25×", "0.5×", "1×", "2×", "4×", "8×", "16×"]
    place = speeds.index("1×")
    for slower, faster in ("<>", "-+"):
        for key in (*slower * (place + 1), *faster * len(speeds)):  # once more than there are speeds
            page.press(key)
            place = max(place - 1, 0) if key == slower else min(place + 1, len(speeds) - 1)
            page.until(f"document.querySelector('#speed').textContent === '{speeds[place]}'")


def tenths(site: LiveSite) -> None:
    page = site.show("long")
    for key in "0123456789":
        page.press(key)
        until_text(page, "#position", f"{int(key) * 10 + 1} of 100")
        until_selected(page, f"step {int(key) * 10 + 1}.")


def to_list(site: LiveSite) -> None:
    page = site.show("shop")
    page.press("s")
    page.until("document.body?.dataset.page === 'list' && document.querySelectorAll('a.one').length > 0")


def show_help(page: Page, key: str) -> None:
    page.press(key)
    page.until("!!document.querySelector('dialog[open]')")
    until_text(page, "dialog", "Keys and signs")
    page.press(key)
    page.until("!document.querySelector('dialog[open]')")


def signs(site: LiveSite) -> None:
    show_help(site.show("shop"), "?")


def out(site: LiveSite) -> None:
    page = site.show("revised")
    until_selected(page, "has 50 connections")
    page.press("/", *"pool", "Enter")
    page.until("document.querySelectorAll('#rows .hit').length > 0")
    page.press("d")
    page.until("document.querySelectorAll('#thought :is(ins, del)').length > 0")
    page.press("Escape")
    page.until("document.querySelectorAll('#thought :is(ins, del)').length === 0")
    assert page.ask("document.querySelector('#find').value") == "pool"
    page.press("Escape")
    page.until("document.querySelector('#find').value === '' && document.querySelectorAll('#rows .hit').length === 0")
    page.press("Enter")
    page.until("document.activeElement.id === 'thought'")
    page.press("Escape")
    page.until("document.activeElement.id === 'rows'")


SESSION: dict[tuple[str, ...], Callable[[LiveSite], None]] = {
    ("j", "k", "↓", "↑"): next_row, ("PgDn", "PgUp"): next_page, ("g", "G", "Home", "End"): an_end,
    ("h", "l", "←", "→"): fold, ("Enter",): enter, ("f",): follow, ("t",): timeline, ("v",): native, ("d",): changes,
    ("o",): files,
    ("Y",): copy, ("/", "n", "N"): search, ("Space",): play, (",", ".", "[", "]", "(", ")"): a_step,
    ("<", ">", "-", "+"): speed, ("0123456789",): tenths, ("s",): to_list, ("?",): signs, ("Esc",): out,
}  # fmt: skip


def test_each_key_of_the_table_is_tested_and_the_help_names_no_other() -> None:
    assert sorted(session_keys()) == sorted(key for keys in SESSION for key in keys)
    assert sorted(list_keys()) == sorted(LIST)


TRIED_ELSEWHERE = {
    ("PgDn", "PgUp"), ("g", "G", "Home", "End"), ("h", "l", "←", "→"), ("f",), ("/", "n", "N"), ("Space",),
    (",", ".", "[", "]", "(", ")"), ("0123456789",),
}  # fmt: skip
"""Keys that test_places.py, test_rows.py and test_replay.py press as well."""


@pytest.mark.parametrize("keys", first(10, sorted(SESSION, key=lambda keys: keys in TRIED_ELSEWHERE)), ids=" ".join)
def test_keys_on_a_session_s_page(site: LiveSite, keys: tuple[str, ...]) -> None:
    SESSION[keys](site)


def test_a_key_that_is_typed_into_the_search_is_only_a_letter(site: LiveSite) -> None:
    page = site.show("shop", after="#e3")
    until_selected(page, "Layers: CDN")

    page.press("/", *"jkgst? 5")

    page.until("document.querySelector('#find').value === 'jkgst? 5'")
    until_selected(page, "Layers: CDN")
    assert page.ask("document.querySelector('dialog[open]')") is None


# The list


@pytest.fixture(scope="module")
def thinks(site: LiveSite) -> GrowingSession:
    """Write a session that waits for an answer, and give one that thinks."""
    now = datetime.fromtimestamp(time.time() - 30, UTC)
    asks = JournalBuilder(now).session(cwd="/home/ana/asks").thought("May I?", 1, 2)
    site.session("asks", asks.asking())
    return site.session("thinks", JournalBuilder(now).session(cwd="/home/ana/thinks").thought("Let me see", 1, 9))


BELOW = "getAttribute('href')?.replace(document.body.dataset.prefix, '')"
FOCUSED = f"document.activeElement.{BELOW}"
SECTION_OF = "document.querySelector(`a.one[href$='/s/${key}']`)?.closest('section')"
GROUP_OF = f"((key) => {SECTION_OF}?.querySelector('h2').firstChild.data)"
WORDS = ("the pool is full", "who holds it", "the report job", "forty of fifty", "cap it at ten", "release on cancel")
HREFS = f"[...document.querySelectorAll('a.one')].map((one) => one.{BELOW})"


def row_of_list(page: Page, key: str) -> None:
    links: list[str] = page.ask(HREFS)
    page.press("j", "j", key)
    page.until(f"{FOCUSED} === '{links[2 if key == 'j' else 0]}'")


def end_of_list(page: Page, key: str) -> None:
    links: list[str] = page.ask(HREFS)
    page.press("j", "j", key)
    page.until(f"{FOCUSED} === '{links[0 if key == 'g' else -1]}'")


def open_session(page: Page, key: str) -> None:
    links: list[str] = page.ask(HREFS)
    page.press("j", key)
    page.until(f"location.pathname.endsWith('{links[0]}') && document.querySelector('#thought .item') !== null")


def needing(page: Page, key: str) -> None:
    links: list[str] = page.ask(HREFS)
    until_text(page, "#sessions h2", "needs you")
    page.press("G", key)
    page.until(f"{FOCUSED} === '{links[0]}'")


def filtered(page: Page, key: str) -> None:
    page.press(key)
    page.until("document.activeElement.id === 'find'")
    page.press(*"failed lookups")
    page.until(f"{HREFS}.join() === '/s/shop#e5'")
    page.press("Enter")
    page.until(f"{FOCUSED} === '/s/shop#e5'")
    page.press("Enter")
    until_selected(page, "DNS is fine")


LIST: dict[str, Callable[[Page, str], Any]] = {
    "j": row_of_list, "k": row_of_list, "g": end_of_list, "G": end_of_list, "Enter": open_session, "!": needing,
    "/": filtered, "?": show_help,
}  # fmt: skip


@pytest.mark.parametrize("key", first(5, sorted(list_keys(), key=["j", "Enter", "!", "/", "?", "k", "g", "G"].index)))
def test_a_key_on_the_list(site: LiveSite, thinks: GrowingSession, key: str) -> None:
    # Without news it would be silent, and in another place, when the tests before this one took long.
    number, pause = thinks.builder.seq, time.time() - thinks.builder.now.timestamp()
    thinks.builder.thought(f"Key {key}: {WORDS[number % len(WORDS)]}", number, 99, after=pause - 1)
    thinks.grow()
    page = site.show_list()
    page.until(
        f"{GROUP_OF}('asks') === 'needs you' && {GROUP_OF}('thinks') === 'going on'"
    )  # they keep their places now

    LIST[key](page, key)


@pytest.mark.deep  # the search field of a session's page is tried always
def test_a_press_on_the_list_s_search_field_types_what_it_is(site: LiveSite) -> None:
    page = site.show_list()

    page.press("/", *"j?!")

    page.until("document.querySelector('#find').value === 'j?!'")
    assert page.ask("document.querySelector('dialog[open]')") is None
