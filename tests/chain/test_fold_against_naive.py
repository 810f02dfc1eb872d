"""The fold held against one that was written apart from it, slow and plain, from docs/journal.md alone."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from seqthink.chain.session import Session
from seqthink.events import WriterState
from seqthink.export.document import document
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Item, Journal, folded, texts
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.naive_fold import naive_auditing, naive_document, naive_fold, naive_question


def as_json(session: Session, items: list[Item]) -> dict[str, Any]:
    return json.loads(json.dumps(document(GivenTexts(session, texts(items).__getitem__))))


@settings(max_examples=400, deadline=None)
@given(journals(size=30), st.sampled_from(list(WriterState)))
def test_every_journal_folds_as_the_naive_fold_says(journal: Journal, writer: WriterState) -> None:
    session = folded(journal.items).session(writer)

    missing = [session.thoughts.get(index).skipped_count for index in range(session.thought_count)]

    assert as_json(session, journal.items) == naive_document(journal.items, writer)
    assert session.open_question == (None if writer is WriterState.GONE else naive_question(journal.items))
    assert session.running_audit == (None if writer is WriterState.GONE else naive_auditing(journal.items))
    assert missing == [thought.missing for thought in naive_fold(journal.items).thoughts]
