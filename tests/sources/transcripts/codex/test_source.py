import os
from pathlib import Path

import pytest

from seqthink.sources.transcripts.codex import zstandard_files
from seqthink.sources.transcripts.codex.source import CodexSource
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Fact,
    Prompt,
    Rewound,
    SessionDescribed,
    ToolCall,
)
from seqthink.sources.transcripts.files.tail import MAX_LINE_BYTES
from seqthink.sources.transcripts.source import FoundSession, SessionFeed
from tests.sources.transcripts.codex.rollouts import FORK, LATER_TURN, THREAD, completed, event, line, meta, of
from tests.support.transcripts.known.compressed import compress, opener

KID = "01a20458-0000-7000-8000-00000000000a"
OTHER = "01a20459-0000-7000-8000-00000000000b"
SPAWN = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "depth": 1}}}
THOUGHT = completed("McpToolCall", id="c1", tool="sequentialthinking", arguments={"thought": "a"})


class Home:
    """A folder of Codex in which rollouts are written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ".codex"
        self.written = 0

    def path(self, thread: str, day: str = "2026/11/22") -> Path:
        return self.folder / "sessions" / day / f"rollout-{day.replace('/', '-')}T17-39-47-{thread}.jsonl"

    def write(self, thread: str, lines: list[bytes], day: str = "2026/11/22") -> Path:
        path = self.path(thread, day)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(b"".join(one + b"\n" for one in lines))
        self.written += 1
        os.utime(path, (1_000 + self.written, 1_000 + self.written))
        return path

    def found(self, limit: int = 10) -> list[FoundSession]:
        return CodexSource().find(self.folder, limit)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def all_facts(feed: SessionFeed) -> list[Fact]:
    return read_in_pieces(feed, 4_096)


def read_in_pieces(feed: SessionFeed, size: int) -> list[Fact]:
    facts: list[Fact] = []
    for _ in range(1_000):
        batch = feed.read(size)
        facts += batch.facts
        if batch.at_end:
            return facts
    raise AssertionError("the feed does not come to its end")


def test_the_folder_is_that_of_the_environment_or_the_usual_one() -> None:
    assert CodexSource().folder({"CODEX_HOME": "/x"}, Path("/home/ada")) == Path("/x")
    assert CodexSource().folder({}, Path("/home/ada")) == Path("/home/ada/.codex")


def test_root_threads_are_listed_by_what_changed_last_in_any_of_their_files(home: Home) -> None:
    home.write(THREAD, [meta()])
    home.write(OTHER, [meta(OTHER)], day="2026/11/23")
    home.write(KID, [meta(KID, source=SPAWN, session_id=THREAD)], day="2026/11/23")
    home.write(FORK, [meta(FORK, forked_from_id=THREAD)])
    (home.folder / "sessions" / "2026" / "11" / "22" / "notes.jsonl").write_text("{}", encoding="utf-8")

    found = home.found()

    assert [(one.id, one.path.name[-41:-6]) for one in found] == [(THREAD, THREAD[-35:]), (OTHER, OTHER[-35:])]
    assert [one.changed for one in found] == [1_004_000_000, 1_002_000_000]
    assert [one.id for one in home.found(limit=1)] == [THREAD]


@pytest.mark.parametrize("is_archived_longer", [True, False])
def test_of_a_rollout_in_two_places_the_one_that_holds_more_is_read(home: Home, is_archived_longer: bool) -> None:
    path = home.write(THREAD, [meta()])
    archived = home.folder / "archived_sessions" / path.name
    archived.parent.mkdir()
    archived.write_bytes(path.read_bytes())
    longer, shorter = (archived, path) if is_archived_longer else (path, archived)
    longer.write_bytes(longer.read_bytes() + event("user_message", message="why?") + b"\n")
    os.utime(longer, (1_000, 1_000))
    os.utime(shorter, (2_000, 2_000))

    [found] = home.found()

    assert found.path == longer
    assert [fact.text for fact in all_facts(CodexSource().open(found)) if isinstance(fact, Prompt)] == ["why?"]


def test_archived_rollouts_are_listed_and_threads_that_the_client_began_for_itself_are_not(home: Home) -> None:
    path = home.write(THREAD, [meta()])
    archived = home.folder / "archived_sessions" / path.name
    archived.parent.mkdir()
    path.rename(archived)
    home.write(KID, [meta(KID, source={"subagent": "review"})])

    assert [(one.id, one.path) for one in home.found()] == [(THREAD, archived)]


def test_a_subagent_whose_session_is_gone_is_listed_itself(home: Home) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD}}}
    home.write(KID, [meta(KID, source=spawn), event("user_message", message="Look")])
    [found] = home.found()

    assert found.id == KID
    assert [fact.agent for fact in all_facts(CodexSource().open(found)) if isinstance(fact, Prompt)] == [None]


def test_a_fork_whose_original_is_gone_is_listed_itself(home: Home) -> None:
    home.write(FORK, [meta(FORK, forked_from_id=THREAD)])

    assert [one.id for one in home.found()] == [FORK]


def test_links_and_rollouts_without_a_first_line_are_left_out(home: Home, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_bytes(meta(OTHER) + b"\n")
    home.write(THREAD, [meta()])
    home.path(OTHER).symlink_to(elsewhere)
    home.path(KID).write_bytes(meta(KID)[:40])

    assert [one.id for one in home.found()] == [THREAD]


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert CodexSource().find(tmp_path / "none", 10) == []
    assert CodexSource().watched_folders(tmp_path / "none") == []


def test_a_session_is_read_with_its_forks_and_subagents_of_other_days(home: Home) -> None:
    home.write(THREAD, [meta(), event("user_message", message="why?", second=1), THOUGHT])
    kid = home.write(
        KID,
        [meta(KID, source=SPAWN, session_id=THREAD, second=30), event("user_message", message="look", second=31)],
        day="2026/11/23",
    )
    fork = home.write(
        FORK,
        [
            meta(FORK, forked_from_id=THREAD, second=40),
            event("task_started", turn_id=LATER_TURN, second=41),
            event("user_message", message="or?", second=41),
        ],
    )
    home.write(OTHER, [meta(OTHER), event("user_message", message="not ours")])
    source = CodexSource()
    main = next(one for one in source.find(home.folder, 10) if one.id == THREAD)

    feed = source.open(main)
    facts = all_facts(feed)

    assert [(one.text, one.agent) for one in of(Prompt, facts)] == [("why?", None), ("look", KID), ("or?", FORK)]
    assert {(one.id, one.agent) for one in of(AgentStarted, facts)} == {(KID, None)}
    assert [(one.id, one.agent, one.forked_from) for one in of(SessionDescribed, facts)] == [
        (THREAD, None, None),
        (FORK, FORK, THREAD),
    ]
    assert sorted(feed.agent_files) == sorted([kid, fork])


def test_a_subagent_that_appears_later_is_read_too(home: Home) -> None:
    path = home.write(THREAD, [meta(), THOUGHT])
    source = CodexSource()
    feed = source.open(source.find(home.folder, 10)[0])
    first = all_facts(feed)

    home.path(KID).write_bytes(meta(KID, source=SPAWN, session_id=THREAD)[:60])
    unfinished = all_facts(feed)
    home.path(KID).unlink()
    home.write(KID, [meta(KID, source=SPAWN, session_id=THREAD), event("user_message", message="look")])
    home.write(OTHER, [meta(OTHER), event("user_message", message="not ours")])
    later = all_facts(feed)

    assert [one.id for one in of(ToolCall, first)] == ["c1"]
    assert unfinished == []
    assert [(one.text, one.agent) for one in of(Prompt, later)] == [("look", KID)]
    assert [agent.name for agent in feed.agent_files] == [home.path(KID).name]
    assert path not in feed.agent_files


def test_a_subagent_of_a_subagent_belongs_to_the_same_session(home: Home) -> None:
    grandchild = {"subagent": {"thread_spawn": {"parent_thread_id": KID, "depth": 2}}}
    home.write(THREAD, [meta()])
    home.write(KID, [meta(KID, source=SPAWN)])
    home.write(OTHER, [meta(OTHER, source=grandchild), event("user_message", message="deeper")])
    source = CodexSource()
    found = source.find(home.folder, 10)

    facts = all_facts(source.open(found[0]))

    assert [one.id for one in found] == [THREAD]
    assert {(one.id, one.agent) for one in of(AgentStarted, facts)} == {(KID, None), (OTHER, KID)}
    assert [one.agent for one in of(Prompt, facts)] == [OTHER]


def test_threads_that_name_each_other_as_their_origin_do_no_harm(home: Home) -> None:
    home.write(THREAD, [meta(forked_from_id=FORK)])
    home.write(FORK, [meta(FORK, forked_from_id=THREAD)])

    assert home.found() == []


@pytest.mark.parametrize("to", ["compressed", "archived"])
def test_a_rollout_that_is_compressed_or_archived_under_its_reader_ends_and_is_not_void(home: Home, to: str) -> None:
    path = home.write(THREAD, [meta(), THOUGHT])
    source = CodexSource()
    feed = source.open(source.find(home.folder, 10)[0])
    first = all_facts(feed)

    moved = path.with_name(path.name + ".zst") if to == "compressed" else home.folder / "archived_sessions" / path.name
    moved.parent.mkdir(exist_ok=True)
    path.rename(moved)
    batch = feed.read(4_096)

    assert of(ToolCall, first)
    assert (batch.facts, batch.at_end, batch.restarted) == ([], True, False)


def test_a_rollout_that_is_deleted_under_its_reader_is_an_error(home: Home) -> None:
    path = home.write(THREAD, [meta(), THOUGHT])
    source = CodexSource()
    feed = source.open(source.find(home.folder, 10)[0])
    all_facts(feed)
    path.unlink()

    with pytest.raises(OSError, match="No such file"):
        feed.read(4_096)


def test_a_compaction_of_any_length_is_emitted(home: Home) -> None:
    images = line("compacted", {"message": "", "replacement_history": ["x" * (MAX_LINE_BYTES + 1)]})
    home.write(THREAD, [meta(), images, THOUGHT])
    source = CodexSource()
    feed = source.open(source.find(home.folder, 10)[0])

    facts = read_in_pieces(feed, 1 << 20)

    assert [type(fact) for fact in facts if isinstance(fact, Compacted | ToolCall)] == [Compacted, ToolCall]
    assert feed.counts.too_long == 0


REWOUND = f"{THREAD}_01a20458-0000-7000-8000-00000000000c"


def numbered(lines: list[bytes], first: int = 0) -> list[bytes]:
    """Return the lines with ordinals, as paginated rollouts have them."""
    return [one.replace(b',"type"', b',"ordinal":%d,"type"' % number, 1) for number, one in enumerate(lines, first)]


def turn(name: str) -> list[bytes]:
    return [
        completed("UserMessage", id=name, content=[{"type": "text", "text": name}]),
        event("task_complete", turn_id=f"end-{name}"),
    ]


def test_a_thread_that_was_rewound_goes_on_in_its_second_file(home: Home) -> None:
    home.write(THREAD, numbered([meta(), *turn("a"), *turn("b")]))
    source = CodexSource()
    feed = source.open(source.find(home.folder, 10)[0])
    first = all_facts(feed)
    base = {"thread_id": THREAD, "end_ordinal_exclusive": 3}
    second = home.write(
        REWOUND, numbered([meta(history_base=base, timestamp="2026-11-22T17:39:30.000Z", second=30), *turn("c")], 3)
    )
    later = all_facts(feed)
    at_once = all_facts(source.open(source.find(home.folder, 10)[0]))

    assert [one.id for one in of(Prompt, first)] == ["a", "b"]
    assert [one.dropped for one in of(Rewound, later)] == [("b", "end-b")]
    assert [one.id for one in of(Prompt, later)] == ["c"]
    assert {fact.agent for fact in later} == {None}
    assert [(type(fact), fact.id) for fact in at_once] == [(type(fact), fact.id) for fact in [*first, *later]]
    assert list(feed.agent_files) == [second]
    assert [one.id for one in source.find(home.folder, 10)] == [THREAD]


@pytest.fixture
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for a decompressor, which not every Python has."""
    monkeypatch.setattr(zstandard_files, "_opener", opener)


