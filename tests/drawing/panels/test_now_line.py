"""The line that says what a live session does now."""

from collections.abc import Mapping
from typing import Any

import pytest

from seqthink.chain.attention import Attention, Doing, last_activity, standing_of
from seqthink.chain.fold import Fold
from seqthink.chain.model import NativeKind
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.events import WriterState
from seqthink.drawing.describe.now_line import NowLine, now_line, now_spans
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.glyphs import ASCII
from seqthink.drawing.text.spans import spans_text, spans_width
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder
from tests.support.journals.given_texts import GivenTexts

SECOND = 1_000_000


def _journal() -> JournalBuilder:
    return JournalBuilder().event("session", _session()).event("prompt", {"text": "Why?", "id": "p"})


def _session() -> Mapping[str, Any]:
    return {"session": "s", "source": "claude", "cwd": "/home/ada/shop"}


def _acts(journal: JournalBuilder, call: str, tool: str = "Bash", after: float = 1, **more: object) -> JournalBuilder:
    return journal.event("action", {"tool": tool, "call": call, **more}, after=after)


def _fold(journal: JournalBuilder, writer: WriterState = WriterState.ALIVE) -> Session:
    fold = Fold(has_native=True)
    for event in journal.events:
        fold.evolve(event)
    return fold.session(writer)


def _line(journal: JournalBuilder, after: float = 4, writer: WriterState = WriterState.ALIVE) -> NowLine | None:
    session = _fold(journal, writer)
    now = last_activity(session) + int(after * SECOND)
    return now_line(session, standing_of(session, last_activity(session), now), now)


def _said(journal: JournalBuilder, after: float = 4, cells: int = 60) -> str:
    return spans_text(now_spans(_line(journal, after), cells))


def test_a_call_that_runs_is_named_with_what_it_was_called_with_and_for_how_long() -> None:
    assert _said(_acts(_journal(), "a", summary="mix test"), 41) == "now  Bash mix test · 41 s"


@pytest.mark.parametrize(
    "summary", ["bash -lc cargo test", "/bin/zsh -lc cargo test", "cd /home/ada/shop && cargo test", "cargo test"]
)
def test_a_command_is_named_without_the_shell_that_runs_it_and_its_folder(summary: str) -> None:
    assert _said(_acts(_journal(), "a", "exec_command", summary=summary)) == "now  exec_command cargo test · 4 s"


def test_a_call_that_ended_is_no_longer_said_but_that_the_model_is_waited_for() -> None:
    journal = _acts(_acts(_journal(), "a", summary="mix test"), "a", after=41)

    assert _said(journal) == "now  waiting for the model · 4 s"


def test_of_calls_that_run_side_by_side_the_newest_is_named_and_the_others_counted() -> None:
    journal = _acts(_acts(_journal(), "e"), "e")
    journal = _acts(_acts(_acts(journal, "a"), "b", "Read"), "c", "Grep", summary="pool")

    assert _said(journal) == "now  Grep pool +2 · 4 s"
    assert _said(_acts(journal, "c")) == "now  Read +1 · 6 s"


@pytest.mark.parametrize("event", ["prompt", "reasoning"])
def test_thinking_is_said_after_a_prompt_or_a_reasoning_item(event: str) -> None:
    assert _said(_acts(_journal(), "a").event(event, {"text": "Look", "id": "x"})) == "now  thinking · 4 s"


def test_thinking_is_said_after_a_thought_but_not_after_a_remark() -> None:
    assert _said(_journal().thought("Pool?", 1, 3)) == "now  thinking · 4 s"
    assert _said(_journal().event("remark", {"text": "Look", "id": "x"})) == "now  waiting for the model · 4 s"


def test_after_a_minute_without_a_line_nobody_is_said_to_think() -> None:
    assert _said(_journal(), 90) == "now  silent · 1 m"


def test_a_question_to_the_user_is_said_as_it_was_asked() -> None:
    journal = _journal().thought("Pool?", 1, 3)
    journal.asking(journal.seq, "limit", "elicit", message="May it\x1b[31m go on?")

    assert _said(journal).startswith("now  asks you: May it")
    assert "\x1b" not in _said(journal)


