"""Writing a note to the agent (``i``), and the state of its delivery."""

import asyncio
import os
import socket
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from textual import events

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.compact_lists import NONE
from seqthink.core.errors import SeqthinkError
from seqthink.core.text import one_line
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.journal.encode import format_time
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, fit_note_text
from seqthink.library.places.mailbox import Mailbox
from tui.session_view.view import View, run_task
from tui.state.note_state import waiting_prospect

TOO_LONG_MESSAGE = f"too long: at most {MAX_NOTE_BYTES >> 10} KiB"
DELIVERED_MESSAGE = "note delivered"
SENDING_MESSAGE = "sending the note"
LEFT_MESSAGE = "note sent"
"""Short message for a narrow screen; the text pane shows the details."""


class NoteEntry:
    """Takes the user's notes to the agent, and follows their delivery."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._mailbox: Mailbox | None = None  # none for a pipe

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"note": self.open_input}

    # Typing

    @property
    def is_open(self) -> bool:
        """Whether a note is being typed."""
        return self._view.state.notes.text_input is not None

    def open_input(self) -> None:
        """Open the note input with the kept draft, if the agent would receive a note; otherwise say why not."""
        view_state = self._view.state
        view_state.feed.update_writer_state()
        view_state.status_message = view_state.notes.status_message = self._obstacle
        if not view_state.status_message and view_state.feed.path is not None:
            agent = self._selected_agent
            obstacle = self._agent_obstacle(agent)
            view_state.notes.open(str(view_state.feed.path), MAX_NOTE_BYTES, None if obstacle else agent)
            view_state.status_message = f"{obstacle}: to all agents" if obstacle else ""
        self._view.redraw()

    @property
    def _selected_agent(self) -> str | None:
        """The id of the sub-agent on whose lane the selected row is; None on a lane of the main agent."""
        viewport = self._view.state.viewport
        session = viewport.session
        if session is None or viewport.thought == NONE:
            return None
        return session.agents.id_of(session.lanes.get(session.thoughts.lane_of(viewport.thought)).agent)

    def _agent_obstacle(self, agent_id: str | None) -> str:
        """Return why a note cannot go to a sub-agent alone; empty if it can, and for None: it goes to any."""
        feed = self._view.state.feed
        agent = feed.session.agents.find(agent_id)
        if agent == MAIN_AGENT:
            return ""
        if agent == NONE:
            return "the session is being read"
        return self._view.settings.catalog.session(feed.path).agent_obstacle(feed.session, agent)

    @property
    def _obstacle(self) -> str:
        feed, settings = self._view.state.feed, self._view.settings
        return settings.catalog.session(feed.path).note_obstacle(feed.session, socket.gethostname(), settings.zone)

    @property
    def _prospect(self) -> str:
        is_narrow = self._view.size.width < NARROW_BELOW_CELLS
        view_state = self._view.state
        return LEFT_MESSAGE if is_narrow else waiting_prospect(view_state.feed.session, view_state.notes.waiting)

    def press(self, event: events.Key) -> None:
        """Apply a key to the open input."""
        text_input = self._view.state.notes.text_input
        if text_input is None:
            return
        if event.key == "escape":
            self._view.state.notes.close()
        elif event.key == "enter":
            self._send(text_input)
        elif event.key == "tab":
            self._view.state.notes.switch_addressee()
        elif not text_input.press(event.key) and event.is_printable and event.character:
            self._insert(text_input, event.character)
        self._view.redraw()

    def paste(self, text: str) -> None:
        """Insert pasted text, including line breaks, into the open input."""
        text_input = self._view.state.notes.text_input
        if text_input is not None:
            self._view.state.status_message = ""
            self._insert(text_input, text)
            self._view.redraw()

    def _insert(self, text_input: NoteInput, text: str) -> None:
        text_input.insert(text)
        if text_input.is_full:
            self._view.state.status_message = TOO_LONG_MESSAGE

    # Delivery

    def _send(self, text_input: NoteInput) -> None:
        """Send the note; an empty one just closes, and one that cannot be sent stays open."""
        view_state, (text, _) = self._view.state, fit_note_text(text_input.text)
        view_state.feed.update_writer_state()
        if not text:
            view_state.notes.close()
            return
        agent = view_state.notes.agent
        view_state.status_message = view_state.notes.status_message = self._obstacle or self._agent_obstacle(agent)
        if view_state.status_message or self._mailbox is None:
            return
        now = datetime.fromtimestamp(self._view.settings.clock() / 1_000_000, UTC)
        note = Note(os.urandom(8).hex(), text, format_time(now), agent=agent or "")
        if self._mailbox.is_far:
            self._send_far(self._mailbox, note, text_input)
            return
        try:
            self._mailbox.send(note)
        except OSError as error:
            view_state.status_message = f"not written: {one_line(error.strerror or str(error)).lower()}"
            return
        except SeqthinkError as error:
            view_state.status_message = f"not sent: {one_line(str(error))}"
            return
        self._clear(text_input)
        self._say_sent()

    def _clear(self, text_input: NoteInput) -> None:
        text_input.press("ctrl+e")
        text_input.press("ctrl+u")
        self._view.state.notes.close()

    def _say_sent(self) -> None:
        view_state = self._view.state
        self.update_waiting()
        view_state.status_message = view_state.notes.status_message = self._prospect

    def _send_far(self, mailbox: Mailbox, note: Note, text_input: NoteInput) -> None:
        """Send a note to another machine in another thread; where that fails, it is the draft again."""
        journal = self._view.state.notes.target_journal
        self._clear(text_input)
        self._view.state.status_message = self._view.state.notes.status_message = SENDING_MESSAGE
        run_task(self._view, partial(self._deliver, mailbox, note, journal), "sending the note", group="note")

    async def _deliver(self, mailbox: Mailbox, note: Note, journal: str) -> None:
        view_state = self._view.state
        try:
            await asyncio.to_thread(mailbox.send, note)
        except SeqthinkError as error:
            if not view_state.notes.drafts.get(journal):
                view_state.notes.drafts[journal] = note.text
            view_state.status_message = view_state.notes.status_message = f"not sent: {one_line(str(error))}"
        else:
            if mailbox is self._mailbox:
                self._say_sent()
        self._view.redraw()

    def switch_mailbox(self) -> None:
        """Switch to the mailbox of the journal on screen; the current draft is kept."""
        self._view.state.notes.close()
        self.renew_mailbox()

    def renew_mailbox(self) -> None:
        """Open the mailbox of the session on screen again; a note that is being typed stays open."""
        notes, path = self._view.state.notes, self._view.state.feed.path
        notes.waiting = []
        settings = self._view.settings
        self._mailbox = settings.catalog.session(path).mailbox(settings.decode) if path is not None else None

    def update_waiting(self) -> bool:
        """Update the waiting notes and the last message about them; return whether either changed."""
        view_state, notes = self._view.state, self._view.state.notes
        waiting_before, message = notes.waiting, view_state.status_message
        notes.waiting = (
            self._mailbox.waiting_notes(view_state.feed.delivered_note_ids) if self._mailbox is not None else []
        )
        if message and message == notes.status_message:
            if waiting_before and not notes.waiting:
                view_state.status_message = DELIVERED_MESSAGE
            else:
                view_state.status_message = notes.status_message = (
                    self._prospect if notes.waiting and waiting_before else self._obstacle
                )
        return (notes.waiting, view_state.status_message) != (waiting_before, message)
