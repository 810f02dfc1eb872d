"""A search of a session reads few of its lines, and finds what it would find if it read all."""

import json
import string
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from seqthink.chain.query import Query, filter_query
from seqthink.core.text import TextPrefix
from seqthink.library.catalog.search_hits import Search
from seqthink.library.catalog.text_scan import scan
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.library.redacted_lines import decode_redacted
from seqthink.share.web.live import sifted_texts
from seqthink.share.web.live.sifted_texts import SiftedTexts
from tests.support.journals.build import JournalBuilder

LETTERS = f'{string.ascii_letters} \\"/\t\n\x1bäÖßöñ池連接ПриВЕТ→“σςΣſK\u212bİıµ'
TEXTS = st.text(st.sampled_from(LETTERS), max_size=30)


def hits(texts: JournalTexts, query: Query) -> list[int]:
    """Return the thoughts that match."""
    search = Search(query, is_filter=True)
    for batch in scan(search, texts.session, texts, monotonic):
        search.add(batch)
    return search.thoughts


def sifted(texts: JournalTexts, query: Query) -> list[int]:
    """Return the thoughts that match, as the page finds them."""
    return hits(SiftedTexts(texts, texts.session, query), query)


@given(texts=st.lists(TEXTS, min_size=1, max_size=8), data=st.data(), is_ours=st.booleans())
def test_what_is_found_is_what_a_search_of_all_lines_finds(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], data: st.DataObject, *, is_ours: bool
) -> None:
    builder = JournalBuilder().session(server={"name": "seqthink" if is_ours else "another", "version": "1"})
    for number, text in enumerate(texts, 1):
        builder.thought(text, number)
    lines = builder.lines
    if not is_ours:  # it escapes what it need not
        lines = [json.dumps(json.loads(line), ensure_ascii=True).encode() + b"\n" for line in lines]
    path = tmp_path_factory.mktemp("journal") / "s.jsonl"
    path.write_bytes(b"".join(lines))
    text = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]
    loaded = load_journal(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sifted_texts, "BLOCK_BYTES", data.draw(st.sampled_from([200, 400, 1000, 64 << 10])))
        for typed in (part, part.lower(), part.upper(), f"is:revision {part}", f"#{part}"):
            query = filter_query(typed)

            assert sifted(loaded, query) == hits(loaded, query)


def test_letters_that_are_others_but_for_the_case_are_found(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number, text in enumerate(("past", "paſt", "kelvin", "\u212aelvin", "nothing"), 1):
        builder.thought(text, number)
    texts = load_journal(builder.write(tmp_path / "s.jsonl"))

    assert sifted(texts, filter_query("past")) == [0, 1]
    assert sifted(texts, filter_query("kelvin")) == [2, 3]


def test_lines_without_the_words_are_not_decoded(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 1001):
        builder.thought(f"thought {number}", number)
    texts = load_journal(builder.write(tmp_path / "s.jsonl"))
    read = list[int]()

    class Counting(SiftedTexts):
        @override
        def prefix(self, index: int) -> TextPrefix:
            read.append(index)
            return super().prefix(index)

    query = filter_query("777")

    assert hits(Counting(texts, texts.session, query), query) == [776]
    assert read == [776]


def test_what_redaction_puts_in_the_place_of_a_secret_is_found(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"
    builder = JournalBuilder().session().thought(f"it is {secret}", 1).thought("plain", 2)
    texts = load_journal(builder.write(tmp_path / "s.jsonl"), decode_redacted)

    assert sifted(texts, filter_query("redacted")) == [0]
    assert sifted(texts, filter_query(secret)) == []