def test_a_question_of_a_client_s_own_tool_is_one_to_the_user_while_its_agent_is_at_work() -> None:
    journal = _acts(_journal(), "q", "AskUserQuestion")
    asked = {"of": journal.seq, "purpose": "AskUserQuestion", "call": "q"}
    journal.event("asking", {**asked, "kind": "elicit", "message": "Which pool?"})

    assert _said(journal) == "now  asks you: Which pool? · 4 s"
    for writer in (WriterState.UNKNOWN, WriterState.GONE):
        assert standing_of(_fold(journal, writer), 0, 0).attention is not Attention.ASKING
    journal.event("elicit", {**asked, "action": "accept"}).event("action", {"tool": "?", "call": "q", "ended": "done"})
    assert _said(journal) == "now  waiting for the model · 4 s"


def test_a_call_runs_since_the_user_has_allowed_it_if_that_is_known() -> None:
    def asked(call: str | None) -> JournalBuilder:
        journal = _acts(_acts(_journal(), "a", summary="mix test"), "b", agent="x")
        question = {"of": journal.seq, "purpose": "permission", "call": call}
        journal.event("asking", {**question, "kind": "elicit", "message": "allow Bash mix test?"})
        return journal.event("elicit", question, after=60).event("reasoning", {"text": "?", "agent": "y"}, after=0)

    assert _said(asked("a")) == "now  Bash mix test · 4 s"
    assert _said(asked("b")) == "now  Bash mix test · 1 m"
    assert _said(asked(None)) == "now  Bash mix test"


def test_how_many_sub_agents_are_waited_for() -> None:
    journal = _acts(_acts(_journal(), "a", "Agent", summary="pool"), "b", "Agent", summary="cron")
    journal.event("agent", {"id": "x", "name": "pool", "call": "a"}).event("agent", {"id": "y", "call": "b"})
    journal.event("prompt", {"text": "Look", "id": "q", "agent": "x"})

    assert _said(_acts(journal, "c", agent="x")) == "now  waiting for 2 sub-agents · 5 s"
    journal.event("turn", {"text": "The pool.", "id": "t", "agent": "x"})
    assert _said(_acts(journal, "a")) == "now  waiting for 1 sub-agent · 6 s"


def test_a_call_that_waits_for_sub_agents_is_said_as_how_many_they_are() -> None:
    journal = _acts(_acts(_journal(), "a", "spawn_agent"), "a", "spawn_agent", ended="done")
    journal.event("agent", {"id": "x", "call": "a"}).event("prompt", {"text": "Look", "id": "q", "agent": "x"})

    assert _said(_acts(journal, "w", "wait_agent")) == "now  waiting for 1 sub-agent · 4 s"


def test_a_session_that_has_only_thoughts_waits_for_the_sub_agent_that_thinks() -> None:
    journal = JournalBuilder().session().thought("Pool?", 1, 3).event("agent", {"id": "x", "of": 2})

    assert _said(journal.thought("Look", 1, 3, agent="x")) == "now  waiting for 1 sub-agent · 4 s"


@pytest.mark.parametrize("writer", [WriterState.GONE, WriterState.UNKNOWN])
def test_a_session_that_is_not_live_has_no_line(writer: WriterState) -> None:
    assert _line(_acts(_journal(), "a"), writer=writer) is None


def test_a_session_that_is_done_has_no_line_unless_its_agent_acts_on() -> None:
    journal = _journal().thought("So", 1, 1, next=False)
    assert _line(journal) is None
    assert _said(_acts(journal, "a", "Edit")) == "now  Edit · 4 s"
    assert _line(journal.event("turn", {"text": "Done.", "id": "t"}, after=1)) is None


@pytest.mark.parametrize("agent", [None, "x"])
def test_an_agent_that_acts_after_an_answer_has_not_ended_its_turn(agent: str | None) -> None:
    own: dict[str, Any] = {"agent": agent} if agent else {}
    journal = _journal().event("agent", {"id": "x", "name": "pool"}).event("prompt", {"text": "Look", "id": "q", **own})
    journal.event("turn", {"text": "Looking.", "id": "t", **own})
    answered = _fold(journal)
    acting = _fold(_acts(journal, "a", **own))
    goes_on = _fold(_acts(journal, "a", ended="done", **own))
    ended = _fold(journal.event("turn", {"text": "Done.", "id": "u", **own}))

    sessions = (answered, acting, goes_on, ended)
    kinds = [one.native.kind_of(one.thought_count - 1) for one in sessions]
    assert kinds == [NativeKind.ANSWER, NativeKind.REMARK, NativeKind.REMARK, NativeKind.ANSWER]
    assert acting.thoughts.get(acting.thought_count - 1).native is NativeKind.REMARK
    if agent:
        assert [one.agents.has_ended(1) for one in sessions] == [True, False, False, True]
    else:
        assert [one.state for one in sessions] == [State.DONE, State.THINKING, State.THINKING, State.DONE]


