"""How long a chain may become: who is asked, what the agent learns, and what the journal keeps of it."""

import os
import signal
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

import anyio
import mcp_types as types
import pytest
from hypothesis import given

from seqthink.chain.fold import fold
from seqthink.chain.session import Session
from seqthink.core.events import ThoughtEvent
from seqthink.dialogue.channel import Outcome, Question
from seqthink.dialogue.dialogue import Dialogue
from seqthink.journal.decode import decode
from seqthink.server.recording.calls import Answer
from seqthink.server.recording.chain_counter import ChainCounter
from seqthink.server.recording.chain_limit import ChainLimit
from seqthink.server.sdk_path.limit_question import LimitQuestions
from tests.support.depth import first
from tests.support.journals.event_strategies import journals as drawn_journals
from tests.support.journals.events_factory import Journal
from tests.support.servers.dialogue_clients import CLIENTS, Answers, HandshakeClient, StatelessClient, no_answer
from tests.support.servers.server_paths import call, lines
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, Wire, events, journals, start, thought

TOOL = "sequentialthinking"
FORM: Message = {"elicitation": {}}


Serve = Callable[..., Wire]


@pytest.fixture
def serve(warm: WarmServer) -> Serve:
    """Return what starts a server whose chains have a limit."""

    def begin(folder: Path, *options: str, most: int = 2) -> Wire:
        return start("--journal-dir", str(folder), "--max-thoughts", str(most), *options, warm=warm)

    return begin


def said(answer: Message) -> tuple[bool, str]:
    body = answer["structuredContent"]
    return body["nextThoughtNeeded"], body.get("hint", "")


def read(folder: Path) -> Session:
    return fold(decode(line) for line in journals(folder)[-1].read_bytes().splitlines())


def answering(*actions: str) -> tuple[list[Message], Answers]:
    asked: list[Message] = []

    def answer(question: Message) -> Message:
        asked.append(question)
        return {"action": actions[len(asked) - 1], "content": {}}

    return asked, answer


REACHED = "Stop here and conclude with what you have: the limit of 2 thoughts is reached."
REFUSED = "Stop here and conclude with what you have: the user does not want more than 2 thoughts."


@pytest.mark.parametrize("options", [(), ("--no-front",)], ids=["fast", "sdk"])
@pytest.mark.parametrize("version", CLIENTS)
def test_a_client_that_cannot_ask_is_advised_to_conclude(
    version: str, options: tuple[str, ...], serve: Serve, tmp_path: Path
) -> None:
    with serve(tmp_path, *options) as wire:
        host = CLIENTS[version](wire, {})
        answers = [said(host.call(TOOL, thought(str(n), n, 9), lambda _: None)) for n in (1, 2, 3, 4)]

    assert answers == [(True, ""), (True, ""), (False, REACHED), (False, REACHED)]
    kept = [event for event in events(journals(tmp_path)[0]) if event["type"] == "thought"]
    assert [event["nextThoughtNeeded"] for event in kept] == [True] * 4
    assert [(event.get("answeredNext"), event.get("hint")) for event in kept[2:]] == [(False, REACHED)] * 2


@pytest.mark.parametrize("options", [(), ("--no-front",)], ids=["fast", "sdk"])
@pytest.mark.parametrize("version", CLIENTS)
def test_the_user_is_asked_and_the_answer_applies(
    version: str, options: tuple[str, ...], serve: Serve, tmp_path: Path
) -> None:
    with serve(tmp_path, *options) as wire:
        host = CLIENTS[version](wire, FORM)
        asked, answer = answering("accept", "decline")
        answers = [said(host.call(TOOL, thought(str(n), n, 9), answer)) for n in range(1, 8)]
        final = said(host.call(TOOL, thought("8", 8, 9, nextThoughtNeeded=False), answer))
        another = said(host.call(TOOL, thought("1", 1, 9), answer))

    assert answers == [*[(True, "")] * 5, (False, REFUSED), (False, REFUSED)]
    assert (final, another) == ((False, ""), (True, ""))
    assert len(asked) == 2
    session = read(tmp_path)
    assert [session.thoughts.is_final(index) for index in range(session.thought_count)] == [False] * 5 + [True] * 3 + [
        False
    ]


