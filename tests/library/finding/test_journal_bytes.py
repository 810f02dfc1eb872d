"""The pre-filter on bytes: it leaves out no line in which a decoded search finds the words."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.query import words_query
from seqthink.library.finding.journal_bytes import JournalBytes

TEXTS = st.text(st.sampled_from(f'{string.ascii_letters} \\"/\t\n\x1bäÖßöñ池連接池接続ПриВЕТпривет→“”σςΣ'), max_size=30)


def line(text: str, *, ascii_only: bool = False) -> bytes:
    event = {"v": 1, "seq": 2, "time": "2026-03-10T14:02:00Z", "type": "thought", "thought": text}
    more = {"nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 3}
    return json.dumps(event | more, ensure_ascii=ascii_only, separators=(",", ":")).encode()


def found(lines: list[bytes], words: str, *, has_plain_strings: bool = False) -> list[bytes]:
    block = b"\n".join(lines)
    searched = JournalBytes(words_query(words))
    return [block[start:stop] for start, stop in searched.candidates(block, has_plain_strings=has_plain_strings)]


@given(st.lists(TEXTS, min_size=1, max_size=6), st.data())
def test_no_line_is_left_out_whose_text_has_the_words(texts: list[str], data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]
    words = f'"{part}"' if '"' not in part else part
    for words_typed in (words, words.lower(), words.upper()):
        query = words_query(words_typed)
        if query.is_empty:
            continue
        has_words = query.text_matcher()
        wanted = [line(one) for one in reversed(texts) if has_words(one)]
        assert [one for one in found([*map(line, texts)], words_typed) if one in wanted] == wanted
        assert [
            one for one in found([*map(line, texts)], words_typed, has_plain_strings=True) if one in wanted
        ] == wanted


@given(TEXTS)
def test_a_writer_that_escapes_all_but_ascii_is_read_as_well(text: str) -> None:
    query = words_query(text.replace('"', ""))
    if not query.is_empty and query.text_matcher()(text):
        assert found([line(text, ascii_only=True)], text.replace('"', ""))


OWN_PIECES = st.sampled_from(
    [
        *('"type":"thought"', '"type":"thought","thought":"', '"thought":', 'thought":', '","nextThoughtNeeded":true'),
        *('"nextThoughtNeeded":true,"thoughtNumber":1', '"totalThoughts":3', ',"time":"2026"', '"seq":2', '{"v":1'),
        *("thought", "Thought", "time", "type", "seq", "v", ":", '"', "\\", '\\"', "t", "1", ",", " "),
    ]
)


@given(st.lists(st.lists(OWN_PIECES, max_size=6).map("".join), min_size=1, max_size=4), OWN_PIECES, st.booleans())
def test_a_text_that_quotes_the_journal_itself_is_found_as_by_decoding_all(
    texts: list[str], word: str, is_escaped: bool
) -> None:
    query = words_query(word)
    if not query.is_empty:
        has_words = query.text_matcher()
        lines = [line(one, ascii_only=is_escaped) for one in texts]
        wanted = [line(one, ascii_only=is_escaped) for one in reversed(texts) if has_words(one)]
        assert [one for one in found(lines, word, has_plain_strings=True) if one in wanted] == wanted


@pytest.mark.parametrize("more", [{}, {"agent": "a"}, {"text": "none"}])
@pytest.mark.parametrize("words", ["thought", "time", "seq", "type", "next", "number"])
def test_a_word_of_the_journal_itself_is_found_where_a_text_has_it(words: str, more: dict[str, str]) -> None:
    event = json.loads(line(f"a {words} of it")) | more
    odd = json.dumps({"type": "note", "v": 1, "text": words, **event}, separators=(",", ":")).encode()
    lines = [line("Gateway pool"), line(f"the {words} is in it"), line("Retry"), odd, line("Again")]

    assert found(lines, words, has_plain_strings=True) == [odd, lines[1]]


@pytest.mark.parametrize("words", ["thought", "type", "nextthought", "totalthoughts"])
def test_words_of_the_journal_itself_are_no_candidates(words: str) -> None:
    assert not found([line("Gateway pool"), line("Retry")], words)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("pool", "The POOL is idle"),
        ("Pool", "Pool"),
        ('say "no"', 'say "no"'),
        ("a\\b", "a\\b"),
        ("jobs/report", "in jobs/report.py"),
        ("接続", "接続プール"),
        ("池", "連接池"),
        ("über", "ÜBER den Wolken"),
        ("привет", "ПриВЕТ"),
        ("ΟΔΟΣ".lower(), "οδος ΟΔΟΣ"),
    ],
)
def test_a_line_with_the_words_is_a_candidate(words: str, text: str) -> None:
    assert found([line("other"), line(text), line("another")], words, has_plain_strings=True) == [line(text)]


def test_a_line_that_has_only_some_of_the_words_is_none() -> None:
    assert found([line("the pool"), line("the pool is idle")], "idle pool") == [line("the pool is idle")]


def test_upper_and_lower_case_differ_once_a_capital_is_typed() -> None:
    assert found([line("pool"), line("Pool")], "Pool") == [line("Pool")]


def test_a_slash_may_be_escaped() -> None:
    escaped = line("jobs/report.py").replace(b"/", b"\\/")
    assert found([escaped], "jobs/report", has_plain_strings=True) == [escaped]


def test_the_last_line_comes_first() -> None:
    assert found([line("pool 1"), line("x"), line("pool 2")], "pool") == [line("pool 2"), line("pool 1")]
