"""Several agents of one client: who thought what, and separate counts, on both server paths and versions."""

import gc
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.events import AgentEvent
from seqthink.journal.decode import decode
from seqthink.library.redacted_lines import decode_redacted
from seqthink.server.tools.agents import (
    MAIN_AGENT,
    MAX_AGENTS,
    MAX_ID_CHARS,
    CallingAgent,
    RecentAgents,
    identify_caller,
)
from tests.core.test_arguments import JSON
from tests.journal.test_writer import disk_of
from tests.server.test_notes_served import leave, noted
from tests.server.test_recorder import Session
from tests.support.servers.dialogue_clients import CLIENTS, no_answer
from tests.support.servers.server_paths import (
    FAST_PATH,
    SDK_PATH,
    SERVER_PATHS,
    call,
    comparable,
    exchange,
    initialize,
    lines,
)
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, Wire, events, journals, start, thought

TOOL = "sequentialthinking"
ROOT = "01a204f0-dd3f-7272-bdb4-1798c76b2828"
A, B = "01a204f0-ddf4-7d73-9598-ef735dc84278", "01a204f0-de01-7020-bdab-0e9ecd36129f"
VERSIONS: dict[str, Message] = {"handshake": {}, "stateless": STATELESS_META}


def codex(thread: str, number: int = 1, **turn: object) -> Message:
    """Return what Codex sends with a call: of its main thread, or of one that this has started."""
    started = {} if thread == ROOT else {"parent_thread_id": ROOT, "subagent_kind": "thread_spawn"}
    said = {"session_id": ROOT, "thread_id": thread, "model": "gpt-5.5", "turn_id": "t", **started, **turn}
    more = {"windowId": f"{thread}:0", "itemId": f"fc_{number}", "progressToken": number}
    return {"callId": f"call_{number}", "x-codex-turn-metadata": said, "threadId": thread, "sessionId": ROOT, **more}


def serve(folder: Path, warm: WarmServer, *options: str) -> Wire:
    return start(*options, "--journal-dir", str(folder), warm=warm, environ={"DISABLE_THOUGHT_LOGGING": "true"})


def fields_of(folder: Path, *names: str) -> list[tuple[Any, ...]]:
    """Return the fields ``names`` of every event of the newest journal but its first."""
    return [tuple(event.get(name) for name in names) for event in events(journals(folder)[-1])[1:]]


def said(result: Message) -> tuple[bool, str]:
    body = result["structuredContent"]
    return body["nextThoughtNeeded"], body.get("hint", "")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_a_thought_names_its_agent_and_its_call_and_an_agent_is_described_once(
    server_path: str, version: str, warm: WarmServer, tmp_path: Path
) -> None:
    metas = [
        codex(ROOT, 1), codex(A, 2), codex(B, 3, parent_thread_id=A), codex(A, 4), {"claudecode/toolUseId": "toolu_1"},
        codex(A, 5, model="gpt-5.6-sol"), codex(A, 6, model=None), {"threadId": "alone", "sessionId": 5}, {},
    ]  # fmt: skip
    with serve(tmp_path, warm, *SERVER_PATHS[server_path]) as wire:
        for number, meta in enumerate(metas):
            wire.call(thought(str(number), 0 if meta.get("callId") == "call_4" else 1), meta=VERSIONS[version] | meta)
        wire.hang_up()
        wire.status()

    assert fields_of(tmp_path, "type", "thought", "agent", "call", "id", "parent", "model")[:-1] == [
        ("thought", "0", None, "call_1", None, None, None),
        ("agent", None, None, None, A, None, "gpt-5.5"),
        ("thought", "1", A, "call_2", None, None, None),
        ("agent", None, None, None, B, A, "gpt-5.5"),
        ("thought", "2", B, "call_3", None, None, None),
        ("rejected", None, A, "call_4", None, None, None),
        ("thought", "4", None, "toolu_1", None, None, None),
        ("agent", None, None, None, A, None, "gpt-5.6-sol"),
        ("thought", "5", A, "call_5", None, None, None),
        ("thought", "6", A, "call_6", None, None, None),
        ("agent", None, None, None, "alone", None, None),
        ("thought", "7", "alone", None, None, None, None),
        ("thought", "8", None, None, None, None, None),
    ]
    assert all(decode(line) for line in journals(tmp_path)[0].read_bytes().splitlines())


