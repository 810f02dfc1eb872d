"""The line that says how far something is: after a while, not too often, on a terminal alone."""

import io

from typing_extensions import override

from seqthink.core.progress_line import FIRST_SECONDS, STEP_SECONDS, ProgressLine


class Screen(io.StringIO):
    """A stream that says that it is a terminal, until it is gone."""

    is_gone = False

    @override
    def isatty(self) -> bool:
        return True

    @override
    def write(self, text: str, /) -> int:
        if self.is_gone:
            raise OSError("the terminal is gone")
        return super().write(text)


def test_it_comes_late_changes_slowly_and_goes_away() -> None:
    seconds, screen = [0.0], Screen()
    line = ProgressLine(screen, lambda: seconds[0])

    line.show(lambda: "too early")
    line.clear()
    assert screen.getvalue() == ""
    seconds[0] = FIRST_SECONDS
    line.show(lambda: "first")
    line.show(lambda: "too soon")
    assert screen.getvalue() == "\rfirst\x1b[K"
    seconds[0] += STEP_SECONDS
    line.show(lambda: "second")
    line.clear()
    line.clear()
    assert screen.getvalue() == "\rfirst\x1b[K\rsecond\x1b[K\r\x1b[K"


def test_a_terminal_that_is_gone_ends_nothing() -> None:
    screen = Screen()
    line = ProgressLine(screen)
    screen.is_gone = True
    line.rewrite("words")
    screen.is_gone = False
    line.rewrite("more words")
    line.clear()

    assert screen.getvalue() == ""
    assert not line.is_on_a_terminal


def test_where_there_is_no_terminal_nothing_is_shown() -> None:
    pipe = io.StringIO()
    line = ProgressLine(pipe)
    line.rewrite("words")
    line.clear()

    assert pipe.getvalue() == ""
    assert not ProgressLine(None).is_on_a_terminal
