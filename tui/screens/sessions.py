"""The list of sessions in a folder, to choose one from (docs/screens.md, "Sessions")."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.message import Message
from typing_extensions import override

from seqthink.chain.overview.session_filter import session_filter
from seqthink.chain.overview.session_groups import ListGroup
from seqthink.chain.overview.states import SessionGroup
from seqthink.chain.query import Query
from seqthink.core.errors import UsageError
from seqthink.core.labels import tag_of
from seqthink.core.text import one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe import units
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.panels.list_preview import page_width, session_page, session_preview
from seqthink.drawing.panels.list_rows import (
    MAX_ROW_LINES,
    ListClock,
    ListLayout,
    empty_list_lines,
    group_heading,
    lines_needed,
    list_layout,
    session_list_heading,
    session_list_keys,
    session_row,
)
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.places.place import short_path
from seqthink.library.viewer_store.label_book import LabelBook
from seqthink.library.viewer_store.read_state import ReadState
from seqthink.library.viewer_store.shown_choices import ShownChoice, ShownChoices
from tui.screens.list_screen import FilteredListScreen
from tui.sessions.picked_sessions import PickedSessions
from tui.settings import Settings
from tui.state.grouped_cursor import HEADING, GroupedCursor
from tui.state.next_session import SessionNeed, next_session
from tui.widgets.line_view import Lines, OneLine, PickList

PREVIEW_LINES = ((48, 10), (30, 7), (24, 5), (14, 4), (10, 3))
"""From how many rows of the screen the preview has how many lines."""
_BY_REPOSITORY, _BY_NEED = "repository", "need"
"""How the choice of groups is remembered."""
_KEYS_CELLS = 25
"""Room for the keys that are needed most, beside a message that stays."""


class SessionsScreen(FilteredListScreen[Path | None]):
    """The list of sessions; returns the journal to open, or None."""

    DEFAULT_CSS = """
    SessionsScreen #preview { height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,s", "back", "back"),
        Binding("exclamation_mark", "next_needed", "next that needs you"),
        Binding("F", "app.find_texts", "find in all texts"),
        Binding("w", "app.show_wall", "wall"),
        Binding("x", "export", "export"),
        Binding("y", "copy", "copy the id"),
        Binding("space", "pick", "pick to compare"),
        Binding("D", "compare", "compare"),
        Binding("N", "type_label('name')", "name it"),
        Binding("T", "type_label('tags')", "tag it"),
        Binding("p", "pin", "pin it"),
        Binding("ampersand", "narrow", "filter"),
        Binding("r", "group", "by repository"),
    ]

    class SessionsUpdated(Message):
        """The session index has changed."""

    def __init__(
        self,
        settings: Settings,
        previous_session: str,
        copy: Callable[[str], None],
        export: Callable[[Path], None],
        picked: PickedSessions,
        compare: Callable[[Path, Path], None],
        shown: Path | None = None,
    ) -> None:
        """Make the screen.

        Args:
            settings: how sessions are shown.
            previous_session: id of the session to select.
            copy: copies a text.
            export: exports a journal.
            picked: the sessions that are picked to be compared.
            compare: compares two sessions, by their journals.
            shown: the journal behind the list, which is marked.
        """
        super().__init__(settings)
        self._copy = copy
        self._export = export
        self._picked = picked
        self._compare = compare
        self._shown = shown
        folder = settings.viewer_folder
        self._session_index = SessionIndex(
            settings.catalog,
            settings.signs,
            settings.decode,
            clock=settings.clock,
            read_state=ReadState(folder) if folder is not None else None,
            stuck_seconds=settings.stuck_seconds,
            stale_seconds=settings.stale,
        )
        self._cursor = GroupedCursor(previous_session)
        self._groups: list[tuple[ListGroup, list[SessionFile]]] = []
        self._layouts: dict[ListGroup, ListLayout] = {}
        self._laid_out: object = None
        self._layout_key = (-1, 0)
        self._row_lines: dict[str, int] = {}  # of rows that take several
        self._lines_wanted: dict[str, int] = {}
        self._files: dict[str, SessionFile] = {}
        self._drawn = 0, False
        self._typed_label: Literal["name", "tags", ""] = ""
        self._labelled: SessionFile | None = None
        self._wanted_text = settings.catalog.wanted.filter.as_typed
        self._narrowing_from: str | None = None  # while `&` is being typed: what to go back to
        self._choices = ShownChoices(folder) if folder is not None else None
        self._is_by_repository = False

    @property
    @override
    def _selection(self) -> GroupedCursor:
        return self._cursor

    @override
    def _begin(self) -> None:
        """Start the index thread."""
        self._is_by_repository = self._chosen_grouping()
        self.run_worker(self._scan_sessions, thread=True, group="sessions")

    def on_unmount(self) -> None:
        """Stop the index thread."""
        self._session_index.stop()

    @property
    def is_ready(self) -> bool:
        """Whether all sessions have been listed and looked at, and what was found is drawn."""
        return self._session_index.is_settled and self._drawn == (self._session_index.version, True)

    def _scan_sessions(self) -> None:
        self._session_index.scan(lambda: self.post_message(self.SessionsUpdated()))

    def on_sessions_screen_sessions_updated(self) -> None:
        """Draw the updated index."""
        self._draw()

    # Drawing

    @override
    def _draw(self) -> None:
        self._drawn = self._session_index.version, self._session_index.is_glanced
        width, height = self.size
        side = page_width(width)
        preview = height - 2 if side else next((lines for least, lines in PREVIEW_LINES if height >= least), 0)
        self._arrange(width - side, max(1, height - 2 - (0 if side else preview)))
        self._draw_head(width)
        self._draw_rows(width - side)
        self._draw_preview(side or width, max(0, preview), is_beside=side > 0)
        trouble = self._session_index.error or self._settings.catalog.trouble(self._settings.zone)
        unseen = one_line(self._session_index.unseen)
        mistake = one_line(session_filter(self._wanted_text).mistake)
        message = (
            self._status_message
            or mistake
            or trouble
            or self._picked_words
            or cut(unseen, width - _KEYS_CELLS, self._settings.signs.ellipsis)
        )
        place = self._settings.catalog.name or short_path(self._settings.folder)
        foot = session_list_keys(message, place, width, signs=self._settings.signs)
        self.query_one("#foot", OneLine).show(foot)

    def _arrange(self, width: int, rows: int) -> None:
        """Put the sessions into lines under their headings, the selection on its own."""
        has_all = self._session_index.is_glanced
        wanted, is_by_repository = session_filter(self._wanted_text), self._is_by_repository
        self._groups = self._session_index.grouped(self._filter, wanted, by_repository=is_by_repository)
        self._files = {file.session: file for _, inside in self._groups for file in inside}
        self._fit_columns(width)
        self._row_lines = self._fitting_lines(rows)
        self._cursor.resize(rows)
        self._cursor.set_lines(
            [
                name
                for _, inside in self._groups
                for name in (
                    HEADING,
                    *(file.session for file in inside for _ in range(self._row_lines.get(file.session, 1))),
                )
            ]
        )
        if has_all:
            self._cursor.settle()

    def _fitting_lines(self, rows: int) -> dict[str, int]:
        """Return how many lines rows take, where that is more than one: the first rows have what room there is.

        A row keeps its lines when its texts get shorter, since those below would move.
        """
        room = rows - len(self._groups) - len(self._files)
        if room <= 0:
            return {}
        wanted = self._lines_wanted
        for group, inside in self._groups:
            for file in inside:
                needed = lines_needed(self._listed(file), self._layouts[group], self._settings.signs)
                wanted[file.session] = max(needed, wanted.get(file.session, 1))
        found: dict[str, int] = {}
        for lines in range(2, MAX_ROW_LINES + 1):
            for name in [name for name in self._files if wanted[name] >= lines][: max(0, room)]:
                found[name] = lines
                room -= 1
        return found

    def _draw_head(self, width: int) -> None:
        index, right = self._session_index, [Span("/ search", Role.MUTED)]
        matched = f"{len(self._files):,} of {len(index.files):,}"
        if self._typed_label:
            label = f"{self._typed_label}: "
            right = [*self._head.input_spans(label, max(16, width - 30)), Span("  Enter keeps", Role.MUTED)]
        elif self._head.is_open:
            label = "/ " if self._narrowing_from is None else "& "
            right = [*self._head.input_spans(label, max(16, width - 36)), Span(f"  {matched}", Role.MUTED)]
        elif self._filter or self._wanted_text:
            typed = (("&", self._wanted_text), ("/", self._filter))
            words = "  ".join(f"{sign} {one_line(text)}" for sign, text in typed if text)
            right = [Span(cut(words, width // 3), Role.ACCENT), Span(f"  {matched}", Role.MUTED)]
        stale = self._settings.stale
        states = [state for group, inside in index.grouped("") for state in index.states(group, inside, stale)]
        total = len(index.files) if index.is_listed else None
        is_typed = self._head.is_open or bool(self._filter or self._wanted_text)
        heading = session_list_heading(total, states, width, right=right, is_typed=is_typed, signs=self._settings.signs)
        self._head.show(heading)

    def _draw_rows(self, width: int) -> None:
        settings, cursor = self._settings, self._cursor
        in_view = range(cursor.top, min(cursor.top + cursor.height, len(cursor.lines)))
        self._session_index.prioritise(
            tuple(self._files[name] for name in dict.fromkeys(cursor.lines[in_view.start : in_view.stop]) if name)
        )
        query, lines, at = Query(words=tuple(self._filter.split())), list[Spans](), 0
        for group, inside in self._groups:
            if at in in_view:
                is_plain = group is SessionGroup.NEEDS_YOU
                states = [] if is_plain else self._session_index.states(group, inside, settings.stale)
                lines.append(group_heading(group, len(inside), width, settings.signs, states=states))
            at += 1
            # rows of several lines are all in view
            first = max(0, in_view.start - at)
            for file in inside[first : max(0, in_view.stop - at)]:
                lines += self._row(file, group, width, query)
            at += sum(self._row_lines.get(file.session, 1) for file in inside) if self._row_lines else len(inside)
        if not lines and self._session_index.is_listed and self._settings.catalog.is_listed:
            place, sentence = settings.catalog.name or short_path(settings.folder), settings.catalog.waiting_sentence
            is_filtered, is_narrowed = bool(self._filter), bool(self._wanted_text and self._session_index.files)
            lines = empty_list_lines(
                place,
                width,
                is_filtered=is_filtered,
                is_narrowed=is_narrowed,
                sentence=sentence,
                signs=settings.signs,
            )
        selected = cursor.line - cursor.top if cursor.name else -1
        self.query_one(PickList).show(lines, selected, self._row_lines.get(cursor.name, 1))

    def _fit_columns(self, width: int) -> None:
        """Give the columns their widths, again only if their content has changed."""
        key = self._session_index.version, width
        if self._laid_out is not self._groups or self._layout_key != key:
            # In wide rows, nothing is in a column of a session that is not known yet.
            known = self._listed if width < NARROW_BELOW_CELLS else self._session_index.summary
            groups = [(group, [one for file in inside if (one := known(file))]) for group, inside in self._groups]
            self._layouts = list_layout(groups, width, self._clock, self._settings.signs)
            if self._layout_key[1] != width:
                self._lines_wanted.clear()
            self._laid_out, self._layout_key = self._groups, key

    def _row(self, file: SessionFile, group: ListGroup, width: int, query: Query) -> list[Spans]:
        return session_row(
            self._listed(file),
            self._layouts[group],
            width,
            clock=self._clock,
            lines=self._row_lines.get(file.session, 1),
            signs=self._settings.signs,
            is_selected=file.session == self._cursor.name,
            is_shown=file.path == self._shown,
            picked=self._picked.letter_of(file.path),
            query=query,
        )

    def _draw_preview(self, width: int, lines: int, *, is_beside: bool) -> None:
        view, file = self.query_one("#preview", Lines), self._files.get(self._cursor.name)
        view.display, view.styles.height, view.styles.width = lines > 0, lines, width
        self.query_one("#list").styles.layout = "horizontal" if is_beside else "vertical"
        listed = self._listed(file) if file is not None else None
        signs, home = self._settings.signs, _home()
        draw = session_page if is_beside else session_preview
        view.show(draw(listed, width, lines, clock=self._clock, home=home, signs=signs))

    def _listed(self, file: SessionFile) -> ListedSession:
        return self._session_index.summary(file) or _unread_summary(file)

    @property
    def _clock(self) -> ListClock:
        return ListClock(now=self._settings.clock(), stale_seconds=self._settings.stale)

    # The filter, and the groups

    def action_narrow(self) -> None:
        """Open the filter of sessions: ``repo:shop branch:feat``."""
        self._narrowing_from = self._wanted_text
        self._head.open(self._wanted_text)
        self.show_status_message("")

    @override
    def action_search(self) -> None:
        self._narrowing_from = None
        super().action_search()

    @override
    def _set_filter(self, text: str) -> None:
        if self._narrowing_from is None:
            super()._set_filter(text)
        else:
            self._wanted_text = text
            self.show_status_message("")

    def _end_narrowing(self, before: str, *, is_cancelled: bool) -> None:
        self._wanted_text = before if is_cancelled else self._wanted_text.strip()
        self._narrowing_from = None
        self._settings.catalog.wanted.choose(session_filter(self._wanted_text))
        self.show_status_message("")

    def action_group(self) -> None:
        """Group the sessions by repository, or again by what they need."""
        self._is_by_repository = not self._is_by_repository
        if self._choices is not None:
            with suppress(OSError, UsageError):  # it holds until the list is closed
                self._choices.choose("", ShownChoice(by=_BY_REPOSITORY if self._is_by_repository else _BY_NEED))
        self.show_status_message("by repository" if self._is_by_repository else "by what they need")

    def _chosen_grouping(self) -> bool:
        with suppress(OSError, UsageError):
            return self._choices is not None and self._choices.of("").by == _BY_REPOSITORY
        return False

    # Keys

    @override
    def action_choose(self) -> None:
        """Open the selected session, if it still exists."""
        path = self._selected_path()
        if path is not None:
            self.dismiss(path)

    def action_export(self) -> None:
        """Export the selected session; the format is asked for."""
        path = self._selected_path()
        if path is not None:
            self._export(path)

    def _selected_path(self) -> Path | None:
        file = self._files.get(self._cursor.name)
        if file is None or not self.is_current:
            return None
        is_there = self._settings.catalog.session(file.path).is_there
        self.show_status_message("" if is_there else "this session is gone")
        return file.path if is_there else None

    @property
    def _picked_words(self) -> str:
        """What the last line says of the picked sessions; "" without one."""
        match len(self._picked.paths):
            case 0:
                return ""
            case 1:
                return "1 picked: D compares it with this one"
            case number:
                return f"{number} picked: D compares them"

    def action_pick(self) -> None:
        """Pick the selected session to be compared, or drop it."""
        path = self._selected_path()
        if path is not None:
            self._picked.toggle(path)
            self._draw()

    def action_compare(self) -> None:
        """Compare both picked sessions, or the picked one with the selected one."""
        pair = self._picked.pair_with(self._selected_path()) if self._picked.paths else None
        if pair is not None:
            self._compare(*pair)
        elif self.is_current:
            self.show_status_message("pick two sessions with Space; D compares them")

    def action_next_needed(self) -> None:
        """Select the next session that needs the user, by the rule that holds everywhere."""
        needs = [self._need(file) for _, inside in self._groups for file in inside]
        found = next_session(needs, self._cursor.name) or next_session(needs, None)
        if found is not None:
            self._cursor.select_name(found.key)
        self.show_status_message("" if found is not None else "nothing needs you")

    def _need(self, file: SessionFile) -> SessionNeed:
        listed = self._listed(file)
        return SessionNeed(
            file.session, listed.name, listed.standing, started=listed.started, is_unread=listed.has_unread
        )

    # Labels

    def action_type_label(self, label: Literal["name", "tags"]) -> None:
        """Open the line for the selected session's name, or for its tags, with what is kept now."""
        file, book = self._files.get(self._cursor.name), self._settings.catalog.label_book
        if file is None or book is None:
            self.show_status_message("nothing is kept about sessions here" if book is None else "")
            return
        labels = labels_of(self._settings.catalog, file.path)
        self._typed_label, self._labelled = label, file
        self._head.open(labels.name if label == "name" else " ".join(labels.tags))
        self.show_status_message("")

    @override
    def _take_typed(self, text: str) -> None:
        if self._typed_label:
            self._draw()
        else:
            super()._take_typed(text)

    @override
    def _end_typing(self, *, is_cancelled: bool) -> None:
        label, file, self._typed_label = self._typed_label, self._labelled, ""
        if self._narrowing_from is not None:
            self._end_narrowing(self._narrowing_from, is_cancelled=is_cancelled)
        elif not label:
            super()._end_typing(is_cancelled=is_cancelled)
        elif file is not None and not is_cancelled:
            self._keep(file, label, self._head.typed_text)
        else:
            self.show_status_message("")

    def _keep(self, file: SessionFile, label: Literal["name", "tags"], text: str) -> None:
        def change(book: LabelBook, key: str) -> str:
            if label == "name":
                book.name(key, text)
                return "named" if text.strip() else "its own name again"
            before, after = book.of(key).tags, [tag for word in text.split() if (tag := tag_of(word))]
            book.tag(key, add=[tag for tag in after if tag not in before], remove=[t for t in before if t not in after])
            return units.count(len(set(after)), "tag") if after else "no tags"

        self._change_labels(file, change)

    def action_pin(self) -> None:
        """Pin the selected session, or take its pin away."""
        file = self._files.get(self._cursor.name)
        if file is not None:
            self._change_labels(file, _toggle_pin)

    def _change_labels(self, file: SessionFile, change: Callable[[LabelBook, str], str]) -> None:
        """Change what is kept about a session; ``change`` gets the book and the session's key, and says what it did."""
        book = self._settings.catalog.label_book
        if book is None:
            self.show_status_message("nothing is kept about sessions here")
            return
        try:
            message = change(book, self._settings.catalog.session(file.path).key)
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            message = f"not kept: {one_line(reason)}"
        self._session_index.note_labels()
        self.show_status_message(message)

    def action_copy(self) -> None:
        """Copy the selected session's id."""
        if self._cursor.name:
            self._copy(one_line(self._cursor.name))


def _toggle_pin(book: LabelBook, key: str) -> str:
    is_pinned = not book.of(key).is_pinned
    book.pin(key, is_pinned=is_pinned)
    return "pinned" if is_pinned else "not pinned any more"


def _unread_summary(file: SessionFile) -> ListedSession:
    return ListedSession(session=file.session, last_change=microseconds_of(file.last), name=one_line(""))


def _home() -> str:
    try:
        return str(Path.home())
    except RuntimeError:
        return ""
