"""Nothing that a journal holds reaches the terminal as a control (docs/viewer.md, "Untrusted text")."""

import base64
import io
import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from textual.color import Color
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from seqthink.cli.common import is_terminal
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.payloads import PAYLOADS
from tests.support.screens.screen_text import running_viewer, settings_of
from tests.support.screens.terminal import Terminal, check_written, visible
from tests.support.servers.commands import JOURNALS, SHOP_API, command, seqthink
from tui.terminal.control_filter import ControlCharacterFilter

ALL = " | ".join(PAYLOADS.values())


def _line(kind: str, **fields: Any) -> bytes:  # noqa: ANN401 - whatever a test hands over
    """Return a line in which lone surrogates stand escaped, as a journal from elsewhere may have them."""
    return (
        json.dumps({"v": 1, "seq": 1, "time": "2026-03-10T14:02:00.000000Z", "type": kind, **fields}).encode() + b"\n"
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a journal with every payload in every place, in a file of a hostile name."""
    thought = {"nextThoughtNeeded": True, "totalThoughts": 99}
    lines = [
        _line("session", session=ALL, title=ALL, client={"name": ALL, "version": ALL}, cwd=ALL, host=ALL, pid=1),
        *(_line("thought", thought=text, thoughtNumber=n, **thought) for n, text in enumerate(PAYLOADS.values(), 1)),
        *(
            _line("thought", thought=text, thoughtNumber=n, branchId=text, branchFromThought=1, **thought)
            for n, text in enumerate(PAYLOADS.values(), 1)
        ),
        *(_line("rejected", error=text, arguments=text) for text in PAYLOADS.values()),
        *(_line(text) for text in PAYLOADS.values()),
        *(f"{{corrupt {n}\x1b[7701;31m\n".encode() for n in range(3)),
        _line("thought", thought="\n".join(PAYLOADS.values()), thoughtNumber=2, isRevision=True, revisesThought=1)
        .replace(b'"isRevision"', b'"nextThoughtNeeded": true, "totalThoughts": 99, "isRevision"'),
        _line("end", reason=ALL, error=ALL),
    ]  # fmt: skip
    path = tmp_path / "a\x1b]0;pay7704\x07\x9b31m\u202e.jsonl"
    path.write_bytes(b"".join(lines))
    return path


# The viewer on a terminal


@pytest.mark.parametrize("size", first(1, [(700, 140), (44, 20), (120, 35)]), ids=lambda size: "x".join(map(str, size)))
def test_nothing_hostile_leaves_the_viewer(hostile: Path, size: tuple[int, int]) -> None:
    with Terminal(command("watch", hostile), size) as terminal:
        terminal.until("pay7720")
        terminal.type("kkkkggjjjjj\rq")
        terminal.type("?q")
        terminal.until("a row up, down")
        terminal.type("f\rG")
        terminal.until("as it was")
        terminal.type("qq")
        assert terminal.end() == 0
        text = terminal.text

    check_written(text)
    if size[0] == 700:
        for number in range(7701, 7729):
            encoded = base64.b64encode(b"pay%d" % number).decode()
            assert str(number) in text or encoded in text, number


def test_nothing_hostile_leaves_a_replay(hostile: Path) -> None:
    with Terminal(command("replay", hostile, "--at", "5"), (300, 50)) as terminal:
        terminal.until("7705")
        terminal.type("q")
        assert terminal.end() == 0

    check_written(terminal.text)


def test_the_journal_of_hostile_examples_is_shown_as_text() -> None:
    with Terminal(command("watch", JOURNALS / "hostile.jsonl"), (200, 60)) as terminal:
        terminal.until("[@click")
        terminal.type("g\rq")
        terminal.type("q")
        assert terminal.end() == 0

    check_written(terminal.text)


def test_a_hostile_session_that_comes_up_is_named_without_controls(seqthink_home: Path) -> None:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    now = JournalBuilder().session().thought("First", 1, 3).data
    (folder / "20260310T140200.000000Z-k3v9qa.jsonl").write_bytes(now)
    hostile = "b\x1b]0;pay7704\x07\x9b31m\u202e"
    with Terminal(command("watch"), (200, 30)) as terminal:
        terminal.until("No thoughts yet")
        (folder / f"{hostile}.jsonl").write_bytes(_line("session", session="x", title=ALL, cwd=ALL))
        terminal.type("q")
        terminal.end()
    check_written(terminal.text)


def test_a_folder_of_a_hostile_name_is_shown_as_text(tmp_path: Path) -> None:
    folder = tmp_path / "f\x1b]0;pay7704\x07\x9b31m\u202e\udc80"
    with Terminal(command("watch", "--journal-dir", folder), (200, 30)) as terminal:
        terminal.until("␛]0;pay7704␇")
        terminal.type("q")
        assert terminal.end() == 0

    check_written(terminal.text)


def test_a_copied_thought_reaches_the_clipboard_without_controls(tmp_path: Path) -> None:
    path = (
        JournalBuilder().session().thought(PAYLOADS["osc 52 bel"] + PAYLOADS["bidi"], 1, 3).write(tmp_path / "a.jsonl")
    )
    with Terminal(command("watch", path), (120, 30)) as terminal:
        terminal.until("cGF5NzcwOA==")
        terminal.type("y")
        terminal.until("copied")
        terminal.type("q")
        assert terminal.end() == 0

    copied = re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", terminal.text)
    assert len(copied) == 1
    check_written(base64.b64decode(copied[0]).decode())
    check_written(terminal.text.replace(f"\x1b]52;c;{copied[0]}\x07", ""))


# Without a terminal


@pytest.mark.parametrize(
    "arguments", first(1, [("show",), ("show", "--ascii"), ("replay",), ("replay", "--at", "20")]), ids=" ".join
)
def test_nothing_hostile_leaves_a_drawing_in_a_pipe(hostile: Path, arguments: tuple[str, ...]) -> None:
    done = seqthink(arguments[0], hostile, *arguments[1:], "--width", "900")

    assert done.returncode == 0
    check_written(done.stdout, allowed="\n")
    check_written(done.stderr, allowed="\n")


def test_nothing_hostile_leaves_what_is_printed_as_it_grows(hostile: Path) -> None:
    done = seqthink("watch", "-", "--width", "900", stdin=hostile.read_text(encoding="utf-8"))

    assert "7728" in done.stdout
    check_written(done.stdout, allowed="\n")
    check_written(done.stderr, allowed="\n")


def test_nothing_hostile_leaves_an_export(hostile: Path) -> None:
    done = seqthink("export", hostile, "--format", "json")

    assert json.loads(done.stdout)
    assert not {character for character in done.stdout if ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0} - {
        "\n"
    }
    check_written(done.stderr, allowed="\n")


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_no_error_message_carries_a_control(payload: str) -> None:
    payload = payload.replace("\x00", "")
    for arguments in (["show", payload], [payload], ["show", f"./{payload}"], ["watch", "--stale", payload]):
        done = _refused_in_process(arguments)

        check_written(done, allowed="\n")


def _refused_in_process(arguments: list[str]) -> str:
    import contextlib
    import io

    from seqthink.__main__ import main

    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        assert main(arguments) == 2
    assert said.getvalue().count("\n") == 1
    return said.getvalue()


# The backstop alone


class Raw(Widget):
    """Draws what nobody has made safe."""

    DEFAULT_CSS = "Raw { height: 40; dock: top; layer: above; }"

    @override
    def render_line(self, y: int) -> Strip:
        texts = list(PAYLOADS.values())
        return Strip([Segment(texts[y] if y < len(texts) else "")])


async def test_the_backstop_stops_what_a_widget_draws_raw(tmp_path: Path) -> None:
    path = shop_api().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (120, 60), settings_of(tmp_path)) as stage:
        await stage.app.screen.mount(Raw())
        await stage.shows("7701", "7728")
        for number in range(7701, 7729):
            assert str(number) in stage.text or base64.b64encode(b"pay%d" % number).decode() in stage.text
        check_written("\n".join(stage.lines), allowed="\n")


@given(st.text(st.characters(exclude_categories=[])))
def test_the_backstop_lets_no_control_through(text: str) -> None:
    drawn = "".join(segment.text for segment in ControlCharacterFilter().apply([Segment(text)], Color(0, 0, 0)))

    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", drawn)


def test_the_backstop_leaves_what_textual_controls_alone() -> None:
    control = Segment.line()
    cursor = Segment("\x1b[1;1H", None, [(1, 2)])  # pyright: ignore[reportArgumentType] - Rich takes any sequence

    assert ControlCharacterFilter().apply([cursor], Color(0, 0, 0)) == [cursor]
    assert "\n" not in ControlCharacterFilter().apply([control], Color(0, 0, 0))[0].text


# When the viewer itself fails


FAILING = """
import sys
from tui.session_view.session_panes import SessionPanes
def fail(*arguments, **options):
    secret = "a thought of {who}"
    raise ValueError("broken \\x1b]0;pay7704\\x07\\x9b31m\\u202e\\nsecond line")
SessionPanes.{method} = fail
from seqthink.__main__ import main
sys.exit(main(["watch", sys.argv[1]]))
"""


@pytest.mark.parametrize("method", first(1, ["draw", "_draw_text", "compose"]))
def test_a_failure_of_the_viewer_is_one_safe_line_and_leaves_the_terminal_in_order(method: str) -> None:
    program = FAILING.format(who="nobody", method=method)
    with Terminal([sys.executable, "-c", program, str(SHOP_API)]) as terminal:
        assert terminal.end() == 1

    after = visible(terminal.text.rpartition("\x1b[?1049l")[2])
    assert "\x1b[?1049l" in terminal.text
    assert after.strip().startswith("seqthink: the viewer failed (ValueError: broken ␛]0;pay7704␇")
    assert after.strip().count("\n") == 0
    assert "Traceback" not in terminal.text
    assert "secret" not in terminal.text
    check_written(terminal.text)


# Where there is hardly a terminal


@pytest.mark.parametrize(
    ("size", "variables"),
    first(2, [((20, 5), {}), ((1, 1), {}), ((80, 24), {"TERM": ""}), ((0, 0), {})], is_unpacked=True),
    ids=["20x5", "1x1", "no TERM", "no size"],
)
def test_the_viewer_starts_and_ends_on_a_poor_terminal(size: tuple[int, int], variables: dict[str, str]) -> None:
    with Terminal(command("watch", SHOP_API), size, variables=variables) as terminal:
        terminal.until("\x1b[?1049h")
        terminal.type("kj?q")
        terminal.type("q")
        assert terminal.end() == 0

    assert "Traceback" not in terminal.text


class _Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("kind", "is_drawn_on"), [("xterm", True), ("dumb", False)])
def test_a_dumb_terminal_gets_lines_and_no_screen(
    kind: str, is_drawn_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", _Terminal())
    monkeypatch.setenv("TERM", kind)

    assert is_terminal() is is_drawn_on


def test_without_keys_the_viewer_says_so_in_one_line() -> None:
    empty = os.open(os.devnull, os.O_RDONLY)
    try:
        with Terminal(command("watch", SHOP_API), stdin=empty) as terminal:
            assert terminal.end() == 2
    finally:
        os.close(empty)

    assert terminal.text.startswith("seqthink: ")
    assert terminal.text.count("\n") == 1


def test_what_is_drawn_goes_to_the_terminal_when_errors_go_elsewhere(tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    line = f"{shlex.join(command('watch', SHOP_API))} 2>{errors}"
    with Terminal(["sh", "-c", line]) as terminal:
        terminal.until("Fix again")
        terminal.type("q")
        assert terminal.end() == 0

    assert errors.read_bytes() == b""


@pytest.mark.parametrize("name", first(1, ["show", "watch"]))
@pytest.mark.parametrize("redirection", first(2, ["<&- >&- 2>&-", ">&-", "2>&-", "<&-"]))
def test_closed_streams_are_no_reason_for_a_traceback(name: str, redirection: str) -> None:
    line = f"{shlex.join(command(name, SHOP_API))} {redirection}"
    with Terminal(["sh", "-c", line]) as terminal:
        if (name, redirection) == ("watch", ">&-"):
            terminal.type("\x03")  # it prints what grows
        assert terminal.end() in {0, 2}

    assert "Traceback" not in terminal.text


@pytest.mark.deep  # `tests/cli/test_demo.py` has an agent that fails on a terminal in `make test`
def test_a_demo_whose_agent_fails_closes_the_screen_and_says_why_in_one_line(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with Terminal(command("demo", "--journal-dir", blocked / "sessions")) as terminal:
        assert terminal.end() in {1, 2}

    said = visible(terminal.text.rpartition("\x1b[?1049l")[2]).strip()
    assert said.startswith("seqthink: ")
    assert said.count("\n") == 0
    assert "Traceback" not in terminal.text