@pytest.fixture
def unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zstandard_files, "_opener", lambda: None)


@pytest.mark.usefixtures("unreadable")
def test_compressed_rollouts_that_cannot_be_read_are_counted_in_a_sentence(home: Home) -> None:
    packed = compress(home.write(THREAD, [meta()]))
    home.write(OTHER, [meta(OTHER)])
    compress(home.write(FORK, [meta(FORK)]))
    home.write(FORK, [meta(FORK)])
    source = CodexSource()

    assert sorted(one.id for one in source.find(home.folder, 10)) == sorted([OTHER, FORK])
    assert source.left_out(home.folder) == (
        "Codex: 1 compressed rollout is left out (.jsonl.zst). With the package zstandard they can be read."
    )
    with pytest.raises(OSError, match="zstandard"):
        source.sessions_in(packed)


@pytest.mark.usefixtures("readable")
def test_a_compressed_session_is_read_with_its_subagents(home: Home) -> None:
    packed = compress(home.write(THREAD, [meta(), THOUGHT]))
    compress(
        home.write(KID, [meta(KID, source=SPAWN, session_id=THREAD), event("user_message", message="look", second=9)])
    )
    source = CodexSource()
    found = source.find(home.folder, 10)

    feed = source.open(found[0])
    facts = all_facts(feed)
    feed.close()
    feed.close()

    assert [(one.id, one.path) for one in found] == [(THREAD, packed)]
    assert [one.id for one in of(ToolCall, facts)] == ["c1"]
    assert [(one.text, one.agent) for one in of(Prompt, facts)] == [("look", KID)]
    assert feed.counts.read == 4
    assert source.left_out(home.folder) is None


