"""`seqthink export` of recordings: real programs on a pseudo-terminal, one for each format."""

import json
import time
from pathlib import Path

import pytest

from seqthink.__main__ import main
from seqthink.share.export.formats import RECORDINGS
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.drawn_screen import DrawnScreen
from tests.support.screens.recordings import PLAIN
from tests.support.screens.terminal import Terminal, check_written
from tests.support.servers.commands import SHOP_API, command, refusal_line, seqthink

SIZE = (100, 30)
AGG = '#!/bin/sh\nfor last; do :; done\nprintf GIF89a > "$last"\n'


def played(cast: str) -> list[str]:
    """Return the last screen of a cast."""
    header, *events = map(json.loads, cast.splitlines())
    screen = DrawnScreen((header["width"], header["height"]), PLAIN)
    for _, kind, text in events:
        assert kind == "o"
        screen.write(text)
    return screen.text


@pytest.fixture
def programs(tmp_path: Path) -> str:
    """Return a PATH on which agg is."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "agg").write_text(AGG, encoding="utf-8")
    (folder / "agg").chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


@pytest.mark.parametrize("form", RECORDINGS)
def test_a_terminal_sees_how_far_a_recording_is_and_the_file_is_written(
    form: str, tmp_path: Path, programs: str
) -> None:
    target = tmp_path / f"out{RECORDINGS[form]}"
    words = command("export", SHOP_API, "--format", form, "-o", target)
    with Terminal(words, variables={"PATH": programs}) as terminal:
        assert terminal.end() == 0
        check_written(terminal.text)

    begin = {"cast": b'{"version": 2, "width": 100, "height": 30', "gif": b"GIF89a", "animated-svg": b"<svg xmlns="}
    assert target.read_bytes().startswith(begin[form])
    assert [path.name for path in tmp_path.glob(".*out*")] == []


def test_ctrl_c_ends_a_long_recording_at_once_and_leaves_no_file(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 2000):
        builder.thought(f"thought{number}", number, 2000, after=1)
    folder = tmp_path / "out"
    folder.mkdir()
    words = command("export", builder.write(tmp_path / "a.jsonl"), "-o", folder / "a.cast")
    with Terminal(words, is_controlling=True) as terminal:
        terminal.until("seqthink: recording, 1% ...")
        asked = time.monotonic()
        terminal.type("\x03")
        status = terminal.end()
        waited = time.monotonic() - asked

    assert status == 130
    assert waited < 10
    assert list(folder.iterdir()) == []


def test_the_last_screen_of_a_cast_is_that_of_a_replay_in_a_terminal_of_its_size() -> None:
    done = seqthink("export", SHOP_API, "--format", "cast")
    with Terminal(command("replay", SHOP_API, "--at", "end", "--no-motion"), SIZE) as terminal:
        terminal.until("thoughts left")
        terminal.type("q")
        assert terminal.end() == 0
        screen = DrawnScreen(SIZE, PLAIN)
        screen.write(terminal.text.partition("\x1b[?1049h")[2].partition("\x1b[?1049l")[0])

    assert (done.returncode, done.stderr) == (0, "")
    assert played(done.stdout)[1:-1] == screen.text[1:-1]
    assert "Checkout's pool has 50" in "\n".join(screen.text)


def test_size_speed_idle_limit_and_version_are_those_that_were_asked_for(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number, after in enumerate((0, 8, 900), 1):
        builder.thought(f"thought{number}", number, 3, after=after)
    journal = builder.write(tmp_path / "a.jsonl")
    asked = ("--size", "60x20", "--speed", "4", "--idle-limit", "5", "--cast-version", "3")
    header, *events = map(json.loads, seqthink("export", journal, "--format", "cast", *asked).stdout.splitlines())

    assert (header["version"], header["term"]["cols"], header["term"]["rows"]) == (3, 60, 20)
    assert [event[0] for event in events][:3] == [0.0, 2.0, 5.0]


@pytest.mark.parametrize("form", ["cast", "animated-svg"])
@pytest.mark.parametrize(
    ("option", "shown"),
    [
        ("--native", {"I reasoned", "I said", "I thought"}),
        ("--words", {"I said", "I thought"}),
        ("--no-native", {"I thought"}),
    ],
)
def test_a_recording_shows_of_a_transcript_what_was_asked_for(
    option: str, shown: set[str], form: str, tmp_path: Path
) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "I asked"}, after=1)
    builder.event("reasoning", {"text": "I reasoned"}, after=1).event("remark", {"text": "I said"}, after=1)
    journal = builder.thought("I thought", 1, 1, after=1).write(tmp_path / "a.jsonl")
    recorded = seqthink("export", journal, "--format", form, option).stdout

    seen = "\n".join(played(recorded)) if form == "cast" else recorded
    assert {words for words in ("I reasoned", "I said", "I thought") if words in seen} == shown


def test_secrets_are_in_no_recording_that_is_redacted(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    journal = JournalBuilder().session(title=f"a {secret}").thought(f"it is {secret}", 1, 1).write(tmp_path / "a.jsonl")
    plain, redacted = (
        seqthink("export", journal, "--format", "cast", *options).stdout for options in ((), ("--redact",))
    )
    picture = seqthink("export", journal, "--format", "animated-svg", "--redact").stdout

    assert secret in json.loads(plain.splitlines()[0])["title"]
    assert secret not in redacted + picture
    assert "[redacted" in json.loads(redacted.splitlines()[0])["title"]


def test_the_ending_names_the_format_of_a_recording(tmp_path: Path) -> None:
    assert main(["export", str(SHOP_API), "-o", str(tmp_path / "a.cast")]) == 0
    assert main(["export", str(SHOP_API), "-o", str(tmp_path / "a.svg")]) == 0

    assert json.loads((tmp_path / "a.cast").read_text("utf-8").splitlines()[0])["title"] == "shop-api"
    assert "@keyframes" not in (tmp_path / "a.svg").read_text("utf-8")


def test_a_file_that_is_there_is_not_replaced_and_nothing_is_recorded_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.cast"
    target.write_text("mine", encoding="utf-8")
    monkeypatch.delattr("seqthink.cli.viewer.record")

    assert main(["export", str(SHOP_API), "-o", str(target)]) == 2
    assert target.read_text("utf-8") == "mine"


def test_what_no_terminal_can_show_is_not_written_to_one() -> None:
    with Terminal(command("export", SHOP_API, "--format", "cast")) as terminal:
        assert terminal.end() == 2
        assert "is not for reading on a terminal; name a file with -o" in terminal.text.replace("\r\n", " ")


@pytest.mark.parametrize("place", [(), ("-o", "-")])
def test_a_gif_is_not_written_to_stdout(place: tuple[str, ...]) -> None:
    done = seqthink("export", SHOP_API, "--format", "gif", *place)

    assert refusal_line(done) == "export: a GIF is written to a file only; name it with -o"


def test_a_gif_needs_agg_and_says_so_before_anything_is_recorded(tmp_path: Path) -> None:
    done = seqthink("export", SHOP_API, "--format", "gif", "-o", tmp_path / "a.gif", variables={"PATH": str(tmp_path)})

    assert "agg, which is not on PATH" in refusal_line(done)
    assert not (tmp_path / "a.gif").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    first(
        2,
        [
            (("--size", "60x20"), "export: --size is for cast, gif, animated-svg, not for md"),
            (("--format", "gif", "--cast-version", "3"), "export: --cast-version is for cast, not for gif"),
            (
                ("--format", "json", "--idle-limit", "3"),
                "export: --idle-limit is for cast, gif, animated-svg, not for json",
            ),
            (
                ("--format", "html", "--theme", "light"),
                "export: --theme is for svg, cast, gif, animated-svg, not for html",
            ),
        ],
        is_unpacked=True,
    ),
)
def test_an_option_that_a_format_does_not_take_is_refused(words: tuple[str, ...], sentence: str) -> None:
    assert refusal_line(seqthink("export", SHOP_API, *words)) == sentence


@pytest.mark.parametrize("size", first(2, ["60", "27x20", "60x7", "401x20", "60x201", "60x20x3", "-60x20", "٦٠x20"]))
def test_a_size_that_cannot_be_drawn_is_refused(size: str) -> None:
    done = seqthink("export", SHOP_API, "--format", "cast", f"--size={size}")

    assert "must be columns x lines from 28x8 to 400x200, as in 100x30" in refusal_line(done)


def test_a_light_recording_has_the_light_theme() -> None:
    dark, light = (
        seqthink("export", SHOP_API, "--format", "cast", "--theme", theme).stdout for theme in ("dark", "light")
    )

    assert "48;2;21;24;30m" in dark
    assert "48;2;21;24;30m" not in light
