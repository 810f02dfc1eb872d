"""Sessions of pi, as it wrote them, and records that its documents describe."""

import json
from pathlib import Path

import pytest

from seqthink.sources.transcripts.facts import (
    Compacted,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.pi.source import PiSource
from tests.support.depth import first
from tests.support.transcripts.facts_of import facts_of_run, of, read_all

SESSION = "01a22702-0145-7277-8927-1c5f5840fbec"


def written(home: Path, *records: dict[str, object]) -> list[Fact]:
    """Return the facts of a session with these records, each of which continues the one before."""
    path = home / f".pi/agent/sessions/--home-ada-work--/2026-11-29T11-00-00-000Z_{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    time = {"timestamp": "2026-11-29T11:00:00.000Z"}
    lines: list[dict[str, object]] = [{"type": "session", "version": 3, "id": SESSION, **time, "cwd": "/home/ada"}]
    for number, record in enumerate(records):
        lines.append({"id": f"r{number}", "parentId": f"r{number - 1}" if number else None, **time, **record})
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), "utf-8")
    source = PiSource()
    (found,) = source.find(source.folder({}, home), 10)
    return read_all(source.open(found))


def message(role: str, text: str = "", **fields: object) -> dict[str, object]:
    content = [{"type": "text", "text": text}] if text else []
    return {"type": "message", "message": {"role": role, "content": content, **fields}}


def test_thoughts_and_reasoning_are_read_and_a_call_that_the_client_refused(tmp_path: Path) -> None:
    facts = facts_of_run("pi/reference", tmp_path)
    mains = [fact for fact in facts if fact.agent is None]

    assert len(of(Reasoning, mains)) == 10
    thoughts = [call for call in of(ToolCall, mains) if call.tool == "sequentialthinking"]
    assert [call.arguments["thoughtNumber"] for call in thoughts] == [1, 2, 2, "abc", 3, 4]
    refused = [end.error for end in of(Result, mains) if end.is_error]
    assert "thoughtNumber: expected integer" in refused[0]
    assert of(SessionDescribed, facts)[0].cwd == "/home/ada/work"


def test_a_rewind_in_the_tree_leaves_behind_what_is_behind_the_chosen_record(tmp_path: Path) -> None:
    facts = facts_of_run("pi/rewind", tmp_path)
    (rewound,) = of(Rewound, facts)
    by_id = {fact.id: fact for fact in facts if not isinstance(fact, Rewound | Result)}
    left = [by_id[one] for one in rewound.dropped]

    assert [call.arguments["thoughtNumber"] for call in of(ToolCall, left)] == [2]
    assert [end.is_aborted for end in of(TurnEnded, left)] == [True, False]
    assert [prompt.text for prompt in of(Prompt, left)] == ["And again? (play: again)"]


def test_the_thoughts_of_a_script_are_calls_of_their_own(tmp_path: Path) -> None:
    facts = facts_of_run("pi/script", tmp_path)

    assert [call.tool for call in of(ToolCall, facts)] == ["codemode", *["sequentialthinking"] * 3]
    assert {end.id for end in of(Result, facts)} == {call.id for call in of(ToolCall, facts)}


def test_a_copy_is_shown_from_where_it_goes_on(tmp_path: Path) -> None:
    facts = facts_of_run("pi/chain", tmp_path)
    (fork,) = [one for one in of(SessionDescribed, facts) if one.forked_from]
    mains = {(type(fact), fact.id) for fact in facts if fact.agent is None}
    own = [fact for fact in facts if fact.agent == fork.id and (type(fact), fact.id) not in mains]

    assert [prompt.text for prompt in of(Prompt, own)] == ["And if the job has to stay? (play: other)"]
    assert [end.text for end in of(TurnEnded, own)] == ["Then make the pool bigger."]


@pytest.mark.parametrize("slice_bytes", first(2, (700, 7_000, 1, 97)))
def test_the_facts_are_the_same_however_the_file_is_read(slice_bytes: int, tmp_path: Path) -> None:
    whole = facts_of_run("pi/rewind", tmp_path / "whole")

    assert facts_of_run("pi/rewind", tmp_path / "sliced", slice_bytes) == whole


def test_a_compaction_a_name_and_an_error_are_read(tmp_path: Path) -> None:
    facts = written(
        tmp_path,
        message("user", "Why?"),
        {"type": "compaction", "summary": "…", "firstKeptEntryId": "r0", "tokensBefore": 50_000},
        {"type": "session_info", "name": "the pool"},
        message("assistant", "half an ans", stopReason="error", errorMessage="overloaded"),
    )

    assert [one.tokens_before for one in of(Compacted, facts)] == [50_000]
    assert of(SessionDescribed, facts)[-1].title == "the pool"
    assert [said.text for said in of(Remark, facts)] == ["half an ans"]
    assert [end.is_aborted for end in of(TurnEnded, facts)] == [True]


def test_what_the_client_adds_is_no_prompt_and_leaves_nothing_behind(tmp_path: Path) -> None:
    facts = written(
        tmp_path,
        message("user", "Why?"),
        {"type": "custom_message", "customType": "x", "content": "injected", "display": True},
        message("assistant", "So.", stopReason="stop"),
        {"type": "label", "targetId": "r0", "label": "here"},
        message("bashExecution", command="ls", output="x"),
    )

    assert [prompt.text for prompt in of(Prompt, facts)] == ["Why?"]
    assert of(Rewound, facts) == []
    assert of(TurnEnded, facts)[-1].text == "So."


def test_the_variables_that_move_the_folder_are_respected(tmp_path: Path) -> None:
    source = PiSource()

    assert source.folder({}, tmp_path) == tmp_path / ".pi/agent/sessions"
    assert source.folder({"PI_CODING_AGENT_DIR": "/x"}, tmp_path) == Path("/x/sessions")
    assert source.folder({"PI_CODING_AGENT_SESSION_DIR": "/y", "PI_CODING_AGENT_DIR": "/x"}, tmp_path) == Path("/y")
