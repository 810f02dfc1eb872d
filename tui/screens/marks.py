"""The marked and commented thoughts of all sessions, to go back to (docs/screens.md, "Marks")."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from textual.binding import Binding, BindingType
from typing_extensions import override

from seqthink.core.errors import UsageError
from seqthink.core.labels import Comment, SessionLabels
from seqthink.core.text import SafeText, first_line, one_line
from seqthink.drawing.describe.comments import comment_author
from seqthink.drawing.rows.mark_rows import MarkedThought, mark_row, marks_heading, marks_keys, no_marks_lines
from seqthink.drawing.text.glyphs import comment_sign
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.journal.links import link_text
from seqthink.library.viewer_store.marks import Mark, Marks
from seqthink.sources.transcripts.registry import transcript_names
from tui.screens.list_screen import FilteredListScreen
from tui.settings import Settings
from tui.state.list_cursor import ListCursor
from tui.widgets.line_view import OneLine, PickList

GONE, NOT_LOOKED_FOR = "gone", "not looked for"


class MarkChoice(NamedTuple):
    """The mark that the user chose, and the journal to open."""

    mark: Mark
    path: Path


class MarksScreen(FilteredListScreen[MarkChoice | None]):
    """The list of marks and comments; returns the chosen one, or None.

    Args:
        settings: which sessions there are, and how they are shown.
        marks: the marks.
        copy: copies a text, and says so.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,apostrophe", "back", "back"),
        Binding("d,delete", "remove", "remove"),
        Binding("Y,y", "copy", "copy the link"),
    ]
    HAS_PREVIEW: ClassVar[bool] = False

    def __init__(self, settings: Settings, marks: Marks, copy: Callable[[str], None]) -> None:
        super().__init__(settings)
        self._marks = marks
        self._copy = copy
        self._cursor = ListCursor()
        self._shown: dict[str, Mark] = {}
        self._comments: dict[str, Comment] = {}
        self._paths: Mapping[str, Path] = {}

    @property
    @override
    def _selection(self) -> ListCursor:
        return self._cursor

    @override
    def _begin(self) -> None:
        """Look which sessions there are."""
        try:
            self._paths = {file.session: file.path for file in self._settings.catalog.sessions()}
        except UsageError as error:
            self._status_message = one_line(str(error))

    # Drawing

    @override
    def _draw(self) -> None:
        width, height = self.size
        marks = [(link_text(mark.session, mark.seq), mark) for mark in self._marks.all()] + self._commented()
        words = self._filter.lower().split()
        self._shown = {
            name: mark
            for name, mark in sorted(marks, key=lambda one: one[1].marked, reverse=True)
            if all(word in f"{mark.name} {mark.session} {mark.text}".lower() for word in words)
        }
        cursor = self._cursor
        cursor.resize(max(1, height - 2))
        cursor.set_names(list(self._shown))
        in_view = [self._shown[name] for name in cursor.names[cursor.top : cursor.top + cursor.height]]
        selected = cursor.selected - cursor.top if in_view else -1
        lines = [self._row(mark, width, is_selected=row == selected) for row, mark in enumerate(in_view)]
        self.query_one(PickList).show(lines or no_marks_lines(width, is_filtered=bool(words)), selected)
        right = [Span(f"/ {self._filter}" if self._filter else "", Role.ACCENT)]
        if self._head.is_open:
            right = self._head.input_spans("/ ", max(16, width - 32))
        sessions = len({mark.session for mark in self._shown.values()})
        self._head.show(marks_heading(len(self._shown), sessions, width, right=right))
        self.query_one("#foot", OneLine).show(marks_keys(self._status_message, width, has_marks=bool(marks)))

    def _commented(self) -> list[tuple[str, Mark]]:
        """Return the comments on thoughts of all sessions as rows, with their names; marks have other ones."""
        book, signs = self._settings.catalog.label_book, self._settings.signs
        self._comments.clear()
        rows: list[tuple[str, Mark]] = []
        labelled: Mapping[str, SessionLabels] = book.all() if book is not None else {}
        for session, labels in labelled.items():
            for comment in labels.comments:
                name = f"{link_text(session, comment.seq)} {comment.is_own} {comment.by}"
                text = f"{comment_sign(signs)} {comment_author(comment)}: {first_line(comment.text)}"
                self._comments[name] = comment
                rows.append((name, Mark(session, comment.seq, comment.time, labels.name, comment.number, text)))
        return rows

    def _row(self, mark: Mark, width: int, *, is_selected: bool) -> Spans:
        settings = self._settings
        shown = MarkedThought(
            one_line(mark.name) or self._called(mark) or one_line(mark.session),
            mark.number,
            first_line(mark.text),
            mark.marked,
            self._missing(mark),
        )
        return mark_row(shown, width, now=settings.clock(), signs=settings.signs, is_selected=is_selected)

    def _called(self, mark: Mark) -> SafeText:
        """Return what the session of a comment is called; its journal says it."""
        path = self._path(mark)
        return self._settings.catalog.session(path).name if path is not None else SafeText("")

    def _missing(self, mark: Mark) -> str:
        """Return why a mark cannot be opened; empty if it can."""
        if self._path(mark) is not None:
            return ""
        is_transcript = mark.session.startswith(tuple(f"{name}-" for name in transcript_names()))
        return NOT_LOOKED_FOR if is_transcript and not self._settings.catalog.is_translated else GONE

    def _path(self, mark: Mark) -> Path | None:
        """Return the journal of a mark's session, if there still is one."""
        path = Path(mark.path) if mark.path else self._paths.get(mark.session)
        try:
            return path if path is not None and self._settings.catalog.session(path).is_there else None
        except (OSError, ValueError):  # the text in the file may not be a path
            return None

    # Keys

    @property
    def _selected(self) -> Mark | None:
        return self._shown.get(self._cursor.name)

    @override
    def action_choose(self) -> None:
        """Go to the marked thought, if its session still exists."""
        mark = self._selected
        if mark is None or not self.is_current:
            return
        path = self._path(mark)
        if path is not None:
            self.dismiss(MarkChoice(mark, path))
        elif self._missing(mark) == GONE:
            self.show_status_message("its session is gone")
        else:
            self.show_status_message("transcripts are not looked for here")

    def action_remove(self) -> None:
        """Take the mark away."""
        mark = self._selected
        if mark is None:
            return
        book, comment = self._settings.catalog.label_book, self._comments.get(self._cursor.name)
        try:
            if comment is None:
                self._marks.remove(mark.session, mark.seq)
            elif comment.is_own and book is not None:
                book.comment(mark.session, replace(comment, text=""))
            else:
                self.show_status_message("others' comments stay")
                return
        except (OSError, UsageError) as error:
            self.show_status_message(f"not removed: {one_line(str(error))}")
        else:
            self.show_status_message("removed")

    def action_copy(self) -> None:
        """Copy the link to the marked thought."""
        mark = self._selected
        if mark is not None:
            self._copy(one_line(link_text(mark.session, mark.seq)))
