"""A page in place of one that there is not: a sentence, a way on, and the same headers."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.depth import first
from tests.support.journals.build import shop_api
from tests.support.screens.browser import browser
from tests.support.screens.payloads import PAGE_PAYLOADS
from tests.support.web.command import RunningWeb
from tests.support.web.live_site import serving
from tests.support.web.running import CLOSE, PageServer

PAGE = "text/html,application/xhtml+xml,*/*;q=0.8"
REFUSED = {
    "unknown": "/s/nothing",
    "up": "/s/../../etc/passwd",
    "up, encoded": "/s/%2e%2e",
    "up, with a slash": "/s/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "NUL": "/s/shop%00",
    "no UTF-8": "/s/%ff%fe",
    "long": "/s/" + "a" * 8_000,
    "markup": "/s/" + quote(PAGE_PAYLOADS["end of style"], safe=""),
    "no address of ours": "/nothing",
    "no answer of ours": "/s/shop/nothing",
}


class Site(PageServer):
    """A running `seqthink web`, asked in raw bytes."""

    def __init__(self, web: RunningWeb) -> None:
        self.web = web
        self.port = int(web.host.rpartition(":")[2])
        self.token = web.new_link().rpartition("=")[2]
        self.prefix = self.cookie = ""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("sessions")
    shop_api().write(folder / "shop.jsonl")
    with serving(folder) as web:
        running = Site(web)
        running.enter()
        yield running


@pytest.mark.parametrize("kind", first(4, REFUSED))
def test_a_browser_gets_a_small_page_that_leads_to_all_sessions(site: Site, kind: str) -> None:
    answer = site.get(REFUSED[kind], f"Accept: {PAGE}")
    text = answer.body.decode()

    assert (answer.status, answer.is_safe) == (404, True)
    assert answer.header("content-type") == "text/html; charset=utf-8"
    assert text.startswith("<!doctype html>")
    assert "<h1>Not Found</h1>" in text
    assert f'<a class="link" href="{site.prefix}/">All sessions</a>' in text
    assert not {"root:", "<script", "Traceback", "7752"} & {
        word for word in ("root:", "<script", "Traceback", "7752") if word in text
    }
    assert len(text) < 1_000


@pytest.mark.parametrize("kind", ["no address of ours", "no answer of ours"])
def test_the_script_gets_the_sentence_alone(site: Site, kind: str) -> None:
    answer = site.get(REFUSED[kind], "Accept: application/json")

    assert (answer.status, answer.body) == (404, b'{"error":"there is nothing at this address"}')


def test_a_key_that_is_too_long_for_any_address_is_refused_at_the_door(site: Site) -> None:
    answer = site.get("/s/" + "a" * 9_000, f"Accept: {PAGE}")

    assert (answer.status, answer.is_safe) == (414, True)
    assert b"<p>This address is too long." in answer.body


STRANGERS = {
    "not let in": ("/", 401, "Open the link that seqthink printed."),
    "a used link": ("/?t=used", 403, "This link was used already"),
    "another page": ("/", 403, "This request comes from another page."),
    "another name": ("/", 421, "This server does not answer under this name."),
}


@pytest.mark.parametrize("kind", STRANGERS)
def test_a_refusal_at_the_door_says_what_to_do(site: Site, kind: str) -> None:
    path, status, sentence = STRANGERS[kind]
    headers = [f"Accept: {PAGE}", CLOSE] + (["Sec-Fetch-Site: cross-site"] if kind == "another page" else [])
    (cookie, site.cookie), (prefix, site.prefix) = (site.cookie, ""), (site.prefix, "")
    try:
        answer = site.send(site.request(path, *headers, host="evil.example" if kind == "another name" else None))
    finally:
        site.cookie, site.prefix = cookie, prefix
    text = answer.body.decode()

    assert (answer.status, answer.is_safe) == (status, True)
    assert "<main>\n<h1>" in text
    assert f"<p>{sentence}" in text
    assert "seqthink printed" in text or "Press Enter where seqthink runs" in text
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == text.count("<script") == (kind in {"not let in", "a used link"})
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"script-src 'self' 'sha256-{digest}';" in answer.header("content-security-policy")
    assert not [word for word in ("<style", "<link", "src=") if word in text]


@pytest.mark.deep  # a browser of its own; the page and its link are tried always
def test_in_a_browser_the_page_has_the_style_and_its_link_leads_to_the_list(site: Site, tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        site.web.new_link()
        site.web.let_in(page)
        page.complaints.clear()

        page.visit(f"{site.web.base}/s/nothing")

        assert page.ask("document.title") == "Not Found · seqthink"
        assert page.ask("document.querySelector('main p').textContent") == "There is no such session."
        assert page.ask("getComputedStyle(document.body).fontSize") == "15px"
        page.click("main a")
        page.until(f"location.pathname === '{site.prefix}/' && !!document.querySelector('.one')")
        assert [one for one in page.complaints if "404" not in one] == []