@pytest.mark.parametrize("version", CLIENTS)
def test_a_user_who_dismisses_the_question_is_asked_again(version: str, serve: Serve, tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        host = CLIENTS[version](wire, FORM)
        asked, answer = answering("cancel", "accept")
        answers = [said(host.call(TOOL, thought(str(n), n, 9), answer)) for n in range(1, 5)]

    assert answers[2:] == [(False, f"{REACHED} The user has not decided."), (True, "")]
    assert len(asked) == 2


def test_the_answer_says_that_the_user_cannot_be_reached(serve: Serve, tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        host = CLIENTS["handshake"](wire, FORM)
        for number in (1, 2):
            host.call(TOOL, thought(str(number), number, 9), lambda _: None)
        refusal: Message = {"error": {"code": -1, "message": "busy"}}
        answer = said(host.call(TOOL, thought("3", 3, 9), lambda _: refusal))

    assert answer == (False, f"{REACHED} The user could not be asked: the client refused: busy.")


@pytest.mark.parametrize("stop", first(2, [1, 2, 3, 4, 5]))
def test_a_resumed_session_continues_the_count_and_keeps_the_decision_of_the_user(
    stop: int, serve: Serve, tmp_path: Path
) -> None:
    asked, answer = answering("accept", "accept")
    answers: list[tuple[bool, str]] = []
    for options, numbers in (((), range(1, stop + 1)), (("--resume", "last"), range(stop + 1, 7))):
        with serve(tmp_path, *options) as wire:
            host = CLIENTS["stateless"](wire, FORM)
            answers += [said(host.call(TOOL, thought(str(n), n, 9), answer)) for n in numbers]
            wire.hang_up()
            wire.status()

    assert answers == [(True, "")] * 6
    kept = events(journals(tmp_path)[0])
    numbers = {event["seq"]: event["thoughtNumber"] for event in kept if event["type"] == "thought"}
    assert [numbers[event["of"]] for event in kept if event["type"] == "asking"] == [3, 6]
    assert len(asked) == 2


def test_after_a_resume_a_decision_about_an_earlier_chain_does_not_apply_to_the_newest(
    serve: Serve, tmp_path: Path
) -> None:
    with serve(tmp_path) as wire:
        host = HandshakeClient(wire, FORM)
        for number in (1, 2):
            host.call(TOOL, thought(f"old {number}", number, 9), no_answer)
        question = host.begin(TOOL, thought("old 3", 3, 9))
        for number in (1, 2):
            host.call(TOOL, thought(f"new {number}", number, 9), no_answer)
        host.answer(question, {"action": "decline"})
        late = said(wire.receive()["result"])
        wire.hang_up()
        wire.status()
    asked, answer = answering("accept")
    with serve(tmp_path, "--resume", "last") as wire:
        answered = said(CLIENTS["handshake"](wire, FORM).call(TOOL, thought("new 3", 3, 9), answer))

    assert (late, answered, len(asked)) == ((False, REFUSED), (True, ""), 1)


@pytest.mark.parametrize(("action", "heard"), [("accept", (True, "")), ("decline", (False, REFUSED))])
def test_concurrent_calls_past_the_limit_share_one_question_and_its_answer(
    action: str, heard: tuple[bool, str], serve: Serve, tmp_path: Path
) -> None:
    with serve(tmp_path) as wire:
        host = HandshakeClient(wire, FORM)
        for number in (1, 2):
            host.call(TOOL, thought(str(number), number, 9), no_answer)
        calls = [host.send(TOOL, thought(str(number), number, 9)) for number in (3, 4, 5)]
        question = wire.receive()
        wire.ask("ping")
        host.answer(question, {"action": action})
        met = [wire.receive() for _ in calls]

    assert {message["id"]: said(message["result"]) for message in met} == dict.fromkeys(calls, heard)
    session = read(tmp_path)
    assert [session.thoughts.is_final(index) for index in range(session.thought_count)] == [False] * 2 + [
        not heard[0]
    ] * 3


@pytest.mark.parametrize("end", ["left", "killed", "called off"])
def test_no_call_that_waited_for_the_user_is_final_without_an_answer(end: str, serve: Serve, tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        host = HandshakeClient(wire, FORM)
        for number in (1, 2):
            host.call(TOOL, thought(str(number), number, 9), no_answer)
        calls = [host.send(TOOL, thought(str(number), number, 9)) for number in (3, 4)]
        wire.receive()
        wire.ask("ping")
        if end == "killed":
            os.kill(wire.pid, signal.SIGKILL)
        for call in reversed(calls) if end == "called off" else ():
            wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
        wire.hang_up()
        wire.status()

    session = read(tmp_path)
    assert session.thought_count == 4
    assert not any(session.thoughts.is_final(index) for index in range(session.thought_count))


def test_a_repeated_call_answers_the_call_that_waits_for_the_same_question(serve: Serve, tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        host = StatelessClient(wire, FORM)
        for number in (1, 2):
            host.call(TOOL, thought(str(number), number, 9), no_answer)
        asked = host.send_and_receive(TOOL, thought("3", 3, 9))
        waits = host.send(TOOL, thought("4", 4, 9))
        wire.ask("tools/list", {"_meta": STATELESS_META})
        repeated = host.send(TOOL, thought("3", 3, 9), {"limit": {"action": "accept"}}, asked["requestState"])
        met = [wire.receive() for _ in range(2)]

    assert {message["id"]: said(message["result"]) for message in met} == {waits: (True, ""), repeated: (True, "")}


def test_a_cancelled_question_is_asked_by_the_next_call_that_waits_for_it(serve: Serve, tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        host = HandshakeClient(wire, FORM)
        for number in (1, 2):
            host.call(TOOL, thought(str(number), number, 9), no_answer)
        taken_back, _ = host.send(TOOL, thought("3", 3, 9)), wire.receive()
        waits = host.send(TOOL, thought("4", 4, 9))
        wire.ask("ping")
        wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": taken_back}})
        while (message := wire.receive()).get("method") != "elicitation/create":
            pass
        host.answer(message, {"action": "accept"})
        while (message := wire.receive()).get("id") != waits:
            pass

    assert said(message["result"]) == (True, "")


class Asked:
    """A client that asks its person, who never answers, or says yes."""

    def __init__(self, *, is_heard: bool) -> None:
        self._is_heard = is_heard

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return types.ClientCapabilities.model_validate(FORM)

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        if not self._is_heard:
            await anyio.sleep_forever()
        outcomes |= {key: types.ElicitResult(action="accept") for key in questions}

    async def left(self) -> None: ...

    async def log(self, level: types.LoggingLevel, data: object) -> None: ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None: ...


async def test_an_abandoned_question_does_not_block_other_calls_for_ever() -> None:
    going_on, limits = LimitQuestions(), ChainLimit(2)
    silent, heard = (
        Dialogue(Asked(is_heard=is_heard), lambda _kind, _fields: None, 2, lambda: 0.0) for is_heard in (False, True)
    )
    answers: list[Answer] = []

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(going_on.ask, silent, limits, 0, Answer({}))
        await anyio.wait_all_tasks_blocked()
        answers.append(await going_on.ask(heard, limits, 0, Answer({}), 0))
        tasks.cancel_scope.cancel()

    assert [answer.body for answer in answers] == [{"nextThoughtNeeded": True}]


def test_each_chain_of_a_session_has_its_own_limit(serve: Serve, tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        host = CLIENTS["handshake"](wire, {})
        answers = [
            said(host.call(TOOL, thought(f"{chain} {n}", n, 9), lambda _: None))[0]
            for chain in range(3)
            for n in (1, 2, 3)
        ]

    assert answers == [True, True, False] * 3


def test_a_chunk_past_the_limit_is_answered_by_the_fast_path_up_to_the_limit_and_then_by_the_sdk(
    serve: Serve,
    tmp_path: Path,
) -> None:
    with serve(tmp_path) as wire:
        CLIENTS["handshake"](wire, FORM)
        wire.send_bytes(lines(*(call(thought(str(n), n, 9), n) for n in range(1, 6))))
        met: dict[object, Message] = {}
        while not {1, 2, 3, 4, 5} <= met.keys():
            message = wire.receive()
            if message.get("method") == "elicitation/create":
                wire.send({"jsonrpc": "2.0", "id": message["id"], "result": {"action": "decline"}})
            else:
                met[message["id"]] = message

    assert [said(met[n]["result"])[0] for n in range(1, 6)] == [True, True, False, False, False]
    kept = [event["thoughtNumber"] for event in events(journals(tmp_path)[0]) if event["type"] == "thought"]
    assert kept == [1, 2, 3, 4, 5]


@given(drawn_journals(size=30))
def test_the_server_counts_a_chain_as_the_fold_does(journal: Journal) -> None:
    """Branches without a name are left out: with no trunk, the fold names them by thoughts, not by numbers."""
    thoughts = [item for item in journal.items if isinstance(item, ThoughtEvent)]
    sound = [one for one in thoughts if one.branchId or not one.branchFromThought]
    chains, counts = defaultdict[str | None, ChainCounter](ChainCounter), list[int]()
    for one in sound:
        counts.append(chains[one.agent].add({name: getattr(one, name) for name in one.__struct_fields__}))
    session, lengths, folded = fold(sound), dict[str | None, int](), list[int]()
    for index, one in enumerate(sound):
        is_first = session.thoughts.duration_of(index) is None
        lengths[one.agent] = 1 if is_first else lengths[one.agent] + 1
        folded.append(lengths[one.agent])

    assert counts == folded