@pytest.mark.parametrize("version", VERSIONS)
def test_a_refused_call_without_an_object_names_its_agent(version: str, warm: WarmServer, tmp_path: Path) -> None:
    sent = lines(call([], 1, _meta=VERSIONS[version] | codex(A)), call(None, 2, _meta=VERSIONS[version] | codex(A, 2)))
    fast, sdk = exchange(FAST_PATH, sent, tmp_path / "fast", warm), exchange(SDK_PATH, sent, tmp_path / "sdk", warm)

    assert [(event["type"], event.get("agent"), event.get("call")) for event in fast.journal[1:-1]] == [
        ("agent", None, None),
        ("rejected", A, "call_1"),
        ("rejected", A, "call_2"),
    ]
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


def _deep(levels: int, inner: object) -> object:
    for _ in range(levels):
        inner = [inner]
    return inner


HUGE = "x" * (1 << 20)
ODD: list[Any] = [None, 5, True, 1.5, [], {}, "", [A], HUGE, "\ud800"]
HOSTILE: list[Message] = [
    *({key: value} for key in ("threadId", "callId") for value in ODD),
    {"threadId": A, "sessionId": A},
    {"threadId": [A], "sessionId": [A]},
    {"threadId": _deep(900, A), "sessionId": _deep(900, A)},
    {"threadId": HUGE + "a", "sessionId": HUGE + "b"},
    {"threadId": HUGE, "sessionId": HUGE},
    {"threadId": "\x1b]0;x\x07\n\u202e ", "callId": "\x00"},
    {"callId": [], "claudecode/toolUseId": "toolu_1"},
    *(
        {"threadId": A, "x-codex-turn-metadata": turn}
        for turn in (
            *(None, 5, "", "{", "[]", "NaN", "5", '{"model": 1e999}', '{"model": ' + "9" * 5000 + "}"),
            *("[" * 60_000, "[" * 100_000, json.dumps({"model": "spelled", "parent_thread_id": B})),
            *({"model": HUGE}, {"model": ["m"], "parent_thread_id": 5}, {"parent_thread_id": A}),
            *({"parent_thread_id": HUGE}, {"parent_thread_id": _deep(900, B)}, {"model": _deep(900, "m")}),
        )
    ),
]


@pytest.mark.parametrize("version", VERSIONS)
def test_both_server_paths_answer_and_journal_alike_whatever_a_client_says_of_agents(
    version: str, warm: WarmServer, tmp_path: Path
) -> None:
    calls = [call(thought(str(n), n), n, _meta=VERSIONS[version] | meta) for n, meta in enumerate(HOSTILE, 1)]
    sent = lines(initialize(), *calls)
    fast, sdk = exchange(FAST_PATH, sent, tmp_path / "fast", warm), exchange(SDK_PATH, sent, tmp_path / "sdk", warm)

    answers = {answer["id"]: answer for answer in fast.answers if answer["id"]}
    assert [answers[n]["result"]["structuredContent"]["thoughtHistoryLength"] for n in sorted(answers)] == [
        n for n, _ in enumerate(HOSTILE, 1)
    ]
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal
    ids = [event.get(name) or "" for event in fast.journal for name in ("agent", "call", "id", "parent", "model")]
    assert max(map(len, ids)) == MAX_ID_CHARS + 65
    written = [event for event in fast.journal if event["type"] == "agent" and event["id"] == A]
    assert [(event.get("parent"), (event.get("model") or "")[:7]) for event in written][:3] == [
        (None, ""),
        (B, "spelled"),
        (B, "xxxxxxx"),
    ]


@given(st.dictionaries(st.sampled_from(["threadId", "sessionId", "callId", "x-codex-turn-metadata"]), JSON) | JSON)
def test_any_meta_names_an_agent_or_none(meta: object) -> None:
    agent, name = identify_caller(meta)

    assert all(
        value is None or (isinstance(value, str) and 0 < len(value) <= MAX_ID_CHARS + 65) for value in (*agent, name)
    )
    assert agent.id or agent == MAIN_AGENT


