"""How much of its context an agent uses: what each client records of it, and which of that becomes an event."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from seqthink.core.times import datetime_of
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Compacted, ContextUsed, Fact, Prompt, Rewound, SessionDescribed
from seqthink.sources.transcripts.pi.records import PiReader
from seqthink.sources.transcripts.resumption import EarlierTranslation
from seqthink.sources.transcripts.translation import SessionNames, Translator
from tests.sources.transcripts.copilot.event_lines import facts_of as copilot_facts_of
from tests.sources.transcripts.copilot.event_lines import record
from tests.support.transcripts.claude_lines import assistant, facts_of, text
from tests.support.transcripts.facts_of import facts_of_run, of

NAMES = SessionNames("claude-s1", "claude", "s1", "Claude Code")
CODEX_WINDOW, QWEN_WINDOW = 258_400, 1_000_000


# What each client records


@pytest.mark.parametrize(
    ("run", "tokens", "window", "model"),
    [
        ("claude/compaction", {2, 990_001}, None, "claude-opus-4-8"),
        ("cline/two-agents", {2}, None, "claude-sonnet-4-6"),
        ("codex/agents-0.171.0", {2}, CODEX_WINDOW, "gpt-5.3-codex"),
        ("gemini/agents", {5}, None, "gemini-3.8-flash"),
        ("kilo/agents", {2}, None, "scripted"),
        ("opencode/compaction", {2, 990_001}, None, "scripted"),
        ("pi/chain", {2}, None, "scripted"),
        ("qwen/agents", {2}, QWEN_WINDOW, "qwen3-coder-plus"),
    ],
)
def test_each_answer_of_the_main_agent_of_a_recorded_run_says_what_it_took(
    run: str, tokens: set[int], window: int | None, model: str, tmp_path: Path
) -> None:
    used = [fact for fact in of(ContextUsed, facts_of_run(run, tmp_path)) if fact.agent is None]

    assert {fact.tokens for fact in used} == tokens
    assert {(fact.window, fact.model) for fact in used} == {(window, model)}


@pytest.mark.parametrize("run", ["claude/three-agents", "cline/three-agents", "codex/agents", "qwen/three-agents"])
def test_each_agent_of_a_recorded_run_has_a_context_of_its_own(run: str, tmp_path: Path) -> None:
    facts = facts_of_run(run, tmp_path)

    assert {fact.agent for fact in of(ContextUsed, facts)} == {fact.agent for fact in of(Prompt, facts)}


def test_qwen_code_records_no_window_of_a_sub_agent(tmp_path: Path) -> None:
    used = of(ContextUsed, facts_of_run("qwen/agents", tmp_path))

    assert {fact.window for fact in used if fact.agent is not None and "call_7" in fact.agent} == {None}


def test_claude_code_counts_what_came_out_of_the_cache() -> None:
    usage = {
        "input_tokens": 3,
        "cache_creation_input_tokens": 1_200,
        "cache_read_input_tokens": 116_000,
        "output_tokens": 1_197,
    }

    (used,) = of(ContextUsed, facts_of([assistant("a1", None, "m1", text("hi"), usage=usage)]))

    assert (used.tokens, used.window) == (118_400, None)


def test_an_answer_that_claude_code_made_up_takes_nothing() -> None:
    usage = {"input_tokens": 0, "output_tokens": 0}

    assert of(ContextUsed, facts_of([assistant("a1", None, "m1", text("hi"), usage=usage, model="<synthetic>")])) == []


def test_copilot_records_each_answer_of_each_agent_with_its_window() -> None:
    usage = {"model": "claude-sonnet-4.5", "inputTokens": 90_000, "outputTokens": 800, "maxPromptTokens": 168_000}

    facts = copilot_facts_of(
        record("session.usage_record", 1, usage=usage),
        record("session.usage_record", 2, "sub", usage={**usage, "inputTokens": 7}),
        record("session.usage_record", 3),
    )

    assert [(fact.agent, fact.tokens, fact.window) for fact in of(ContextUsed, facts)] == [
        (None, 90_800, 168_000),
        ("sub", 807, 168_000),
    ]


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"input": 10, "output": 20, "cacheRead": 300, "cacheWrite": 4_000}, 4_330),
        ({"input": 10, "output": 20, "cacheRead": 300, "cacheWrite": 4_000, "totalTokens": 4_331}, 4_331),
    ],
)
def test_pi_counts_the_whole_conversation(usage: dict[str, int], tokens: int) -> None:
    message = {"role": "assistant", "content": "hi", "model": "m", "usage": usage, "stopReason": "stop"}
    line = {"type": "message", "id": "1", "parentId": None, "timestamp": "2026-11-29T11:00:00.000Z", "message": message}

    (used,) = of(ContextUsed, list(PiReader("s", ReadCounts(), {}).read(json.dumps(line).encode())))

    assert used.tokens == tokens


# Which of it becomes an event


def used(tokens: int, time: int, *, window: int | None = None, agent: str | None = None) -> ContextUsed:
    return ContextUsed(id=f"u{time}", time=time, tokens=tokens, window=window, agent=agent, model="m")


def tokens_of(facts: Sequence[Fact], translator: Translator | None = None) -> list[int]:
    drafts = (translator or Translator(NAMES)).translate(facts)
    return [draft.fields["tokens"] for draft in drafts if draft.kind == "usage"]


def test_a_small_change_is_not_an_event() -> None:
    assert tokens_of([used(5_000, 1), used(6_999, 2), used(7_000, 3), used(5_001, 4)]) == [5_000, 7_000]


def test_a_hundredth_of_a_window_is_an_event() -> None:
    assert tokens_of([used(2_000, 1, window=8_000), used(2_079, 2, window=8_000), used(2_080, 3, window=8_000)]) == [
        2_000,
        2_080,
    ]


def test_what_was_said_before_is_not_an_event_again() -> None:
    translator = Translator(NAMES)

    assert tokens_of([used(5_000, 1), used(9_000, 2)], translator) == [5_000, 9_000]
    assert tokens_of([used(5_000, 1), used(9_000, 2)], translator) == []


def test_a_fork_that_has_not_begun_uses_what_its_parent_does() -> None:
    copied = Prompt(id="p", time=1, text="hi")
    fork = SessionDescribed(id="f", time=0, agent="f", forked_from="s1")
    own = Prompt(id="q", time=4, text="else?", agent="f")

    facts = [copied, fork, used(5_000, 2, agent="f"), replace(copied, agent="f"), own, used(9_000, 5, agent="f")]

    assert tokens_of(facts) == [9_000]


def test_another_window_is_an_event() -> None:
    assert tokens_of([used(2_000, 1, window=8_000), used(2_000, 2, window=9_000)]) == [2_000, 2_000]


def test_after_a_compaction_and_a_rewind_any_use_is_an_event() -> None:
    facts = [
        Prompt(id="p", time=1, text="hi"),
        used(2_000, 2),
        Compacted(id="c", time=3),
        used(2_000, 4),
        Rewound(id="r", time=5, dropped=("p",)),
        used(2_000, 6),
    ]

    assert tokens_of(facts) == [2_000, 2_000, 2_000]


def test_agents_do_not_share_a_context() -> None:
    assert tokens_of([used(2_000, 1), used(2_000, 2, agent="a"), used(2_000, 3)]) == [2_000, 2_000]


@given(st.lists(st.tuples(st.integers(1, 9_000), st.sampled_from([None, 5_000])), max_size=12), st.integers(0, 12))
def test_a_later_import_adds_what_one_import_would_have(uses: list[tuple[int, int | None]], cut: int) -> None:
    facts: list[Fact] = [used(tokens, time, window=window) for time, (tokens, window) in enumerate(uses, 1)]
    drafts = Translator(NAMES).translate(facts[:cut])
    earlier = EarlierTranslation()
    for seq, draft in enumerate(drafts, 1):
        earlier.take({"type": draft.kind, "seq": seq, "time": datetime_of(draft.time), **draft.fields})
    later = Translator(NAMES, len(drafts) + 1, earlier)

    assert tokens_of(facts[:cut]) + tokens_of(facts, later) == tokens_of(facts)
