"""Nothing on the live pages overlaps, is cut off or scrolls sideways, at three widths and with texts of any kind."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.browser import Page
from tests.support.screens.payloads import PAGE_PAYLOADS, PAYLOADS
from tests.support.web.live_site import LiveSite, live_site, sound_rows, until_text

WIDTHS = (390, 1440, 900)
LONG = "a-name-that-nobody-can-break-because-it-has-no-blank-" * 4
WIDE = "目录目录目录目录目录目录目录目录目录目录目录目录目录目录目录目录目录目录目录目录"
SIGNS = "👩‍👩‍👧‍👦🧵🏳️‍🌈é́́ ﷽ 𒐫 " * 12
TEXTS = {"long": LONG, "wide": WIDE, "signs": SIGNS, "blanks": "many short words " * 60}
HUGE = 2**53 - 1

# Pairs of visible elements of one group that share more than a pixel of the window, and elements that reach out of it.
_TROUBLE = """(() => {
  const found = [];
  const boxOf = (one) => one.getBoundingClientRect();
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && boxOf(one).width > 0 && boxOf(one).height > 0;
  const name = (one) => `${one.tagName.toLowerCase()}${one.id ? `#${one.id}` : ''}.${one.getAttribute('class') ?? ''}`;
  const apart = (where, elements, parent) => {
    const shown = elements.filter(isShown);
    shown.forEach((one, index) => {
      const a = boxOf(one), outer = parent && boxOf(parent);
      if (outer && (a.left < outer.left - 1 || a.right > outer.right + 1 || a.top < outer.top - 1
        || a.bottom > outer.bottom + 1)) found.push([where, 'out', name(one)]);
      for (const other of shown.slice(index + 1)) {
        const b = boxOf(other);
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 1) found.push([where, 'overlap', name(one), name(other)]);
      }
    });
  };
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const bar = document.querySelector('.bar');
  apart('page', [...document.body.children].filter((one) => !one.matches('.quiet, .skip, script')), null);
  apart('bar', [...bar.children], bar);
  const transport = document.querySelector('.transport');
  if (transport) {
    apart('transport', [...transport.children], transport);
    apart('marks', all('#marks span'), null);
    apart('main', all('main > section'), document.querySelector('main'));
    const read = document.querySelector('.read');
    if (isShown(read)) apart('read', [...read.children], read);
    apart('about', all('.about > *'), document.querySelector('.about'));
  }
  for (const row of all('#rows .row')) apart('row', [...row.children], row);
  for (const row of all('a.one')) apart('one', [...row.children], row);
  for (const state of all('a.one .top span:not(.client)')) {
    if (state.scrollWidth > state.clientWidth + 1) found.push(['state', 'cut', state.textContent]);
  }
  for (const head of all('#thought .head, #thought .card > header')) apart('card', [...head.children], head);
  apart('thought', all('#thought article > *'), null);
  for (const one of all('#thought *, a.one *, .bar *, .transport *')) {
    if (!isShown(one) || one.closest('pre, .wide, .quiet')) continue;
    const box = boxOf(one);
    const clip = one.closest('a.one, .head, .card, article, .bar, .transport');
    const style = getComputedStyle(one);
    if (box.right > innerWidth + 1 && !all('*', clip).some((other) => other.contains(one)
      && getComputedStyle(other).overflowX !== 'visible')) found.push(['window', 'out', name(one)]);
    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth && style.overflowX === 'hidden'
      && style.textOverflow !== 'ellipsis') found.push(['cut', name(one)]);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(['page', 'sideways']);
  for (const one of all('#rows, #thought')) {
    if (one.scrollWidth > one.clientWidth + 1) found.push(['sideways', name(one), one.scrollWidth, one.clientWidth]);
  }
  return found;
})()"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("layout")) as running:
        running.session("shop", shop_api(), is_live=False)
        for name, text in TEXTS.items():
            running.session(name, filled(text))
        running.session("hostile", payloads(), is_live=False)
        running.session("asks", asks())
        running.session(
            "open",
            JournalBuilder()
            .session(title="some-long-name-of-a-repository-for-phones", host=None, pid=None)
            .thought("Go on", 1, 3),
            is_live=False,
        )
        yield running


@pytest.fixture(autouse=True)
def quiet(site: LiveSite) -> Iterator[None]:
    """Hold that the browser complained of nothing."""
    yield
    assert site.page.complaints == [], site.page.complaints


