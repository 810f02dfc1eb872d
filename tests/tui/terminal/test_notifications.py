"""Titles and notifications: the sequences of each terminal, and that no text gets out of them."""

import re
from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.terminal.notifications import (
    MAX_NOTIFICATION_CHARS,
    Protocol,
    notification_sequence,
    plain_text,
    protocol_of,
    title_sequence,
)

HOSTILE = [
    "\x1b]0;owned\x07", "\x1b]52;c;AAAA\x1b\\", "a\x07b", "a\x9cb", "\x9d2;x\x9c", "\x1bPtmux;\x1b\x1b]0;x\x07\x1b\\",
    "; ;;1;2", "\u202e\u2066x", "a\nb\rc", "\x90q\x9c", "\ud800", "x" * 5000, "4;1;50", "é\u0301" * 300, "🏽👩‍💻",
]  # fmt: skip
_SEQUENCES = {
    Protocol.OSC_9: re.compile(r"\x1b\]9;seqthink: ([^\x00-\x1f\x7f-\x9f;]*)\x1b\\"),
    Protocol.OSC_99: re.compile(r"\x1b\]99;e=1:a=focus;([A-Za-z0-9+/=]*)\x1b\\"),
    Protocol.OSC_777: re.compile(r"\x1b\]777;notify;seqthink;([^\x00-\x1f\x7f-\x9f;]*)\x1b\\"),
}
_texts = st.sampled_from(HOSTILE) | st.text() | st.text(alphabet="\x1b\x07\x9c\\];P\u0090\u009da")


def _check(text: str) -> None:
    for protocol, pattern in _SEQUENCES.items():
        plain = notification_sequence(text, protocol)
        found = pattern.fullmatch(plain)
        assert found, (protocol, plain)
        shown = b64decode(found[1]).decode().removeprefix("seqthink: ") if protocol is Protocol.OSC_99 else found[1]
        assert shown == plain_text(text)
        assert len(shown) <= MAX_NOTIFICATION_CHARS
        assert shown.isprintable()
        wrapped = notification_sequence(text, protocol, is_in_tmux=True)
        inner = wrapped.removeprefix("\x1bPtmux;").removesuffix("\x1b\\")
        assert wrapped == f"\x1bPtmux;{inner}\x1b\\"
        assert inner.replace("\x1b\x1b", "\x1b") == plain
        assert "\x1b" not in inner.replace("\x1b\x1b", "")
    assert re.fullmatch(r"\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x1b\\", title_sequence(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_hostile_text_ends_or_begins_a_sequence(text: str) -> None:
    _check(text)


@given(_texts)
def test_no_text_at_all_does(text: str) -> None:
    _check(text)


@pytest.mark.parametrize(
    ("environ", "protocol"),
    [
        ({"TERM": "xterm-kitty"}, Protocol.OSC_99),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "TMUX": "/tmp/x"}, Protocol.OSC_99),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, Protocol.OSC_9),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, Protocol.OSC_9),
        ({"TERM": "xterm-ghostty"}, Protocol.OSC_9),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "WEZTERM_PANE": "0"}, Protocol.OSC_9),
        ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, Protocol.OSC_9),
        ({"TERM": "rxvt-unicode-256color"}, Protocol.OSC_777),
        ({"TERM": "foot"}, Protocol.OSC_777),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "xterm-256color", "WT_SESSION": "x"}, None),
        ({"TERM": "screen", "STY": "1.x", "KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "linux"}, None),
        ({}, None),
    ],
)
def test_only_a_terminal_that_is_known_to_understand_it_gets_a_notification(
    environ: dict[str, str], protocol: Protocol | None
) -> None:
    assert protocol_of(environ) is protocol
