"""Native reasoning drawn: prompts, reasoning, what was done, answers, rules across the tree."""

from seqthink.chain.native.switchable_fold import Shown
from seqthink.drawing import plain
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.loading import load_journal
from tests.conftest import PROJECT
from tests.support.journals.native_journal import native_journal

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
        " → Bash 2, Read 1 ✗1",
        " ◇  2  Two candidates · The gateway's po",
        " ├─╮ gateway pool",
        " │ ›     Read the gateway's metrics arou",
        " │ · thought 2×, 41s, 2.1k tokens, text",
        " │ ◇  1  The pool is idle · 12 of 200 co",
        " │ ✓     The gateway's pool is idle: 12",
        " ├─╮ what runs at :00",
        " │ ›     List what runs at :00 and what",
        " │ → Grep 1",
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
    assert " → Edit 1" in shown
