"""What an agent takes back in its own words: which sentences say so, and what the fold makes of them."""

from pathlib import Path

import pytest

from seqthink.chain.model import Landmark
from seqthink.chain.native.put_back import MAX_EDITED, EditedFiles
from seqthink.chain.native.retractions import MAX_SENTENCE_CHARS, retraction_in
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.library.live_session import load_journal
from tests.support.journals.build import JournalBuilder


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("That was wrong: the pool is fine.", "That was wrong: the pool is fine."),
        ("The test fails. I was wrong about `checkin`. Next.", "I was wrong about `checkin`."),
        ("It is in notes.md now.\n\nLet me revert that edit.", "Let me revert that edit."),
        ("Actually, I take my change back.", "Actually, I take my change back."),
        ("No, wait, I misread the log", "No, wait, I misread the log"),
        ("Green?… Scratch that — it is cached.", "Scratch that — it is cached."),
        ("On second thought, keep it.", "On second thought, keep it."),
        ("You're right — my mistake. Fixed.", "You're right — my mistake."),
        ("- **I was wrong.** It is the queue.", "I was wrong."),
        ("Reverting the timeout change…", "Reverting the timeout change…"),
        ("I’ll revert the height", "I’ll revert the height"),
        ("Wait, that's wrong. Again.", "Wait, that's wrong."),
        ("Green. Wait, no. It was never full.", "Wait, no."),
        ("It was never full. I take that edit back.", "I take that edit back."),
        ("My earlier claim that it never runs was wrong.", "My earlier claim that it never runs was wrong."),
        ("Correction: it is not gone", "Correction: it is not gone"),
    ],
)
def test_the_sentence_in_which_something_is_taken_back_is_found(text: str, sentence: str) -> None:
    assert retraction_in(text) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "Wait, no lock is taken here.",
        "Wait, now it says that nothing is pending.",
        "Actually, I see the issue now.",
        "If I was wrong, the test fails.",
        "Did I misread the log?",
        "I misread the log?",
        'It prints "No. I was wrong." at the end.',
        "It prints `I was wrong`.\n> I was wrong",
        "```\n# I was wrong\n```",
        "~~~\nI was wrong",
        "The test was wrong.",
        "Something was wrong: no lock.",
        "Reverting my changes one at a time shows which one it is.",
        "I'll revert to you tomorrow.",
        "Symptom: a stale read. Correction: enforce the routing.",
        "",
    ],
)
def test_what_only_looks_like_it_is_no_retraction(text: str) -> None:
    assert retraction_in(text) == ""


def test_a_long_sentence_is_cut() -> None:
    assert retraction_in(f"I was wrong about {'x' * 500}.") == f"I was wrong about {'x' * 500}."[:MAX_SENTENCE_CHARS]


def landmarks(session: Session) -> list[int]:
    found = session.landmarks.between(Landmark.RETRACTION, 0, session.thought_count)
    return [session.landmarks.thought_at(Landmark.RETRACTION, number) for number in found]


@pytest.mark.parametrize("kind", ["remark", "reasoning", "turn"])
def test_what_an_agent_said_is_marked_and_never_counts_as_a_revision(tmp_path: Path, kind: str) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "That was wrong.", "id": "p"})
    builder.event(kind, {"text": "That was wrong.", "id": "x"})
    session = load_journal(builder.write(tmp_path / "20260310T140200.000000Z-k3v9qa.jsonl")).session

    assert [session.thoughts.get(index).is_retraction for index in range(session.thought_count)] == [False, True]
    assert (list(session.native.retractions), landmarks(session)) == ([1], [1])
    assert (session.revision_count, session.thoughts.target_of(1), session.thoughts.is_revision(1)) == (0, -1, False)
    assert list(session.at(2).native.retractions) == []


def test_beside_calls_of_the_tool_only_what_is_shown_is_marked(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("That was wrong.", 1, 2)
    builder.event("remark", {"text": "That was wrong.", "id": "m"}).thought("So it was.", 2, 2, next=False)
    path = builder.write(tmp_path / "20260310T140200.000000Z-k3v9qa.jsonl")
    words, thoughts = (load_journal(path, shown=shown).session for shown in (Shown.WORDS, None))

    assert [words.asides.get(number).is_retraction for number in words.asides.retractions] == [True]
    assert (len(thoughts.asides.retractions), landmarks(thoughts)) == (0, [])
    assert [words.thoughts.get(index).is_retraction for index in range(words.thought_count)] == [False, False]


@pytest.mark.parametrize(
    "command",
    [
        "git checkout lib/pool.ex", "git checkout -- lib/pool.ex", "git restore ./lib/pool.ex && mix test",
        "cd /w && git checkout HEAD~1 -- 'lib/pool.ex'", "git -C /w restore /w/lib/pool.ex", "git checkout pool.ex",
    ],
)  # fmt: skip
def test_a_call_that_puts_back_an_edited_file_is_found(command: str) -> None:
    edited = EditedFiles()

    assert edited.put_back_by("Edit", "/w/lib/pool.ex") == ""
    assert edited.put_back_by("Bash", command) == "/w/lib/pool.ex"


@pytest.mark.parametrize(
    "command",
    [
        "git checkout main", "git checkout -b pool.ex", "git restore --staged lib/pool.ex", "git checkout other.ex",
        "git checkout --theirs lib/pool.ex", "git diff lib/pool.ex", "git commit -m 'x' && git checkout lib/pool.ex",
        "git checkout ol.ex", "git status; cat lib/pool.ex", "git checkout -p lib/pool.ex",
    ],
)  # fmt: skip
def test_other_calls_put_nothing_back(command: str) -> None:
    edited = EditedFiles()
    edited.put_back_by("Edit", "/w/lib/pool.ex")

    assert edited.put_back_by("Bash", command) == ""


def test_of_a_patch_of_several_files_the_first_is_known_as_edited() -> None:
    edited = EditedFiles()
    edited.put_back_by("apply_patch", "lib/pool.ex +2")

    assert edited.put_back_by("Bash", "git checkout lib/pool.ex") == "lib/pool.ex"


def test_of_very_many_edited_files_the_newest_are_remembered() -> None:
    edited = EditedFiles()
    for number in range(MAX_EDITED + 1):
        edited.put_back_by("Write", f"/w/{number}.ex")

    assert [edited.put_back_by("shell", f"git checkout {number}.ex") for number in (0, 1)] == ["", "/w/1.ex"]


@pytest.mark.parametrize(("how", "is_marked"), [({"ended": "done"}, True), ({"failed": True}, False)])
def test_the_row_of_what_was_done_is_marked_once_that_call_has_succeeded(
    tmp_path: Path, how: dict[str, object], *, is_marked: bool
) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    builder.event("action", {"tool": "Edit", "summary": "/w/pool.ex", "call": "a"})
    builder.event("action", {"tool": "Bash", "summary": "git checkout pool.ex", "call": "b"})
    builder.event("action", {"tool": "?", "call": "b", **how})
    session = load_journal(builder.write(tmp_path / "20260310T140200.000000Z-k3v9qa.jsonl")).session
    moments = [session.at(count) for count in (4, 5)]

    assert [list(one.asides.retractions) for one in moments] == [[], [0] * is_marked]
    assert [one.asides.get(0).is_retraction for one in moments] == [False, is_marked]
    assert [one.asides.put_back_by(0) for one in moments] == ["", "/w/pool.ex" * is_marked]
    assert session.revision_count == 0
