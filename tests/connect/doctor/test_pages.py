"""What the doctor's pages look like: aligned, as wide as the screen, safe, and without secrets in a report."""

import pytest

from seqthink.connect.doctor.fixes import shell_word
from seqthink.connect.doctor.pages import ASCII_MARKS, UNICODE_MARKS, fields, page_lines, report_lines, summary
from seqthink.connect.doctor.results import CheckGroup, right, unseen, warning, wrong
from seqthink.drawing.text.cells import width
from tests.support.screens.payloads import PAYLOADS
from tests.support.screens.terminal import check_written

GROUPS = [
    CheckGroup("This machine", [right("seqthink", "0.1.0 on Linux", "/opt/seqthink")]),
    CheckGroup(
        "Codex",
        [
            warning("version", "it is 0.0.9, but this is 0.1.0", fix="seqthink config codex --write"),
            wrong("folder", "a file stands there", "/home/jane/x", fix="mv {} {}.moved", fix_detail="/home/jane/x"),
            unseen("lock", "there is no folder yet"),
        ],
        "codex",
    ),
]


def test_a_page_is_a_list_whose_marks_and_texts_are_aligned() -> None:
    assert list(page_lines(GROUPS, 80, UNICODE_MARKS, has_colours=False)) == [
        "This machine",
        "  ✓ seqthink     0.1.0 on Linux: /opt/seqthink",
        "",
        "Codex",
        "  ! version      it is 0.0.9, but this is 0.1.0",
        "                 fix: seqthink config codex --write",
        "  ✗ folder       a file stands there: /home/jane/x",
        "                 fix: mv /home/jane/x /home/jane/x.moved",
        "  – lock         there is no folder yet",
        "",
        "1 wrong, 1 warning; 1 not looked at.",
    ]


def test_on_a_narrow_screen_the_subject_stands_before_the_text() -> None:
    assert list(page_lines(GROUPS, 34, ASCII_MARKS, has_colours=False))[5:11] == [
        "  !  version: it is 0.0.9, but",
        "     this is 0.1.0",
        "     fix: seqthink config codex",
        "     --write",
        "  X  folder: a file stands there:",
        "     /home/jane/x",
    ]


@pytest.mark.parametrize("cells", [20, 34, 44, 80, 200])
def test_hostile_texts_are_made_visible_and_cut(cells: int) -> None:
    for payload in PAYLOADS:
        _check_made_visible_and_cut(payload, cells)


def _check_made_visible_and_cut(payload: str, cells: int) -> None:
    long = payload * 500
    groups = [CheckGroup("X", [wrong("x", "it is", long, fix="rm {}", fix_detail=shell_word(payload))])]

    lines = list(page_lines(groups, cells, UNICODE_MARKS, has_colours=False))

    check_written("\n".join(lines), allowed="\n")
    assert max(map(width, lines)) <= cells
    assert sum(map(len, lines)) < 1500


def test_colours_are_of_the_marks_only() -> None:
    lines = list(page_lines(GROUPS, 80, UNICODE_MARKS, has_colours=True))

    assert "  \x1b[31m✗\x1b[0m folder       a file stands there: /home/jane/x" in lines


def test_a_report_has_no_details() -> None:
    text = "\n".join(report_lines(GROUPS))

    assert "- ✗ **folder**: a file stands there\n  - fix: mv … ….moved\n" in text
    assert "jane" not in text


def test_the_json_has_everything() -> None:
    found = fields(GROUPS, 1)

    assert (found["status"], found["wrong"], found["warnings"]) == (1, 1, 1)
    assert found["groups"][1]["client"] == "codex"
    assert found["groups"][1]["results"][1] == {
        "subject": "folder",
        "verdict": "wrong",
        "message": "a file stands there",
        "detail": "/home/jane/x",
        "fix": "mv /home/jane/x /home/jane/x.moved",
    }


def test_nothing_wrong_is_said_of_what_was_looked_at_only() -> None:
    assert summary(GROUPS[:1]) == "All that was looked at is right."


def test_a_path_that_no_terminal_shows_is_no_part_of_a_command() -> None:
    assert [shell_word(path) for path in ("/a", "/a b", "/a\x1b[2Jb", "/a;rm -rf ~")] == [
        "/a",
        "'/a b'",
        "…",
        "'/a;rm -rf ~'",
    ]
