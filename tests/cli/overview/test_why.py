"""`seqthink why`: from a line, a commit or a function to the thought behind it."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.cli.overview import why_sessions
from seqthink.core.errors import UsageError
from seqthink.core.times import microseconds_of
from tests.cli.overview.conftest import Why
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.transcripts.agents_at_work import MINUTE, World

DB = "import pool\n\n\ndef connect():\n    return pool.open(size=20)\n"


def levels(answers: list[dict[str, Any]]) -> list[tuple[str, list[list[int]]]]:
    return [(answer["level"], answer["lines"]) for answer in answers]


def test_a_committed_line_leads_to_the_thought_before_its_edit(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.ask("Why is checkout slow?")
    ada.think("The pool has only five connections.")
    ada.think("Twenty is what the database allows.", isRevision=True, revisesThought=1)
    call = ada.write("shop/db.py", DB)
    ada.think("Now the tests.")
    commit = ada.commit("Use a larger pool")

    answer = why("--json", "shop/db.py:5").answer

    assert (answer["file"], answer["level"], answer["lines"]) == ("shop/db.py", "same text", [[5, 5]])
    assert [(one["id"], one["summary"]) for one in answer["commits"]] == [(commit, "Use a larger pool")]
    assert [(one["call"], one["action"], one["lines"]) for one in answer["edits"]] == [
        (call, "Write shop/db.py", [[5, 5]])
    ]
    behind = answer["behind"]
    assert (behind["kind"], behind["text"]) == ("thought", "Twenty is what the database allows.")
    assert (behind["number"], behind["revises"], behind["revised"]) == (2, 1, "The pool has only five connections.")
    assert behind["prompt"] == "Why is checkout slow?"
    session = answer["session"]
    assert (session["link"], session["client"]) == (f"claude-ada#e{behind['entry']}", "Claude Code 2.1.0")
    assert session["open"].endswith(f"replay 'claude-ada#e{behind['entry']}'")


def test_without_a_thought_reasoning_counts_then_a_remark_then_the_prompt(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.ask("First")
    ada.write("a.py", "from_the = prompt_alone\n")
    ada.say("I add a remark.")
    ada.write("b.py", "from_the = remark_of_it\n")
    ada.reason("A reason is better.")
    ada.write("c.py", "from_the = reason_of_it\n")

    kinds = [why("--json", f"{name}.py:1").answer["behind"]["kind"] for name in "abc"]

    assert kinds == ["prompt", "remark", "reasoning"]


def test_a_thought_of_the_turn_before_counts_and_no_older_one(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("A plan.")
    ada.ask("Do it")
    ada.write("a.py", "written = right_after\n")
    ada.ask("Something else")
    ada.say("Of course.")
    ada.write("b.py", "written = much_later\n")

    assert why("--json", "a.py:1").answer["behind"]["text"] == "A plan."
    assert why("--json", "b.py:1").answer["behind"]["text"] == "Of course."


def test_a_branch_is_named_with_its_fork(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("A cache, or a pool?")
    ada.think("Try the pool.", branchFromThought=1, branchId="pool")
    ada.write("db.py", DB)

    behind = why("--json", "db.py:5").answer["behind"]

    assert (behind["branch"], behind["fork"]) == ("pool", 1)
    assert "on branch pool from thought 1" in why("db.py:5").out


def test_a_sub_agent_is_named_with_the_thought_that_started_it(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("Somebody should fix the pool.")
    ada.start("a1", "worker: pool")
    ada.write("db.py", DB, agent="a1")

    answer = why("--json", "db.py:5").answer

    assert answer["session"]["agent"] == "worker: pool"
    assert answer["behind"]["startedBy"] == "Somebody should fix the pool."


def test_lines_are_grouped_by_their_thought(world: World, why: Why) -> None:
    ada, bob = world.agent("ada"), world.agent("bob")
    ada.think("Ada's plan.")
    ada.write("db.py", DB)
    ada.commit()
    bob.think("Bob's plan.")
    bob.edit("db.py", "size=20)\n", "size=20)\n\n\ndef close():\n    pool.close_all()\n")
    bob.commit()

    asked = why("db.py")

    ada_at, bob_at = asked.out.index("Ada's plan."), asked.out.index("Bob's plan.")
    assert ada_at < bob_at
    assert asked.out.startswith("db.py:1-5 (5 lines)\n")
    assert "\ndb.py:6-9 (4 lines)\n" in asked.out


def test_a_line_changed_by_hand_is_said_to_be(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("Twenty.")
    ada.write("a.py", "first = line_of_it\nsize = chosen(20)\nlast = line_of_it\n")
    ada.commit()
    world.tick(60 * MINUTE)
    world.by_hand("a.py", "first = line_of_it\nsize = chosen(99)\nlast = line_of_it\n")
    world.commit("by hand")

    answers = why("--json", "a.py").answers

    assert levels(answers) == [("same text", [[1, 1], [3, 3]]), ("same lines", [[2, 2]])]
    assert "changed by hand" in answers[1]["why"]


def test_a_line_that_the_user_put_back_is_not_called_the_agents(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("Twenty.")
    ada.write("a.py", "first = line_of_it\nsize = chosen(20)\n")
    ada.commit()
    for text in ("first = line_of_it\n", "first = line_of_it\nsize = chosen(20)\n"):
        world.tick(60 * MINUTE)
        world.by_hand("a.py", text)
        world.commit("by hand")

    answers = why("--json", "a.py").answers

    assert levels(answers) == [("same text", [[1, 1]]), ("only the same file", [[2, 2]])]
    assert "an earlier commit had the same text already" in answers[1]["why"]


def test_nobodys_line_is_not_found_and_what_was_searched_is_said(world: World, why: Why) -> None:
    world.agent("ada").think("Something else.")
    world.tick(90 * MINUTE)
    world.by_hand("a.py", "written = by_the_user\n")
    world.commit()

    asked = why("a.py:1", "--since", "2026-03-01")

    assert asked.status == 1
    assert "not found:  no edit of this file is recorded" in asked.out
    assert asked.err == "seqthink: searched 1 session since 2026-03-01: 1 of Claude Code\n"
    assert why("--json", "a.py:1").answer["level"] == "nothing"


def test_edits_before_since_do_not_count(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("A pool.")
    ada.write("db.py", DB)
    ada.commit()

    assert why("--json", "db.py:5", "--since", "2026-03-10").answer["level"] == "same text"
    assert why("--json", "db.py:5", "--since", "2026-03-11").answer["edits"] == []


def test_a_commit_is_answered_by_file_and_thought(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("A pool.")
    ada.write("db.py", DB)
    ada.write("old.py", "this_goes = away_soon\n")
    ada.commit()
    ada.think("Close it, too.")
    ada.edit("db.py", "size=20)\n", "size=20)\n\n\ndef close():\n    pool.close_all()\n")
    ada.run("rm old.py")
    commit = ada.commit("Close the pool")

    answers = why("--json", commit[:10]).answers

    assert [(answer["file"], answer["behind"]["text"]) for answer in answers if answer["level"] == "same text"] == [
        ("db.py", "Close it, too."),
    ]
    assert {answer["file"] for answer in answers} == {"db.py", "old.py"}
    assert why("--json", "HEAD").answers == answers


def test_a_function_is_found_by_its_name(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("A pool.")
    ada.write("db.py", DB + "\n\ndef close():\n    pool.close_all()\n")

    assert [answer["lines"] for answer in why("--json", "connect").answers] == [[[4, 5]]]
    assert why("connect()").out == why("db.py:4-5").out


def test_a_name_with_several_definitions_is_refused_with_all_of_them(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.write("a.py", DB)
    ada.write("b.py", DB)

    asked = why("connect")

    assert (asked.status, asked.out) == (2, "")
    assert "several places" in asked.err
    assert "why a.py:4-5\n" in asked.err
    assert "why b.py:4-5\n" in asked.err


def test_a_branch_of_the_name_of_a_function_gives_way(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.write("db.py", DB)
    ada.commit()
    world.git("branch", "connect")

    assert why("--json", "connect").answer["lines"] == [[4, 5]]
    assert why("--json", "trunk").answers[0]["lines"] == [[1, 1], [4, 5]]


def test_an_unknown_name_is_not_found(world: World, why: Why) -> None:
    world.commit()

    asked = why("nobody_defines_this")

    assert (asked.status, asked.out) == (1, "")
    assert "no file, no commit, and no definition of it" in asked.err


@pytest.mark.parametrize(
    ("asked", "says"),
    first(
        4,
        [
            ("db.py:9", "db.py has only 5 lines"),
            ("db.py:0", "there are no lines 0; they count from 1"),
            ("db.py:3-2", "there are no lines 3-2"),
            ("none.py:1", "none.py: no such file in"),
            (".", "is a folder; name a file in it"),
            ("a b", "is not a file here, a commit or the name"),
            ("x\x1b[31m\0:1", "no such file"),
            ("y" * 9000 + ":1", "no such file"),
            ("", "is not a file here"),
        ],
        is_unpacked=True,
    ),
)
def test_a_request_that_means_nothing_is_refused(world: World, why: Why, asked: str, says: str) -> None:
    world.agent("ada").write("db.py", DB)
    world.commit()

    with pytest.raises(UsageError) as refused:
        why(asked)

    assert says in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_a_column_behind_the_line_does_no_harm(world: World, why: Why) -> None:
    world.agent("ada").write("db.py", DB)

    assert why("--json", "db.py:5:12").answer["lines"] == [[5, 5]]


def test_a_file_whose_name_ends_like_a_line_is_that_file(world: World, why: Why) -> None:
    world.agent("ada").write("odd:12", "odd_name = of_a_file\n")

    assert why("--json", "odd:12").answer["file"] == "odd:12"


def test_another_folder_may_be_named(world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world.agent("ada").write("db.py", DB)
    monkeypatch.chdir(tmp_path)

    assert why("--json", "db.py:5", "--repo", str(world.root)).answer["level"] == "same text"
    with pytest.raises(UsageError, match="is not a folder"):
        why("db.py:5", "--repo", "nowhere")


def test_a_journal_of_ours_is_only_the_same_minutes(world: World, why: Why, seqthink_home: Path) -> None:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    builder = JournalBuilder().session(cwd=str(world.root)).thought("Twenty is enough.", 1, 1)
    builder.write(folder / "ours.jsonl")
    world.time = microseconds_of(builder.now)
    world.by_hand("db.py", DB)
    world.commit()

    answer = why("--json", "db.py:5").answer

    assert (answer["level"], answer["behind"]["text"]) == ("only the same minutes", "Twenty is enough.")
    assert answer["session"]["link"] == "ours#e2"


def test_the_viewer_opens_at_the_thought(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = world.agent("ada")
    ada.think("A pool.")
    ada.write("db.py", DB)
    opened: list[list[str]] = []

    def replay(arguments: list[str]) -> int:
        opened.append(arguments)
        return 0

    monkeypatch.setattr("seqthink.cli.replay.run", replay)

    assert why("db.py:5", "--open").status == 0

    assert opened == [[why("--json", "db.py:5").answer["session"]["link"]]]


def test_a_session_that_is_gone_is_said_to_be(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = world.agent("ada")
    ada.think("A pool.")
    ada.write("db.py", DB)

    def fail(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(why_sessions, "behind_calls", fail)

    asked = why("db.py:5")

    assert asked.status == 0
    assert "behind it:  the session cannot be read any more" in asked.out


HOSTILE = "pool \x1b[31mred\x1b]0;title\x07 \u202eright\nnext"


def test_foreign_texts_cannot_control_the_terminal(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.ask(HOSTILE)
    ada.think(HOSTILE)
    ada.write("a\x1b[2J\u202e.py", f"x = make({HOSTILE!s})\n")
    ada.commit()
    world.git("commit", "-q", "--amend", "-m", HOSTILE)

    asked = why("a\x1b[2J\u202e.py")

    assert "red" in asked.out
    assert not any(sign in asked.out for sign in ("\x1b", "\x07", "\u202e"))
    assert why("--json", "a\x1b[2J\u202e.py").out.isascii()


def test_secrets_are_hidden_on_request(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("The key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ.")
    ada.write("db.py", DB)

    assert "abcdefghij" in why("db.py:5").out
    assert "abcdefghij" not in why("db.py:5", "--redact").out


def test_lines_that_are_not_found_are_together_and_last(world: World, why: Why) -> None:
    for number in range(3):
        world.by_hand("a.py", "".join(f"line_{one} = by_the_user\n" for one in range(number + 1)))
        world.commit()
    world.tick(90 * MINUTE)
    ada = world.agent("ada")
    ada.think("The last one.")
    ada.edit("a.py", "line_2 = by_the_user\n", "line_2 = by_the_user\nlast = line_of_ada\n")

    asked = why("a.py")

    assert asked.out.startswith("a.py:4  last = line_of_ada\n")
    assert asked.out.count("not found:") == 1
    assert "\na.py:1-3 (3 lines)\n" in asked.out
    assert "and 2 commits more" in asked.out
