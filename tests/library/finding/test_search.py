"""Finding words in the texts of many sessions."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.query import words_query
from seqthink.core.times import microseconds_of
from seqthink.journal.store import list_sessions
from seqthink.library.finding.found import MAX_EXCERPT_CHARS, Hit, excerpt
from seqthink.library.finding.search import TextSearch
from seqthink.library.redacted_lines import decode_redacted
from tests.support.journals.build import START, JournalBuilder, shop_api


def search(folder: Path, words: str, **options: object) -> list[Hit]:
    texts = TextSearch(words_query(words), **options)  # pyright: ignore[reportArgumentType] - as the tests name them
    return [hit for hit in texts.hits(list_sessions(folder)) if hit is not None]


def texts(folder: Path, words: str) -> list[str]:
    return [hit.text.excerpt for hit in search(folder, words)]


def test_hits_come_from_the_newest_session_first_and_in_it_the_newest_first(tmp_path: Path) -> None:
    JournalBuilder(START).session("a").thought("pool 1").thought("pool 2").write(tmp_path / "a.jsonl")
    later = START.replace(year=2027)
    JournalBuilder(later).session("b").thought("pool 3").thought("no").thought("pool 4").write(tmp_path / "b.jsonl")
    assert texts(tmp_path, "pool") == ["pool 4", "pool 3", "pool 2", "pool 1"]


def test_a_hit_says_where_it_is(tmp_path: Path) -> None:
    path = shop_api().write(tmp_path / "shop.jsonl")
    (hit,) = search(tmp_path, "checkout's pool has")
    assert (hit.file.path, hit.link, hit.session.name, hit.session.client) == (
        path,
        "shop#e9",
        "shop-api",
        "claude-code",
    )
    assert (hit.text.number, hit.text.branch, hit.text.place, hit.text.thought_seq) == (3, "cron-job", "3 cron-job", 9)


def test_notes_and_context_items_lead_to_their_thought(tmp_path: Path) -> None:
    JournalBuilder().session().thought("x").context("zebra in context", of=2).note("zebra in a note", of=2).write(
        tmp_path / "a.jsonl"
    )
    assert [(hit.text.kind, hit.text.thought_seq) for hit in search(tmp_path, "zebra")] == [("note", 2), ("context", 2)]


def test_all_words_must_be_in_one_text_and_a_phrase_as_it_is_written(tmp_path: Path) -> None:
    JournalBuilder().session().thought("pool of connections").thought("idle pool").write(tmp_path / "a.jsonl")
    assert texts(tmp_path, "idle pool") == texts(tmp_path, "pool idle") == texts(tmp_path, "oo dle") == ["idle pool"]
    assert texts(tmp_path, '"idle pool') == ["idle pool"]
    assert texts(tmp_path, '"pool idle"') == []


def test_a_capital_makes_case_count(tmp_path: Path) -> None:
    JournalBuilder().session().thought("Pool").thought("pool").write(tmp_path / "a.jsonl")
    assert texts(tmp_path, "Pool") == ["Pool"]
    assert texts(tmp_path, "pool") == ["pool", "Pool"]


def test_lines_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("pool 1").raw(b'{"thought":"pool\n').raw(b"\xff pool\n[pool]\n")
    builder.thought("pool 2").raw(b'{"v":1,"seq":9,"type":"thought","thought":"pool torn"')
    builder.write(tmp_path / "a.jsonl")
    assert texts(tmp_path, "pool") == ["pool 2", "pool 1"]


def test_what_redaction_hides_is_neither_shown_nor_found(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    JournalBuilder().session().thought(f"the token is {secret} for the pool").write(tmp_path / "a.jsonl")
    (hit,) = search(tmp_path, "pool", decode=decode_redacted)
    assert secret not in hit.text.excerpt
    assert not search(tmp_path, secret[:12], decode=decode_redacted)
    assert search(tmp_path, secret[:12])


def test_texts_before_a_time_do_not_count(tmp_path: Path) -> None:
    JournalBuilder().session().thought("pool old").thought("pool new", after=60).write(tmp_path / "a.jsonl")
    since = microseconds_of(START) + 30_000_000
    assert [hit.text.excerpt for hit in search(tmp_path, "pool", since=since)] == ["pool new"]


def test_a_thought_that_a_transcript_has_too_is_shown_once(tmp_path: Path) -> None:
    JournalBuilder().session().thought("pool").write(tmp_path / "a.jsonl")
    JournalBuilder().session().thought("pool").write(tmp_path / "b.jsonl")
    first, second = list_sessions(tmp_path)
    query = words_query("pool")
    assert len([*filter(None, TextSearch(query).hits([first, second._replace(source="claude")]))]) == 1
    assert len([*filter(None, TextSearch(query).hits([first, second]))]) == 2


def test_a_session_that_cannot_be_read_is_counted_and_one_that_is_gone_is_not(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        JournalBuilder().session(name).thought("pool").write(tmp_path / f"{name}.jsonl")
    files = list_sessions(tmp_path)
    (tmp_path / "a.jsonl").unlink()
    (tmp_path / "b.jsonl").unlink()
    (tmp_path / "b.jsonl").mkdir()
    found = TextSearch(words_query("pool"))
    assert [hit.session.session for hit in found.hits(files) if hit is not None] == ["c"]
    assert (found.searched, found.unreadable) == (3, 1)


def test_a_search_that_is_cancelled_stops(tmp_path: Path) -> None:
    for name in ("a", "b"):
        JournalBuilder().session(name).thought("pool").write(tmp_path / f"{name}.jsonl")
    cancelled: list[int] = []
    found = TextSearch(words_query("pool"), is_cancelled=lambda: bool(cancelled))
    hits = found.hits(list_sessions(tmp_path))
    assert next(hits) is not None
    cancelled.append(1)
    assert list(hits) == []


def test_a_thought_of_many_megabytes_is_found_by_its_beginning(tmp_path: Path) -> None:
    JournalBuilder().session().thought("zebra " + "x" * (5 << 20)).write(tmp_path / "a.jsonl")
    assert len(texts(tmp_path, "zebra")[0]) <= MAX_EXCERPT_CHARS


@given(
    st.text(max_size=300),
    st.text(st.characters(exclude_characters='"'), min_size=1, max_size=5),
    st.text(max_size=2000),
)
def test_an_excerpt_is_one_safe_line(before: str, word: str, after: str) -> None:
    shown, _ = excerpt(before + word + after, words_query(f'"{word}"'))
    assert len(shown) <= MAX_EXCERPT_CHARS + 1
    assert not any(ord(one) < 32 or 0x7F <= ord(one) < 0xA0 or one in "\u202e\u200b\u2028" for one in shown)


def test_an_excerpt_begins_where_most_of_the_words_are() -> None:
    text = "pool " + "x " * 300 + "the idle pool at last"
    shown, is_begun = excerpt(text, words_query("pool idle"))
    assert is_begun
    assert shown.endswith("the idle pool at last")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_journal_without_permission_is_counted(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("pool").write(tmp_path / "a.jsonl")
    path.chmod(0)
    found = TextSearch(words_query("pool"))
    assert [*filter(None, found.hits(list_sessions(tmp_path)))] == []
    assert found.unreadable == 1
