"""The fold held against one that was written apart from it, slow and plain, from docs/journal.md alone."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.core.events import ActionEvent, PromptEvent, RewoundEvent, WriterState
from seqthink.share.export.document import document
from tests.support.depth import sized
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Item, Journal, folded, texts
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.naive_calls import naive_actions
from tests.support.journals.naive_fold import naive_document, naive_fold
from tests.support.journals.naive_pending import naive_auditing, naive_context, naive_question


def as_json(session: Session, items: list[Item], *, has_native: bool) -> dict[str, Any]:
    prompts = (item for item in items if isinstance(item, PromptEvent) and not item.agent)
    thoughts = texts(items, has_native=has_native)
    given_texts = GivenTexts(session, thoughts.__getitem__, event=next(prompts, None))  # the one line that may title
    return json.loads(json.dumps(document(given_texts)))


# The one law that says what a fold is: all others compare it with itself.
@settings(max_examples=sized(100, 20_000))
@given(journals(size=30, transcript=True), st.sampled_from(list(WriterState)), st.booleans())
@example(Journal().answer().act(), WriterState.ALIVE, True)
@example(Journal().act(made="c1").answer().act(made="c1", ended="done"), WriterState.ALIVE, True)
@example(Journal().answer().act().answer().rewound(3).act(), WriterState.ALIVE, True)
@example(Journal().asking(2).asking(1, purpose="ask", made="c1"), WriterState.UNKNOWN, False)
def test_every_journal_folds_as_the_naive_fold_says(journal: Journal, writer: WriterState, has_native: bool) -> None:
    session = folded(journal.items, Fold(has_native=has_native)).session(writer)
    plain = naive_fold(journal.items, has_native=has_native)

    agents = range(session.agents.count + 1)
    contexts = {session.agents.id_of(agent): session.agents.context_of(agent) for agent in agents}

    missing = [session.thoughts.get(index).skipped_count for index in range(session.thought_count)]

    names_ends = any(isinstance(item, ActionEvent) and item.ended is not None for item in journal.items)
    assert as_json(session, journal.items, has_native=has_native) == {
        **naive_document(journal.items, writer, has_native=has_native),
        **({"actions": naive_actions(journal.items, writer)} if names_ends else {}),
    }
    assert {agent: use and (use.tokens, use.window or None) for agent, use in contexts.items()} == {
        agent: used and (used[0], used[1] or None)
        for agent, used in ((agent, naive_context(journal.items, agent)) for agent in contexts)
    }
    assert session.open_question == naive_question(journal.items, writer)
    assert session.running_audit == (None if writer is WriterState.GONE else naive_auditing(journal.items))
    assert missing == [thought.missing for thought in plain.thoughts]
    left_behind = [session.native.is_left_behind(index) for index in range(session.thought_count)]
    assert left_behind == [thought.is_left_behind for thought in plain.thoughts]
    rewinds = {entry: session.native.left_behind_at(entry) for entry in range(len(journal.items))}
    seqs = {entry: item.seq for entry, item in enumerate(journal.items) if isinstance(item, RewoundEvent)}
    assert {seqs[entry]: count for entry, count in rewinds.items() if any(count)} == {
        seq: count for seq, count in plain.left.items() if any(count)
    }
