"""Links to a thought, the browser's back, the marks of a search, and a session of 100,000 thoughts, in a browser."""

from collections.abc import Iterator

import pytest

from tests.bench import journals
from tests.support.depth import sized
from tests.support.journals.build import shop_api
from tests.support.web.live_site import LiveSite, live_site, sound_rows, until_selected, until_text

MANY, MAX_ELEMENTS = sized(20_000, 100_000), 2_000
ELEMENTS = "document.getElementsByTagName('*').length"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("places")) as running:
        running.session("shop", shop_api(), is_live=False)
        yield running


@pytest.fixture(scope="module")
def many(site: LiveSite) -> str:
    journals.write(site.folder / "many.jsonl", MANY)
    return "many"


@pytest.fixture(autouse=True)
def quiet(site: LiveSite) -> Iterator[None]:
    """Hold that the browser complained of nothing."""
    yield
    assert site.page.complaints == []


# A long session


def test_the_ends_of_a_long_session_are_a_key_away_and_little_of_it_is_in_the_page(site: LiveSite, many: str) -> None:
    page = site.show(many)
    until_text(page, "#position", f"{MANY:,} thoughts")
    until_selected(page, f"t{MANY}.")

    page.press("g")
    until_selected(page, "t1.")
    page.press("G")
    until_selected(page, f"{MANY + 1}–{2 * MANY} expected", is_read=False)
    until_text(page, "#thought", f"t{MANY}.")

    for place in range(10):
        page.ask(f"rows.scrollTop = (rows.scrollHeight - rows.clientHeight) * {(0.37 * place) % 1}")
        first = page.ask("Math.floor((rows.scrollTop - 8) / 28)")
        page.until(f"document.querySelector('#rows').textContent.includes('t{max(1, first + 2)}.')")
        numbers = [int(row["text"].split(".")[0][1:]) for row in sound_rows(page)]
        assert numbers == [*range(numbers[0], numbers[0] + len(numbers))]
        assert page.ask(ELEMENTS) <= MAX_ELEMENTS
    page.press("g")
    until_selected(page, "t1.")


@pytest.mark.deep  # rows that come in quick succession are tried in test_rows.py
def test_keys_that_are_held_lose_no_row(site: LiveSite, many: str) -> None:
    page = site.show(many, after=f"#e{MANY // 2 + 1}")
    until_selected(page, f"t{MANY // 2}.")

    page.press(*["PageUp"] * 20)
    page.press(*["PageDown"] * 20)
    page.press(*"jjjkkj")

    until_selected(page, f"t{MANY // 2 + 2}.")


def test_a_link_into_the_middle_selects_its_thought(site: LiveSite, many: str) -> None:
    page = site.show(many, after="#e12346")

    until_selected(page, "t12345.")
    assert page.ask("location.hash") == "#e12346"
    assert page.ask(ELEMENTS) <= MAX_ELEMENTS


# Links and search


def test_links_are_steps_that_back_returns_from(site: LiveSite) -> None:
    page = site.show("shop", after="#e10")
    until_selected(page, "Not the gateway")

    page.click('#thought a[href="#t3"]')
    until_selected(page, "Layers: CDN")
    page.until("location.hash === '#e3'")
    page.ask("history.back()")
    until_selected(page, "Not the gateway")
    page.ask("history.forward()")
    until_selected(page, "Layers: CDN")

    page.press("j")
    until_selected(page, "Hypotheses")
    page.until("location.hash === '#e4'")  # a row further is not a step of the history
    page.ask("history.back()")
    until_selected(page, "Not the gateway")


@pytest.mark.deep  # a link into the middle is tried always
def test_a_link_to_a_folded_thought_opens_its_branch_and_one_to_a_verdict_is_its_thought_s(site: LiveSite) -> None:
    page = site.show("shop", after="#e7")
    until_selected(page, "What runs at :00?")
    page.press("h", "h")
    page.until("document.querySelectorAll('#rows [aria-expanded=false]').length === 1")

    page.ask("location.hash = '#e8'")

    until_selected(page, "It holds 40 connections")
    page.until("document.querySelectorAll('#rows [aria-expanded=true]').length === 1")
    page.ask("location.hash = '#e12'")
    until_selected(page, "Fix: jitter")


@pytest.mark.deep  # a link into the middle is tried always
def test_a_link_to_no_thought_says_so_and_the_page_lives_on(site: LiveSite) -> None:
    page = site.show("shop")
    until_selected(page, "Fix again")

    page.ask("location.hash = '#e99999'")

    until_text(page, "#banner", "This session has no such thought.")
    page.press("g")
    until_selected(page, "Symptoms")
    assert {text for text in page.complaints if "404" not in text} == set()
    page.complaints.clear()


def test_hits_are_marked_counted_and_gone_through(site: LiveSite) -> None:
    page = site.show("shop", after="#e2")
    until_selected(page, "Symptoms")
    page.press("/", *"pool", "Enter")
    page.until("document.querySelectorAll('#rows .hit').length > 0")
    count = page.ask("document.querySelectorAll('#rows .hit').length")
    page.until("CSS.highlights.get('found')?.size > 0")

    seen = list[str]()
    for place in range(1, count + 1):
        until_text(page, "#found", f"{place} of {count}")
        seen.append(page.ask("document.querySelector('#rows [aria-selected=true]').id"))
        assert page.ask("document.querySelector('#rows [aria-selected=true]').classList.contains('hit')")
        page.press("n")
    until_text(page, "#found", f"1 of {count}")
    page.press("N", "N")
    until_text(page, "#found", f"{count - 1} of {count}")

    assert len({*seen}) == count
    page.press("Escape")
    page.until("document.querySelectorAll('#rows .hit').length === 0 && !CSS.highlights.has('found')")
