"""`import seqthink`: what is public, a journal at every moment, and what goes wrong."""

import inspect
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import seqthink
from seqthink import events
from seqthink.core import events as core_events
from seqthink.core.events import Entry
from seqthink.events import AuditEvent, ContextEvent, ElicitEvent, NoteEvent, SampleEvent
from tests.conftest import PROJECT
from tests.support.journals.build import SESSION, START, JournalBuilder
from tests.support.journals.event_strategies import journals as drawn_journals
from tests.support.journals.events_factory import Item, Journal
from tests.support.journals.example_chains import full_contexts
from tests.support.proc import process_file

JOURNALS = PROJECT / "tests" / "journals"
LONG = "x" * (128 << 10) + "end"


def opened(builder: JournalBuilder, folder: Path) -> seqthink.Journal:
    return seqthink.open_journal(builder.write(folder / f"{SESSION}.jsonl"))


def facts(session: seqthink.SessionView) -> dict[str, Any]:
    """Return all that a session says, as plain values."""
    return {
        "session": (session.id, session.title, session.entry_count, session.unknown_count, session.corrupt_count),
        "agents": [(agent.id, agent.name, agent.model, agent.is_main) for agent in session.agents],
        "chains": [(chain.index, chain.title, len(chain.thoughts)) for chain in session.chains],
        "lanes": [
            (lane.name, lane.is_trunk, lane.is_branch, lane.depth, lane.fork and lane.fork.seq, lane.fork_number)
            for chain in session.chains
            for lane in chain.lanes
        ],
        "on lanes": [[one.seq for one in lane.thoughts] for chain in session.chains for lane in chain.lanes],
        "thoughts": [
            (
                (one.seq, one.number, one.estimate, one.time, one.duration, one.text, one.is_final, one.needs_more),
                (
                    one.is_repeat,
                    one.skipped_count,
                    one.is_revision,
                    one.revises,
                    one.target and one.target.seq,
                    one.estimate_change,
                ),
                ([by.seq for by in one.revised_by], [lane.name for lane in one.branches], one.agent.id),
                [(at.kind, at.seq, at.time, at.verdict, at.score, at.event) for at in one.attachments],
            )
            for one in session.thoughts
        ],
        "revisions": [(one.seq, target and target.seq) for one, target in session.revisions],
        "estimates": [(one.seq, before, total) for one, before, total in session.estimates],
        "refusals": [(one.seq, one.error, one.after and one.after.seq) for one in session.refusals],
    }


def line_of(item: Item) -> bytes:
    """Return an event, an unknown one or a corrupt line as bytes."""
    if isinstance(item, str):
        return b"corrupt\n"
    return msgspec.json.encode(item) + b"\n"


# What is public


def test_every_public_name_is_listed_found_and_documented() -> None:
    names = set(seqthink.__all__)

    assert names == set(dir(seqthink))
    assert [name for name in names - {"__version__"} if not getattr(seqthink, name).__doc__] == []
    with pytest.raises(AttributeError, match="module 'seqthink' has no attribute 'nothing'"):
        _ = seqthink.nothing  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType] - there is none


def test_every_public_attribute_is_documented() -> None:
    classes = [value for name in seqthink.__all__ if isinstance(value := getattr(seqthink, name), type)]
    bare = [
        f"{one.__name__}.{name}"
        for one in classes
        if one.__module__.startswith("seqthink.api")
        for name, value in vars(one).items()
        if not name.startswith("_") and not value.__doc__
    ]

    assert bare == []


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import seqthink", {"msgspec", "anyio", "asyncio", "mcp", "textual", "pydantic", "pathlib", "platformdirs"}),
        ("import seqthink; seqthink.open_journal", {"anyio", "asyncio", "mcp", "textual", "pydantic", "watchfiles"}),
        ("import seqthink; seqthink.follow", {"mcp", "textual", "pydantic", "rich"}),
    ],
)
def test_only_what_is_used_is_loaded(statement: str, heavy: set[str]) -> None:
    program = f"{statement}\nimport sys; print([name for name in sys.modules if name in {heavy!r}])"
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=PROJECT, capture_output=True, check=True,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip

    assert done.stdout.decode().strip() == "[]"


def test_the_packages_say_that_they_are_typed() -> None:
    assert [(PROJECT / package / "py.typed").is_file() for package in ("seqthink", "tui")] == [True, True]


# A journal


