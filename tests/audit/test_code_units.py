"""What judges see of a diff."""

from hypothesis import given
from hypothesis import strategies as st

from seqthink.audit.code_units import units_of_hunks
from seqthink.core.unified_diff import parse_diff
from tests.core.test_unified_diff import MODIFIED, PIECES


def test_a_judge_sees_all_of_a_new_file_and_the_places_of_another() -> None:
    new, *places = units_of_hunks(parse_diff("--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+1\n+2\n" + MODIFIED))

    assert (new.path, new.text, new.is_complete, new.added_lines) == ("n.py", "1\n2\n", True, {1, 2})
    assert [(place.path, place.text, place.first_line, place.added_lines, place.is_complete) for place in places] == [
        ("shop/api.py", "import os\nx = 2\ny = 3\nz = 4\n", 1, {2, 3}, False)
    ]


@given(st.lists(st.one_of(PIECES, st.text(max_size=8))), st.sampled_from(["\n", "", "\r\n", " "]))
def test_the_hunks_of_any_text_are_units(pieces: list[str], between: str) -> None:
    for unit in units_of_hunks(parse_diff(between.join(pieces))):
        assert unit.text.endswith("\n")
        assert unit.added_lines is not None
        assert unit.added_lines <= set(range(unit.first_line, unit.last_line + 1))
