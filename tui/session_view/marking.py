"""Marks on thoughts (``b``), comments on them (``B``), the list of both (``'``), and links to thoughts (``Y``)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.errors import UsageError
from seqthink.core.labels import MAX_COMMENT_CHARS, Comment
from seqthink.core.text import one_line
from seqthink.drawing.describe.session import session_name
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.journal.links import link_text
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.viewer_store.marks import MAX_TEXT_CHARS, Mark, Marks
from tui.session_view.session_finder import SessionFinder
from tui.session_view.sharing import Sharing
from tui.session_view.view import View
from tui.state.comment_state import CommentTarget

if TYPE_CHECKING:
    from tui.screens.marks import MarkChoice


class Marking:
    """Marks and unmarks thoughts, and goes to marked ones.

    Args:
        view: the session screen.
        finder: goes to a thought of any session.
        sharing: copies links.
    """

    def __init__(self, view: View, *, finder: SessionFinder, sharing: Sharing) -> None:
        self._view = view
        self._finder = finder
        self._sharing = sharing
        folder = view.settings.viewer_folder
        self._marks = Marks(folder) if folder is not None else None

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"mark": self.toggle, "marks": self.open_list, "copy_link": self.copy_link}

    def refresh(self) -> bool:
        """Take over which thoughts are marked, also by other viewers; return whether that changed."""
        view_state = self._view.state
        path, before = view_state.feed.path, view_state.marked_seqs
        try:
            known = self._marks.seqs(self._key(path)) if self._marks is not None and path is not None else None
            seqs = known or frozenset[int]()
        except (OSError, UsageError):
            return False  # said when a mark is set
        view_state.marked_seqs = seqs
        return seqs != before

    def toggle(self) -> None:
        """Mark the selected thought, or take its mark away."""
        view_state, session = self._view.state, self._view.state.viewport.session
        path, thought, texts = view_state.feed.path, view_state.viewport.thought, view_state.feed.texts
        if session is None or texts is None or thought == NONE:
            return
        if self._marks is None or path is None:
            self._view.show_status_message("a mark needs a session that can be found again")
            return
        seq, settings, key = _seq(session, thought), self._view.settings, self._key(path)
        try:
            if seq in self._marks.seqs(key):
                self._marks.remove(key, seq)
                message = "mark removed"
            else:
                is_listed = settings.catalog.place_of(path) in settings.catalog.places
                self._marks.add(
                    Mark(
                        session=key,
                        seq=seq,
                        marked=settings.clock(),
                        name=str(session_name(session)),
                        number=session.thoughts.number_of(thought),
                        text=texts.row_text(thought)[:MAX_TEXT_CHARS],
                        path="" if is_listed else str(path.absolute()),
                    )
                )
                message = f"marked {settings.signs.separator} ' lists"
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            message = f"not marked: {one_line(reason)}"
        self.refresh()
        self._view.show_status_message(message)

    def _key(self, path: Path) -> str:
        return self._view.settings.catalog.session(path).key

    def open_list(self) -> None:
        """List the marks of all sessions."""
        book = self._view.settings.catalog.label_book
        if self._marks is None:
            self._view.show_status_message("no marks are kept here")
            return
        try:
            self._marks.all()
            if book is not None:
                book.all()
        except (OSError, UsageError) as error:
            self._view.show_status_message(f"marks cannot be read: {one_line(str(error))}")
            return
        from tui.screens.marks import MarksScreen  # noqa: PLC0415 - loaded when it is opened

        screen = MarksScreen(self._view.settings, self._marks, self._sharing.copy_text)
        self._view.host.push_screen(screen, self._go_to)

    def _go_to(self, choice: "MarkChoice | None") -> None:
        self.refresh()
        self._view.redraw()
        if choice is not None:
            self._finder.show(choice.path, choice.mark.seq)

    def copy_link(self) -> None:
        """Copy a link to the selected thought."""
        view_state = self._view.state
        session, path, viewport = view_state.viewport.session, view_state.feed.path, view_state.viewport
        if session is None:
            return
        if path is None or viewport.thought == NONE or viewport.aside != NONE:
            self._view.show_status_message("only thoughts have links" if path is not None else "a pipe has no links")
            return
        self._sharing.copy_text(one_line(link_text(self._key(path), _seq(session, viewport.thought))))


class Commenting:
    """Takes the user's comments on thoughts, and shows what people say about the session.

    Args:
        view: the session screen.
        update_rows: shows the session again, after something else is said about it.
    """

    def __init__(self, view: View, *, update_rows: Callable[[], None]) -> None:
        self._view = view
        self._update_rows = update_rows

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"comment": self.open_input}

    def refresh(self) -> bool:
        """Take over what people say about the session, also in other viewers; return whether that changed."""
        feed = self._view.state.feed
        labels = labels_of(self._view.settings.catalog, feed.path)
        if labels == feed.labels:
            return False
        feed.labels = labels
        self._update_rows()
        return True

    # Typing

    @property
    def is_open(self) -> bool:
        """Whether a comment is being typed."""
        return self._view.state.comments.text_input is not None

    def open_input(self) -> None:
        """Open the input with the user's comment on the selected thought, if there is one."""
        view_state, settings = self._view.state, self._view.settings
        session, path, viewport = view_state.viewport.session, view_state.feed.path, view_state.viewport
        if session is None:
            return
        if viewport.thought == NONE or viewport.aside != NONE:
            self._view.show_status_message("comments are for thoughts")
            return
        if path is None or settings.catalog.label_book is None:
            self._view.show_status_message("a comment needs a session that can be found again")
            return
        seq = _seq(session, viewport.thought)
        target = CommentTarget(settings.catalog.session(path).key, seq, session.thoughts.number_of(viewport.thought))
        by = settings.author_name
        kept = (comment.text for comment in session.labels.on(seq) if comment.is_own and comment.by == by)
        view_state.status_message = ""
        view_state.comments.open(target, next(kept, ""))
        self._view.redraw()

    def press(self, event: events.Key) -> None:
        """Apply a key to the open input."""
        comments = self._view.state.comments
        text_input = comments.text_input
        if text_input is None:
            return
        if event.key == "escape":
            comments.close(keeps_draft=True)
        elif event.key == "enter":
            self._keep(text_input.text)
        elif not text_input.press(event.key) and event.is_printable and event.character:
            self._insert(text_input, event.character)
        self._view.redraw()

    def paste(self, text: str) -> None:
        """Insert pasted text, including line breaks, into the open input."""
        text_input = self._view.state.comments.text_input
        if text_input is not None:
            self._view.state.status_message = ""
            self._insert(text_input, text)
            self._view.redraw()

    def _insert(self, text_input: NoteInput, text: str) -> None:
        text_input.insert(text)
        if text_input.is_full:
            self._view.state.status_message = f"too long: at most {MAX_COMMENT_CHARS:,} bytes"

    def _keep(self, text: str) -> None:
        """Keep the comment, or take an empty one away; one that cannot be kept stays open."""
        view_state, settings = self._view.state, self._view.settings
        target, book = view_state.comments.target, settings.catalog.label_book
        if target is None or book is None:
            return
        by, time = settings.author_name, settings.clock()
        comment = Comment(seq=target.seq, number=target.number, text=text, by=by, time=time)
        had_one = any(one.is_own and one.by == by for one in view_state.feed.labels.on(target.seq))
        try:
            if text.strip() or had_one:
                book.comment(target.session, comment)
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            view_state.status_message = f"not kept: {one_line(reason)}"
            return
        view_state.comments.close(keeps_draft=False)
        view_state.status_message = (
            f"comment kept {settings.signs.separator} ' lists" if text.strip() else "comment removed" if had_one else ""
        )
        self.refresh()


def _seq(session: Session, thought: int) -> int:
    return session.thoughts.get(thought).seq
