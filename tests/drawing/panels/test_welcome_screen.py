"""The screen before the first call says what it says in whole words, at any width."""

import pytest

from seqthink.drawing.panels.welcome_screen import welcome_lines
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text


@pytest.mark.parametrize("cells", range(28, 60))
def test_whose_sessions_are_looked_for_is_said_in_whole_words(cells: int) -> None:
    places = [("Claude Code", "~/.claude/projects"), ("Codex", "~/.codex")]
    lines = welcome_lines(
        cells=cells, rows=40, choices=("all", "codex"), chosen=0, command="seqthink setup", folder="~", places=places,
        newest_session="", signs=UNICODE,
    )  # fmt: skip
    (heading,) = (text for text in map(spans_text, lines) if "looked for" in text)

    assert heading.strip() in {"Also looked for, with nothing to connect:", "Also looked for:"}
    assert len(heading) <= cells
