"""What a side pane shows: half of an 80-column terminal, and down to 28 columns by 8 rows."""

import pytest

from tests.support.depth import first
from tests.support.docs.pages import drawn

SIDE_PANES = ("39x20", "28x8")
LISTS = ("sessions-search", "find-typing", "marks-80")


def _screen(name: str, size: str) -> list[str]:
    return drawn(f"{name}@{size}").splitlines()


@pytest.mark.parametrize("size", SIDE_PANES)
def test_a_side_pane_shows_state_tree_and_the_newest_text(size: str) -> None:
    lines = _screen("live-narrow", size)

    assert lines[0].startswith("● thinking 12s")
    assert lines[0].endswith("6 of ~8")
    assert any(line.startswith("▌╰─↺  6 Not the gateway") for line in lines)
    assert any(line.startswith(" Not the gateway: its pool") for line in lines)


@pytest.mark.parametrize("size", SIDE_PANES)
def test_a_side_pane_says_what_the_user_is_asked(size: str) -> None:
    lines = _screen("audit-asking", size)

    assert lines[0].startswith("▲ asking you")
    assert lines[1].startswith(" ▲ Apply the audit's prop")
    assert any(line.startswith(" How old may a rate be?") for line in lines)


@pytest.mark.parametrize(
    ("name", "shown"),
    first(
        1,
        [
            ("sessions-search", "/ web   3 of 11"),
            ("find-typing", "5 texts"),
            ("marks-80", "/ pool"),
            ("waiting", "seqthink setup"),
            ("note", "» to claude-code"),
            ("filter", "&is:revision"),
            ("wall", "▲2 2/3"),
            ("statistics", "last 7 days"),
        ],
        is_unpacked=True,
    ),
)
def test_each_page_of_28_columns_says_what_it_is_for(name: str, shown: str) -> None:
    assert shown in "\n".join(_screen(name, "28x8"))


@pytest.mark.parametrize("name", first(1, LISTS))
def test_the_keys_of_a_list_of_28_columns_end_with_the_way_back(name: str) -> None:
    assert _screen(name, "28x8")[-1].endswith("Esc back")


@pytest.mark.parametrize("size", first(1, ["28x10", "39x20"]))
def test_statistics_that_go_on_below_say_how_to_get_there(size: str) -> None:
    keys = _screen("statistics", size)[-1].split("  ")

    assert (keys[0].strip(), keys[-1]) == ("Space more", "Esc back")
