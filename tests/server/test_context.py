"""Context items: what is refused and how, what is found again, and after what."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.core.events import ContextEvent, RejectedEvent
from seqthink.journal.decode import decode
from seqthink.server.tools.context_tools import context_tool_definitions
from seqthink.server.tools.tags import MAX_TAG_CHARS
from tests.journal.test_writer import disk_of
from tests.server.test_recorder import Session
from tests.support.depth import sized
from tests.support.servers.server_paths import (
    FAST_PATH,
    SDK_PATH,
    call,
    comparable,
    exchange,
    initialize,
    lines,
    request,
)
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, Wire, events, journals, start, thought

Found = list[tuple[str, str, list[str]]]


class Shelf(Session):
    """A server with the context tools, without the protocol around it."""

    def __init__(self, folder: Path, *, resume: Path | None = None, limit: int = 1 << 24) -> None:
        super().__init__(folder, resume=resume, limit=limit, context=True)

    def store(self, content: object, **more: object) -> Any:  # noqa: ANN401 - the answer's body
        return self.call({"content": content, **more}, tool="store_context").body

    def update(self, name: object, **more: object) -> Any:  # noqa: ANN401 - the answer's body
        return self.call({"id": name, **more}, tool="update_context").body

    def search(self, **more: object) -> Any:  # noqa: ANN401 - the answer's body
        return self.call(more, tool="search_context").body

    def found(self, **more: object) -> list[str]:
        return [item["id"] for item in self.search(**more)["items"]]

    def resumed(self) -> "Shelf":
        self.thinking.end("eof")
        return Shelf(self.folder, resume=self.journal())


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


# Refused calls


@pytest.mark.parametrize(
    ("value", "received_type", "received"),
    [
        (123, "int", 123),
        (12.34, "float", 12.34),
        (True, "bool", True),
        ({"key": "value"}, "dict", '{"key": "value"}'),
        (["tag1", 123, "tag2"], "list with non-string items", '["tag1", 123, "tag2"]'),
        ([None, "tag1"], "list with non-string items", '[null, "tag1"]'),
        ([["a"]], "list with non-string items", '[["a"]]'),
        ('["a", 5]', "str holding a list with non-string items", '"[\\"a\\", 5]"'),
        ("[5" + "0" * 5000 + "]", "str holding a list with non-string items", '"[5' + "0" * 97 + '…"'),
        ("[" * 100_000, "str holding a list with non-string items", '"' + "[" * 99 + '…"'),
        ({"a": "x" * 1000}, "dict", '{"a": "' + "x" * 93 + "…"),
        ({"a": "\x1b[31m\u202e\x9b"}, "dict", '{"a": "\\u001b[31m⟨U+202E⟩\ufffd"}'),
        ({"a": "\ud800"}, "dict", '{"a": "\ufffd"}'),
        (float("inf"), "float", "Infinity"),
        (2**53, "int", "9007199254740992"),
    ],
)
def test_a_value_that_is_not_tags_gets_the_documented_error(
    value: object, received_type: str, received: object, shelf: Shelf
) -> None:
    for tool in ("store_context", "update_context", "search_context"):
        result = shelf.call({"content": "c", "id": "c1", "tags": value}, tool=tool).result()

        assert result["isError"] is True
        assert "structuredContent" not in result
        assert json.loads(result["content"][0]["text"]) == {
            "status": "error",
            "error_code": "INVALID_TAGS_TYPE",
            "message": "Invalid type for tags parameter",
            "details": {
                "received_type": received_type,
                "expected_types": ["None", "list of strings"],
                "received_value": received,
                "parameter": "tags",
            },
        }
        event = decode(shelf.journal().read_bytes().splitlines()[-1])
        assert isinstance(event, RejectedEvent)
        assert (event.tool, event.error) == (tool, f"Invalid type for tags parameter: {received_type}")


@pytest.mark.parametrize(
    ("tool", "arguments", "details"),
    [
        ("store_context", {}, {"content": "must be a non-empty string, got nothing"}),
        ("store_context", {"content": None}, {"content": "must be a non-empty string, got null"}),
        ("store_context", {"content": ""}, {"content": 'must be a non-empty string, got ""'}),
        ("store_context", {"content": " \n "}, {"content": 'must be a non-empty string, got " \\n "'}),
        ("store_context", {"content": ["a"]}, {"content": 'must be a non-empty string, got ["a"]'}),
        ("store_context", {"content": "x" * 101}, {"content": "must be at most 100 bytes long, got 101 bytes"}),
        (
            "store_context",
            {"content": 5, "tags": "x" * 5000},
            {
                "content": "must be a non-empty string, got 5",
                "tags": f"must be at most {MAX_TAG_CHARS} characters together, got 5000",
            },
        ),
        ("update_context", {"content": "c"}, {"id": "must be a non-empty string, got nothing"}),
        ("update_context", {"id": 1, "content": "c"}, {"id": "must be a non-empty string, got 1"}),
        ("update_context", {"id": "c9", "content": "c"}, {"id": 'must be the id of an item that was stored, got "c9"'}),
        ("update_context", {"id": "c1"}, {"content": "must be given, or tags, or both: there is nothing to update"}),
        (
            "update_context",
            {"id": "c1", "content": None, "tags": None},
            {"content": "must be given, or tags, or both: there is nothing to update"},
        ),
        ("update_context", {"id": "c1", "content": " "}, {"content": 'must be a non-empty string, got " "'}),
        ("search_context", {"query": 5}, {"query": "must be a string, got 5"}),
        ("search_context", {"limit": 0}, {"limit": "must be a positive integer, got 0"}),
        ("search_context", {"limit": "many"}, {"limit": 'must be a positive integer, got "many"'}),
        ("search_context", {"limit": True}, {"limit": "must be a positive integer, got true"}),
    ],
)
def test_a_bad_call_gets_every_problem_is_journaled_with_its_tool_and_changes_nothing(
    tool: str, arguments: Message, details: Message, tmp_path: Path
) -> None:
    shelf = Shelf(tmp_path, limit=100)
    shelf.store("one", tags=["t"])

    result = shelf.call(arguments, tool=tool).result()

    error = "\n".join(f"Invalid {name}: {problem}" for name, problem in details.items())
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == {"error": error, "status": "failed", "details": details}
    rejected = shelf.last()
    assert (rejected["type"], rejected["tool"], rejected["error"]) == ("rejected", tool, error)
    assert rejected["arguments"] == arguments or rejected["truncated"]
    assert shelf.search()["items"] == [{"id": "c1", "content": "one", "tags": ["t"]}]


def test_arguments_that_are_no_object_are_refused_with_the_tool_s_name(shelf: Shelf) -> None:
    answer = shelf.call(["content"], tool="store_context")

    assert answer.body["error"] == 'Invalid arguments: must be an object, got ["content"]'
    assert shelf.last()["tool"] == "store_context"


def test_without_the_option_there_are_no_such_tools(tmp_path: Path) -> None:
    session = Session(tmp_path)
    answer = session.call({"content": "c"}, tool="store_context")

    assert answer.body["error"] == 'Unknown tool: "store_context"; there is sequentialthinking'


def test_an_unknown_tool_gets_the_names_of_the_known_ones(shelf: Shelf) -> None:
    error = shelf.call({}, tool="get_context").body["error"]

    assert error.endswith("there is sequentialthinking, store_context, update_context, search_context")


# Items


def test_an_item_is_journaled_with_the_latest_thought_before_it_is_answered(shelf: Shelf) -> None:
    before = shelf.store("early")
    shelf.call(thought("a"))
    shelf.call(thought("b", 2))
    shelf.call(thought(number=0))
    after = shelf.store("late", tags=" x ")

    assert before == {"status": "stored", "id": "c1", "tags": []}
    assert after == {"status": "stored", "id": "c2", "tags": ["x"]}
    _, first, *_, second = [
        {name: event[name] for name in event.keys() - {"v", "seq", "time", "type"}} for event in events(shelf.journal())
    ]
    assert first == {"id": "c1", "action": "store", "content": "early"}
    assert second == {"id": "c2", "action": "store", "content": "late", "tags": ["x"], "of": 4}
    assert [shown["thought"] for shown in shelf.shown] == ["a", "b"]


def test_an_update_changes_what_it_names_and_journals_no_more(shelf: Shelf) -> None:
    shelf.store("one", tags=["t"])
    answers = [shelf.update("c1", tags='["u", "v"]'), shelf.update("c1", content="two"), shelf.update("c1", tags=[])]

    assert [answer["tags"] for answer in answers] == [["u", "v"], ["u", "v"], []]
    assert {answer["status"] for answer in answers} == {"updated"}
    assert [(event.get("content"), event.get("tags")) for event in events(shelf.journal())[2:]] == [
        (None, ["u", "v"]),
        ("two", None),
        (None, []),
    ]
    assert shelf.search() == {"items": [{"id": "c1", "content": "two", "tags": []}], "total": 1, "omitted": 0}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["c3", "c2", "c1"]),
        ({"query": None, "tags": None, "limit": None}, ["c3", "c2", "c1"]),
        ({"query": "  "}, ["c3", "c2", "c1"]),
        ({"query": "POOL"}, ["c3", "c2", "c1"]),
        ({"query": "pool cron"}, ["c3", "c2"]),
        ({"query": "60 pool"}, ["c1"]),
        ({"query": "strasse"}, ["c3"]),
        ({"query": "nothing"}, []),
        ({"tags": "pool"}, ["c3", "c1"]),
        ({"tags": ["pool", "LIMIT"]}, ["c1"]),
        ({"tags": ["poo"]}, []),
        ({"tags": "pool", "query": "cron"}, ["c3"]),
        ({"limit": "2"}, ["c3", "c2"]),
        ({"limit": 1}, ["c3"]),
    ],
)
def test_a_search_wants_all_words_and_all_tags_and_gives_the_newest_first(
    query: Message, found: list[str], shelf: Shelf
) -> None:
    shelf.store("The pool holds 60.", tags=["Pool", "limit"])
    shelf.store("The cron job empties the pool.")
    shelf.store("Straße", tags=["pool", "cron"])

    assert shelf.found(**query) == found


def test_the_last_changed_item_comes_first_and_omitted_items_are_counted(shelf: Shelf) -> None:
    for number in range(25):
        shelf.store(f"item {number}")
    shelf.update("c3", tags=["t"])
    answer = shelf.search()

    assert [item["id"] for item in answer["items"]] == ["c3", *(f"c{number}" for number in range(25, 16, -1))]
    assert (answer["total"], answer["omitted"]) == (25, 15)
    assert "10 newest of 25" in answer["hint"]


def test_an_answer_holds_about_a_million_characters_and_its_first_item_whole(shelf: Shelf) -> None:
    shelf.store("small")
    for letter in "abc":
        shelf.store(letter * 400_000)
    shelf.store("e" * 3_000_000)

    assert [len(item["content"]) for item in shelf.search()["items"]] == [3_000_000]
    shelf.store("last")
    assert shelf.found() == ["c6"]
    shelf.update("c1", tags=["t"])
    shelf.update("c2", tags=["t"])
    shelf.update("c3", tags=["t"])
    assert [(len(item["content"]), item["id"]) for item in shelf.search()["items"]] == [
        (400_000, "c3"), (400_000, "c2"), (5, "c1"), (4, "c6"),
    ]  # fmt: skip
    assert shelf.search()["omitted"] == 2


def test_a_search_alone_leaves_no_journal(shelf: Shelf) -> None:
    assert shelf.search() == {"items": [], "total": 0, "omitted": 0}
    shelf.thinking.end("eof")

    assert journals(shelf.folder) == []


# What lasts


def test_items_survive_a_resume_and_can_be_changed_after_it(shelf: Shelf) -> None:
    shelf.call(thought())
    shelf.store("one", tags=["t"])
    shelf.store("two \ud800 é")
    shelf.update("c1", tags=["u"])
    again = shelf.resumed()

    assert again.found() == ["c1", "c2"]
    assert again.search(query="é")["items"] == [{"id": "c2", "content": "two \ud800 é", "tags": []}]
    assert again.update("c2", content="changed")["status"] == "updated"
    assert again.last()["of"] == 2
    assert again.store("three")["id"] == "c3"
    assert again.resumed().search(query="e")["items"] == [
        {"id": "c3", "content": "three", "tags": []},
        {"id": "c2", "content": "changed", "tags": []},
        {"id": "c1", "content": "one", "tags": ["u"]},
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"id": 5, "action": "store", "content": "x"},
        {"id": "c1", "action": "drop", "content": "x"},
        {"id": "c1", "action": "update", "content": 5},
        {"id": "c1", "action": "update", "tags": ["a", 5]},
        {"id": "c1", "action": "update", "tags": "a"},
        {"id": "c1", "action": "update", "content": "x", "of": "2"},
        {"id": "c9", "action": "update", "tags": ["a"]},
    ],
)
def test_a_corrupt_event_is_not_an_item_after_a_resume(fields: Message, shelf: Shelf) -> None:
    shelf.store("one", tags=["t"])
    shelf.thinking.end("eof")
    line = {"v": 1, "seq": 4, "time": "2026-01-02T03:04:05Z", "type": "context", **fields}
    with shelf.journal().open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")

    again = Shelf(shelf.folder, resume=shelf.journal())
    assert again.search()["items"] == [{"id": "c1", "content": "one", "tags": ["t"]}]


def test_an_id_that_another_program_gave_is_not_given_again(shelf: Shelf) -> None:
    shelf.store("one")
    shelf.thinking.end("eof")
    line = {"v": 1, "seq": 4, "time": "2026-01-02T03:04:05Z", "type": "context"}
    with shelf.journal().open("ab") as file:
        file.write(json.dumps({**line, "id": "c3", "action": "store", "content": "x"}).encode() + b"\n")
    again = Shelf(shelf.folder, resume=shelf.journal())

    assert [again.store("y")["id"], again.store("z")["id"]] == ["c4", "c5"]


def test_items_are_there_while_the_journal_cannot_be_written_and_after(shelf: Shelf) -> None:
    shelf.call(thought())
    shelf.store("before")
    with disk_of(shelf.journal().stat().st_size):
        stored = shelf.call({"content": "waiting", "tags": ["t"]}, tool="store_context")
        shelf.update("c1", tags=["u"])
        waiting = shelf.call({}, tool="search_context")

    assert [answer.meta["seqthink/journal"]["waiting"] for answer in (stored, waiting)] == [1, 2]
    expected = [
        {"id": "c1", "content": "before", "tags": ["u"]},
        {"id": "c2", "content": "waiting", "tags": ["t"]},
    ]
    assert waiting.body["items"] == expected
    shelf.call(thought(number=2))
    after = shelf.call({}, tool="search_context")
    assert (after.body["items"], after.meta) == (expected, {})
    assert shelf.resumed().search()["items"] == expected


def test_a_call_that_the_journal_refuses_changes_nothing(tmp_path: Path) -> None:
    session = Session(tmp_path, required=True, context=True)
    session.call({"content": "one"}, tool="store_context")
    with disk_of(session.journal().stat().st_size):
        refused = [
            session.call({"content": "two"}, tool="store_context"),
            session.call({"id": "c1", "content": "changed"}, tool="update_context"),
        ]
    found = session.call({}, tool="search_context").body

    assert all("cannot be written" in str(answer.body["error"]) for answer in refused)
    assert found["items"] == [{"id": "c1", "content": "one", "tags": []}]
    assert session.call({"content": "three"}, tool="store_context").body["id"] == "c2"


def test_items_go_with_their_journal_when_it_is_deleted(shelf: Shelf) -> None:
    shelf.call(thought())
    shelf.store("one")
    shelf.journal().unlink()
    answer = shelf.call({"content": "two"}, tool="store_context")

    assert "continues" in answer.meta["seqthink/journal"]
    assert shelf.search()["items"] == [{"id": "c2", "content": "two", "tags": []}]
    assert "an item that was stored" in shelf.update("c1", content="x")["error"]
    [head, item, _] = events(shelf.journal())
    assert (head["type"], item["type"], item.get("of")) == ("session", "context", None)
    shelf.call(thought(number=2))
    shelf.store("three")
    assert shelf.last()["of"] == 4


def test_texts_are_not_kept_in_memory(shelf: Shelf) -> None:
    shelf.store("first")
    tracemalloc.start()
    for number in range(100):
        shelf.store(f"{number} " + "x" * 1_000_000, tags=["big"])
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept < 2_000_000
    assert shelf.found(query="77 xxx") == ["c79"]


def test_thousands_of_items_are_searched_and_come_back_after_a_resume(shelf: Shelf) -> None:
    count = sized(1_000, 10_000)
    for number in range(count):
        shelf.store(f"item {number}", tags=[f"t{number % 10}"])
    wanted = sum("77" in str(number) for number in range(3, count, 10))

    for _ in range(2):
        assert shelf.search(query="item", limit=3)["total"] == count
        assert shelf.found(query=f"item {count - 1}") == [f"c{count}"]
        assert shelf.search(tags="t3", query="77")["total"] == wanted
        shelf = shelf.resumed()
    assert shelf.store("x")["id"] == f"c{count + 1}"


_WORDS = st.sampled_from(["pool", "Cron", "60", "é", "pool cron", "x\ny"])
_TAGS = st.none() | st.lists(st.sampled_from(["a", "B", "pool"]), max_size=3)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("store"), _WORDS, _TAGS),
        st.tuples(st.just("update"), st.integers(1, 4), st.none() | _WORDS, _TAGS),
        st.tuples(st.just("search"), st.none() | _WORDS, _TAGS),
        st.tuples(st.just("resume")),
    ),
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=_STEPS)
def test_any_calls_in_any_order_find_the_items_that_a_plain_list_finds(
    steps: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    shelf.call(thought())
    plain: Found = []
    for step in [*steps, ("search", None, None)]:
        match step:
            case ("store", str(content), tags):
                name = shelf.store(content, tags=tags)["id"]
                plain.append((name, content, list(dict.fromkeys(tags or []))))
            case ("update", number, content, tags):
                shelf.update(f"c{number}", content=content, tags=tags)
                _update(plain, f"c{number}", content, tags)
            case ("search", query, tags):
                assert shelf.found(query=query, tags=tags, limit=99) == _find(plain, query, tags)
            case _:
                shelf = shelf.resumed()


def _update(plain: Found, name: str, content: str | None, tags: list[str] | None) -> None:
    if content is None and tags is None:
        return
    for _, text, its in [item for item in plain if item[0] == name]:
        plain.remove((name, text, its))
        plain.append((name, content or text, its if tags is None else list(dict.fromkeys(tags))))


def _find(plain: Found, query: str | None, tags: list[str] | None) -> list[str]:
    return [
        name
        for name, content, its in reversed(plain)
        if {tag.lower() for tag in tags or ()} <= {tag.lower() for tag in its}
        and all(word in "\n".join([content, *its]).lower() for word in (query or "").lower().split())
    ]


# Over the wire


@pytest.mark.parametrize("meta", [None, STATELESS_META], ids=["handshake", "stateless"])
def test_the_tools_are_listed_and_answer_as_their_schemas_say(
    meta: Message | None, warm: WarmServer, seqthink_home: Path
) -> None:
    with start("--tools", "context", warm=warm) as wire:
        if meta is None:
            wire.handshake()
        listed, answers, refused = _talk(wire, meta)

    assert listed[1:] == context_tool_definitions("lenient")
    for tool, answer in zip(listed[1:], answers, strict=True):
        assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
        assert answer["structuredContent"].keys() <= tool["outputSchema"]["properties"].keys()
        assert answer["structuredContent"].keys() >= set(tool["outputSchema"]["required"])
    assert answers[2]["structuredContent"]["items"] == [{"id": "c1", "content": "one \x1b", "tags": ["u"]}]
    assert json.loads(refused["content"][0]["text"])["error_code"] == "INVALID_TAGS_TYPE"
    [path] = journals(seqthink_home / "sessions")
    kinds = [event["type"] for event in events(path)]
    assert kinds == ["session", "thought", "context", "context", "rejected", "thought"]
    assert isinstance(decode(path.read_bytes().splitlines()[2]), ContextEvent)


def _talk(wire: Wire, meta: Message | None) -> tuple[list[Message], list[Message], Message]:
    """Return the tools listed, the answer of each context tool, and a refusal."""
    listed = wire.ask("tools/list", {"_meta": meta} if meta else None)["result"]["tools"]
    wire.call(thought(), meta=meta)
    answers = [
        wire.call({"content": "one \x1b", "tags": "t"}, name="store_context", meta=meta),
        wire.call({"id": "c1", "tags": ["u"]}, name="update_context", meta=meta),
        wire.call({"query": "ONE"}, name="search_context", meta=meta),
    ]
    refused = wire.call({"content": "c", "tags": 5}, name="store_context", meta=meta)
    wire.call(thought(number=2), meta=meta)
    return listed, answers, refused


@pytest.mark.parametrize("is_stateless", [False, True], ids=["handshake", "stateless"])
def test_both_server_paths_list_and_answer_alike(is_stateless: bool, warm: WarmServer, tmp_path: Path) -> None:
    messages = [
        *([] if is_stateless else [initialize()]),
        request("tools/list", {"_meta": STATELESS_META} if is_stateless else {}, 1),
        call(thought("a"), 2, is_stateless=is_stateless),
        _call("store_context", {"content": "one"}, 3, is_stateless=is_stateless),
        call(thought("b", 2), 4, is_stateless=is_stateless),
        _call("search_context", {}, 5, is_stateless=is_stateless),
        _call("update_context", {"id": "c1", "content": "two"}, 6, is_stateless=is_stateless),
    ]
    environ = {"SEQTHINK_TOOLS": "context"}
    fast = exchange(FAST_PATH, lines(*messages), tmp_path / "fast", warm, environ)
    sdk = exchange(SDK_PATH, lines(*messages), tmp_path / "sdk", warm, environ)

    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal
    assert [event.get("of") for event in fast.journal if event["type"] == "context"] == [2, 4]


def _call(name: str, arguments: Message, number: int, *, is_stateless: bool) -> Message:
    message = call(arguments, number, is_stateless=is_stateless)
    message["params"]["name"] = name
    return message


def test_hints_say_that_a_search_changes_nothing_and_the_others_do() -> None:
    hints = {tool["name"]: tool["annotations"] for tool in context_tool_definitions("plain")}

    assert {name: its["readOnlyHint"] for name, its in hints.items()} == {
        "store_context": False,
        "update_context": False,
        "search_context": True,
    }
    assert not any(its["openWorldHint"] for its in hints.values())


def test_descriptions_keep_to_what_clients_take_and_the_plain_schema_has_no_alternatives() -> None:
    assert all(len(tool["description"]) <= 1024 for tool in context_tool_definitions("lenient"))
    assert "anyOf" in json.dumps(context_tool_definitions("lenient"))
    assert "oneOf" not in json.dumps(context_tool_definitions("lenient"))
    assert "anyOf" not in json.dumps(context_tool_definitions("plain"))
