"""Which session is next, how many there are, and what rings."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.attention import Attention, Standing, StuckReason
from seqthink.drawing.describe.status import counts_text
from tui.state.attention_news import AGAIN_SECONDS, ALERT_SECONDS, AttentionNews, news_text
from tui.state.next_session import SessionNeed, counted_states, next_session, rank

SECOND = 1_000_000


def need(key: str, attention: Attention, *, is_unread: bool = False, started: int = 0, since: int = 0) -> SessionNeed:
    reason = StuckReason.SILENT if attention is Attention.STUCK else None
    question = "Go on?" if attention is Attention.ASKING else ""
    standing = Standing(attention, reason, since, question)
    return SessionNeed(key, key, standing, started or ord(key[0]), is_unread)


A1, A2 = need("a", Attention.ASKING), need("b", Attention.ASKING)
STUCK = need("c", Attention.STUCK)
LOST = need("d", Attention.LOST, is_unread=True)
DONE = need("e", Attention.DONE, is_unread=True)
THINKS = need("f", Attention.THINKING, is_unread=True)
READ = [need("g", Attention.DONE), need("h", Attention.LOST), need("i", Attention.THINKING), need("j", Attention.OPEN)]


def _counted(needs: list[SessionNeed], shown: str | None = None, *, now: int = 0, stale: int = 60) -> str:
    return counts_text(counted_states(needs, now, stale, shown))


def _walk(needs: list[SessionNeed], shown: str, steps: int) -> str:
    walked = ""
    for _ in range(steps):
        found = next_session(needs, shown)
        shown = found.key if found is not None else "-"
        walked += shown
    return walked


def test_it_goes_around_those_that_need_somebody_the_asking_ones_first() -> None:
    for needs in permutations([STUCK, A2, DONE, A1, LOST]):
        assert _walk([*needs, THINKS, *READ], "z", 6) == "abcdab"


def test_only_then_come_those_that_are_done_and_unread_then_others_that_are_unread() -> None:
    assert next_session([THINKS, DONE, *READ], "g") == DONE
    assert next_session([THINKS, DONE, *READ], "e") == THINKS
    assert next_session([THINKS, *READ], "g") == THINKS
    assert next_session([A1, DONE], "a") == DONE


@pytest.mark.parametrize("shown", ["f", "g", None])
def test_what_is_shown_or_read_is_never_next(shown: str | None) -> None:
    assert next_session(READ, shown) is None
    assert next_session([THINKS], "f") is None


_needs = st.lists(
    st.builds(
        need,
        st.sampled_from("abcdefgh"),
        st.sampled_from(list(Attention)),
        is_unread=st.booleans(),
        started=st.integers(1, 3),
    ),
    unique_by=lambda one: one.key,
)


@given(_needs, st.sampled_from("abcdefghi"))
def test_whoever_presses_it_again_and_again_meets_each_that_needs_somebody(
    needs: list[SessionNeed], shown: str
) -> None:
    wanted = {one.key for one in needs if rank(one) < 3}
    walked = _walk(needs, shown, len(wanted) + 1)
    assert wanted - {shown} <= set(walked)


def test_the_session_that_is_shown_is_not_counted() -> None:
    needs = [A1, STUCK, DONE, THINKS, *READ]
    assert _counted(needs) == "▲2 ●2 ✓1"
    assert _counted(needs, "a") == "▲1 ●2 ✓1"
    assert _counted(needs, "f") == "▲2 ●1 ✓1"


def test_what_is_over_and_unread_is_counted_by_how_it_ended() -> None:
    needs = [need(name, Attention.DONE, is_unread=True) for name in "abcdefghi"]
    needs += [need(name, Attention.STOPPED, is_unread=True) for name in "jklmnopqr"]
    assert _counted([*needs, LOST, *READ]) == "●1 ✓9 ■9 ✗1"


def test_a_quiet_session_is_not_counted_among_those_that_think() -> None:
    fresh = [need(name, Attention.THINKING, since=100 * SECOND) for name in "abc"]
    quiet = [need(name, Attention.THINKING, since=SECOND) for name in "defg"]
    assert _counted([*fresh, *quiet], now=100 * SECOND) == "●3 ○4"
    assert _counted([*fresh, *quiet], now=100 * SECOND, stale=0) == "●7"


# What rings


def test_what_was_so_at_the_start_is_no_news_and_a_change_is() -> None:
    news = AttentionNews(started=100)
    thinking = need("a", Attention.THINKING, since=150)
    assert news.look([need("a", Attention.THINKING), need("b", Attention.DONE, since=50)], 0) == []
    assert news.look([thinking, need("b", Attention.DONE, since=50)], 10) == []
    asking = need("a", Attention.ASKING, since=160)
    assert news.look([asking], 20) == [asking]
    assert news.look([asking], 40) == []


def test_a_session_that_came_and_asked_meanwhile_is_news() -> None:
    news = AttentionNews(started=100)
    news.look([], 0)
    one = need("a", Attention.ASKING, since=101)
    assert news.look([one], 10) == [one]


@pytest.mark.parametrize("attention", [Attention.THINKING, Attention.OPEN, Attention.STOPPED])
def test_no_other_state_is_news(attention: Attention) -> None:
    news = AttentionNews(started=0)
    news.look([need("a", Attention.ASKING)], 0)
    assert news.look([need("a", attention)], 10) == []


def test_the_session_that_the_person_looks_at_is_no_news_then_or_later() -> None:
    news = AttentionNews(started=0)
    news.look([need("a", Attention.THINKING)], 0)
    assert news.look([A1], 10, seen="a") == []
    assert news.look([A1], 20) == []


def test_many_at_once_are_notified_together_and_not_again_soon() -> None:
    news = AttentionNews(started=1 << 60)
    names = "abcd"
    news.look([need(name, Attention.THINKING) for name in names], 0)
    first = [need("a", Attention.ASKING), *(need(name, Attention.THINKING) for name in "bcd")]
    assert [one.key for one in news.look(first, 10)] == ["a"]
    later = [need(name, Attention.ASKING) for name in names]
    assert news.look(later, 10 + ALERT_SECONDS / 2) == []
    assert [one.key for one in news.look(later, 10 + ALERT_SECONDS)] == ["b", "c", "d"]
    assert news.look([need(name, Attention.THINKING) for name in names], 20) == []
    assert news.look(later, 30) == []
    news.look([need(name, Attention.THINKING) for name in names], 31)
    assert len(news.look(later, 30 + AGAIN_SECONDS)) == 4


def test_what_was_answered_before_it_could_be_notified_is_not_notified() -> None:
    news = AttentionNews(started=1 << 60)
    both = [need("a", Attention.THINKING), need("b", Attention.THINKING)]
    news.look(both, 0)
    news.look([need("a", Attention.DONE), both[1]], 10)
    assert news.look([need("a", Attention.DONE), need("b", Attention.ASKING)], 11) == []
    assert news.look([need("a", Attention.DONE), both[1]], 20) == []


def test_it_says_who_needs_what() -> None:
    assert news_text([A1]) == "a asks you: Go on?"
    assert news_text([A1, STUCK, DONE, LOST]) == "a asks you, c is stuck: silent, e is done, d was lost"


def test_a_long_name_leaves_room_for_what_happened() -> None:
    assert news_text([need("漢" * 200, Attention.ASKING)]) == "漢" * 19 + "… asks you: Go on?"
