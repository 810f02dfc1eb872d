"""Native reasoning drawn: prompts, reasoning, what was done, answers, rules across the tree."""

import re
from pathlib import Path

import pytest

from seqthink.chain.native.native_rows import file_name
from seqthink.chain.native.switchable_fold import Shown
from seqthink.drawing import plain
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.library.live_session import load_journal
from seqthink.share.export.html import html
from tests.conftest import PROJECT
from tests.support.journals.build import JournalBuilder
from tests.support.journals.native_journal import native_journal

DONE = {
    "Edit registry.ex, session.ex +3": [("Edit", f"lib/{name}.ex") for name in ("registry", "session", "a", "b", "c")],
    "Edit registry.ex ×2 · Bash mix.exs": [("Edit", "/w/registry.ex"), ("Bash", "mix.exs"), ("Edit", "registry.ex")],
    "Edit a.ex, b.ex +1": [("Edit", "a.ex"), ("Edit", ""), ("Edit", "b.ex")],
    "shell cargo test +1": [("shell", "bash -lc ls"), ("shell", "/bin/bash -lc cargo test")],
    "exec_command pytest -q": [("exec_command", "cd /home/ana/shop-api && pytest -q")],
    "Bash mix test test/pool_test.exs --seed 0": [("Bash", "mix test test/pool_test.exs --seed 0")],
    "Bash rm \N{SYMBOL FOR ESCAPE}red": [("Bash", "rm \x1bred")],
    "Agent ×3 · Bash mix test a/b": [("Agent", "read the log"), ("Bash", "mix test a/b"), *[("Agent", "")] * 2],
    "Read \N{SYMBOL FOR ESCAPE}red": [("Read", "/w/\x1bred")],
    "A · B · C · D · E · F · …": [(name, "") for name in "ABCDEFG"],
}
"""By row: the calls of tools that it names, each with what it was called with."""
NATIVE = PROJECT / "tests" / "journals" / "native.jsonl"


def lines_of(*, shown: Shown | None = None) -> list[str]:
    texts = load_journal(NATIVE, shown=shown)
    return [line.rstrip() for line in plain.overview_lines(texts, width=60, signs=UNICODE)]


def test_the_journal_is_the_one_that_the_builder_gives() -> None:
    assert NATIVE.read_bytes() == native_journal().data


def test_a_turn_is_headed_by_its_prompt_and_subagents_hang_from_their_caller() -> None:
    assert [line[:40].rstrip() for line in lines_of()[2:16]] == [
        " ›     Checkout fails with 502 at the to",
        " ◇  1  Looking at the symptoms · The 502",
        " → Bash zgrep -c 502 gateway.… +1 · Read",
        " ◇  2  Two candidates · The gateway's po",
        " ├─╮ gateway pool",
        " │ ›     Read the gateway's metrics arou",
        " │ · thought 2×, 41s, 2.1k tokens, text",
        " │ ◇  1  The pool is idle · 12 of 200 co",
        " │ ✓     The gateway's pool is idle: 12",
        " ├─╮ what runs at :00",
        " │ ›     List what runs at :00 and what",
        " │ → Grep",
        " │ ◇  1  One job only · The report job s",
        " │ ✓     Only the report job; it holds 4",
    ]


def test_what_parts_the_conversation_is_a_rule_across_the_tree() -> None:
    rules = [line.strip(" ─") for line in lines_of() if line.startswith(" ──")]

    assert rules == ["compacted, 152k → 11k tokens", "went back, 1 turn left behind", "resumed"]


def test_where_it_is_hidden_prompts_and_what_was_done_stay() -> None:
    shown = lines_of(shown=Shown.THOUGHTS)

    assert [line for line in shown if "◇" in line or "text not kept" in line] == []
    assert " › Fix it." in shown
    assert " → Edit report.py" in shown


@pytest.mark.parametrize(("row", "calls"), DONE.items(), ids=DONE)
def test_the_row_of_what_was_done_names_the_files(row: str, calls: list[tuple[str, str]], tmp_path: Path) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    for tool, summary in calls:
        builder.event("action", {"tool": tool, "summary": summary})
    texts = load_journal(builder.write(tmp_path / "s.jsonl"))

    assert [line.strip() for line in plain.overview_lines(texts, width=80, signs=UNICODE)][2] == f"→ {row}"