@given(
    st.text(min_size=MAX_ID_CHARS - 2, max_size=MAX_ID_CHARS + 2),
    st.text(min_size=MAX_ID_CHARS - 2, max_size=MAX_ID_CHARS + 2),
)
def test_ids_that_differ_stay_different_however_long_they_are(one: str, other: str) -> None:
    kept = [identify_caller({"threadId": name})[0].id for name in (one, other, "x" * 1000 + one, "x" * 1000 + other)]

    assert (kept[0] == kept[1]) == (one == other) == (kept[2] == kept[3])
    assert kept[0] not in kept[2:]


def test_the_short_form_of_a_long_id_is_not_the_id_of_another_agent() -> None:
    long = "x" * (MAX_ID_CHARS + 1)
    short = identify_caller({"threadId": long})[0].id
    assert short is not None
    again = identify_caller({"threadId": short})[0].id

    assert len({long, short, again}) == 3


@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_repeated_texts_are_counted_for_each_agent_alone(server_path: str, warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm, *SERVER_PATHS[server_path]) as wire:
        hints = [
            ("hint" in wire.call(thought("same"), meta=codex(thread))["structuredContent"])
            for thread in (ROOT, A, B, A, ROOT, A, B, B)
        ]

    assert hints == [False, False, False, False, False, True, False, True]


@pytest.mark.parametrize("version", CLIENTS)
@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_each_agent_has_its_own_limit(server_path: str, version: str, warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm, "--max-thoughts", "2", *SERVER_PATHS[server_path]) as wire:
        host = CLIENTS[version](wire, {})
        answers = [
            said(host.call(TOOL, thought(f"{thread} {n}", n), no_answer, threadId=thread, sessionId=ROOT))[0]
            for n in (1, 2, 3)
            for thread in (ROOT, A, B)
        ]
        begun = said(host.call(TOOL, thought("again"), no_answer, threadId=A, sessionId=ROOT))[0]
        stays = said(host.call(TOOL, thought("4", 4), no_answer, threadId=B, sessionId=ROOT))[0]

    assert answers == [True] * 6 + [False] * 3
    assert (begun, stays) == (True, False)


@pytest.mark.parametrize("version", CLIENTS)
@pytest.mark.parametrize("is_resumed", [False, True], ids=["at once", "resumed"])
def test_the_user_lifts_the_limit_of_the_agent_in_the_question(
    version: str, is_resumed: bool, warm: WarmServer, tmp_path: Path
) -> None:
    asked: list[str] = []

    def answer(question: Message) -> Message:
        asked.append(question["params"]["message"].partition(" has ")[0])
        return {"action": ["accept", "decline"][len(asked) - 1], "content": {}}

    def think(host: Any, numbers: range) -> list[tuple[str, int, bool]]:  # noqa: ANN401 - of either version
        return [
            (
                thread,
                n,
                said(host.call(TOOL, thought(f"{thread} {n}", n, 9), answer, threadId=thread, sessionId=ROOT))[0],
            )
            for n in numbers
            for thread in (ROOT, A)
        ]

    form: Message = {"elicitation": {}}
    if is_resumed:
        with serve(tmp_path, warm, "--max-thoughts", "2") as wire:
            answers = think(CLIENTS[version](wire, form), range(1, 4))
            wire.hang_up()
            wire.status()
        with serve(tmp_path, warm, "--max-thoughts", "2", "--resume", "last") as wire:
            answers += think(CLIENTS[version](wire, form), range(4, 6))
    else:
        with serve(tmp_path, warm, "--max-thoughts", "2") as wire:
            answers = think(CLIENTS[version](wire, form), range(1, 6))

    assert asked == ["The agent", "A sub-agent"]
    assert [n for thread, n, goes_on in answers if thread == ROOT and goes_on] == [1, 2, 3, 4, 5]
    assert [n for thread, n, goes_on in answers if thread == A and goes_on] == [1, 2]
    kept = {event["seq"]: event for event in events(journals(tmp_path)[0])}
    of = [kept[event["of"]].get("agent") for event in kept.values() if event["type"] == "elicit"]
    assert of == [None, A]


