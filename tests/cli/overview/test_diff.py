"""`seqthink diff`: two sessions as text, as JSON and as a page; what is wrong with how they are named."""

import json
import re
from pathlib import Path

import pytest

from seqthink.library.viewer_store.label_book import LabelBook
from tests.conftest import PROJECT
from tests.support.journals.build import JournalBuilder
from tests.support.journals.two_runs import FAILED, WORKED, run_that_failed, run_that_worked
from tests.support.servers.commands import refusal_line, seqthink

RECORDED = PROJECT / "tests" / "sources" / "transcripts" / "recorded"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_that_worked().end().write(tmp_path / f"{WORKED}.jsonl")
    run_that_failed().end().write(tmp_path / f"{FAILED}.jsonl")
    return tmp_path


def test_sessions_are_named_as_for_every_command(folder: Path) -> None:
    by_id = seqthink("diff", WORKED, FAILED[:14], "--journal-dir", folder, "--width", "120")
    by_file = seqthink("diff", folder / f"{WORKED}.jsonl", folder / f"{FAILED}.jsonl", "--width", "120")

    assert by_id.returncode == 0, by_id.stderr
    assert by_id.stdout == by_file.stdout
    assert "here they part" in by_id.stdout


def test_a_session_is_called_as_its_label_says(folder: Path, seqthink_home: Path) -> None:
    LabelBook(seqthink_home / "viewer").name(WORKED, "The good run")

    done = seqthink("diff", WORKED, FAILED, "--journal-dir", folder, "--width", "120")

    assert next(line for line in done.stdout.splitlines() if line.startswith(" session")).split()[1:4] == [
        *("The", "good", "run")
    ]


def test_the_object_has_both_sides_and_a_row_for_each_text(folder: Path) -> None:
    done = seqthink("diff", WORKED, FAILED, "--journal-dir", folder, "--json")
    document = json.loads(done.stdout)

    assert (document["schema"], document["answers"]) == ("seqthink.diff/1", "apart")
    assert document["partsAt"] == {"a": None, "b": 4}
    assert [row["kind"] for row in document["rows"]] == [
        *("alike", "same", "onlyB", "alike", "onlyA", "onlyA", "onlyA", "onlyA", "onlyB")
    ]
    assert [document[name] for name in ("same", "alike", "onlyA", "onlyB")] == [1, 2, 4, 2]
    assert document["rows"][4]["a"] == {
        "kind": "thought",
        "seq": 5,
        "number": 4,
        "branch": "cron-job",
        "time": "2026-03-10T14:02:30.000Z",
        "text": "What runs at the top of the hour? The report job, alone",
    }
    assert document["a"]["branches"] == ["cron-job"]
    assert (document["b"]["session"], document["b"]["seconds"], document["b"]["estimated"]) == (FAILED, 70.0, 4)


def test_sessions_without_a_thought_are_an_object_without_rows(tmp_path: Path) -> None:
    for name in ("one", "two"):
        JournalBuilder().session(name).write(tmp_path / f"{name}.jsonl")
    done = seqthink("diff", tmp_path / "one.jsonl", tmp_path / "two.jsonl", "--json")
    document = json.loads(done.stdout)

    assert (document["rows"], document["partsAt"], document["answers"]) == ([], None, None)


def test_two_transcripts_of_clients_are_compared_with_their_reasoning_and_prompts() -> None:
    done = seqthink("diff", RECORDED / "codex-plain-resume.jsonl", RECORDED / "gemini-chain-resume.jsonl", "--json")
    document = json.loads(done.stdout)

    assert done.returncode == 0, done.stderr
    assert any(row.get("a", {}).get("kind") == "prompt" for row in document["rows"])


def test_the_page_is_written_to_a_file_and_not_over_one_without_force(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "diff.html"
    command = ("diff", WORKED, FAILED, "--journal-dir", folder, "--html", page)

    first, second, third = seqthink(*command), seqthink(*command), seqthink(*command, "--force")
    to_stdout = seqthink("diff", WORKED, FAILED, "--journal-dir", folder, "--html", "-")

    assert (first.returncode, third.returncode) == (0, 0)
    assert refusal_line(second).endswith("already exists; --force replaces it")
    assert page.read_text("utf-8") == to_stdout.stdout


def test_neither_journal_is_ever_overwritten(folder: Path) -> None:
    for name in (WORKED, FAILED):
        journal = folder / f"{name}.jsonl"
        before = journal.read_bytes()
        done = seqthink("diff", WORKED, FAILED, "--journal-dir", folder, "--html", journal, "--force")

        assert done.returncode == 2
        assert journal.read_bytes() == before


def test_tokens_of_the_conversation_and_of_reasoning_are_beside_each_other(tmp_path: Path) -> None:
    def session(name: str, tokens: int) -> Path:
        builder = JournalBuilder().session(name).event("prompt", {"text": "Why?"})
        builder.event("reasoning", {"text": "Since.", "tokens": tokens, "model": "m-1"})
        for number in (2, 3, 1):
            builder.event("usage", {"tokens": number * tokens, "model": "m-2"})
        builder.event("usage", {"tokens": 9 * tokens, "agent": "scout"})
        return builder.write(tmp_path / f"{name}.jsonl")

    files = session("one", 1000), session("two", 40)
    document = json.loads(seqthink("diff", *files, "--json").stdout)
    text = seqthink("diff", *files, "--width", "80").stdout

    assert [document[side]["contextTokens"] for side in "ab"] == [3000, 120]
    assert [document[side]["reasoningTokens"] for side in "ab"] == [1000, 40]
    assert document["a"]["models"] == ["m-1", "m-2"]
    rows = [re.split("  +", line.strip()) for line in text.splitlines()]
    assert ["context", "3k tokens at most", "120 tokens at most"] in rows
    assert ["reasoning", "1k tokens", "40 tokens"] in rows


def test_secrets_are_hidden_with_redact(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    for name in ("one", "two"):
        JournalBuilder().session(name).thought(f"the token {secret} {name}", 1, 1).write(tmp_path / f"{name}.jsonl")
    files = (tmp_path / "one.jsonl", tmp_path / "two.jsonl")
    for form in ((), ("--json",), ("--html", "-")):
        assert secret in seqthink("diff", *files, *form).stdout
        assert secret not in seqthink("diff", *files, *form, "--redact").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", WORKED), "nowhere"),
        ((WORKED, "nowhere"), "nowhere"),
        ((WORKED,), "the following arguments are required: SESSION|FILE"),
        ((WORKED, FAILED, "--force"), "--force is for a file that --html names"),
        ((WORKED, FAILED, "--json", "--html", "-"), "not allowed with argument"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    done = seqthink("diff", *arguments, "--journal-dir", folder)

    assert done.returncode == 2
    assert words in refusal_line(done)


def test_lines_that_could_not_be_read_are_named_with_their_session(folder: Path) -> None:
    run_that_worked().raw(b"{broken}\n").end().write(folder / "torn.jsonl")
    done = seqthink("diff", folder / "torn.jsonl", folder / f"{FAILED}.jsonl")

    assert done.returncode == 0
    assert done.stderr.strip() == "seqthink: A: 1 line could not be read"