@pytest.mark.parametrize(
    ("width", "row"),
    [
        (36, "→ Bash mix test test/p… +1 · Edit …"),
        (52, "→ Bash mix test test/pool_test.exs … +1 · Edit a.ex"),
        (62, "→ Bash mix test test/pool_test.exs --s… +1 · Edit a.ex"),
        (120, "→ Bash mix test test/pool_test.exs --seed 0 --trace +1 · Edit a.ex"),
    ],
)
def test_a_command_is_cut_only_as_far_as_its_row_has_no_room_for_it(width: int, row: str, tmp_path: Path) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    for tool, summary in (
        ("Bash", "ls"),
        ("Bash", "mix test test/pool_test.exs --seed 0 --trace"),
        ("Edit", "a.ex"),
    ):
        builder.event("action", {"tool": tool, "summary": summary})
    texts = load_journal(builder.write(tmp_path / "s.jsonl"))

    assert [line.strip() for line in plain.overview_lines(texts, width=width, signs=UNICODE)][2] == row


@pytest.mark.parametrize("width", [28, 39, 60, 120])
@pytest.mark.parametrize(("signs", "sign"), [(UNICODE, "✗"), (ASCII, "x")])
@pytest.mark.parametrize("depth", [0, 3])
def test_how_many_calls_failed_stays_where_a_row_is_cut(
    signs: Signs, sign: str, width: int, depth: int, tmp_path: Path
) -> None:
    builder = JournalBuilder().session().thought("Why?", 1, 2)
    for level in range(depth):
        builder.thought("And?", level + 2, 9, branch=f"b{level}", from_=level + 1)
    for number in range(120):
        builder.event("action", {"tool": f"Bash{number % 5}", "summary": "mix test", "failed": True})
    drawn = plain.overview_lines(load_journal(builder.write(tmp_path / "s.jsonl")), width=width, signs=signs)

    [row] = [line.rstrip() for line in drawn if "Bash" in line]
    assert row.endswith(f" {sign}120")
    assert len(row) <= width


@pytest.mark.parametrize(
    ("summary", "name"),
    [
        ("/home/ana/b.ex", "b.ex"), ("lib\\b.rs", "b.rs"), ("b.ex", "b.ex"), (".env", ".env"), ("src/", "src"),
        ("./run.sh", "run.sh"), ("ls", ""), ("mix test a/b", ""), ("**/*.py", ""), ("foo|bar/b", ""), ("..", ""),
        ("https://example.org/a.html", ""), ("/", ""), ("", ""), ("Registry\\.", ""), ("a/..", ""),
        ("/" * 999 + "b", "b"), ("/" * 1000 + "b", ""),
    ],
)  # fmt: skip
def test_only_a_path_has_a_file_s_name(summary: str, name: str) -> None:
    assert file_name(summary) == name


def test_on_a_page_a_long_command_leaves_room_for_what_is_behind_it(tmp_path: Path) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    for tool, summary in (("Bash", "ls"), ("Bash", "find . -name " + "x" * 150), ("Edit", "a.ex")):
        builder.event("action", {"tool": tool, "summary": summary})
    texts = load_journal(builder.write(tmp_path / "s.jsonl"))

    assert re.search(r"Bash find \. -name x{50,62}… \+1 · Edit a\.ex", "".join(html(texts)))


def test_a_subagent_without_a_thought_is_named_on_the_rows_of_what_it_did_and_of_its_report(tmp_path: Path) -> None:
    journal = JournalBuilder().session(source="claude").thought("Ask two others", 1, 2)
    caller = journal.seq
    for agent, name in (("a", "read the log"), ("b", "read\x1b the cron")):
        journal.event("agent", {"id": agent, "name": name, "of": caller})
        journal.event("prompt", {"text": name, "id": f"p-{agent}", "agent": agent})
        journal.event("reasoning", {"text": "Where?", "id": f"r-{agent}", "agent": agent})
    for agent, file in (("a", "access.log"), ("b", "crontab"), ("a", "other.log")):
        journal.event("action", {"tool": "Read", "summary": f"/etc/{file}", "agent": agent})
    journal.event("turn", {"text": "It fails at :00.\nOnly then.", "id": "t-a", "agent": "a"})
    journal.event("turn", {"id": "t-b", "agent": "b", "aborted": True})
    texts = load_journal(journal.write(tmp_path / "j.jsonl"))
    rows = [line.strip() for line in plain.overview_lines(texts, width=70, signs=UNICODE)]

    assert rows[1:] == [
        "●  1  Ask two others",
        "→ read the log: Read access.log, other.log",
        "→ read␛ the cron: Read crontab",
        "✓ read the log: It fails at :00.",
        "✗ read␛ the cron: did not finish",
        "○  2 expected",
    ]
    assert "read the log: It fails at :00." in "".join(html(texts))
