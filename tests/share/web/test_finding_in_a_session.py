"""What a search of a session on the page finds: letters that differ by their case, and what redaction wrote."""

from pathlib import Path
from time import monotonic

from seqthink.chain.query import Query, filter_query
from seqthink.library.catalog.search_hits import Search
from seqthink.library.catalog.text_scan import scan
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.library.redacted_lines import decode_redacted
from seqthink.share.export.texts_in_order import TextsInOrder
from tests.support.journals.build import JournalBuilder


def found(texts: JournalTexts, query: Query) -> list[int]:
    """Return the thoughts that match, as the page finds them."""
    search = Search(query, is_filter=True)
    for batch in scan(search, texts.session, TextsInOrder(texts.for_thread()), monotonic):
        search.add(batch)
    return search.thoughts


def test_letters_that_are_others_but_for_the_case_are_found(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number, text in enumerate(("past", "paſt", "kelvin", "\u212aelvin", "nothing"), 1):
        builder.thought(text, number)
    texts = load_journal(builder.write(tmp_path / "s.jsonl"))

    assert found(texts, filter_query("past")) == [0, 1]
    assert found(texts, filter_query("kelvin")) == [2, 3]


def test_what_redaction_puts_in_the_place_of_a_secret_is_found(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"
    builder = JournalBuilder().session().thought(f"it is {secret}", 1).thought("plain", 2)
    texts = load_journal(builder.write(tmp_path / "s.jsonl"), decode_redacted)

    assert found(texts, filter_query("redacted")) == [0]
    assert found(texts, filter_query(secret)) == []
