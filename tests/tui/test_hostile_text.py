"""Every place that shows text, given every text that tries to be more (docs/viewer.md, "Untrusted text")."""

import base64
import os
import re
import shlex
from pathlib import Path

import pytest

from seqthink.__main__ import main
from seqthink.core.text import sanitize
from seqthink.share.export.formats import FORMATS
from tests.support.depth import first, sized
from tests.support.journals.build import JournalBuilder
from tests.support.journals.exports import HOSTILE, add_attachments, hostile, invisible_chars
from tests.support.screens.payloads import PAYLOADS
from tests.support.screens.terminal import Terminal, check_written
from tests.support.servers.commands import command, seqthink
from tests.support.servers.wire import start, thought

NAME = "n\x1b]0;pay7704\x07\x9b31m\u202e[@click=app.quit]x\n\udcff"
TYPED = "zzqqjj" + "".join(
    text for text in HOSTILE.values() if "\x1b" not in text and "\n" not in text and "\ud800" not in text
)
PAGE_DOWN, END = "\x1b[6~", "\x03"
COPY = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
ALL = " | ".join(PAYLOADS.values())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of a hostile name, with journals of hostile names that hold nothing but hostile texts."""
    folder = tmp_path / NAME
    folder.mkdir()
    hostile().write(folder / f"a{NAME}.jsonl")
    for number, text in enumerate(HOSTILE.values()):
        journal = JournalBuilder().session(text, title=text, client=text, cwd=text, host=text)
        journal.thought(text, 1, 3).thought(text, 2, 3, branch=text, from_=1).thought(
            f"{text}\n{text}", 2, 3, revises=1
        )
        add_attachments(journal, text)
        journal.rejected(text, arguments=text, tool=text).raw(text.encode("utf-8", "replace") + b"\n")
        journal.event(text, {}).write(folder / f"b{number}.jsonl")
    return folder


def main_journal(folder: Path) -> Path:
    return folder / f"a{NAME}.jsonl"


# On a terminal: a viewer is taken through all that it has


class Tour:
    """A viewer that was started in a folder; a link that it opens would leave a file beside it."""

    def __init__(self, folder: Path, *arguments: str | Path, size: tuple[int, int]) -> None:
        self.opened = folder.parent / "opened"
        browser = folder.parent / "browser"
        browser.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(self.opened))}\n', encoding="utf-8")
        browser.chmod(0o755)
        variables = {"BROWSER": str(browser), "EDITOR": "cat", "VISUAL": ""}
        self.terminal = Terminal(command(*arguments), size, variables=variables, folder=folder)
        self._size = size

    def do(self, keys: str, *words: str) -> None:
        """Type ``keys`` and wait until ``words`` have been drawn since."""
        since = len(self.terminal.written)
        self.terminal.type(keys)
        self.terminal.until(*words, since=since)

    def click(self, word: str) -> None:
        """Click into every fourth cell of every row, at last on the hint of the key ``?``, which brings up ``word``."""
        since, (width, height) = len(self.terminal.written), self._size
        for y in range(1, height + 1):
            self.terminal.type("".join(f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m" for x in range(2, width, 4)))
        self.terminal.until(word, since=since)

    def check(self) -> None:
        """End it, and check that it was not ended before and that only text was written."""
        self.terminal.type(END)
        assert self.terminal.end() == 0
        copied = COPY.findall(self.terminal.text)
        for text in copied:
            check_written(base64.b64decode(text).decode(), allowed="\n")
        check_written(COPY.sub("", self.terminal.text))
        assert not self.opened.exists()


PASTED = f"\x1b[200~{TYPED}\x1b[201~"
TOURS: dict[str, tuple[tuple[str, ...], ...]] = {
    "every row, both kinds of text, the timeline, diffs, help": (
        ("g" + "j" * 30 + "y", "\x1b]52;c;"),
        ("m" + "k" * 30 + "t" + PAGE_DOWN * 4 + "gjjjt" + "ddj" * 9 + "?", "Signs"),
    ),
    "a search": ((f"/{PASTED}", "no hit"),),
    "hits": (("/pay772\r", "77"), ("nnN", "77")),
    "a filter": ((f"&{PASTED}", "no row"),),
    "the list of sessions": (("s", "copy id"), ("jjjj" + PAGE_DOWN, "77"), (f"/{PASTED}",)),
}
"""What is typed, and what then comes up."""


@pytest.mark.parametrize("name", first(1, TOURS))
def test_nothing_hostile_leaves_any_widget_of_the_viewer(name: str, folder: Path) -> None:
    tour = Tour(folder, "watch", main_journal(folder), "--journal-dir", folder, size=(150, 44))
    with tour.terminal as terminal:
        terminal.until("7765")
        for step in TOURS[name]:
            tour.do(*step)
        tour.check()


def test_markup_and_links_do_nothing_when_they_are_clicked(tmp_path: Path) -> None:
    journal = JournalBuilder().session(title="[@click=app.quit]pay7730[/]")
    links = "[@click=app.quit]pay7731[/] [a](http://x.example) <http://y.example> \x1b]8;;http://z.example\x1b\\z\x1b]8;;\x1b\\"
    for number in range(1, 4):
        journal.thought(f"{links}\n\n" * 9, number, 3, branch=links if number > 1 else None, from_=1)
    tour = Tour(tmp_path, "watch", journal.write(tmp_path / "a.jsonl"), size=(110, 36))
    with tour.terminal as terminal:
        terminal.until("[@click=app.quit]pay7730[/]", "[@click=app.quit]pay7731[/]")
        tour.click("Signs")
        tour.do("qm", "http")
        tour.click("Signs")
        tour.check()


def test_nothing_hostile_leaves_the_list_of_sessions_or_a_replay(folder: Path) -> None:
    tour = Tour(folder, "replay", main_journal(folder), "--journal-dir", folder, "--at", "9", size=(240, 60))
    with tour.terminal as terminal:
        terminal.until("7707")
        tour.do("...,,[](" + "9" + "0" + "5" + "?", "Signs")
        tour.do("qs", "copy id", "open 03-10")  # its rows may come later than its keys
        tour.do("j" * 50 + "y", "\x1b]52;c;")
        tour.check()


# Without a terminal


COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("show", "FILE"),
    "show in full": ("show", "FILE", "--full", "--width", "300"),
    "timeline": ("show", "FILE", "--timeline", "--ascii"),
    "redacted": ("show", "FILE", "--full", "--redact"),
    "replay": ("replay", "FILE", "--at", "20"),
    "sessions": ("sessions", "--journal-dir", "DIR"),
    "sessions for programs": ("sessions", "--journal-dir", "DIR", "--json"),
    "check": ("check", "FILE", "DIR/b0.jsonl", "DIR/b27.jsonl"),
    "check for programs": ("check", "DIR/b7.jsonl", "--json", "--repair"),
    "prune": ("prune", "--older-than", "1h", "--dry-run", "--journal-dir", "DIR"),
    "prune for programs": ("prune", "--older-than", "1h", "--dry-run", "--json", "--journal-dir", "DIR"),
    **{f"export to {form}": ("export", "FILE", "--format", form) for form in FORMATS},
}


@pytest.mark.parametrize("name", first(4, COMMANDS))
def test_nothing_hostile_leaves_a_command(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [word.replace("FILE", str(main_journal(folder))).replace("DIR", str(folder)) for word in COMMANDS[name]]
    status = main(words)
    said = capfd.readouterr()

    assert status in {0, 1}
    assert said.out
    assert not invisible_chars(said.out) - {"\n"}
    assert not invisible_chars(said.err) - {"\n"}


def _spoken(text: str) -> str:
    """Return ``text`` as far as a command line can say it."""
    return text.replace("\x00", "").encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")


REFUSED: dict[str, tuple[str, ...]] = {
    "no command": ("TEXT",),
    "no session": ("show", "TEXT"),
    "no file": ("show", "./TEXT.jsonl"),
    "no folder": ("show", "--journal-dir", "TEXT"),
    "no option": ("watch", "--TEXT"),
    "no width": ("show", "--width", "TEXT"),
    "no theme": ("watch", "--theme", "TEXT"),
    "no moment": ("replay", "--at", "TEXT"),
    "no speed": ("replay", "--speed", "TEXT"),
    "no format": ("export", "last", "--format", "TEXT"),
    "no place": ("export", "FILE", "--format", "md", "-o", "DIR/TEXT/TEXT"),
    "no age": ("prune", "--older-than", "TEXT"),
    "no journal": ("check", "TEXT"),
    "no transcript": ("import", "TEXT"),
    "no transcript's file": ("import", "./TEXT"),
    "no source": ("import", "--all", "--sources", "TEXT"),
    "no client": ("config", "TEXT"),
    "no shell": ("completion", "TEXT"),
    "no story": ("demo", "TEXT"),
    "no server option": ("serve", "--TEXT"),
    "no server value": ("serve", "--fsync", "TEXT"),
    "no server session": ("serve", "--resume", "TEXT"),
    "too many": ("sessions", "TEXT", "TEXT"),
}


@pytest.mark.parametrize("name", first(6, REFUSED))
def test_what_is_refused_is_named_in_one_line_without_a_control(
    name: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for text in sized((ALL, NAME), (ALL, NAME, *PAYLOADS.values())):  # the first has all of them
        words = [word.replace("TEXT", _spoken(text)) for word in REFUSED[name]]
        words = [word.replace("FILE", str(main_journal(folder))).replace("DIR", str(folder)) for word in words]
        assert main(words) == 2, text
        said = capfd.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert not invisible_chars(said.err) - {"\n"}


@pytest.mark.parametrize(
    "variable", first(1, ["SEQTHINK_THEME", "SEQTHINK_FSYNC", "SEQTHINK_RESUME", "SEQTHINK_SCHEMA"])
)
def test_a_variable_that_is_refused_is_named_without_a_control(variable: str) -> None:
    value = NAME.replace("\n", " ")
    done = seqthink(*(("serve",) if variable != "SEQTHINK_THEME" else ("demo", "--fast")), variables={variable: value})

    assert not invisible_chars(done.stderr) - {"\n"}
    assert variable == "SEQTHINK_THEME" or done.returncode == 2


def test_nothing_hostile_leaves_the_server_s_stderr(tmp_path: Path) -> None:
    folder = tmp_path / NAME
    folder.mkdir()
    program_name = {"SEQTHINK_TITLE": NAME, "SEQTHINK_JOURNAL_DIR": str(folder)}
    with start(keep_stderr=True, environ=program_name) as wire:
        wire.ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": ALL, "version": ALL}},
        )
        for number, text in enumerate(HOSTILE.values(), 1):
            wire.call(thought(text, number, 99, branchId=text, branchFromThought=1))
            wire.call({"thought": text, "thoughtNumber": text})
            wire.call({text: text}, name=text)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        wire.call(thought())
        wire.hang_up()
        assert wire.status() == 0
        assert wire.stderr is not None
        said = b"".join(iter(lambda: os.read(wire.stderr or 0, 1 << 16), b"")).decode()

    assert "7701" in said
    assert not invisible_chars(said) - {"\n"}


def test_what_is_safe_is_safe_for_every_filter() -> None:
    for text in HOSTILE.values():
        assert not invisible_chars(sanitize(text)) - {"\n", "\ufe0f"}