def test_an_audit_that_runs_says_its_step() -> None:
    journal = JournalBuilder().session().thought("Pool?", 1, 3)

    assert _said(journal.event("auditing", {"of": 2, "done": 1, "steps": 4, "doing": "tests"})).startswith(
        "now  auditing tests"
    )


@pytest.mark.parametrize(
    ("cells", "drawn"),
    [
        (60, "now  Edit apps/checkout/lib/registry.ex · 4 s"),
        (40, "now  Edit …/lib/registry.ex · 4 s"),
        (28, "now  Edit registry.ex · 4 s"),
        (12, "now  Edit r…"),
    ],
)
def test_a_path_is_cut_on_the_left(cells: int, drawn: str) -> None:
    line = NowLine(doing="Edit", object="apps/checkout/lib/registry.ex", is_path=True, since=1, took="4 s")

    assert spans_text(now_spans(line, cells)) == drawn


def test_a_path_in_the_working_folder_is_relative_to_it() -> None:
    for path, shown in (
        ("/home/ada/shop/lib/a.ex", "lib/a.ex"),
        ("/home/ada/shops/a.ex", "/home/ada/shops/a.ex"),
    ):
        assert _said(_acts(_journal(), "a", "Edit", summary=path)) == f"now  Edit {shown} · 4 s"


def test_a_path_outside_of_the_working_folder_is_cut_on_the_left_too_and_a_pattern_on_the_right() -> None:
    drawn = {
        summary: _said(_acts(_journal(), "a", "Grep", summary=summary), cells=30)
        for summary in ("/srv/apps/checkout/lib/registry.ex", "insert( or lookup(")
    }

    assert list(drawn.values()) == ["now  Grep …/registry.ex · 4 s", "now  Grep insert( or lo… · 4 s"]


def test_a_command_is_cut_on_the_right() -> None:
    line = NowLine(doing="Bash", object="mix test --only integration", since=1, took="41 s")

    assert spans_text(now_spans(line, 28)) == "now  Bash mix test -… · 41 s"


def test_a_long_name_of_a_tool_leaves_half_of_the_line_to_what_it_was_called_with() -> None:
    line = NowLine(doing="mcp__registry__look_up_everything", object="mix test", since=1, took="41 s")

    assert spans_text(now_spans(line, 40)) == "now  mcp__registry__look… mix te… · 41 s"
    assert spans_text(now_spans(line, 40, ASCII)) == "now  mcp__registry__look~ mix te~ - 41 s"


@pytest.mark.parametrize("is_path", [True, False])
def test_the_line_never_takes_more_than_its_cells(*, is_path: bool) -> None:
    line = NowLine(doing="日本 tool", object="日本/語/registry.ex", is_path=is_path, also=3, since=1, took="41 s")

    for cells in range(1, 80):
        assert spans_width(now_spans(line, cells)) <= cells
        assert spans_width(now_spans(line, cells, ASCII)) <= cells


def test_in_an_old_journal_without_ends_of_calls_the_next_call_ends_the_one_before() -> None:
    assert _said(_acts(_acts(_journal(), "a", "Read"), "b", summary="mix test")) == "now  Bash mix test · 4 s"


def test_an_old_journal_without_ends_of_calls_says_nothing_of_a_call_before_the_newest_words() -> None:
    session = _fold(_acts(_journal(), "a").event("remark", {"text": "Look", "id": "x"}))

    assert session.native.running_call is None
    assert standing_of(session, 0, 0).doing is Doing.THINKING


def _lane(after: float, *calls: str) -> str:
    journal = JournalBuilder().session().thought("Pool?", 1, 3).event("agent", {"id": "x", "name": "Explore", "of": 2})
    journal.thought("Look", 1, 3, agent="x")
    for call in calls:
        _acts(journal, call, agent="x")
    session, tree = _fold(journal), Tree()
    tree.sync(session)
    now = last_activity(session) + int(after * SECOND)
    painter = Painter(tree=tree, texts=GivenTexts(session, str), width=60, screen_width=60, now=now)
    return next(line for row in painter.draw_rows(0, tree.count) if "Explore" in (line := spans_text(row)))


def test_the_lane_of_a_sub_agent_says_whether_it_acts_or_thinks_before_it_is_silent() -> None:
    assert "thinking" in _lane(1)
    assert "acting" in _lane(1, "a")
    assert "acting 41s" in _lane(41, "a")
    assert "silent 41s" in _lane(41, "a", "a")
