"""What goes to the terminal when lines change: those that differ, and no others."""

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from typing_extensions import override

from seqthink.drawing.text.spans import Span, Spans
from tui.widgets.line_view import Lines

WIDTH = 20


class Bare(App[None]):
    @override
    def compose(self) -> ComposeResult:
        yield Lines(id="lines")


def lines(*texts: str) -> list[Spans]:
    return [[Span(text)] for text in texts]


async def test_only_lines_that_differ_are_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Region] = []
    refresh = Lines.refresh

    def noted(view: Lines, *regions: Region, **options: bool) -> Lines:
        painted.extend(regions or [view.size.region])
        return refresh(view, *regions, **options)

    app = Bare()
    async with app.run_test(size=(WIDTH, 4)) as pilot:
        view = app.query_one(Lines)
        view.show(lines("one", "two", "three"))
        await pilot.pause()
        monkeypatch.setattr(Lines, "refresh", noted)
        view.show(lines("one", "zwei", "three"))

        assert painted == [Region(0, 1, WIDTH, 1)]
        assert view.drawn_text.split("\n")[:3] == ["one", "zwei", "three"]


async def test_a_line_that_moved_is_what_it_was() -> None:
    app = Bare()
    async with app.run_test(size=(WIDTH, 4)) as pilot:
        view = app.query_one(Lines)
        view.show(lines("one", "two"))
        await pilot.pause()
        before = view.render_line(1)
        view.show(lines("two", "three"))

        assert view.render_line(0) is before
