"""The Markdown report, read back by a parser as a page would read it."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import seqthink.share.export.markdown
from seqthink.chain.native.switchable_fold import Shown
from seqthink.drawing.plain import overview_lines
from seqthink.library.live_session import load_journal
from seqthink.share.export.markdown import MAX_HELD_ROWS, PAGE_CELLS, fence, markdown, quoted
from tests.support.depth import sized
from tests.support.journals.build import START, JournalBuilder, shop_api
from tests.support.journals.exports import HOSTILE, hostile, invisible_chars
from tests.support.servers.commands import JOURNALS, SHOP_API


def report(journal: Path) -> str:
    return "".join(markdown(load_journal(journal)))


def written(builder: JournalBuilder, folder: Path) -> str:
    return report(builder.write(folder / "a.jsonl"))


def tokens(text: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"linkify": False}).parse(text)


def fences(text: str) -> list[str]:
    return [token.content for token in tokens(text) if token.type == "fence"]


def headings(text: str) -> list[str]:
    read = tokens(text)
    return [read[place + 1].content for place, token in enumerate(read) if token.type == "heading_open"]


def test_the_report_begins_with_what_a_user_asks_first() -> None:
    head = report(SHOP_API).split("```")[0]

    assert head == (
        "# shop-api\n\n"
        "**✓ done** · `claude-code 2.1.0` · 2026-03-10 14:02:00 – 14:04:41 UTC  \n"
        "11 thoughts, 1 branch, 2 revisions\n\n"
    )


def test_the_tree_stands_in_the_first_fence_as_it_is_drawn() -> None:
    made = load_journal(SHOP_API)
    _, *rows = overview_lines(made, width=PAGE_CELLS)

    assert fences(report(SHOP_API))[0].splitlines() == rows


def test_thoughts_follow_in_order_of_arrival_under_their_numbers() -> None:
    numbers = headings(report(SHOP_API))

    assert numbers == [
        "shop-api", "Thoughts", "1", "2", "3", "4", "5",
        "1 · cron-job", "2 · cron-job", "3 · cron-job", "6", "7", "8",
    ]  # fmt: skip


def test_a_thought_is_headed_by_what_became_of_it() -> None:
    text = report(SHOP_API)

    assert "\n### 2\n\nrevised by [6](#thought-9) · 8s · 14:02:08\n" in text
    assert "\n### 3\n\nestimate 5 → 6 · 20s · 14:02:28\n" in text
    assert "\n### 1 · cron-job\n\nfrom [3](#thought-3) · 21s · 14:03:20\n" in text
    assert "\n### 6\n\nrevises [2](#thought-2) · estimate 6 → 8 · 16s · 14:03:56\n" in text
    assert "\n### 7\n\n!71 revise · revised by [8](#thought-11) · 24s · 14:04:20\n" in text
    assert "\n### 8\n\n✓92 pass · final · revises [7](#thought-10) · 19s · 14:04:39\n" in text


def test_what_was_asked_and_reasoned_before_the_first_thought_is_in_the_part_of_its_chain(tmp_path: Path) -> None:
    journal = JournalBuilder().session(source="claude").event("prompt", {"text": "Q1"}).thought("one")
    journal.event("turn", {"text": "A1"}).event("prompt", {"text": "Q2"}).event("reasoning", {"text": "hm"}).thought(
        "x"
    )
    texts = load_journal(journal.write(tmp_path / "a.jsonl"), shown=Shown.EVERYTHING)

    first, second = "".join(markdown(texts)).split("## Chain 2")

    assert ("Q2" in first.split("## Chain 1")[1], "Q2" in second) == (False, True)
    assert second.index("Q2") < second.index("hm") < second.rindex("x")


def test_every_link_leads_to_a_thought_of_the_report() -> None:
    text = report(SHOP_API)

    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(re.findall(r'<a id="([^"]+)"></a>', text))


def test_what_belongs_to_a_thought_stands_below_it() -> None:
    text = report(JOURNALS / "full.jsonl")

    assert re.search(r"── audit ✓92 pass ─+ 1 judge · 2s ──\n correctness  █+░+   92\n", text)
    assert " seqthink: Judge this diff.\n a-model: It releases the pool.\n" in text
    assert " note delivered · to main ─" in text
    assert "- total 3 given, raised to 4\n" in text
    assert "### ✗ refused\n\n```text\nInvalid thoughtNumber: must be a positive integer, got 0\n```\n" in text
    assert '  "thoughtNumber": 0,\n' in text
    assert "The server stopped with an error:\n\n```text\ndisk full\n```\n" in text


def test_refused_calls_stand_where_they_came(tmp_path: Path) -> None:
    builder = JournalBuilder().session().rejected("a").thought("x", 1, 2).rejected("b").thought("y", 1, 1).rejected("c")

    text = written(builder, tmp_path)

    order = [line for line in text.split("## Chain 1")[1].splitlines() if line in {"a", "b", "c", "x", "y"}]
    assert "".join(order) == "xaxbyyc"


def test_a_long_session_has_a_list_of_its_thoughts_and_a_short_one_has_none(tmp_path: Path) -> None:
    builder = shop_api()
    short = written(builder, tmp_path)
    long = written(builder.thought("more", 9, 9), tmp_path)

    assert "- [1](#" not in short
    assert "- [1](#thought-1) [2](#thought-2) [3](#thought-3)" in long
    assert "\n- cron-job: [1](#thought-6) [2](#thought-7) [3](#thought-8)\n" in long


def test_long_lines_are_broken_but_those_of_a_fence_are_not(tmp_path: Path) -> None:
    words, code = "word " * 40, "x" * 200
    text = written(JournalBuilder().session().thought(f"{words}\n- {words}\n> {words}\n```\n{code}\n```"), tmp_path)

    shown = fences(text)[1].splitlines()
    assert [line for line in shown if len(line) > PAGE_CELLS] == [code]
    assert [line[:6] for line in shown if line][:9] == [
        "word w", "word w", "word w", "- word", "  word", "  word", "> word", "> word", "> word",
    ]  # fmt: skip


def test_the_lines_of_a_fence_are_those_that_commonmark_takes_for_it(tmp_path: Path) -> None:
    code = "x" * 200
    text = written(JournalBuilder().session().thought(f"```py\n    ```\n{code}\n```py\n{code}\n```"), tmp_path)

    assert fences(text)[1].count(code) == 2


def test_a_literal_line_break_is_one_where_the_text_has_no_other(tmp_path: Path) -> None:
    text = written(JournalBuilder().session().thought(r"one\ntwo").thought("a\n`\\n`"), tmp_path)

    assert fences(text)[1:] == ["one\ntwo\n", "a\n`\\n`\n"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_breaks_out_of_a_fence_or_a_quotation(text: str) -> None:
    safe = text.encode("utf-8", "replace").decode()
    held = tokens(f"{fence(safe)}end {quoted(text)}\n")

    assert [token.type for token in held] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert [child.type for child in held[2].children or []] in (["text", "code_inline"], ["text"])


def test_every_link_leads_to_the_thought_with_its_number_and_a_straight_chain_counts_from_one() -> None:
    text = report(SHOP_API)
    headings = dict(re.findall(r'<a id="([^"]+)"></a>\n\n### (\d+)', text))
    links = re.findall(r"\[(\d+)\]\(#([^)]+)\)", text)

    assert len(links) >= 5
    assert [(number, target) for number, target in links if headings.get(target) != number] == []
    assert list(headings) == [f"thought-{place}" for place in range(1, len(headings) + 1)]


def test_a_page_of_hostile_texts_holds_nothing_but_our_own_links_and_anchors(tmp_path: Path) -> None:
    text = written(hostile(), tmp_path)
    read = tokens(text)
    inner = [child for token in read for child in token.children or []]

    assert invisible_chars(text) == {"\n"}
    assert "\ufffe" not in text
    assert {token.type for token in read if token.nesting >= 0} <= {
        "heading_open", "inline", "paragraph_open", "fence", "html_block", "bullet_list_open", "list_item_open",
    }  # fmt: skip
    assert {child.type for child in inner if child.nesting >= 0} <= {
        "text", "code_inline", "link_open", "strong_open", "html_inline", "hardbreak",
    }  # fmt: skip
    blocks = [token.content for token in read if token.type == "html_block"]
    assert all(re.fullmatch(r'(<a id="thought-\d+"></a>\n?)', block) for block in blocks)
    assert all(re.fullmatch(r'<a id="thought-\d+">|</a>', one.content) for one in inner if one.type == "html_inline")
    assert all(re.fullmatch(r"#thought-\d+", str(one.attrs["href"])) for one in inner if one.type == "link_open")
    outside = " ".join(child.content for child in inner if child.type == "text")
    assert not re.search(r"@|#|/|https?:|www\.|GH-", outside)


@pytest.mark.slow  # megabytes of text
def test_a_tree_too_long_to_be_held_stands_in_a_fence_longer_than_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = sized(500, MAX_HELD_ROWS)
    monkeypatch.setattr(seqthink.share.export.markdown, "MAX_HELD_ROWS", most)
    builder = JournalBuilder().session()
    for number in range(1, most + 2):
        builder.thought("`" * 200, number, 9)

    text = written(builder, tmp_path)

    assert f"\n{'`' * (PAGE_CELLS + 1)}text\n" in text
    assert len(fences(text)) == most + 2


def test_a_journal_without_a_thought_says_so(tmp_path: Path) -> None:
    assert written(JournalBuilder(), tmp_path).endswith("0 thoughts\n\nNo thoughts yet.\n")
    assert written(JournalBuilder().session().end(), tmp_path).endswith("0 thoughts\n\nNo thoughts yet.\n")
    assert "### ✗ refused" in written(JournalBuilder().session().rejected(), tmp_path)


def test_clocks_that_jump_back_or_stand_still_give_no_span_of_time(tmp_path: Path) -> None:
    back = JournalBuilder().session().thought("x", 1, 2)
    back.now -= timedelta(days=2)
    back.thought("y", 2, 2)
    still = JournalBuilder().session().thought("x", 1, 2).thought("y", 2, 2, after=0)
    days = JournalBuilder(START).session().thought("x", 1, 2).thought("y", 2, 2, after=86_400)

    assert "2026-03-10 14:02:00 UTC" in written(back, tmp_path)
    assert "2026-03-10 14:02:00 UTC" in written(still, tmp_path)
    assert "2026-03-10 14:02:00 – 2026-03-11 14:02:00 UTC" in written(days, tmp_path)


def test_lines_of_which_nothing_is_shown_are_counted() -> None:
    assert "Left out: 11 lines could not be read.\n" in report(JOURNALS / "corrupt.jsonl")
    assert "Left out: 4 lines of a newer version left out.\n" in report(JOURNALS / "unknown.jsonl")