def filled(text: str) -> JournalBuilder:
    """Return a session now that has a text in each place where one can be."""
    now = datetime.fromtimestamp(time.time() - 3600, UTC)
    builder = JournalBuilder(now).session(client=text, cwd=f"/home/ana/{text[:80]}", title=text)
    builder.thought(text, 1, 3).thought(f"# {text}\n\n{text}", 2, HUGE, after=90_000)
    builder.audit(verdict="revise", score=7, summary=text, comments=[(text, 999_999, text)], dimensions={text: 7})
    builder.note(text).context(text, tags=[text, text]).rejected(text)
    builder.thought(text, 1, HUGE, branch=text, from_=1).thought(f"```\n{text}\n```\n\n| {text} | {text} |\n|-|-|", 2)
    builder.thought(text, HUGE - 1, HUGE, revises=2).thought(text, HUGE, HUGE, revises=1)
    return builder.asking(kind="elicit")


def asks() -> JournalBuilder:
    """Return a plain session now, whose client asks a long question, and whose newest words are long, too."""
    builder = (
        JournalBuilder(datetime.fromtimestamp(time.time(), UTC))
        .session(source="claude")
        .event("prompt", {"text": "Deploy it", "id": "p"})
    )
    builder.event("remark", {"text": "One migration is pending. " * 4 + "It is the last.", "id": "m"})
    builder.event("action", {"tool": "Bash", "summary": "make deploy", "call": "c"})
    question = (
        "allow Bash docker compose -f deploy/compose.yml run --rm web bin/rails db:migrate && rm -rf tmp/cache, now?"
    )
    return builder.asking(purpose="permission", message=question)


def payloads() -> JournalBuilder:
    builder = JournalBuilder().session()
    for number, text in enumerate([*PAYLOADS.values(), *PAGE_PAYLOADS.values()], 1):
        builder.thought(text.encode("utf-8", "replace").decode("utf-8"), number, 99)
    return builder


def is_tidy(page: Page) -> None:
    assert page.ask(_TROUBLE) == []


@pytest.mark.parametrize("width", first(1, WIDTHS))
@pytest.mark.parametrize("key", first(1, ["hostile", "shop", *TEXTS]))
def test_a_session_s_page_is_tidy(site: LiveSite, key: str, width: int) -> None:
    page = site.show(key, width)
    until_text(page, "#position", "thoughts")
    sound_rows(page)
    is_tidy(page)

    page.press("t")
    page.until("document.querySelectorAll('#rows [aria-expanded]').length === 0")
    sound_rows(page)
    is_tidy(page)
    page.press("g", "Enter")
    page.until("document.body.classList.contains('reading')")
    page.until("document.getAnimations().every((one) => one.playState === 'finished')")
    is_tidy(page)
    page.press("Escape", "3")
    until_text(page, "#position", " of ")
    sound_rows(page)
    is_tidy(page)


_SHOWS = """((selector, words) => {
  const range = document.createRange(), box = document.querySelector(selector);
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const from = texts.currentNode.data.indexOf(words);
    if (from < 0) continue;
    range.setStart(texts.currentNode, from);
    range.setEnd(texts.currentNode, from + words.length);
    const { left, right, top, bottom } = range.getBoundingClientRect(), outer = box.getBoundingClientRect();
    return left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom;
  }
  return false;
})"""


@pytest.mark.parametrize("width", first(1, WIDTHS))
def test_a_question_and_the_newest_words_are_shown_to_their_end(site: LiveSite, width: int) -> None:
    page = site.show("asks", width)

    page.until(f"{_SHOWS}('#now .object', 'tmp/cache, now?')")
    page.until(f"{_SHOWS}('#thought', 'It is the last.')")
    assert page.ask("document.querySelector('.read').getBoundingClientRect().bottom <= innerHeight")
    is_tidy(page)


def test_without_numbers_rows_have_no_column_for_them(site: LiveSite) -> None:
    def column(name: str) -> int:
        page = site.show(name)
        return page.ask("document.querySelector('#rows .row .n').getBoundingClientRect().width")

    assert column("asks") == 0
    assert column("shop") > 0


@pytest.mark.parametrize("width", first(1, WIDTHS))
def test_the_list_and_its_hits_are_tidy(site: LiveSite, width: int) -> None:
    page = site.show_list(width)
    page.until(f"document.querySelectorAll('a.one').length === {len(TEXTS) + 4}")
    is_tidy(page)

    page.press("/", *"short")

    page.until("document.querySelectorAll('.hit-text').length > 0")
    is_tidy(page)


@pytest.mark.parametrize("width", first(1, WIDTHS))
def test_the_help_is_wholly_in_the_window_or_can_be_scrolled(site: LiveSite, width: int) -> None:
    page = site.show("shop", width)

    page.press("?")

    page.until("document.querySelector('dialog[open]') !== null")
    left, right, top, bottom = page.ask(
        "(() => { const b = document.querySelector('dialog').getBoundingClientRect();"
        "return [b.left, b.right, b.top, b.bottom]; })()"
    )
    assert left >= 0
    assert right <= width
    assert top >= 0
    assert bottom <= 900
    assert page.ask("document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth")
