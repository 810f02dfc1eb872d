import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from seqthink.drawing import plain
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.library.live_session import load_journal
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Fact,
    Prompt,
    Reasoning,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.source import FoundSession, SessionFeed
from seqthink.sources.transcripts.spool import encoded
from seqthink.sources.transcripts.translation import SessionNames, Translator
from tests.support.transcripts.claude_lines import SESSION, assistant, call, line, result, text, thinking, user
from tests.support.transcripts.recorded import lay_out


def write(path: Path, lines: Iterable[bytes], changed: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as out:
        out.writelines(each + b"\n" for each in lines)
    if changed is not None:
        os.utime(path, (changed, changed))
    return path


def in_session(session: str, lines: Iterable[bytes]) -> list[bytes]:
    """Return lines as a copy of the session has them."""
    return [each.replace(SESSION.encode(), session.encode()) for each in lines]


def drain(feed: SessionFeed) -> list[Fact]:
    facts: list[Fact] = []
    while True:
        batch = feed.read(1 << 20)
        facts += batch.facts
        if batch.at_end:
            return facts


def prompts(facts: Iterable[Fact]) -> list[tuple[str, str | None]]:
    return [(fact.text, fact.agent) for fact in facts if isinstance(fact, Prompt)]


BEGINNING = [user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"), stop="end_turn")]


def test_the_folder_is_the_user_s_or_the_configured_one(tmp_path: Path) -> None:
    source = ClaudeSource()

    assert source.folder({}, tmp_path) == tmp_path / ".claude" / "projects"
    assert source.folder({"CLAUDE_CONFIG_DIR": "/etc/claude"}, tmp_path) == Path("/etc/claude/projects")


def test_sessions_are_found_newest_first_with_those_of_subagents_inside(tmp_path: Path) -> None:
    for number in range(5):
        write(tmp_path / f"-p{number % 2}" / f"s{number}.jsonl", [user(f"u{number}", None, "why?")], 1000 + number)
    write(tmp_path / "-p0" / "agent-a1.jsonl", in_session("s0", [user("c1", None, "look")]), 5000)
    write(tmp_path / "-p1" / "s1" / "subagents" / "agent-a2.jsonl", [user("c2", None, "look")], 3000)
    found = ClaudeSource().find(tmp_path, 4)

    assert [it.id for it in found] == ["s1", "s4", "s3", "s2"]
    assert (found[0].source, found[0].changed, found[0].path) == (
        "claude",
        3_000_000_000,
        tmp_path / "-p1" / "s1.jsonl",
    )
    assert ClaudeSource().find(tmp_path / "missing", 4) == []


def test_copies_are_one_session_with_the_oldest_s_id(tmp_path: Path) -> None:
    queued = line("queue-operation", operation="enqueue", content="and?", after=30)
    fork = in_session("fork", [queued, *BEGINNING, user("u2", "a1", "and?", after=30)])
    write(tmp_path / "-p" / "fork.jsonl", fork, 1000)
    write(tmp_path / "-p" / f"{SESSION}.jsonl", [*BEGINNING, user("u3", "a1", "thanks", after=40)], 2000)
    source = ClaudeSource()
    (found,) = source.find(tmp_path, 10)

    assert (found.id, found.changed) == (SESSION, 2_000_000_000)
    facts = drain(source.open(found))
    assert prompts(facts) == [("why?", None), ("thanks", None), ("and?", "fork")]
    described = [(it.id, it.agent, it.forked_from) for it in facts if isinstance(it, SessionDescribed)]
    assert described == [(SESSION, None, None), ("fork", "fork", SESSION)]


def test_a_copy_of_a_copy_names_the_one_before_it(tmp_path: Path) -> None:
    second = [user("u2", "a1", "and?", after=30), assistant("a2", "u2", "m2", text("that"), stop="end_turn", after=30)]
    write(tmp_path / "-p" / f"{SESSION}.jsonl", BEGINNING, 1000)
    write(tmp_path / "-p" / "fork1.jsonl", in_session("fork1", [*BEGINNING, *second]), 2000)
    third = [*second, user("u3", "a2", "so?", after=35)]
    write(tmp_path / "-p" / "fork2.jsonl", in_session("fork2", [*BEGINNING, *third]), 3000)
    source = ClaudeSource()
    (found,) = source.find(tmp_path, 10)
    facts = drain(source.open(found))

    assert prompts(facts) == [("why?", None), ("and?", "fork1"), ("so?", "fork2")]
    assert [fact.forked_from for fact in facts if isinstance(fact, SessionDescribed)] == [None, SESSION, "fork1"]


def test_a_copy_that_is_read_alone_is_its_own_session_and_nothing_beside_it_is_read(tmp_path: Path) -> None:
    write(tmp_path / f"{SESSION}.jsonl", [*BEGINNING, user("u9", "a1", "elsewhere", after=40)])
    fork = write(tmp_path / "fork.jsonl", in_session("fork", [*BEGINNING, user("u2", "a1", "and?", after=30)]))
    write(tmp_path / "other.jsonl", [b'{"kind": "no record of Claude Code"}'])
    budget = Budget()

    (found,) = ClaudeSource(budget, is_alone=True).sessions_in(fork)
    texts = [said for said, _ in prompts(drain(ClaudeSource(budget, is_alone=True).open(found)))]

    assert (found.path, texts) == (fork, ["why?", "and?"])
    assert budget.left_out == []


def test_what_a_copy_calls_and_reasons_is_its_own_where_ids_are_counted_in_each_answer(tmp_path: Path) -> None:
    def goes_on(name: str) -> list[bytes]:
        think = call("call_0", "mcp__seq__sequentialthinking", thought=name)
        return [assistant(f"{name}1", "u1", "msg", thinking(name)), assistant(f"{name}2", f"{name}1", "msg", think)]

    prompt = user("u1", None, "why?")
    write(tmp_path / "-p" / f"{SESSION}.jsonl", [prompt, *goes_on("own")], 1000)
    write(tmp_path / "-p" / "fork.jsonl", in_session("fork", [prompt, *goes_on("other")]), 2000)
    source = ClaudeSource()
    facts = drain(source.open(source.find(tmp_path, 10)[0]))

    assert len({fact.id for fact in facts if isinstance(fact, ToolCall)}) == 2
    assert len({fact.id for fact in facts if isinstance(fact, Reasoning)}) == 2


def test_an_answer_whose_end_no_record_marks_is_the_original_s_and_not_its_copy_s(tmp_path: Path) -> None:
    beginning = [user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"))]
    write(tmp_path / "-p" / f"{SESSION}.jsonl", beginning, 1000)
    write(tmp_path / "-p" / "fork.jsonl", in_session("fork", [*beginning, user("u2", "a1", "and?", after=30)]), 2000)
    source = ClaudeSource()
    feed = source.open(source.find(tmp_path, 10)[0])
    ends = [fact for fact in [*drain(feed), *feed.settle()] if isinstance(fact, TurnEnded)]

    assert [(end.agent, end.text) for end in ends] == [(None, "so")]


def test_a_copy_that_appears_while_the_session_is_read_comes_along(tmp_path: Path) -> None:
    write(tmp_path / "-p" / f"{SESSION}.jsonl", BEGINNING)
    source = ClaudeSource()
    feed = source.open(source.find(tmp_path, 10)[0])
    assert prompts(drain(feed)) == [("why?", None)]
    write(tmp_path / "-p" / "fork.jsonl", in_session("fork", [*BEGINNING, user("u2", "a1", "and?", after=30)]))

    assert prompts(drain(feed)) == [("and?", "fork")]
    assert [it.id for it in source.find(tmp_path, 10)] == [SESSION]


def test_a_file_in_which_nothing_was_said_yet_is_no_session(tmp_path: Path) -> None:
    queued = line("queue-operation", operation="enqueue", content="and?", after=30)
    write(tmp_path / "-p" / f"{SESSION}.jsonl", BEGINNING)
    fork = write(tmp_path / "-p" / "fork.jsonl", in_session("fork", [line("mode", mode="normal"), queued]))
    source = ClaudeSource()
    assert [it.id for it in source.find(tmp_path, 10)] == [SESSION]
    write(fork, in_session("fork", BEGINNING))

    assert [it.id for it in source.find(tmp_path, 10)] == [SESSION]
    assert {it.id for it in source.sessions_in(fork)} == {SESSION}


def test_subagents_of_every_layout_are_read_with_their_session(tmp_path: Path) -> None:
    folder = tmp_path / "-p"
    ask = [call(f"t{number}", "Task", description=f"job {number}", prompt="go") for number in range(3)]
    write(folder / f"{SESSION}.jsonl", [*BEGINNING, assistant("a2", "a1", "m2", *ask)])
    agents = folder / SESSION / "subagents"
    write(agents / "agent-new.jsonl", [user("c1", None, "new", isSidechain=True)])
    write(agents / "agent-new.meta.json", [json.dumps({"agentType": "Explore", "toolUseId": "t0"}).encode()])
    write(agents / "workflows" / "wf1" / "agent-flow.jsonl", [user("c2", None, "flow", isSidechain=True)])
    write(folder / "agent-old.jsonl", [user("c3", None, "old", isSidechain=True)])
    write(folder / "agent-other.jsonl", in_session("other", [user("c4", None, "other", isSidechain=True)]))
    write(agents / "agent-acompact-1.jsonl", [user("c5", None, "compact", isSidechain=True)])
    source = ClaudeSource()
    feed = source.open(next(one for one in source.find(tmp_path, 10) if one.id == SESSION))
    facts = drain(feed)

    assert set(prompts(facts)) == {("why?", None), ("new", "new"), ("flow", "flow"), ("old", "old")}
    joined = {fact.id: (fact.name, fact.call) for fact in facts if isinstance(fact, AgentStarted)}
    assert joined == {"new": ("job 0", "t0"), "flow": ("flow", None), "old": (None, None)}
    assert {path.name for path in feed.agent_files} == {"agent-new.jsonl", "agent-flow.jsonl", "agent-old.jsonl"}


def test_a_subagent_is_followed_from_its_first_record_to_its_result(tmp_path: Path) -> None:
    main = write(tmp_path / "-p" / f"{SESSION}.jsonl", BEGINNING)
    source = ClaudeSource()
    feed = source.open(source.find(tmp_path, 10)[0])
    drain(feed)
    write(main, [assistant("a2", "a1", "m2", call("t1", "Agent", description="look", prompt="go"))])
    assert [type(fact).__name__ for fact in drain(feed)] == ["ToolCall"]
    agents = tmp_path / "-p" / SESSION / "subagents"
    write(agents / "agent-a7.meta.json", [json.dumps({"agentType": "Explore", "toolUseId": "t1"}).encode()])
    write(agents / "agent-a7.jsonl", [user("c1", None, "go", isSidechain=True)])
    assert [type(fact).__name__ for fact in drain(feed)] == ["AgentStarted", "Prompt"]
    write(agents / "agent-a7.jsonl", [assistant("c2", "c1", "m3", text("at :00"), stop="end_turn")])
    drain(feed)
    write(main, [user("u2", "a2", [result("t1", "…")])])

    ended = [fact for fact in drain(feed) if isinstance(fact, TurnEnded)]
    assert [(fact.agent, fact.text) for fact in ended] == [("a7", "at :00")]
    assert drain(feed) == []


def test_a_file_is_recognised_by_its_content(tmp_path: Path) -> None:
    source = ClaudeSource()
    heads = {
        b"\n".join(BEGINNING): True,
        b'{"type":"summary","summary":"x","leafUuid":"y"}\n': True,
        b'{"parentUuid":null,"isSidechain":false,"message":"' + b"x" * 65_000: True,
        b'{"sessionId":"x","projectHash":"y","startTime":"2026-11-22T17:38:21.171Z"}\n': False,
        b'{"timestamp":"2026-11-22T17:38:21.171Z","type":"session_meta","payload":{"id":"x"}}\n': False,
        b'{"v":1,"seq":1,"time":"2026-11-22T17:38:21.171Z","type":"session"}\n': False,
        b"SQLite format 3\0": False,
        b"": False,
    }

    assert {head: source.recognises(tmp_path / "a.jsonl", head) for head in heads} == heads


def test_any_file_of_a_run_leads_to_its_session(tmp_path: Path) -> None:
    source = ClaudeSource()
    folder = source.folder({}, lay_out("claude/agents", tmp_path))
    (session,) = source.find(folder, 10)
    files = sorted(folder.glob("*/*.jsonl"))

    assert len(files) == 2
    for path in files:
        assert [(it.id, it.path) for it in source.sessions_in(path)] == [(session.id, session.path)]


def test_a_file_elsewhere_is_a_session_with_the_id_of_its_records(tmp_path: Path) -> None:
    path = write(tmp_path / "saved.jsonl", BEGINNING)
    source = ClaudeSource()
    (found,) = source.sessions_in(path)

    assert (found.id, found.path) == (SESSION, path)
    assert prompts(drain(source.open(found))) == [("why?", None)]


def test_a_subagent_s_file_alone_is_a_session_whose_main_agent_it_is(tmp_path: Path) -> None:
    answer = assistant("c2", "c1", "m1", text("done"), stop="end_turn", isSidechain=True)
    lines = [user("c1", None, "go", isSidechain=True), answer]
    source = ClaudeSource()
    (found,) = source.sessions_in(write(tmp_path / "agent-a7.jsonl", lines))
    facts = drain(source.open(found))

    assert (found.id, prompts(facts)) == ("agent-a7", [("go", None)])
    assert [type(fact).__name__ for fact in facts] == ["SessionDescribed", "Prompt", "TurnEnded"]


def test_what_is_gone_cannot_be_opened(tmp_path: Path) -> None:
    gone = FoundSession("claude", "gone", tmp_path / "gone.jsonl", 0, 0)

    with pytest.raises(FileNotFoundError):
        ClaudeSource().open(gone)
    with pytest.raises(FileNotFoundError):
        ClaudeSource().sessions_in(gone.path)


def test_the_folders_of_the_newest_sessions_are_watched_first(tmp_path: Path) -> None:
    folder = tmp_path / "projects"
    write(folder / "-new" / "s1.jsonl", BEGINNING, 2000)
    write(folder / "-old" / "s2.jsonl", [user("x1", None, "why?")], 1000)
    (folder / "-empty").mkdir()
    source = ClaudeSource()
    source.find(folder, 10)

    assert source.watched_folders(folder) == [folder, folder / "-new", folder / "-old", folder / "-empty"]
    assert source.watched_folders(tmp_path / "missing") == []


def test_a_process_says_whether_a_session_is_running(tmp_path: Path) -> None:
    write(tmp_path / "projects" / "-p" / f"{SESSION}.jsonl", BEGINNING)
    source = ClaudeSource()
    (found,) = source.find(tmp_path / "projects", 10)
    assert source.process_of(found).is_running is None
    process = tmp_path / "sessions" / "1.json"
    write(process, [json.dumps({"pid": os.getpid(), "sessionId": SESSION}).encode()])
    assert source.process_of(found).is_running is True
    process.write_text(json.dumps({"pid": 2**22 + 1, "sessionId": SESSION}), "utf-8")
    assert source.process_of(found).is_running is False
    process.write_text(json.dumps({"pid": -1, "sessionId": SESSION}), "utf-8")
    assert source.process_of(found).is_running is None


def test_a_session_that_was_resumed_after_its_process_was_killed_is_running(tmp_path: Path) -> None:
    write(tmp_path / "projects" / "-p" / f"{SESSION}.jsonl", BEGINNING)
    source = ClaudeSource()
    (found,) = source.find(tmp_path / "projects", 10)
    for name, pid, changed in (("1", os.getpid(), 1000), ("2", 2**22 + 1, 2000)):
        process = json.dumps({"pid": pid, "sessionId": SESSION}).encode()
        write(tmp_path / "sessions" / f"{name}.json", [process], changed)

    assert source.process_of(found).is_running is True


def test_a_session_that_was_rewritten_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "-p" / f"{SESSION}.jsonl", BEGINNING)
    source = ClaudeSource()
    feed = source.open(source.find(tmp_path, 10)[0])
    drain(feed)
    shutil.copy(path, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)
    batch = feed.read(1 << 20)

    assert (batch.restarted, prompts(batch.facts)) == (True, [("why?", None)])


def workflow(tmp_path: Path, *, meta: str = "", journal: str = "") -> AgentStarted:
    """Return what is known at the end of a workflow's agent."""
    ran = {"toolUseResult": {"status": "async_launched", "runId": "wf1"}}
    main = write(
        tmp_path / "-p" / f"{SESSION}.jsonl",
        [
            *BEGINNING,
            user("u2", "a1", "sweep"),
            assistant("a2", "u2", "m2", call("toolu_01W", "Workflow", scriptPath="sweep.js")),
            user("u3", "a2", [result("toolu_01W")], **ran),
        ],
    )
    run = tmp_path / "-p" / SESSION / "subagents" / "workflows" / "wf1"
    write(run / "agent-flow.jsonl", [user("f1", None, "Sweep batch 1\nand say so", agentId="flow", after=3)])
    if meta:
        (run / "agent-flow.meta.json").write_text(meta, encoding="utf-8")
    (run / "journal.jsonl").write_text(journal, encoding="utf-8")
    source = ClaudeSource()
    facts = drain(source.open(source.sessions_in(main)[0]))
    return [fact for fact in facts if isinstance(fact, AgentStarted)][-1]


def test_an_agent_of_a_workflow_is_tied_to_its_call_and_named_by_its_task(tmp_path: Path) -> None:
    agent = workflow(tmp_path, meta='{"agentType": "workflow-subagent"}', journal='{"type": "started"}\n')

    assert (agent.id, agent.call, agent.name) == ("flow", "toolu_01W", "Sweep batch 1")


def test_an_agent_of_a_workflow_has_the_label_that_its_script_gave_it(tmp_path: Path) -> None:
    started = {"type": "started", "agentId": "flow", "label": "batch 1", "phase": "Sweep"}
    by_journal = workflow(tmp_path / "a", journal=json.dumps(started) + "\n")
    by_meta = workflow(tmp_path / "b", meta=json.dumps({"agentType": "workflow-subagent", "label": "batch 1"}))

    assert (by_journal.name, by_meta.name) == ("Sweep: batch 1", "batch 1")
    assert by_journal.call == by_meta.call == "toolu_01W"


def test_a_subagent_that_failed_ends_with_the_error_and_not_with_a_tick(tmp_path: Path) -> None:
    thought = {"thought": "hm", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True}
    thinks = call("toolu_01T", "sequentialthinking", **thought)
    failed = [result("toolu_01A", "API Error 500", is_error=True)]
    main = write(
        tmp_path / "-p" / f"{SESSION}.jsonl",
        [
            *BEGINNING,
            assistant("a2", "a1", "m2", call("toolu_01A", "Agent", description="look", prompt="go"), after=1),
            user("u2", "a2", failed, toolUseResult="Error: API Error 500", after=9),
        ],
    )
    agents = tmp_path / "-p" / SESSION / "subagents"
    write(agents / "agent-a7.meta.json", [json.dumps({"toolUseId": "toolu_01A", "description": "look"}).encode()])
    write(
        agents / "agent-a7.jsonl",
        [
            user("c1", None, "go", isSidechain=True, after=2),
            assistant("c2", "c1", "m3", thinks, after=3),
            user("c3", "c2", [result("toolu_01T", "{}")], after=4),
        ],
    )
    source = ClaudeSource()
    facts = drain(source.open(source.sessions_in(main)[0]))
    (end,) = [fact for fact in facts if isinstance(fact, TurnEnded) and fact.agent == "a7"]
    journal = encoded(Translator(SessionNames("s", "claude", SESSION, "Claude Code")).translate(facts), 1)
    write(tmp_path / "s.jsonl", journal.splitlines())
    drawn = plain.overview_lines(load_journal(tmp_path / "s.jsonl"), width=60, signs=UNICODE)

    assert (end.text, end.is_aborted) == ("API Error 500", True)
    assert [line.strip(" │") for line in drawn if "API Error" in line] == ["✗ API Error 500"]


@pytest.mark.parametrize("left", [bytes(900), bytes(900) + b"\n", b"\x9c" * 9 + b"\n"])
def test_a_file_that_holds_nothing_but_what_a_crash_left_is_named(left: bytes, tmp_path: Path) -> None:
    path = tmp_path / "projects" / "-home-ada-work" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(left)
    budget = Budget()

    assert ClaudeSource(budget).find(tmp_path / "projects", 10) == []
    assert [str(path) in sentence for sentence in budget.left_out] == [True]


@pytest.mark.parametrize("place", ["{}/subagents", "{}/subagents/workflows/wf_1", ""])
def test_a_subagent_whose_session_is_gone_is_listed_itself(tmp_path: Path, place: str) -> None:
    main = write(tmp_path / "-shop" / f"{SESSION}.jsonl", BEGINNING)
    path = main.parent / place.format(SESSION) / "agent-k1.jsonl"
    write(path, [user("k1", None, "look"), assistant("k2", "k1", "m2", text("seen"), stop="end_turn")])
    source = ClaudeSource()

    listed = [one.id for one in source.find(tmp_path, 10)]
    main.unlink()
    alone = source.find(tmp_path, 10)

    assert listed == [SESSION]
    assert [(one.id, one.path) for one in alone] == [("agent-k1", path)]
    assert [text for text, _ in prompts(drain(source.open(alone[0])))] == ["look"]


def test_a_subagent_that_the_client_only_warms_up_is_listed_nowhere(tmp_path: Path) -> None:
    write(tmp_path / "-shop" / "agent-k1.jsonl", [user("k1", None, "Warmup")])

    assert ClaudeSource().find(tmp_path, 10) == []


def test_all_subagents_whose_session_is_gone_are_listed_as_far_as_sessions_are(tmp_path: Path) -> None:
    for number in range(600):
        write(
            tmp_path / "-shop" / "s" / "subagents" / f"agent-k{number}.jsonl", [user("k", None, "look")], 1000 + number
        )

    assert len(ClaudeSource().find(tmp_path, 1000)) == 600
    assert [one.id for one in ClaudeSource().find(tmp_path, 2)] == ["agent-k599", "agent-k598"]
