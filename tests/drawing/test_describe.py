"""What is said of sessions, thoughts, attachments and reviews, before anything draws it."""

from typing import Any

import pytest

from seqthink.chain.attention import last_activity
from seqthink.chain.fold import fold
from seqthink.chain.model import NONE, Attachment
from seqthink.chain.session import Session
from seqthink.core.events import ContextEvent, ElicitEvent, Event, NoteEvent, SampleEvent, UnknownEvent
from seqthink.drawing.describe.attachments import AttachmentTitle, attached_events, attachment_title, talk_with_user
from seqthink.drawing.describe.audits import judge_facts, judge_notes, review_comments, score_role, scored_dimensions
from seqthink.drawing.describe.session import client_name, counts_of, session_name, session_title
from seqthink.drawing.describe.status import word_with_age
from seqthink.drawing.describe.thought import revision_facts
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import Role
from tests.support.journals.build import START, JournalBuilder
from tests.support.journals.given_texts import GivenTexts

SECOND = 1_000_000
NOW: dict[str, Any] = {"v": 1, "seq": 3, "time": START}


def title(journal: JournalBuilder) -> str:
    session = folded(journal)
    return session_title(session_name(session), session.session_event, "·")


def folded(builder: JournalBuilder) -> Session:
    return fold(builder.events)


def audited(verdict: str) -> Attachment:
    return Attachment(2, "audit", 3, 0, 0, 0, verdict, 78)


def test_a_session_is_named_with_its_client_unless_both_have_one_name() -> None:
    assert title(JournalBuilder().session(title="pool")) == "pool · claude-code"
    assert title(JournalBuilder().session(title="claude-code")) == "claude-code"
    assert title(JournalBuilder().session(title="pool", client=None)) == "pool"
    assert client_name(None) == ""


def test_what_there_is_none_of_is_not_counted() -> None:
    session = folded(JournalBuilder().session().thought("Why?", 1, 3).thought("No", 2, 3, revises=1))

    assert counts_of(session) == ["1 revision"]


def test_a_session_without_thoughts_was_active_when_its_server_started() -> None:
    assert last_activity(folded(JournalBuilder().session())) == int(START.timestamp()) * SECOND
    assert last_activity(folded(JournalBuilder())) == 0


@pytest.mark.parametrize(
    ("word", "said"), [("done", "done 4m ago"), ("stopped", "stopped 4m"), ("thinking", "thinking 4m")]
)
def test_a_status_is_said_with_its_age_where_both_times_are_known(word: str, said: str) -> None:
    assert word_with_age(word, SECOND, 241 * SECOND) == said
    assert word_with_age(word, SECOND, None) == word
    assert word_with_age(word, 0, SECOND) == word


def test_a_revision_says_what_it_revises_and_links_there_if_there_is_such_a_thought() -> None:
    builder = JournalBuilder().session().thought("Why?", 1, 3).thought("No", 2, 3, revises=1)
    session = folded(builder.thought("Not that", 3, 3, revises=9))
    thoughts = [session.thoughts.get(index) for index in range(3)]

    assert [[(fact.text, fact.thought) for fact in revision_facts(session, thought)] for thought in thoughts] == [
        [("revised by 2", 1)],
        [("revises 1", 0)],
        [("revises 9?", NONE)],
    ]


def test_the_title_of_an_attachment_says_what_it_is_about_and_how_it_ended() -> None:
    sample = SampleEvent(**NOW, of=2, purpose="audit", model="a-model", attempt=2, durationMs=1500)
    elicit = ElicitEvent(**NOW, of=2, purpose="limit", action="accept", content={"go": True})
    context = ContextEvent(**NOW, of=2, id="c1", action="update", tags=())
    note = NoteEvent(**NOW, of=2, id="n1", text="Stop.", writtenAt="2026-03-10T14:05:00Z")

    assert [attachment_title(event, UNICODE) for event in (sample, elicit, context, note)] == [
        AttachmentTitle("model asked", "audit", Role.MUTED, ("a-model", "attempt 2", "1s")),
        AttachmentTitle("you were asked", "limit", Role.MUTED, ("answered",)),
        AttachmentTitle("+ context updated", "c1", Role.NOTE, ("no tags",)),
        AttachmentTitle("» note delivered", None, Role.NOTE, ("written 14:05:00",)),
    ]


