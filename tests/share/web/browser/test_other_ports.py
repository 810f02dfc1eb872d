"""Servers of other users on other ports, which the reader's browser visits, too: they get nothing that opens a page."""

import json
import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import Page, browser
from tests.support.web.live_site import LiveSite, until_text

SECRET = "the secret of this session"
OTHER_USER = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else os.geteuid()
"""Only root can start a program of another user; a browser does not know whose a port is."""


class Hostile:
    """A running `hostile_server`."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.port: int = self._next()

    def _next(self) -> Any:  # noqa: ANN401 - any JSON value
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def attack(self, port: int) -> dict[str, Any]:
        """Try all that was heard on a port; return that, and the answers."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{port}\n")
        self._process.stdin.flush()
        return self._next()


@pytest.fixture
def hostile() -> Iterator[Hostile]:
    command = [sys.executable, "-m", "tests.support.web.hostile_server", str(OTHER_USER)]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            yield Hostile(process)
        finally:
            process.kill()


def show_secret(site: LiveSite) -> None:
    site.show(site.session("shop", JournalBuilder().session().thought(SECRET, 1, 2), is_live=False))
    until_text(site.page, "#thought", SECRET)


def port_of(site: LiveSite) -> int:
    return int(site.web.host.rpartition(":")[2])


def assert_nothing_got(site: LiveSite, hostile: Hostile) -> dict[str, Any]:
    """Assert that all that a hostile server heard opens nothing, and that it heard neither the path nor the cookie."""
    got = hostile.attack(port_of(site))
    prefix = site.web.prefix.strip("/")
    [cookie] = [one["value"] for one in site.page.call("Network.getAllCookies")["cookies"] if prefix in one["path"]]

    assert got["uid"] == OTHER_USER
    assert got["heard"]
    assert len(got["answers"]) > 10
    assert {status for status, _, _ in got["answers"]} <= {401, 403}
    for secret in (SECRET, prefix, cookie):
        assert secret not in json.dumps(got)
    return got


def hostile_url(site: LiveSite, hostile: Hostile, host: str = "127.0.0.1", name: str = "") -> str:
    """Return the address of a page that tries our port."""
    return f"http://{host}:{hostile.port}/?port={port_of(site)}&{name}"


def until_tried(page: Page, name: str = "") -> None:
    """Wait until a hostile page has tried all that it can."""
    page.until(f"document.title === 'done' && location.search.endsWith('&{name}')")


def follow_link(page: Page, url: str) -> None:
    """Leave a page as by one of its own links."""
    page.ask(f"setTimeout(() => {{ location.href = '{url}'; }}) && null")


def open_window(page: Page, url: str) -> None:
    """Open a window as a page may when the reader clicks; wait until the page does not see it any more."""
    page.call("Runtime.evaluate", expression=f"window.opened = window.open('{url}', 'name'); null", userGesture=True)
    page.until("window.opened.closed")


def test_a_server_of_another_user_on_another_port_gets_nothing_whatever_the_browser_visits(
    site: LiveSite, hostile: Hostile
) -> None:
    show_secret(site)
    page = site.page
    follow_link(page, hostile_url(site, hostile, name="link"))
    until_tried(page, "link")
    page.visit(hostile_url(site, hostile, name="typed"))
    until_tried(page, "typed")
    page.visit(hostile_url(site, hostile, "localhost", "localhost"))
    until_tried(page, "localhost")
    foreign = f"http://foreign.localhost:{hostile.port}/to?"
    page.visit(foreign + quote(hostile_url(site, hostile, name="redirect")))
    until_tried(page, "redirect")
    assert page.ask("location.host") == f"127.0.0.1:{hostile.port}"

    assert_nothing_got(site, hostile)
    site.show("shop")
    until_text(page, "#thought", SECRET)  # the reader is still in


@pytest.mark.deep  # of the ways from another port the two that read or open a page are tried always
def test_a_window_that_our_page_opened_and_one_that_opens_ours_learn_nothing(site: LiveSite, hostile: Hostile) -> None:
    show_secret(site)
    page = site.page
    open_window(page, hostile_url(site, hostile))
    page.visit(hostile_url(site, hostile, name="opener"))
    until_tried(page, "opener")
    for path in ("/", "/s/shop", "/sessions", f"{site.web.prefix}/s/shop"):
        open_window(page, f"http://{site.web.host}{path}")

    got = assert_nothing_got(site, hostile)
    assert "[object Window]" not in json.dumps(got["heard"])  # what opened it


@pytest.mark.parametrize("host", first(1, ["foreign.localhost", "127.0.0.1"]))
def test_a_page_of_another_port_or_site_neither_opens_ours_nor_uses_a_link(
    site: LiveSite, hostile: Hostile, host: str
) -> None:
    show_secret(site)
    page, link = site.page, site.web.new_link()
    for target in (link, f"{site.web.base}/s/shop", f"{site.web.base}/sessions"):
        page.visit(hostile_url(site, hostile, host))
        until_tried(page)
        follow_link(page, f"http://{host}:{hostile.port}/to?{target}")
        page.until("document.title === 'seqthink: Forbidden'")
        until_text(page, "main", "This request comes from another page.")

    site.web.let_in(page)  # the link was not used up


COOKIE_WORDS = {
    "many": "For another browser, press Enter where seqthink runs",  # ours had to make room
    "big": "Delete the cookies that this browser has for this address",
}


@pytest.mark.deep  # of the ways from another port the two that read or open a page are tried always
@pytest.mark.parametrize("kind", first(1, COOKIE_WORDS))
def test_cookies_that_another_port_sets_at_worst_make_the_page_say_what_to_do(
    site: LiveSite, hostile: Hostile, kind: str
) -> None:
    show_secret(site)
    page = site.page
    page.visit(f"http://127.0.0.1:{hostile.port}/{kind}?port={port_of(site)}&")
    until_tried(page)
    page.visit(f"{site.web.base}/s/shop")
    # A browser chooses which cookies make room for others: if ours stays, so does the reader.
    page.until(f"[{SECRET!r}, {COOKIE_WORDS[kind]!r}].some((words) => document.body?.textContent.includes(words))")

    page.call("Network.clearBrowserCookies")
    site.web.new_link()
    site.web.let_in(page)


def test_in_a_browser_that_is_in_the_used_link_and_addresses_of_an_earlier_start_lead_to_the_page(
    site: LiveSite, tmp_path: Path
) -> None:
    show_secret(site)
    outside, earlier = f"http://{site.web.host}", "/an-earlier-start-s_pfx"
    ways = [f"{outside}/s/shop#e2", f"{outside}{earlier}/s/shop#e2"]
    for way in ways:
        site.page.visit(way)
        site.page.until(f"location.href === '{site.web.base}/s/shop#e2' && document.body?.dataset.page === 'session'")
    site.page.visit(site.web.url)
    site.page.until(f"location.href === '{site.web.base}/' && document.body?.dataset.page === 'list'")

    with browser(tmp_path / "other") as other:
        for way in [*ways, f"{outside}/", site.web.url, f"{site.web.base}/s/shop"]:
            other.visit(way)
            other.until("document.title.startsWith('seqthink: ')")
            assert "ress Enter where seqthink runs" in other.ask("document.body.innerText")