@pytest.mark.usefixtures("readable")
def test_a_session_that_goes_on_is_read_with_its_subagent_that_was_compressed(home: Home) -> None:
    home.write(THREAD, [meta(), THOUGHT])
    asked = event("user_message", message="look", second=9)
    compress(home.write(KID, [meta(KID, source=SPAWN, session_id=THREAD), b"{" + asked]))
    source = CodexSource()

    feed = source.open(source.find(home.folder, 10)[0])
    facts = all_facts(feed)
    feed.close()

    assert [(one.text, one.agent) for one in of(Prompt, facts)] == [("look", KID)]
    assert (feed.counts.read, feed.counts.corrupt) == (4, 1)


@pytest.mark.usefixtures("readable")
def test_a_compressed_thread_that_was_rewound_is_read_in_its_order(home: Home) -> None:
    base = {"thread_id": THREAD, "end_ordinal_exclusive": 1}
    later = meta(history_base=base, timestamp="2026-11-22T17:39:30.000Z", second=30)
    compress(home.write(REWOUND, numbered([later, *turn("b")], 1)))
    compress(home.write(THREAD, numbered([meta(), *turn("a")])))
    source = CodexSource()

    facts = all_facts(source.open(source.find(home.folder, 10)[0]))

    assert [(type(fact).__name__, fact.id) for fact in facts[1:]] == [
        ("Prompt", "a"),
        ("TurnEnded", "end-a"),
        ("Rewound", "rewind-a"),
        ("Prompt", "b"),
        ("TurnEnded", "end-b"),
    ]