def test_audits_are_shown_first_and_what_is_no_attachment_any_more_as_unreadable() -> None:
    builder = JournalBuilder().session().thought("Why?", 1, 3).note().audit(of=2)
    session, events = folded(builder), {event.seq: event for event in builder.events}
    attached = session.thoughts.attachments(0)
    thought = events[2]

    def read(event: Event | UnknownEvent | None) -> list[str]:
        return [type(shown).__name__ for _, shown in attached_events(attached, GivenTexts(session, event=event))]

    assert [attachment.kind for attachment, _ in attached_events(attached, GivenTexts(session))] == [
        "audit",
        "note",
    ]
    assert read(events[3]) == ["NoteEvent", "NoteEvent"]
    assert read(thought) == read(None) == ["NoneType", "NoneType"]


def test_a_talk_with_the_user_leaves_out_the_form_that_is_said_field_by_field() -> None:
    asked = {"role": "assistant", "content": [{"type": "tool_use", "name": "elicit", "input": {"message": "Go on?"}}]}
    form: dict[str, Any] = {"role": "user", "content": [{"type": "tool_result", "content": []}]}
    event = ElicitEvent(**NOW, of=2, purpose="limit", messages=(asked, form, {"role": "user", "content": "yes"}))

    assert list(talk_with_user(event)) == [("seqthink", "Go on?"), ("you", "yes")]


@pytest.mark.parametrize(
    ("score", "role"), [(100, Role.GOOD), (85, Role.GOOD), (84, Role.REVISION), (60, Role.REVISION), (59, Role.BAD)]
)
def test_a_score_is_good_from_85_and_bad_below_60(score: int, role: Role) -> None:
    assert score_role(score) is role


def test_dimensions_and_comments_are_read_from_any_json() -> None:
    dimensions = [{"name": "clarity", "score": 60.5}, {"name": "x", "score": "60"}, {"score": 1e9}, 3, {"score": -4}]
    comments = [{"path": "a.py", "line": 3, "comment": "Say why."}, {"path": "b.py"}, None]

    assert scored_dimensions({"dimensions": dimensions}) == [("clarity", 60), ("", 0)]
    assert scored_dimensions({"dimensions": "none"}) == []
    assert review_comments(comments) == [("a.py:3", "Say why."), ("b.py", ""), ("", "")]
    assert review_comments("none") == []


def test_judges_are_said_with_scores_rounds_and_what_follows() -> None:
    cards = [{"model": "internal", "score": 78}, {"model": "reviewer", "score": 74, "notes": "Too bold."}]
    review: dict[str, Any] = {"verdict": "revise", "iterations": 3, "judge_cards": cards}
    passed: dict[str, Any] = {"verdict": "pass", "judge_cards": [{"model": "internal", "score": 95, "notes": "Fine."}]}

    assert judge_facts(audited("revise"), review) == [
        "internal 78",
        "reviewer 74",
        "3 rounds",
        "next thought forced: yes",
    ]
    assert judge_facts(audited("pass"), review, has_rounds=False) == ["internal 78", "reviewer 74"]
    assert judge_notes(review) == ["reviewer: Too bold."]
    assert judge_facts(audited("pass"), passed) == judge_notes(passed) == []


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/u/shop/.claude/worktrees/elastic-cori-f29409", "shop (elastic-cori-f29409)"),
        ("/home/u/shop/.claude/worktrees/elastic-cori-f29409/api", "api (elastic-cori-f29409)"),
        ("C:\\u\\shop\\.claude\\worktrees\\elastic-cori-f29409\\", "shop (elastic-cori-f29409)"),
        ("/home/u/shop-fix", "shop-fix"),
        ("/home/u/.claude/worktrees", "worktrees"),
    ],
)
def test_a_session_in_a_worktree_of_claude_code_has_the_names_of_both(folder: str, name: str) -> None:
    assert title(JournalBuilder().session(title=None, client=None, cwd=folder)) == name


@pytest.mark.parametrize(("worktree", "name"), [("feat", "shop (feat)"), (None, "shop")])
def test_a_session_in_a_worktree_that_the_client_names_has_the_names_of_both(worktree: str | None, name: str) -> None:
    journal = JournalBuilder().session(client=None, cwd="/srv/feat", repository="/home/u/shop", worktree=worktree)

    assert title(journal) == name