def test_two_agents_past_their_limits_get_a_question_each(warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm, "--max-thoughts", "1") as wire:
        host = CLIENTS["handshake"](wire, {"elicitation": {}})
        for thread in (A, B):
            host.call(TOOL, thought(f"{thread} 1"), no_answer, threadId=thread, sessionId=ROOT)
        calls = {
            host.send(TOOL, thought(f"{thread} 2", 2), threadId=thread, sessionId=ROOT): action
            for thread, action in ((A, "accept"), (B, "decline"))
        }
        questions = [wire.receive() for _ in calls]
        for question, action in zip(questions, calls.values(), strict=True):
            wire.send({"jsonrpc": "2.0", "id": question["id"], "result": {"action": action}})
        answers = {message["id"]: said(message["result"])[0] for message in (wire.receive() for _ in calls)}

    assert answers == {name: action == "accept" for name, action in calls.items()}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_a_note_goes_to_the_agent_that_thinks_next_and_to_no_other(
    server_path: str, version: str, warm: WarmServer, tmp_path: Path
) -> None:
    with serve(tmp_path, warm, *SERVER_PATHS[server_path]) as wire:
        wire.call(thought(), meta=VERSIONS[version] | codex(ROOT))
        wire.call(thought(), meta=VERSIONS[version] | codex(A))
        leave(tmp_path, "listen")
        carried = [
            noted(wire.call(thought(number=number), meta=VERSIONS[version] | codex(thread)))
            for thread, number in ((A, 0), (B, 1), (A, 2), (ROOT, 2), (B, 2))
        ]

    assert carried == [[], ["listen"], [], [], []]
    journal = events(journals(tmp_path)[0])
    [note] = [event for event in journal if event["type"] == "note"]
    assert {event["seq"]: event for event in journal}[note["of"]]["agent"] == B