@pytest.mark.usefixtures("readable")
def test_the_plain_file_wins_over_the_compressed_one(home: Home) -> None:
    packed = compress(home.write(THREAD, [meta()]))
    path = home.write(THREAD, [meta(), THOUGHT])

    assert [one.path for one in home.found()] == [path]
    assert packed.exists()


def test_a_file_is_recognised_by_its_first_line(tmp_path: Path) -> None:
    source = CodexSource()
    path = tmp_path / "copy.jsonl"
    path.write_bytes(meta() + b"\n")
    long_meta = meta(base_instructions={"text": "x" * 100_000}, git=None)

    assert source.recognises(path, meta() + b"\n")
    assert source.recognises(path, long_meta[:65_536])
    assert source.recognises(path, b'{"id":"a","timestamp":"2025-08-01T10:00:00Z","instructions":null}\n')
    assert not source.recognises(path, b'{"type":"user","sessionId":"a"}\n')
    assert not source.recognises(path, line("event_msg", {}))
    assert not source.recognises(path, b"")
    assert [(one.id, one.size) for one in source.sessions_in(path)] == [(THREAD, len(meta()) + 1)]
    assert of(SessionDescribed, all_facts(source.open(source.sessions_in(path)[0])))[0].id == THREAD


def test_the_folders_of_the_newest_days_are_watched_first(home: Home) -> None:
    for day in ("2025/12/31", "2026/11/21", "2026/11/22"):
        home.write(THREAD, [meta()], day=day)

    watched = [str(path.relative_to(home.folder / "sessions")) for path in CodexSource().watched_folders(home.folder)]

    assert watched[:3] == ["2026/11/22", "2026/11/21", "2025/12/31"]
    assert watched[-1] == "."
