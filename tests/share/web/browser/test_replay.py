"""Replay in a browser: its positions are those of a replay in the viewer, and rows, thought and time line show them."""

from collections.abc import Callable, Iterator

import pytest

from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.library.live_session import load_journal
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.example_chains import cache, queue
from tests.support.journals.plain_session import plain_session
from tests.support.screens.browser import Page
from tests.support.web.live_site import LiveSite, sound_rows, until_selected, until_text

PLAYED = "document.querySelector('#play').getAttribute('aria-label') === 'Pause'"
_WATCH = """(() => {
  const time = document.querySelector('#time');
  window.moves = [];
  const started = performance.now();
  const look = () => {
    const at = Number(time.value);
    if (window.moves.at(-1)?.[0] !== at) window.moves.push([at, performance.now() - started]);
    requestAnimationFrame(look);
  };
  look();
})()"""


@pytest.fixture(autouse=True)
def quiet(site: LiveSite) -> Iterator[None]:
    """Hold that the browser complained of nothing."""
    yield
    assert site.page.complaints == []


def opened(site: LiveSite, build: Callable[[], JournalBuilder]) -> tuple[Page, Session]:
    """Show a session that is over; return its page, and what it holds."""
    path = site.folder / f"{build.__name__}.jsonl"
    if not path.exists():
        site.session(path.stem, build(), is_live=False)
    return site.show(path.stem), load_journal(path).session


def until_at(page: Page, whole: Session, position: int) -> None:
    """Wait until the page shows a position: on the time line, in its words, in the rows and beside them."""
    shown = whole.at(position)
    count = shown.thought_count
    page.until(f"Number(document.querySelector('#time').value) === {position}")
    until_text(page, "#position", f"{count} of {whole.thought_count}" if position < whole.entry_count else "thoughts")
    seq = shown.thoughts.get(count - 1).seq
    page.until(f"document.querySelector('#rows [aria-selected=true]')?.id === 'row-t{seq}'")
    ids = {f"row-t{shown.thoughts.get(index).seq}" for index in range(count)}
    page.until(f"document.querySelectorAll('#rows .slot[id^=row-t]').length === {count}")
    assert {row["id"] for row in sound_rows(page) if row["id"].startswith("row-t")} == ids
    page.until(
        "document.querySelector('#thought .n')?.textContent === '" + str(shown.thoughts.get(count - 1).number) + "'"
    )