def test_a_note_goes_to_the_first_of_several_agents_in_one_write(warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm) as wire:
        wire.call(thought(), meta=codex(ROOT))
        leave(tmp_path, "listen")
        wire.send_bytes(
            lines(*(call(thought(thread), n, _meta=codex(thread)) for n, thread in enumerate((A, B, ROOT))))
        )
        carried = [noted(wire.receive()["result"]) for _ in range(3)]

    assert carried == [["listen"], [], []]
    assert fields_of(tmp_path, "type", "thought", "of")[-6:] == [
        ("agent", None, None), ("thought", A, None), ("agent", None, None), ("thought", B, None),
        ("thought", ROOT, None), ("note", None, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("most", [0, 2])
def test_a_resumed_session_knows_each_agent_as_if_it_had_never_stopped(most: int, tmp_path: Path) -> None:
    steps = [
        (ROOT, thought("same")), (A, thought("same")), (A, thought("same", 2)), (B, thought("b", 0)),
        (ROOT, thought("same", 2)), (A, thought("same", 3)), (B, thought("same")), (ROOT, thought("same", 3)),
        (B, thought("2", 2, branchFromThought=1, branchId="x")), (A, thought("again", 1)), (ROOT, thought("4", 4)),
    ]  # fmt: skip

    def play(session: Session, some: list[tuple[str, Message]]) -> list[Message]:
        named = [(*identify_caller(codex(thread)), arguments) for thread, arguments in some]
        return [session.call(arguments, agent=agent, id=name).result() for agent, name, arguments in named]

    whole = Session(tmp_path / "whole", most=most)
    expected = play(whole, steps)
    for cut in range(1, len(steps)):
        first = Session(tmp_path / str(cut), most=most)
        answers = play(first, steps[:cut])
        first.thinking.end("eof")
        second = Session(tmp_path / str(cut), resume=first.journal(), most=most)
        answers += play(second, steps[cut:])
        kept = [event for event in events(first.journal()) if event["type"] not in {"session", "end"}]

        assert answers == expected
        assert [drop_place(event) for event in kept] == [drop_place(event) for event in events(whole.journal())[1:]]


def drop_place(event: Message) -> Message:
    return {name: value for name, value in event.items() if name not in {"seq", "time"}}


def test_an_event_that_cannot_be_written_leaves_no_trace_of_its_agent(tmp_path: Path) -> None:
    session = Session(tmp_path, required=True, most=2)
    """Neither a count nor a limit, nor that the journal knew of the agent, and of its model."""
    a, b = CallingAgent(A, model="m"), CallingAgent(B)
    session.call(thought("same"), agent=CallingAgent(A))
    with disk_of(session.journal().stat().st_size):
        refused = [session.call(thought("same", 2), agent=agent) for agent in (a, a, b)]
        refused += [session.call(thought("same", 2), agent=CallingAgent(f"x{n}")) for n in range(MAX_AGENTS + 1)]
    answers = [session.call(thought("same", 2), agent=agent).body for agent in (a, b)]

    assert all(answer.is_error for answer in refused)
    assert [("hint" in body, body["nextThoughtNeeded"]) for body in answers] == [(False, True), (False, True)]
    assert fields_of(tmp_path, "type", "agent", "id", "model") == [
        ("agent", None, A, None), ("thought", A, None, None), ("agent", None, A, "m"), ("thought", A, None, None),
        ("agent", None, B, None), ("thought", B, None, None),
    ]  # fmt: skip


def test_an_agent_is_described_in_the_same_write_as_its_first_thought(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.call(thought())
    with disk_of(session.journal().stat().st_size):
        answer = session.call(thought(), agent=CallingAgent(A))

    assert answer.meta["seqthink/journal"]["waiting"] == 2


def test_agents_are_described_again_in_the_file_that_replaces_a_deleted_one(tmp_path: Path) -> None:
    session = Session(tmp_path)
    for agent in (MAIN_AGENT, CallingAgent(A), CallingAgent(B)):
        session.call(thought(), agent=agent)
    session.journal().unlink()
    for agent in (MAIN_AGENT, CallingAgent(A), CallingAgent(B), CallingAgent(A)):
        session.call(thought(), agent=agent)

    assert fields_of(tmp_path, "type", "agent", "id") == [
        ("thought", None, None), ("agent", None, A), ("thought", A, None), ("agent", None, B), ("thought", B, None),
        ("thought", A, None),
    ]  # fmt: skip


@pytest.mark.parametrize("most", [0, 3])
def test_memory_does_not_grow_with_the_agents(most: int, tmp_path: Path) -> None:
    session = Session(tmp_path, most=most, context=True)

    def think(first: int) -> None:
        for number in range(first, first + 2 * MAX_AGENTS):
            agent, name = identify_caller({"threadId": f"{number}" + "x" * 100_000, "callId": "c" * 100_000})
            for branch in ("b", "c"):
                fork = {"branchFromThought": 1, "branchId": branch, "thoughtNumber": 1}
                session.call(thought(f"{number}" + "x" * 1000, **fork), agent=agent, id=name)
        session.shown.clear()

    think(0)
    tracemalloc.start()
    try:
        think(1000)
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert held < 4000 * MAX_AGENTS


def test_branches_of_a_limited_chain_are_distinguished_without_keeping_their_names(tmp_path: Path) -> None:
    session = Session(tmp_path, most=100)
    session.call(thought(branchId="first"))
    tracemalloc.start()
    try:
        for number in range(2, 60):
            session.call(thought(str(number), number, branchId=f"{number}" + "b" * 100_000))
        session.shown.clear()
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert held < 1_000_000


def test_a_forgotten_agent_starts_afresh_and_the_main_agent_is_never_forgotten(tmp_path: Path) -> None:
    session = Session(tmp_path)
    for agent in (MAIN_AGENT, CallingAgent(A)) * 2:
        session.call(thought("same"), agent=agent)
    for number in range(MAX_AGENTS):
        session.call(thought(), agent=CallingAgent(str(number)))
    hints = ["hint" in session.call(thought("same"), agent=agent).body for agent in (MAIN_AGENT, CallingAgent(A))]

    assert hints == [True, False]
    assert fields_of(tmp_path, "type", "id").count(("agent", A)) == 2


@given(st.lists(st.none() | st.integers(0, 2 * MAX_AGENTS).map(str), max_size=400))
def test_the_agents_that_called_last_are_kept(names: list[str | None]) -> None:
    recent = RecentAgents[str]()
    for name in names:
        recent.get(name)
        recent.put(name, str(name))

    last = list(dict.fromkeys(name for name in reversed(names) if name is not None))
    kept = {name for name in names if recent.peek(name) is not None}
    assert kept == {*last[:MAX_AGENTS], *(name for name in names if name is None)}


def test_an_item_belongs_to_the_latest_thought_of_the_agent_that_stored_it(tmp_path: Path) -> None:
    session = Session(tmp_path, context=True)
    a, b = CallingAgent(A), CallingAgent(B)
    session.call({"content": "before"}, tool="store_context", agent=a)
    for agent in (MAIN_AGENT, a, b):
        session.call(thought(), agent=agent)
    for agent in (a, MAIN_AGENT):
        session.call({"content": "after"}, tool="store_context", agent=agent)
    session.thinking.end("eof")
    resumed = Session(tmp_path, context=True, resume=session.journal())
    resumed.call({"content": "resumed"}, tool="store_context", agent=a)

    kept = {event["seq"]: event for event in events(session.journal())}
    items = [event for event in kept.values() if event["type"] == "context"]
    assert ["of" in item for item in items] == [False, True, True, True]
    assert [kept[item["of"]].get("agent") for item in items[1:]] == [A, None, A]


def test_counts_and_branches_in_answers_are_those_of_the_process(tmp_path: Path) -> None:
    session = Session(tmp_path)
    for agent, branch in ((MAIN_AGENT, "m"), (CallingAgent(A), "a"), (CallingAgent(B), "m"), (MAIN_AGENT, "n")):
        answer = session.call(thought(branchFromThought=1, branchId=branch), agent=agent)

    assert answer.body["branches"] == ["m", "a", "n"]
    assert answer.body["thoughtHistoryLength"] == 4


def test_agents_whose_ids_look_like_secrets_stay_apart_without_them(tmp_path: Path) -> None:
    keys = ["AKIA" + "IOSFODNN7EXAMP" + end for end in ("LE", "LF")]
    session = Session(tmp_path)
    for agent in (
        CallingAgent(keys[0]),
        CallingAgent(keys[1], parent=keys[0], name=f"with {keys[0]}"),
        CallingAgent(A),
    ):
        session.call(thought(), agent=agent)
    shown = [decode_redacted(line) for line in session.journal().read_bytes().splitlines()]

    one, other, plain = [event for event in shown if isinstance(event, AgentEvent)]
    assert not any(key in str(event) for event in shown for key in keys)
    assert len({one.id, other.id}) == 2
    assert other.parent == one.id
    assert other.name == "with [redacted AWS Access Key]"
    assert plain.id == A
    assert [getattr(event, "agent", None) for event in shown if type(event).__name__ == "ThoughtEvent"] == [
        one.id, other.id, A,
    ]  # fmt: skip


def test_three_bare_clients_threads_interleave_over_a_real_pipe(warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm) as wire:
        wire.handshake()
        order = [ROOT, A, B, B, A, ROOT, A, B, ROOT]
        counts = dict.fromkeys(order, 0)
        for thread in order:
            counts[thread] += 1
            wire.call(thought(f"{thread} {counts[thread]}", counts[thread]), meta=codex(thread, sum(counts.values())))
        wire.hang_up()
        assert wire.status() == 0

    kept = [event for event in events(journals(tmp_path)[0]) if event["type"] == "thought"]
    assert [event.get("agent", ROOT) for event in kept] == order
    assert [event["call"] for event in kept] == [f"call_{number}" for number in range(1, 10)]
    assert all(event["thought"] == f"{event.get('agent', ROOT)} {event['thoughtNumber']}" for event in kept)
