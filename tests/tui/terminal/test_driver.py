"""What the terminal sends reaches the viewer as keys or as a paste, never one as the other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from seqthink.journal.folder import notes_path
from tests.support.depth import first
from tests.support.screens.terminal import Terminal, visible
from tests.support.servers.commands import SHOP_API, command
from tests.tui.session_view.test_note_entry import Living, thinking
from tui.terminal.bracketed_paste import ESCAPE_SECONDS, MARKER_SECONDS, PASTE_END, PASTE_SECONDS, PASTE_START
from tui.terminal.driver import InputDecoder


def heard(*sent: tuple[str, float]) -> list[str]:
    """Return what comes of texts and silences, each with its moment."""
    typed = InputDecoder(XTermParser())
    return [_described(message) for text, now in sent for message in typed.feed(text, now)]


def _described(message: Message) -> str:
    match message:
        case events.Paste():
            return f"paste {message.text}"
        case events.Key():
            return message.key
        case _:
            return type(message).__name__


def test_keys_are_parsed_as_before() -> None:
    assert heard(("j\x1b[A\x1b[6~\x1b[<0;3;4Mk", 0)) == ["j", "up", "pagedown", "MouseDown", "k"]


def test_escape_is_the_key_once_nothing_has_followed() -> None:
    assert heard(("\x1b", 0), ("", ESCAPE_SECONDS / 2)) == []
    assert heard(("\x1b", 0), ("", ESCAPE_SECONDS), ("q", 1)) == ["escape", "q"]
    assert heard((f"k\x1b{PASTE_START}a{PASTE_END}", 0)) == ["k", "escape", "paste a"]


@pytest.mark.parametrize("cut", range(1, len(PASTE_START)))
def test_a_paste_whose_mark_comes_in_two_parts_is_a_paste(cut: int) -> None:
    pause = MARKER_SECONDS / 2
    sent = heard((PASTE_START[:cut], 0), ("", pause), (f"{PASTE_START[cut:]}a\x1b[31m\rq\x1b\x00{PASTE_END}", pause))

    assert sent == ([] if cut > 1 else ["escape"]) + ["paste a\x1b[31m\rq\x1b"]


def test_a_paste_that_never_ends_is_a_paste_after_a_long_silence() -> None:
    sent = (f"{PASTE_START}q\x1b[A", 0.0), ("q", 5.0), ("", 5 + PASTE_SECONDS - 1), ("", 5 + PASTE_SECONDS), ("j", 20.0)

    assert heard(*sent) == ["paste q\x1b[Aq", "j"]


# On a terminal


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    session = Living(tmp_path, thinking())
    yield session
    session.die()


@pytest.mark.parametrize("size", first(1, [7, 1, 4096]))
def test_a_pasted_escape_leaves_a_note_as_it_is_and_sends_nothing(living: Living, size: int) -> None:
    with Terminal(command("watch", living.path), (80, 24)) as terminal:
        terminal.until("Symptoms")
        terminal.type("i")
        terminal.until("Enter")
        sent = f"{PASTE_START}one\x1b\rtwo\x1b[31m\rq\x1b[A\rthree{PASTE_END}"
        first = max(size, 2)  # an escape that nothing follows soon is a key, and a busy machine may pause after it
        terminal.type(sent[:first])
        for place in range(first, len(sent), size):
            terminal.type(sent[place : place + size])
        terminal.until("three")
        terminal.type("\x03")

        assert terminal.end() == 0
    assert not notes_path(living.path).exists()


def test_a_large_paste_is_a_paste() -> None:
    with Terminal(command("replay", SHOP_API), (80, 24)) as terminal:
        terminal.until("Symptoms")
        lines = "q\r\x1b[A? i\x1b\r" * 100_000
        for place in range(0, len(lines), 1000):
            terminal.type(("" if place else PASTE_START) + lines[place : place + 1000])
        since = len(terminal.written)
        terminal.type(PASTE_END)
        terminal.until("paste ignored", since=since)
        terminal.type("q")

        assert terminal.end() == 0
        assert "failed" not in visible(terminal.text)
