"""A server that goes and comes back, and journals that go or are replaced: the page says so, and goes on."""

import re
import signal
from pathlib import Path

import pytest

from tests.support.fleet.redis_server import free_port
from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import Page, browser
from tests.support.web.live_site import (
    GrowingSession,
    LiveSite,
    serving,
    sound_rows,
    until_selected,
    until_text,
)


def thoughts(first: int, stop: int, word: str = "thought") -> JournalBuilder:
    builder = JournalBuilder().session()
    for number in range(first, stop):
        builder.thought(f"{word} {number}.", number, 99)
    return builder


def banner_says(page: Page, pattern: str) -> None:
    page.until("!document.querySelector('#banner').hidden")
    page.until(f"new RegExp({pattern!r}).test(document.querySelector('#banner').textContent)")


def complaints_but_of_old_thoughts(page: Page) -> list[str]:
    """Return the complaints, but those of what was asked for as the journal was replaced, which has no such thought."""
    return [text for text in page.complaints if "404" not in text]


def test_a_killed_server_is_named_and_with_the_link_of_the_next_one_the_page_goes_on(tmp_path: Path) -> None:
    sessions, port = tmp_path / "sessions", str(free_port())
    sessions.mkdir()
    session = GrowingSession(sessions / "shop.jsonl", thoughts(1, 6))
    with browser(tmp_path / "browser") as page:
        with serving(sessions, "--port", port) as web:
            web.let_in(page)
            page.visit(f"{web.base}/s/shop", 1440)
            until_selected(page, "thought 5.")
            assert page.complaints == []
            page.ask("window.isTheSame = true")
            web.process.kill()
            web.process.wait()
            banner_says(page, "^The server is gone since [0-2][0-9]:[0-5][0-9]\\. ")
        session.builder.thought("thought 6.", 6, 99)
        session.grow()
        page.press("k")
        page.until("document.querySelector('#rows [aria-selected=true]').textContent.includes('thought 4.')")
        page.press("f")

        with serving(sessions, "--port", port) as web:
            banner_says(page, "^The server was started again, or this page's cookie is gone: ")
            # the link, in another tab of the same browser
            page.call("Target.createTarget", url=web.url, background=True)
            page.until("document.querySelector('#banner').hidden")
            until_selected(page, "thought 6.")
            session.builder.thought("thought 7.", 7, 99)
            session.grow()
            until_selected(page, "thought 7.")
            texts = [row["text"].strip() for row in sound_rows(page) if row["id"].startswith("row-t")]
            assert texts == [f"thought {number}." for number in range(1, 8)]
            assert page.ask("window.isTheSame")
    assert [text for text in page.complaints if not re.search(r"net::ERR_|\b40[13]\b", text)] == []


@pytest.mark.deep  # one that was killed is tried always
def test_a_server_that_does_not_answer_is_gone_until_it_does(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    thoughts(1, 6).write(sessions / "shop.jsonl")
    with browser(tmp_path / "browser") as page, serving(sessions) as web:
        web.let_in(page)
        page.visit(f"{web.base}/s/shop", 1440)
        until_selected(page, "thought 5.")
        web.process.send_signal(signal.SIGSTOP)
        try:
            page.press("k")
            banner_says(page, "^The server is gone since ")
        finally:
            web.process.send_signal(signal.SIGCONT)
        page.until("document.querySelector('#banner').hidden")
        page.press("k")
        until_selected(page, "thought 3.")


def test_a_journal_that_is_deleted_is_gone_and_what_was_shown_stays(site: LiveSite) -> None:
    session = site.session("deleted", thoughts(1, 6))
    page = site.show(session)
    until_selected(page, "thought 5.")

    session.path.unlink()

    banner_says(page, "^The journal is gone\\. ")
    until_selected(page, "thought 5.")
    assert len([row for row in sound_rows(page) if row["id"].startswith("row-t")]) == 5
    page.press("k", "k")
    until_selected(page, "thought 3.")
    page.press(",")
    until_text(page, "#position", "4 of 5")
    page.press("f")
    until_selected(page, "thought 5.")
    banner_says(page, "^The journal is gone\\. ")
    assert page.complaints == []


def test_a_journal_that_is_replaced_is_shown_again_and_followed(site: LiveSite) -> None:
    session = site.session("replaced", thoughts(1, 60, "old"))
    page = site.show(session)
    until_selected(page, "old 59.")
    page.press("g")
    until_selected(page, "old 1.")
    other = thoughts(1, 4, "new").write(site.folder / "other.tmp")

    other.replace(session.path)

    until_selected(page, "new 3.")
    assert "old" not in page.ask("document.querySelector('#rows').textContent")
    until_text(page, "#position", "3 thoughts")
    with session.path.open("ab") as file:
        file.write(b"".join(thoughts(1, 5, "new").lines[4:]))
    until_selected(page, "new 4.")
    assert complaints_but_of_old_thoughts(page) == []


@pytest.mark.deep  # that a journal is gone, or replaced, is tried always
def test_a_journal_that_comes_back_takes_the_words_about_it_away(site: LiveSite) -> None:
    session = site.session("returns", thoughts(1, 4, "old"))
    page = site.show(session)
    until_selected(page, "old 3.")
    session.path.unlink()
    banner_says(page, "^The journal is gone\\. ")

    thoughts(1, 3, "new").write(session.path)

    until_selected(page, "new 2.")
    page.until("document.querySelector('#banner').hidden")
    assert complaints_but_of_old_thoughts(page) == []


@pytest.mark.deep  # that a journal is gone, or replaced, is tried always
def test_a_replacement_while_it_is_replayed_ends_the_replay(site: LiveSite) -> None:
    session = site.session("played", thoughts(1, 30, "old"))
    page = site.show(session)
    page.press("5", " ")
    until_text(page, "#position", "of 29")

    thoughts(1, 4, "new").write(site.folder / "more.tmp").replace(session.path)

    until_selected(page, "new 3.")
    until_text(page, "#position", "3 thoughts")
    assert page.ask("document.querySelector('#play').getAttribute('aria-label')") == "Play"
    assert complaints_but_of_old_thoughts(page) == []


def test_a_session_without_a_thought_waits_for_it(site: LiveSite) -> None:
    session = site.session("empty", JournalBuilder().session())
    page = site.show(session, is_empty=True)
    until_text(page, "#empty", "No thoughts yet")

    session.builder.thought("the first.", 1, 3)
    session.grow()

    until_selected(page, "the first.")
    page.until("document.querySelector('#empty').hidden")
    assert page.complaints == []
