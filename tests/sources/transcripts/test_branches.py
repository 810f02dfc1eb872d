"""The git branch of a session and the origin of its repository, as each client records them."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.core.events import SessionEvent
from seqthink.sources.transcripts.facts import Fact, Prompt, SessionDescribed
from seqthink.sources.transcripts.translation import Translator
from tests.sources.transcripts.codex import rollouts
from tests.sources.transcripts.copilot import event_lines
from tests.sources.transcripts.qwen.test_qwen import user as qwen_user
from tests.sources.transcripts.qwen.test_qwen import written as qwen_facts
from tests.sources.transcripts.test_importing import events_of, import_all
from tests.sources.transcripts.test_translation import NAMES
from tests.support.transcripts.claude_lines import facts_of, user
from tests.support.transcripts.recorded import lay_out

GIT = {"commit_hash": "4d93628", "branch": "feat/pool", "repository_url": "https://ada:s3cret@github.com/acme/shop.git"}


def branches(facts: list[Fact]) -> list[tuple[str | None, str | None]]:
    return [(fact.branch, fact.remote) for fact in facts if isinstance(fact, SessionDescribed)]


def test_claude_code_says_the_branch_whenever_it_changes() -> None:
    said = ("feat/pool", "feat/pool", "main", "HEAD", "HEAD")
    lines = [user(f"u{number}", None, "why?", gitBranch=branch) for number, branch in enumerate(said)]

    assert branches(facts_of(lines)) == [("feat/pool", None), ("main", None), ("", None)]


def test_claude_code_says_no_branch_without_git() -> None:
    lines = [user(f"u{number}", None, "why?", gitBranch="HEAD") for number in range(2)]

    assert branches(facts_of(lines)) == [(None, None)]


@pytest.mark.parametrize("instructions", ["", "short", 'a {brace} and ,"git":{"branch":"no"} ' * 500])
def test_codex_says_the_repository_behind_its_long_instructions(instructions: str) -> None:
    meta = rollouts.meta(base_instructions={"text": instructions}, history_mode="paginated", git=GIT)

    assert branches(rollouts.facts_of([meta])) == [("feat/pool", "github.com/acme/shop")]


@pytest.mark.parametrize("git", [None, 3, {}, {"branch": 1, "repository_url": ["x"]}])
def test_codex_without_a_repository_says_none(git: object) -> None:
    meta = rollouts.meta(base_instructions={"text": "x" * 5_000}, git=git)

    assert branches(rollouts.facts_of([meta])) == [(None, None)]


def test_a_brace_in_a_branch_does_not_end_what_codex_says() -> None:
    meta = rollouts.meta(base_instructions={"text": "x" * 5_000}, git={"branch": "a}b{"})

    assert branches(rollouts.facts_of([meta])) == [("a}b{", None)]


def test_copilot_says_branch_and_repository_and_where_it_moves() -> None:
    shop: dict[str, Any] = {
        "cwd": "/w/shop",
        "repository": "acme/shop",
        "repositoryHost": "github.com",
        "branch": "main",
    }
    facts = event_lines.facts_of(
        event_lines.record("session.start", 1, sessionId=event_lines.SESSION, context=shop),
        event_lines.record("session.context_changed", 2, cwd="/w/cart", pendingGitContext=True),
        event_lines.record("session.context_changed", 3, **{**shop, "repository": "acme/cart", "branch": "feat"}),
        event_lines.record("session.context_changed", 4, cwd="/tmp"),
    )

    assert branches(facts) == [
        ("main", "github.com/acme/shop"), (None, None), ("feat", "github.com/acme/cart"), ("", None),
    ]  # fmt: skip


def test_qwen_says_the_branch_whenever_it_changes(tmp_path: Path) -> None:
    said = ("main", "main", "feat/pool", "HEAD")
    facts = qwen_facts(tmp_path, *({**qwen_user("Why?"), "gitBranch": branch} for branch in said))

    assert branches(facts) == [("main", None), ("feat/pool", None), ("", None)]


def test_a_changed_branch_is_another_session_event_and_the_servers_own_counts_only_where_none_is_recorded() -> None:
    translator = Translator(NAMES)
    translator.adopt_session(0, {"branch": "main", "remote": "github.com/acme/shop"}, is_resumed=False)
    described = SessionDescribed(id="s1", time=1, cwd="/w")
    drafts = translator.translate(
        [described, Prompt(id="p1", time=2, text="why?"), SessionDescribed(id="s1", time=3, branch="feat")]
    )

    said = [(one.fields["branch"], one.fields["remote"]) for one in drafts if one.kind == "session"]
    assert said == [("main", "github.com/acme/shop"), ("feat", "github.com/acme/shop")]


def test_a_branch_that_changed_is_added_by_the_next_import_and_the_same_one_is_not(tmp_path: Path) -> None:
    home = lay_out("claude/compaction", tmp_path / "home")
    (transcript,) = home.rglob("*.jsonl")
    (first,) = import_all(home, tmp_path / "journals")
    said: list[list[str | None]] = []
    last = [line for line in transcript.read_bytes().splitlines() if b'"gitBranch":"HEAD"' in line][-1]
    for branch in (b"feat/pool", b"feat/pool", b"HEAD"):
        changed = last.replace(b'"gitBranch":"HEAD"', b'"gitBranch":"%s"' % branch) + b"\n"
        uuid = b'"uuid":"%08d' % len(said)
        transcript.write_bytes(transcript.read_bytes() + changed.replace(b'"uuid":"', uuid, 1))
        import_all(home, tmp_path / "journals")
        assert first.journal is not None
        said.append([one.branch for one in events_of(first.journal) if isinstance(one, SessionEvent)])

    assert said == [[None, "feat/pool"], [None, "feat/pool"], [None, "feat/pool", None]]
