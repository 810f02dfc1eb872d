"""The text pane's pages as drawings: audits, facts, attachments, and a text too long to draw at once."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.core.text import MAX_RENDERED_CHARS, TextPrefix
from seqthink.drawing.detail.aside_page import AsidePage
from seqthink.drawing.detail.thought_page import TextRenderJob, ThoughtPage
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import Role, spans_text
from seqthink.library.live_session import load_journal
from tests.support.journals.build import JournalBuilder, shop_api


def page(
    journal: JournalBuilder,
    folder: Path,
    index: int,
    cells: int = 44,
    *,
    screen: int = 0,
    **more: Any,  # noqa: ANN401 - ThoughtPage's own fields
) -> ThoughtPage:
    texts = load_journal(journal.write(folder / "a.jsonl"))
    signs = ASCII if more.pop("is_ascii", False) else UNICODE
    return ThoughtPage(
        session=texts.session,
        texts=texts,
        index=index,
        width=cells,
        screen_width=screen or cells,
        signs=signs,
        **more,
    )


def drawn(shown: ThoughtPage) -> list[str]:
    """Return the whole page, no line wider than it."""
    draft = shown.render_job()
    upper, lower = draft.rendered()
    lines = [shown.heading(shown.clock()), *upper, *(shown.footer_lines() if upper else []), *lower]
    texts = [spans_text(line) for line in lines]
    assert [text for text in texts if width(text) > shown.width] == []
    return [text.rstrip() for text in texts]


def test_an_audit_that_passed_is_drawn_as_in_the_contract(tmp_path: Path) -> None:
    assert drawn(page(shop_api(), tmp_path, 10))[1:] == [
        " Fix again: also release on timeout. The",
        " pool's finally block now runs when the job",
        " is cancelled.",
        "── audit ✓92 pass ────────── 1 judge · 2s ──",
        " correctness  ██████████████████░░   92",
        " security     ████████████████████  100",
        " clarity      █████████████████░░░   84",
        "",
        " jobs/report.py:41  TODO left in an added",
        " line; finish or file it.",
    ]


def test_an_audit_without_a_verdict_is_drawn_as_neither_passed_nor_failed(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Ruby", 1, 1, next=False)
    shown = page(journal.audit(error="Not judged by 'internal' (no judge supports its language)."), tmp_path, 0)

    assert drawn(shown)[-3:] == [
        "── audit no verdict ────────────────── 2s ──",
        " Not judged by 'internal' (no judge",
        " supports its language).",
    ]
    roles = {span.role for line in [*shown.footer_lines(), *shown.render_job().rendered().lower] for span in line}
    assert roles.isdisjoint({Role.GOOD, Role.BAD})


def test_an_audit_that_did_not_pass_is_drawn_as_in_the_contract(tmp_path: Path) -> None:
    assert drawn(page(shop_api(), tmp_path, 9, 52, screen=120)) == [
        "── 7 · revised by 8 · 24s ────────────── 14:04:20 ──",
        " Fix: jitter the report job, cap its pool at 10.",
        "",
        " @@ jobs/report.py",
        "  40   pool = Pool(size=10)",
        "+ 41   rows = pool.run(q)  # TODO release",
        "── audit !71 revise · threshold 85 ─ 1 judge · 3s ──",
        " correctness  ████████████░░░░░░░░   59",
        " security     ████████████████████  100",
        " clarity      ███████████░░░░░░░░░   54",
        " jobs/report.py:41  the pool is not released when",
        ' run() raises: use "with" or a finally block.',
        " jobs/report.py:41  TODO left in an added line.",
        "",
        " internal 71   next thought forced: yes       m raw",
    ]


def test_a_revision_shows_what_it_replaced_or_what_changed(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Use 5 tries.", 1, 2).thought("Use 7 tries.", 2, 2, revises=1)

    below = drawn(page(journal, tmp_path, 1, shows_older=True))
    changes = drawn(page(journal, tmp_path, 1, shows_older=True, is_diff=True))
    renamed = drawn(page(journal, tmp_path, 1, shows_older=True, diff_key="D"))
    alone = drawn(page(journal, tmp_path, 1, is_diff=True))

    assert below[2:] == ["", "── 1, as it was ────────────────── d diff ──", "", " Use 5 tries."]
    assert renamed[3] == below[3].replace("d diff", "D diff")
    assert changes[1:] == [
        " Use 7 tries.",
        "",
        "── 1 → 2, changes ─────────────── d texts ──",
        "",
        " Use [-5-] {+7+} tries.",
    ]
    assert alone[1:] == changes[3:]


def test_what_was_revised_is_compared_with_its_reviser(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Use 5 tries.", 1, 2).thought("Use 7 tries.", 2, 2, revises=1)

    plain = drawn(page(journal, tmp_path, 0, shows_older=True))
    changes = drawn(page(journal, tmp_path, 0, shows_older=True, is_diff=True))

    assert plain[1:] == [" Use 5 tries."]
    assert changes[1:] == [
        " Use 5 tries.",
        "",
        "── 1 → 2, changes ─────────────── d texts ──",
        "",
        " Use [-5-] {+7+} tries.",
    ]
    assert drawn(page(journal, tmp_path, 0, is_diff=True))[1:] == changes[3:]


@pytest.mark.parametrize("shows_older", [True, False])
def test_texts_with_too_little_in_common_stand_side_by_side(tmp_path: Path, shows_older: bool) -> None:
    journal = JournalBuilder().session().thought("Use 5 tries.", 1, 2).thought("Ask the\n\n- user", 2, 2, revises=1)

    narrow = drawn(page(journal, tmp_path, 1, shows_older=shows_older, is_diff=True))
    wide = drawn(page(journal, tmp_path, 1, shows_older=shows_older, is_diff=True, cells=80))

    assert narrow[1:] == [
        "── 1 → 2, changes ─────────────── d texts ──",
        "",
        " Too little in common: both texts.",
        "",
        "── 1, as it was ────────────────────────────",
        "",
        " Use 5 tries.",
        "",
        "── 2 ───────────────────────────────────────",
        "",
        " Ask the",
        "",
        " • user",
    ]
    assert wide[4:] == [
        "",
        "── 1, as it was ───────────────────────  ── 2 ──────────────────────────────────",
        "",
        " Use 5 tries.                             Ask the",
        "",
        "                                          • user",
    ]


def test_raw_is_the_text_as_it_was_written(tmp_path: Path) -> None:
    shown = page(JournalBuilder().session().thought("# a\n*b*\\nc"), tmp_path, 0, is_raw=True)

    assert drawn(shown)[1:] == [" # a", " *b*\\nc"]


def test_what_belongs_to_a_thought_stands_under_it(tmp_path: Path) -> None:
    journal = (
        JournalBuilder()
        .session()
        .thought("Why?", 1, 2)
        .sample(2)
        .elicit(2, content={"more": 5})
        .context(of=2, tags=["pool"])
        .note(of=2)
    )

    assert drawn(page(journal, tmp_path, 0, screen=100))[2:] == [
        "── model asked · audit ───── a-model · 1s ──",
        " seqthink: Judge this diff.",
        " a-model: It releases the pool.",
        "── you were asked · limit ─ answered · 1s ──",
        " seqthink: Go on?",
        " you: accept",
        " more: 5",
        "── + context stored · c1 ────────── #pool ──",
        " The pool has 50 connections.",
        "── » note delivered ────────────────────────",
        " Look at the report job first.",
    ]


def test_many_tags_of_an_item_give_way_to_what_it_is(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Why?", 1, 2).context(of=2, tags=["pool", "gateway", "checkout"])

    assert drawn(page(journal, tmp_path, 0, screen=100))[2] == "── + context stored · c1 ─ #pool #gatewa… ──"


def test_an_updated_context_item_shows_what_was_changed(tmp_path: Path) -> None:
    journal = (
        JournalBuilder()
        .session()
        .thought("Why?", 1, 2)
        .context("It has 60.", action="update", of=2)
        .context(None, action="update", tags=["limit"], of=2)
        .context(None, action="update", tags=[], of=2)
    )

    assert drawn(page(journal, tmp_path, 0, screen=100))[2:] == [
        "── + context updated · c1 ──────────────────",
        " It has 60.",
        "── + context updated · c1 ──────── #limit ──",
        " the text is unchanged",
        "── + context updated · c1 ─────── no tags ──",
        " the text is unchanged",
    ]


def test_an_open_question_stands_under_its_thought_until_it_is_answered(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Why?", 1, 5, answeredNext=False).asking(message="Go on\x1b[2J?")
    undecided = drawn(page(journal, tmp_path, 0, screen=100))
    decided = drawn(page(journal.elicit(2, action="decline"), tmp_path, 0, screen=100))

    assert undecided[2:] == [
        "── you are asked · limit ── no answer yet ──",
        " Go on␛[2J?",
        "",
        " next thought needed: yes in the call, not",
        " decided yet",
    ]
    assert decided[-2:] == [" next thought needed: yes in the call, no", " in the answer"]


@pytest.mark.parametrize("error", ["client left", "the call was called off"])
def test_a_call_that_its_client_left_while_the_person_was_asked_has_no_answer(error: str, tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Why?", 1, 5, answeredNext=False).asking()
    journal.elicit(2, action=None, error=error)

    assert drawn(page(journal, tmp_path, 0, screen=100))[-2:] == [
        " next thought needed: yes in the call,",
        " never answered",
    ]


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        ("2026-03-10T14:05:10.000000Z", " written 14:05:10 ──"),
        ("2026-03-10T15:05:10+01:00", " written 14:05:10 ──"),
        ("2026-03-10T14:05:10", "────"),
        ("\x1b[31m", "────"),
        ("0001-01-01T00:00:00+14:00", " written 00:00:00 ──"),
    ],
)
def test_a_note_says_when_it_was_written(moment: str, shown: str, tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Why?", 1, 2).note(of=2, written=moment)

    head = drawn(page(journal, tmp_path, 0, screen=100))[2]

    assert head.startswith("── » note delivered ──")
    assert head.endswith(shown)
    assert len(head) == 44


def test_facts_out_of_the_ordinary_are_shown(tmp_path: Path) -> None:
    journal = (
        JournalBuilder()
        .session()
        .thought(
            "x",
            4,
            4,
            revises=9,
            requestedTotal=2,
            coerced=["thoughtNumber"],
            answeredNext=False,
            hint="Number 9?",
            toolUseId="toolu_1",
        )
    )

    assert drawn(page(journal, tmp_path, 0, 60, is_reading=True))[2:] == [
        "",
        " revises 9, but there was no such thought",
        " total 2 given, raised to 4",
        " repaired: thoughtNumber",
        " next thought needed: yes in the call, no in the answer",
        " hint given: Number 9?",
        " 2026-03-10 14:02:00 · 4 of 4 · 1 char · toolu_1",
    ]


def test_marks_without_room_on_the_row_are_in_the_head(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("a", 1, 3).thought("b", 2, 5).audit(3).note(of=3).context(of=3)

    assert "» · +" in drawn(page(journal, tmp_path, 1))[0]


HOSTILE = "\x1b]52;c;eA==\x07\u202e\x9b31m"


@pytest.mark.parametrize("cells", [20, 30, 44, 80])
@pytest.mark.parametrize("is_ascii", [False, True])
def test_nothing_of_a_journal_is_drawn_as_a_control(tmp_path: Path, cells: int, is_ascii: bool) -> None:
    review: dict[str, Any] = {
        "overall": 50,
        "verdict": "reject",
        "dimensions": [{"name": HOSTILE, "score": 1e300}, {"name": HOSTILE * 9, "score": -4}, 7, {"score": "x"}],
        "review": {"summary": HOSTILE, "inline": [{"path": HOSTILE, "line": HOSTILE, "comment": HOSTILE}, None]},
        "judge_cards": [{"model": HOSTILE, "score": HOSTILE, "notes": HOSTILE}, []],
        "proposed_diff": "+" + HOSTILE,
        "iterations": HOSTILE,
    }
    messages: list[Any] = [
        {"role": HOSTILE, "content": [{"type": HOSTILE}, [[]], {"text": HOSTILE}]},
        {"content": 5},
        {},
    ]
    journal = (
        JournalBuilder()
        .session()
        .thought(HOSTILE, 1, 2, hint=HOSTILE, coerced=[HOSTILE], toolUseId=HOSTILE)
        .audit(2, review=review, config={"threshold": HOSTILE})
        .sample(2, HOSTILE, messages=messages, model=HOSTILE, error=HOSTILE)
        .elicit(2, HOSTILE, messages=messages, content={HOSTILE: {HOSTILE: 1}}, error=HOSTILE, durationMs=1e300)
        .context(HOSTILE, id=HOSTILE, tags=[HOSTILE], of=2)
        .note(HOSTILE, of=2)
        .audit(2, error=HOSTILE)
        .thought(HOSTILE, 2, 2, revises=1)
    )

    for index in (0, 1):
        for is_diff in (False, True):
            shown = page(
                journal, tmp_path, index, cells, is_ascii=is_ascii, is_reading=True, shows_older=True, is_diff=is_diff
            )
            assert [line for line in drawn(shown) if not line.isprintable()] == []


def test_a_refused_call_shows_its_error_and_its_arguments(tmp_path: Path) -> None:
    journal = JournalBuilder().session().rejected(HOSTILE + "bad number", arguments={"thought": HOSTILE, "n": [1]})
    texts = load_journal(journal.write(tmp_path / "a.jsonl"))

    shown = AsidePage(session=texts.session, texts=texts, ordinal=0, width=44)
    lines = [spans_text(line) for line in [shown.heading(shown.clock()), *shown.lines()]]

    assert lines[0] == "── ✗ refused ────────────────── 14:02:01 ──".replace(" 14", "─ 14")
    assert lines[3] == "── arguments ───────────────────────────────"
    assert '   "n": [' in [line.rstrip() for line in lines]
    assert [line for line in lines if not line.isprintable()] == []
    assert shown.lines()[0][1].role is Role.BAD


def test_a_very_long_text_says_what_is_not_shown() -> None:
    draft = TextRenderJob(text=TextPrefix("word " * MAX_RENDERED_CHARS), width=44)

    assert list(map(spans_text, draft.rendered().upper[-5:])) == [
        " 800,000 of 1,000,000 characters are not",
        " shown here; o opens all in an editor, y",
        " copies all. Its Markdown is shown as it",
        " was written, since it has more than",
        " 200,000 characters.",
    ]
    assert len(draft.preview()) < 100
    assert not draft.renders_quickly
