"""Hostile texts in every field of the live page: they are shown, and nothing comes of them."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from seqthink.core.events import RejectedEvent, ThoughtEvent
from seqthink.share.export.html_templates import resource
from seqthink.share.export.node_trees import ELEMENTS, SVG_ELEMENTS
from tests.support.depth import first, sized
from tests.support.journals.build import JournalBuilder
from tests.support.journals.exports import HOSTILE, hostile, invisible_chars
from tests.support.screens.browser import Page
from tests.support.web.live_site import LiveSite, live_site

OWN_TAGS = {
    "html", "head", "meta", "title", "link", "script", "body", "a", "header", "h1", "h2", "p", "b", "div", "input",
    "kbd", "output", "button", "main", "noscript", "svg", "path", "circle", "text", "section", "span", "article",
    "figure", "figcaption", "footer", "i", "mark", "pre",
}  # fmt: skip
"""What the template and the script make, beside what the table allows."""
OWN_ATTRIBUTES = {
    "lang", "charset", "name", "content", "rel", "defer", "data-page", "data-prefix", "data-session", "data-keys",
    "data-seq", "class", "id", "href", "hidden", "role", "type", "placeholder", "autocomplete", "spellcheck", "title",
    "tabindex", "style", "min", "max", "step", "value", "width", "height", "viewBox", "d", "x", "y", "cx", "cy", "r",
    "text-anchor", "disabled", "data-seen",
}  # fmt: skip
SOURCES = {("link", "href"): "/page.css", ("script", "src"): "/page.js"}
"""Addresses below the path of the server."""

# Everything of a page: what it is made of, and the texts that a reader or a screen reader gets.
CONTENT = """(() => {
  const elements = [...document.querySelectorAll("*")];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  return {
    tags: [...new Set(elements.map((one) => one.localName))],
    attributes: elements.flatMap((one) => [...one.attributes].map(({ name, value }) => [one.localName, name, value])),
    texts,
  };
})()"""


def assert_inert(page: Page, base: str, *, is_asked: bool = False) -> str:
    """Assert that a page is of what is ours, asked only the server, and complains of nothing; return its texts."""
    content: dict[str, Any] = page.ask(CONTENT)
    names = {name for _, name, _ in content["attributes"]}
    allowed = {name for names in ELEMENTS.values() for name in names}
    texts = "\n".join([*content["texts"], *(value for _, name, value in content["attributes"] if name != "d")])

    assert {*content["tags"]} <= OWN_TAGS | {*ELEMENTS}
    assert {name for name in names if not name.startswith("aria-")} - OWN_ATTRIBUTES - allowed <= {"src"}
    for tag, name, value in content["attributes"]:
        if name in {"href", "src"}:
            own, place = SOURCES.get((tag, name)), value.removeprefix(urlsplit(base).path)
            list_of_some = r"/\?(repo|by)=[A-Za-z0-9._~!*'()%+=&-]*"
            anywhere = rf"#[a-z]+\d*|/|{list_of_some}|/s/[A-Za-z0-9._~!*'()%-]*(#e\d+)?"
            leads = own == place if own else re.fullmatch(anywhere, place)
            assert leads, value
        if name == "style":
            assert re.fullmatch(r"(?!.*url)[a-zA-Z0-9():;%., -]*", value), value
    assert invisible_chars(texts) <= {"\n"}
    assert {url for url in page.requests if not url.startswith((f"{base}/", "about:blank"))} == set()
    assert [words for words in page.complaints if not (is_asked and "404" in words)] == []
    return texts


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("site")) as opened:
        opened.session("hostile", hostile(), is_live=False)
        for number, text in enumerate(HOSTILE.values()):
            builder = JournalBuilder().session(title=text, client=text, cwd=f"/home/{text}", host=text)
            builder.thought(text, 1, 2).asking(message=text)
            opened.session(f"asks{number}", builder)
            (opened.folder / _file_name(text, number)).write_bytes(
                JournalBuilder().session(client=text).thought(f"word {text} word", 1, 1).end(error=text).data
            )
        opened.page.requests.clear()
        yield opened


def _file_name(text: str, number: int) -> str:
    """Return a file name that has as much of a text as a file name can."""
    fit = text.replace("/", "_").replace("\0", "_").encode("utf-8", "replace")[:180].decode("utf-8", "ignore")
    return f"{number}{fit}.jsonl"


def test_the_table_of_the_script_is_that_of_the_node_trees(site: LiveSite) -> None:
    script = str(resource("page.js"))
    [table] = re.findall(r"const ELEMENTS = Object\.assign\(Object\.create\(null\), (\{.*?\})\);", script, re.DOTALL)
    [drawn] = re.findall(r"const DRAWN = new Set\((\[.*?\])\);", script)
    found: dict[str, str] = site.page.ask(f"({table})")

    assert {tag: names.split() for tag, names in found.items()} == {tag: [*names] for tag, names in ELEMENTS.items()}
    assert {*json.loads(drawn)} == SVG_ELEMENTS


def test_the_list_shows_hostile_names_folders_questions_and_first_thoughts(site: LiveSite) -> None:
    page = site.show_list()
    page.until(f"document.querySelectorAll('a.one').length > {len(HOSTILE)}")
    shown = assert_inert(page, site.web.base)

    # what has no file name that a journal may have is not listed, the rest is
    assert len({number for number in range(7701, 7769) if str(number) in shown}) > 35


def test_words_typed_into_the_filter_are_only_looked_for(site: LiveSite) -> None:
    page = site.show_list()
    for words in map(_typed, sized([*HOSTILE.values()][::8], [*HOSTILE.values()])):
        page.ask(_CLEAR)
        page.until("!document.querySelector('#sessions').textContent.includes('in the texts')")
        page.call("Input.insertText", text=words)
        page.until("document.querySelector('#sessions').textContent.includes('in the texts')")
        page.until("!document.querySelector('#sessions section:last-of-type h2 span')?.textContent.includes('…')")

        assert_inert(page, site.web.base)


_CLEAR = """(() => {
  const field = document.querySelector("#find");
  field.focus();
  field.value = "";
  field.dispatchEvent(new Event("input"));
})()"""


def _typed(text: str) -> str:
    """Return a text without what cannot be typed into a field: half a character, and a line break at an end."""
    return text.encode("utf-8", "replace").decode().strip() or "x"


def test_hits_in_all_texts_are_shown_as_they_are_elsewhere(site: LiveSite) -> None:
    page = site.show_list()
    page.ask("document.querySelector('#find').focus()")
    page.call("Input.insertText", text="word")
    page.until("document.querySelectorAll('.hit-text').length > 30")

    assert_inert(page, site.web.base)


@pytest.mark.parametrize("view", first(1, ["tree", "timeline"]))
def test_every_row_of_a_hostile_session_is_inert(site: LiveSite, view: str) -> None:
    page = site.show("hostile")
    page.click(f"#{view}")
    page.until(f"document.querySelector('#{view}').ariaPressed === 'true'")
    page.until("document.querySelectorAll('#rows .row').length > 5")
    seen = ""
    while True:
        page.until("document.querySelectorAll('#rows .wait').length === 0")
        seen += assert_inert(page, site.web.base)
        if page.ask(_SCROLL_ON):
            break

    assert {number for number in range(7750, 7769) if str(number) not in seen} == set()


_SCROLL_ON = """new Promise((done) => {
  const rows = document.querySelector("#rows"), before = rows.scrollTop;
  rows.scrollTop += rows.clientHeight;
  requestAnimationFrame(() => requestAnimationFrame(() => done(rows.scrollTop === before)));
})"""


@pytest.mark.parametrize("kind", first(1, ["thoughts", "markdown and changes", "refused calls"]))
def test_every_hostile_thought_is_inert(site: LiveSite, kind: str) -> None:
    page = site.show("hostile")
    seen = ""
    for seq in _seqs(kind):
        page.ask(f"document.querySelector('#thought').firstElementChild.dataset.seen = ''; location.hash = '#e{seq}'")
        _wait_for_another(page)
        if kind == "markdown and changes":
            page.ask("document.querySelector('#thought').firstElementChild.dataset.seen = ''")
            page.press("d")
            _wait_for_another(page)
        seen += assert_inert(page, site.web.base)

    assert {number for number in range(7750, 7769) if str(number) not in seen} == set()


def _wait_for_another(page: Page) -> None:
    page.until("document.querySelector('#thought > .item:not([data-seen])') !== null")


def _seqs(kind: str) -> list[int]:
    """Return the entries of a kind in the hostile session."""
    events = hostile().events
    match kind:
        case "thoughts":
            return [one.seq for one in events if isinstance(one, ThoughtEvent) and one.toolUseId is not None]
        case "markdown and changes":
            return [one.seq for one in events if isinstance(one, ThoughtEvent) and one.revisesThought is not None]
        case _:
            return [one.seq for one in events if isinstance(one, RejectedEvent)]


HASHES = [
    "#e<script>alert(1)</script>", "#e1' onload='alert(1)", "#e" + "9" * 400, "#e-1", "#e1e9", "#thought",
    "#javascript:1",
    "#%3Cimg%20src=x%3E", "#t\u202e1", "#e0",
]  # fmt: skip


@pytest.mark.parametrize("place", first(1, HASHES))
def test_a_hostile_place_in_an_address_leads_nowhere(site: LiveSite, place: str) -> None:
    page = site.show("asks0", after=place)

    assert_inert(page, site.web.base, is_asked=True)


@pytest.mark.parametrize("number", first(1, range(len(HOSTILE))), ids=[*HOSTILE])
def test_a_session_with_a_hostile_name_and_its_search_are_inert(site: LiveSite, number: int) -> None:
    page = site.show(f"asks{number}")
    page.until("document.querySelector('#name').textContent !== ''")
    page.ask("document.querySelector('#find').focus()")
    page.call("Input.insertText", text=_typed([*HOSTILE.values()][number]))
    page.press("Enter")
    page.until("document.activeElement.id === 'rows'")

    assert_inert(page, site.web.base)


def test_what_the_journals_are_called_leads_to_their_pages(site: LiveSite) -> None:
    page = site.show_list()
    links: list[str] = page.ask("[...document.querySelectorAll('a.one')].map((one) => one.getAttribute('href'))")
    odd = [link for link in links if "%" in link]

    assert odd
    for link in sized(odd[::8], odd):
        site.show(link.partition("/s/")[2])
        assert_inert(page, site.web.base)


def test_a_session_whose_query_is_hostile_is_shown_without_it(site: LiveSite) -> None:
    page = site.show("asks0", after="?q=%3Cscript%3Ealert(1)%3C/script%3E&t2=%E2%80%AE")

    assert "alert(1)" not in page.ask("document.body.textContent")
    assert_inert(page, site.web.base)


def test_an_element_or_attribute_that_is_not_in_the_table_is_only_its_text(site: LiveSite) -> None:
    script = str(resource("page.js"))
    start, stop = script.index("  const ELEMENTS"), script.index("  // Words that were searched for")
    built = site.page.ask(
        '(() => { const SVG = "http://www.w3.org/2000/svg";' + script[start:stop] + "return ["
        '["script", {}, "alert(1)"], ["p", { onclick: "alert(1)", style: "x", class: "a" }, "text"], '
        '["a", { href: "javascript:alert(1)" }, "x"], ["a", { href: "#t1" }, "y"], ["__proto__", {}, "z"], '
        '["constructor", {}, "c"], ["img", { src: "x" }], ["p", { class: ["b"] }, 1, null]'
        "].map((node) => { const element = build(node); return element.outerHTML ?? element.data; }); })()"
    )

    assert built == [
        "alert(1)", '<p class="a">text</p>', "<a>x</a>", '<a href="#t1">y</a>', "z", "c", "", "<p>1null</p>",
    ]  # fmt: skip