@pytest.mark.parametrize("build", first(1, [shop_api, queue, cache]))
def test_steps_lead_where_they_lead_in_the_viewer(site: LiveSite, build: Callable[[], JournalBuilder]) -> None:
    page, whole = opened(site, build)
    positions, at = whole.positions, whole.entry_count

    for key in ",,,[,.[].(,)0..5]9,1":
        page.press(key)
        if key.isdigit():
            at = positions.after_thought(whole.thought_count * int(key) // 10)
        elif key in ",.":
            at = (positions.previous_visible if key == "," else positions.next_visible)(at)
        else:
            at = (positions.previous_landmark if key in "[(" else positions.next_landmark)(at)
        until_at(page, whole, at)


def test_tenths_are_those_of_the_viewer(site: LiveSite) -> None:
    page, whole = opened(site, shop_api)

    for tenth in range(10):
        page.press(str(tenth))
        until_at(page, whole, whole.positions.after_thought(whole.thought_count * tenth // 10))


@pytest.mark.deep  # the same keys one by one are tried always
def test_keys_in_quick_succession_end_at_the_last_one(site: LiveSite) -> None:
    page, whole = opened(site, shop_api)

    page.press(*"0951370942")

    until_at(page, whole, whole.positions.after_thought(whole.thought_count * 2 // 10))
    page.press("9", "k", "t", "0", "t")
    until_at(page, whole, whole.positions.after_thought(0))


def test_the_time_line_can_be_dragged(site: LiveSite) -> None:
    page, whole = opened(site, shop_api)
    left, width, y = page.ask(
        "(() => { const box = document.querySelector('#time').getBoundingClientRect();"
        "return [box.left, box.width, box.top + box.height / 2]; })()"
    )

    def mouse(kind: str, share: float) -> int:
        page.call(
            "Input.dispatchMouseEvent", type=kind, x=left + 8 + share * (width - 16), y=y, button="left", clickCount=1
        )
        return int(page.ask("document.querySelector('#time').value"))

    mouse("mousePressed", 1)
    seen = [mouse("mouseMoved", share / 20) for share in range(20, 5, -1)]
    last = mouse("mouseReleased", 0.3)

    assert seen == sorted(seen, reverse=True)
    assert len({*seen}) > 5
    until_at(page, whole, last)
    page.press("f")
    until_at(page, whole, whole.entry_count)
    until_text(page, "#position", "11 thoughts")


def test_what_is_ahead_is_neither_in_the_rows_nor_found_nor_in_the_chart(site: LiveSite) -> None:
    page, whole = opened(site, shop_api)
    page.press("0", ".", ".")
    until_at(page, whole, whole.positions.after_thought(2))

    page.press("/", *"is:revision", "Enter")

    until_text(page, "#found", "none")
    assert "Not the gateway" not in page.ask("document.querySelector('#rows').textContent")
    assert page.ask("document.querySelector('#rows').textContent.includes('by 6')") is False


def test_it_plays_with_the_journal_s_gaps_at_most_four_seconds_each(site: LiveSite) -> None:
    gaps = [8.0, 24.0, 90_000.0]

    def slow() -> JournalBuilder:
        builder = JournalBuilder().session().thought("one.", 1, 4)
        for number, gap in enumerate(gaps, 2):
            builder.thought(f"word {number}.", number, 4, after=gap)
        return builder.end()

    page, whole = opened(site, slow)
    page.press("+", "+", "+", "+", "0")
    until_at(page, whole, 2)
    page.ask(_WATCH)

    page.press(" ")

    page.until(PLAYED)
    page.until(f"window.moves.at(-1)[0] === {whole.entry_count}")
    moves: list[tuple[int, float]] = page.ask("window.moves")
    assert [position for position, _ in moves] == [2, 3, 4, whole.entry_count]
    waits = [min(gap / 16, 4) for gap in gaps]
    # it is never ahead of the journal's pace; how far behind it may be is the machine's affair
    for (_, milliseconds), due in zip(moves[1:], (waits[0], sum(waits[:2]), sum(waits)), strict=True):
        assert milliseconds / 1000 >= due - 0.1
    until_at(page, whole, whole.entry_count)
    assert page.ask(PLAYED) is False


_HOLD_STEPS = """(() => {
  const fetched = window.fetch;
  window.held = [];
  window.fetch = async (address, rest) => {
    const answer = await fetched(address, rest);
    if (`${address}`.includes('/positions?') && window.held) await new Promise((go) => window.held.push(go));
    return answer;
  };
})()"""
_LET_GO = "(() => { const { held } = window; window.held = null; held.forEach((go) => go()); })()"


def _said_between() -> JournalBuilder:
    builder = JournalBuilder().session(source="claude")
    for number in range(1, 6):
        builder.thought(f"step {number}.", number, 5, after=0.5)
        builder.event("remark", {"text": f"said {number}.", "id": f"m{number}"}, after=0.5)
    return builder.end()


def _until_played_at_each(page: Page, whole: Session) -> None:
    """Hold that a replay that has begun stops at each of its positions from now on, up to the end."""
    page.until(f"window.moves.at(-1)[0] === {whole.entry_count}")
    positions, at = list[int](), page.ask("window.moves[0][0]")
    while at > (positions[-1] if positions else 0):
        positions.append(at)
        at = whole.positions.next_visible(at)
    assert [position for position, _ in page.ask("window.moves")] == positions


@pytest.mark.deep  # that it plays with the gaps is tried always
def test_steps_of_what_was_shown_before_are_not_played(site: LiveSite) -> None:
    page, whole = opened(site, _said_between)
    page.press("0")
    until_at(page, whole, whole.positions.first)
    page.ask(_HOLD_STEPS)
    page.press(" ")
    page.until("window.held.length > 0")

    page.press("v")
    page.ask(_WATCH)
    page.ask(_LET_GO)

    _until_played_at_each(page, load_journal(site.folder / "_said_between.jsonl", shown=Shown.WORDS).session)


@pytest.mark.deep  # that it plays with the gaps is tried always
def test_a_pause_in_a_gap_is_kept_and_a_step_pauses(site: LiveSite) -> None:
    page, whole = opened(site, queue)
    page.press("0", " ")
    page.until(PLAYED)

    page.press(".")

    page.until(f"!({PLAYED})")
    until_at(page, whole, whole.positions.next_visible(whole.positions.first))


def test_a_live_session_plays_on_to_the_present_and_follows_it(site: LiveSite) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 40):
        builder.thought(f"step {number}.", number, 99, after=1)
    session = site.session("lively", builder)
    page = site.show(session)
    until_selected(page, "step 39.")
    page.press("+", "+", "+", "+", "0")
    until_selected(page, "step 1.")
    until_text(page, "#follow", "Live")

    page.press(" ")
    page.until(PLAYED)
    for number in range(40, 50):
        builder.thought(f"step {number}.", number, 99, after=1)
        session.grow()

    until_selected(page, "step 49.")
    until_text(page, "#follow", "Following")
    assert page.ask(PLAYED) is False
    builder.thought("step 50.", 50, 99)
    session.grow()
    until_selected(page, "step 50.")
    assert page.ask("document.querySelector('#new').hidden")


def test_while_it_is_replayed_what_comes_live_moves_nothing(site: LiveSite) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 20):
        builder.thought(f"step {number}.", number, 99, after=1)
    session = site.session("behind", builder)
    page = site.show(session)
    page.press("5")
    until_selected(page, "step 10.")

    builder.thought("step 20.", 20, 99)
    session.grow()

    until_text(page, "#position", "10 of 20")
    until_selected(page, "step 10.")
    assert page.ask("document.querySelectorAll('#rows .slot[id^=row-t]').length") == 10
    page.press("f")
    until_selected(page, "step 20.")


@pytest.mark.deep  # that it plays on to the present is tried always
def test_following_folding_and_playing_at_once_end_at_the_present(site: LiveSite) -> None:
    builder = JournalBuilder().session().thought("step 1.", 1, 99).thought("step 2.", 2, 99, after=1)
    for number in range(1, 12):
        builder.thought(f"side {number}.", number, 99, branch="side", from_=2 if number == 1 else None, after=1)
    session = site.session("all", builder)
    page = site.show(session)
    until_selected(page, "side 11.")
    page.press("+", "+", "+", "+", "0")
    until_selected(page, "step 1.")

    page.press(" ")
    page.until("document.querySelectorAll('#rows [aria-expanded=true]').length === 1")
    page.click("#rows [aria-expanded=true]")  # that folds it, while the thoughts in it arrive
    page.press("f")
    for number in range(3, 9):
        builder.thought(f"step {number}.", number, 99, after=1)
        session.grow()
        page.press("t", "t")

    until_selected(page, "step 8.")
    page.until("document.querySelectorAll('#rows [aria-expanded=false]').length === 1")
    rows = [row["text"].strip() for row in sound_rows(page) if row["id"].startswith("row-t")]
    assert rows == [f"step {number}." for number in range(1, 9)]
    until_text(page, "#follow", "Following")


def test_a_session_without_calls_of_the_tool_counts_rows_and_has_no_thoughts(site: LiveSite) -> None:
    page, whole = opened(site, plain_session)
    present = page.ask("document.querySelector('#position').textContent")
    page.press("0")
    until_text(page, "#position", f"1 of {whole.thought_count}")

    assert "thought" not in present
    assert page.ask("document.querySelector('#time').getAttribute('aria-valuetext')").startswith("row 1 of ")