def test_a_journal_has_all_that_its_thoughts_have(tmp_path: Path) -> None:
    builder = (
        JournalBuilder()
        .session(title="T", host="elsewhere")
        .thought("one", 1, 3)
        .thought("two", 2, 3, after=5)
        .rejected("Invalid thought", arguments={"thought": 5})
        .thought("two again", 3, 4, revises=2)
        .audit(verdict="reject", score=12)
        .sample(of=5)
        .elicit(of=5)
        .context()
        .note("Why?", of=5)
        .thought("other", 1, 2, branch="b", from_=1, needsMoreThoughts=True)
        .thought("done", 6, 6, next=False)
    )
    with opened(builder, tmp_path) as journal:
        one, two, again, other, done = journal.thoughts
        kinds = [type(attachment.event) for attachment in again.attachments]
        [refusal] = journal.refusals
        [chain] = journal.chains

        assert (journal.id, journal.title, journal.state, journal.is_alive) == (SESSION, "T", "done", False)
        assert (one.text, one.time, one.duration, two.duration) == ("one", START, None, timedelta(seconds=5))
        assert (again.is_revision, again.revises, again.target, list(two.revised_by)) == (True, 2, two, [again])
        assert (again.estimate_change, two.estimate_change) == ((3, 4), None)
        assert kinds == [AuditEvent, SampleEvent, ElicitEvent, ContextEvent, NoteEvent]
        assert (again.attachments[0].verdict, again.attachments[0].score) == ("reject", 12)
        assert (again.attachments[1].verdict, again.attachments[1].score) == (None, None)
        assert [(lane.name, lane.fork) for lane in one.branches] == [("b", one)]
        assert (other.lane.name, other.lane.fork_number, other.needs_more, other.chain) == ("b", 1, True, chain)
        assert (done.skipped_count, done.is_final, done.lane, done.agent.is_main) == (2, True, chain.trunk, True)
        assert (refusal.error, refusal.after, refusal.event.arguments) == ("Invalid thought", two, {"thought": 5})
        assert [tuple(pair) for pair in journal.revisions] == [(again, two)]
        assert [(thought.index, before, total) for thought, before, total in journal.estimates] == [
            (0, None, 3), (2, 3, 4), (3, None, 2), (4, 4, 6),
        ]  # fmt: skip
        assert len({one, journal.thoughts[0], journal.at(1).thoughts[0]}) == 1
        assert list(journal.thoughts[1:3]) == [two, again]


@given(drawn=drawn_journals(), data=st.data())
def test_a_session_at_any_moment_is_the_session_of_a_journal_that_ended_there(
    drawn: Journal, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines = [line_of(item) for item in drawn.items]
    count = data.draw(st.integers(0, len(lines)))
    folder = tmp_path_factory.mktemp("journals")
    (folder / "whole.jsonl").write_bytes(b"".join(lines))
    (folder / "part.jsonl").write_bytes(b"".join(lines[:count]))
    with seqthink.Journal(folder / "whole.jsonl") as whole, seqthink.Journal(folder / "part.jsonl") as part:
        assert facts(whole.at_entry(count)) == facts(part)
        assert facts(whole.at(len(part.thoughts))) == facts(part.at(len(part.thoughts)))


def test_an_agent_has_its_context_as_far_as_its_client_records_it(tmp_path: Path) -> None:
    with opened(full_contexts(), tmp_path) as journal:
        used = [(agent.name, agent.context_tokens, agent.context_window) for agent in journal.agents]
        before = journal.at(0).agents[0]

        assert used == [(None, 61_200, 258_400), ("read the log", 212_000, 258_400), ("read the schema", 8_600, None)]
        assert (before.context_tokens, before.context_window) == (None, None)


def test_a_moment_that_never_was_is_refused(tmp_path: Path) -> None:
    with opened(JournalBuilder().session().thought("x"), tmp_path) as journal:
        for count in (-1, 2):
            with pytest.raises(ValueError, match=rf"at\({count}\): the session has 1 thoughts"):
                journal.at(count)
        with pytest.raises(ValueError, match=r"at_entry\(3\): the session has 2 entries"):
            journal.at_entry(3)


def test_what_is_appended_is_seen_after_a_refresh_and_not_before(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("one", 1, 2)
    with opened(builder, tmp_path) as journal:
        before, thoughts = journal.at_entry(2), journal.thoughts
        builder.thought("two", 2, 2, next=False).write(journal.path)
        seen = len(journal.thoughts)

        assert (seen, journal.refresh(), journal.refresh(), len(journal.thoughts)) == (1, True, False, 2)
        assert (len(before.thoughts), len(thoughts)) == (1, 1)
        assert (journal.state, before.state) == ("done", "unknown")


def test_a_replaced_journal_is_read_again_and_old_views_still_read_their_texts(tmp_path: Path) -> None:
    with opened(JournalBuilder().session().thought("old", 1, 2), tmp_path) as journal:
        old = journal.thoughts[0]
        JournalBuilder().session().thought("new").write(tmp_path / "other").replace(journal.path)

        assert journal.refresh()
        assert (old.text, [thought.text for thought in journal.thoughts]) == ("old", ["new"])
        assert old != journal.thoughts[0]


def test_a_text_that_was_written_over_is_an_error_and_never_another_text(tmp_path: Path) -> None:
    with opened(JournalBuilder().session().thought("one").thought("two"), tmp_path) as journal:
        last = journal.thoughts[-1]
        journal.path.write_bytes(b"")

        with pytest.raises(seqthink.JournalChangedError, match="the journal was rewritten"):
            _ = last.text


def test_a_closed_journal_keeps_its_facts_and_reads_no_text(tmp_path: Path) -> None:
    journal = opened(JournalBuilder().session().thought("one"), tmp_path)
    journal.close()
    journal.close()

    assert journal.thoughts[0].number == 1
    with pytest.raises(ValueError, match="the journal is closed"):
        _ = journal.thoughts[0].text
    with pytest.raises(ValueError, match="the journal is closed"):
        journal.refresh()


def test_a_closed_journal_holds_no_file(tmp_path: Path) -> None:
    before = len(os.listdir(process_file("self", "fd")))  # noqa: PTH208 - as a list
    opened(JournalBuilder().session().thought("one"), tmp_path).close()

    # fewer where what watched for an earlier test is closed meanwhile
    assert len(os.listdir(process_file("self", "fd"))) <= before  # noqa: PTH208 - as a list


def test_a_long_text_is_whole(tmp_path: Path) -> None:
    with opened(JournalBuilder().session().thought(LONG), tmp_path) as journal:
        assert journal.thoughts[0].text == LONG


def test_secrets_are_redacted_where_that_is_asked_for(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("password = hunter2hunter2").write(tmp_path / "a.jsonl")
    with seqthink.open_journal(path, redact=True) as clean, seqthink.open_journal(path) as plain:
        assert clean.thoughts[0].text == "password = [redacted secret]"
        assert plain.thoughts[0].text == "password = hunter2hunter2"


@pytest.mark.parametrize("name", ["full", "hostile", "torn", "corrupt", "unknown", "minimal"])
def test_every_journal_of_the_tests_can_be_read_to_its_end(name: str) -> None:
    with seqthink.open_journal(JOURNALS / f"{name}.jsonl") as journal:
        moments = [facts(journal.at_entry(count)) for count in range(journal.entry_count + 1)]

    assert len(moments) == journal.entry_count + 1


# Which journal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "journals"
    folder.mkdir()
    for day in ("10", "11"):
        name = f"202603{day}T140200.000000Z-k3v9qa"
        JournalBuilder().session(name).thought(day).write(folder / f"{name}.jsonl")
    return folder


@pytest.mark.parametrize("reference", ["20260311", "20260311T140200.000000Z-k3v9qa"])
def test_a_session_is_found_by_its_id_or_a_prefix(reference: str, folder: Path) -> None:
    with seqthink.open_journal(reference, folder=folder) as journal:
        assert journal.thoughts[0].text == "11"


def test_the_newest_session_is_the_default_and_all_are_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQTHINK_JOURNAL_DIR", str(folder))
    listed = seqthink.sessions()
    with seqthink.open_journal() as journal:
        assert journal.path in [file.path for file in listed]
    assert len(listed) == 2
    assert seqthink.sessions(folder / "none") == []


def test_a_path_is_a_path_whatever_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    next(folder.iterdir()).rename("last")
    with seqthink.open_journal(Path("last")) as journal:
        assert len(journal.thoughts) == 1


@pytest.mark.parametrize(
    ("reference", "error", "words"),
    [
        ("2027", seqthink.JournalNotFoundError, "no session '2027' in "),
        ("./none.jsonl", seqthink.JournalNotFoundError, "none.jsonl: no such file"),
        (Path("none"), seqthink.JournalNotFoundError, "none: no such file"),
        ("2026", seqthink.AmbiguousSessionError, "'2026' could be 20260311"),
        ("./text", seqthink.NotAJournalError, "text is not a seqthink journal"),
        (".", seqthink.NotAJournalError, "is a folder"),
        ("./pipe", seqthink.NotAJournalError, "pipe: is not a regular file"),
    ],
)
def test_what_is_no_journal_is_said(
    reference: str | Path, error: type[seqthink.UsageError], words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path("text").write_text("hello\n", encoding="utf-8")
    os.mkfifo("pipe")
    for open_it in (seqthink.open_journal, seqthink.follow):
        with pytest.raises(error, match=words):
            open_it(reference, folder=folder)


def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    for open_it in (seqthink.open_journal, seqthink.follow):
        with pytest.raises(seqthink.JournalNotFoundError, match=r"no sessions in .* yet; connect an agent"):
            open_it("last", folder=tmp_path)


def test_every_event_has_its_public_path() -> None:
    own = {name for name, value in vars(core_events).items() if inspect.isclass(value) and issubclass(value, Entry)}

    assert own <= set(events.__all__)
    assert [name for name in events.__all__ if getattr(events, name) is not getattr(core_events, name)] == []
