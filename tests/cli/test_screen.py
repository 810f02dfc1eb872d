"""What the commands ask of the viewer when a person looks at stdout."""

import gc
import importlib
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import ANY

import pytest

from seqthink.cli import replay, watch
from seqthink.core.errors import UsageError
from seqthink.core.settings_file import FileSettings
from seqthink.journal.decode import decode
from seqthink.sources.transcripts.named_transcript import NamedTranscript
from seqthink.sources.transcripts.registry import SOURCE_NAMES
from tests.support.servers.commands import JOURNALS, SHOP_API
from tests.support.transcripts.claude_lines import user

LOOKS: dict[str, Any] = {
    "is_ascii": True,
    "theme": "dark",
    "has_motion": False,
    "has_mouse": True,
    "decode": decode,
    "connect": ANY,
    "has_title": True,
    "has_bell": True,
    "has_notifications": True,
    "stuck_seconds": 300,
    "wall": None,
    "author": "",
    "file_settings": FileSettings(),
    "commands": {},
}
AT = {"number": 0, "seq": 0}
Asked = list[tuple[str, tuple[Any, ...], dict[str, Any]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Put a viewer in place that notes what it is asked, and a terminal."""
    calls: Asked = []
    viewer = ModuleType("tui.run")
    for name in ("watch", "watch_stdin", "replay"):

        def note(*arguments: Any, _name: str = name, **options: Any) -> str:  # noqa: ANN401 - whatever a test hands over
            calls.append((_name, arguments, options))
            return ""

        setattr(viewer, name, note)
    monkeypatch.setitem(sys.modules, "tui.run", viewer)
    for module in (watch, replay):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    return calls


def test_watch_passes_the_named_session_to_the_viewer(asked: Asked, tmp_path: Path) -> None:
    status = watch.run([str(SHOP_API), "--stale", "90", "--ascii", "--journal-dir", str(tmp_path)])

    assert status == 0
    assert asked == [
        (
            "watch",
            (SHOP_API,),
            {
                "folder": tmp_path,
                "stale": 90,
                "sources": frozenset(SOURCE_NAMES),
                "seq": 0,
                "begins_with_wall": False,
                "fleet": None,
                **LOOKS,
            },
        )
    ]


def test_watch_all_begins_with_the_wall(asked: Asked) -> None:
    watch.run(["--all"])

    [(_, arguments, options)] = asked
    assert (arguments, options["begins_with_wall"]) == ((None,), True)


def test_watch_all_takes_no_session(asked: Asked) -> None:
    with pytest.raises(UsageError, match="leave out the session"):
        watch.run(["--all", "last"])
    assert asked == []


def test_watch_without_a_session_passes_the_folder_to_the_viewer(asked: Asked, seqthink_home: Path) -> None:
    watch.run([])

    folder = seqthink_home / "sessions"
    assert [(name, arguments, options["folder"]) for name, arguments, options in asked] == [("watch", (None,), folder)]
    assert asked[0][2]["stale"] == 60


@pytest.mark.parametrize(("given", "at"), [([], None), (["--at", "end"], 0), (["--at", "7"], 7)])
def test_replay_passes_the_position_to_the_viewer(asked: Asked, given: list[str], at: int | None) -> None:
    replay.run([str(SHOP_API), "--ascii", *given])

    assert asked == [
        ("replay", (SHOP_API,), {**AT, "at": at, "speed": 1.0, "idle_limit": 4.0, "is_looping": False, **LOOKS})
    ]


def test_links_and_numbers_are_passed_to_the_viewer(asked: Asked) -> None:
    watch.run([f"{SHOP_API}#e4"])
    replay.run([f"{SHOP_API}#e5"])
    replay.run([str(SHOP_API), "--number", "3"])

    assert [(one["seq"], one.get("number", 0)) for _, _, one in asked] == [(4, 0), (5, 0), (0, 3)]
    assert all(arguments == (SHOP_API,) for _, arguments, _ in asked)


def test_replay_passes_its_options_to_the_viewer(asked: Asked) -> None:
    replay.run([str(SHOP_API), "--ascii", "--speed", "0.5", "--idle-limit", "2", "--loop"])

    [(_, _, given)] = asked
    assert (given["speed"], given["idle_limit"], given["is_looping"]) == (0.5, 2.0, True)


@pytest.mark.parametrize(
    "given",
    [["--speed", "0.2"], ["--speed", "17"], ["--speed", "nan"], ["--speed", "fast"], ["--idle-limit", "0"]],
    ids=" ".join,
)
def test_a_replay_refuses_what_it_cannot_play(asked: Asked, given: list[str]) -> None:
    with pytest.raises(UsageError, match="must be a number from"):
        replay.run([str(SHOP_API), *given])

    assert not asked


@pytest.mark.parametrize("command", [watch.run, replay.run], ids=["watch", "replay"])
def test_what_is_no_journal_never_reaches_the_viewer(asked: Asked, tmp_path: Path, command: Any) -> None:  # noqa: ANN401 - whatever a test hands over
    foreign = tmp_path / "a.jsonl"
    foreign.write_text("no journal\n", encoding="utf-8")

    for path in (foreign, JOURNALS, tmp_path / "none.jsonl"):
        with pytest.raises(UsageError):
            command([str(path)])
    assert asked == []


def test_a_transcript_is_passed_to_the_viewer_before_what_reads_it_is_loaded(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "copy.jsonl"
    path.write_bytes(user("u1", None, "Why?") + b"\n")
    monkeypatch.delitem(sys.modules, "seqthink.sources.transcripts.choosing", raising=False)

    watch.run([str(path)])

    [(_, (named,), _)] = asked
    assert "seqthink.sources.transcripts.choosing" not in sys.modules
    assert isinstance(named, NamedTranscript)
    assert (named.name, named.path) == ("copy.jsonl", path)
    assert named.choose(str).found.path == path


def test_theme_motion_and_mouse_are_passed_to_the_viewer(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "")
    watch.run([str(SHOP_API), "--theme", "light", "--no-mouse"])
    monkeypatch.setenv("SEQTHINK_THEME", "ansi")
    watch.run([str(SHOP_API), "--no-motion"])
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("SSH_CONNECTION", "a b")
    watch.run([str(SHOP_API)])

    wanted = [("light", True, False), ("ansi", False, True), ("mono", False, True)]
    assert [(one["theme"], one["has_motion"], one["has_mouse"]) for _, _, one in asked] == wanted


def test_an_option_wins_over_the_environment_and_that_over_the_file(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, seqthink_home: Path
) -> None:
    (seqthink_home / "settings.toml").write_text(
        'theme = "light"\nstale = 5\nmouse = false\nmotion = true\nascii = true\nsources = "codex"\n', encoding="utf-8"
    )
    watch.run([str(SHOP_API)])
    monkeypatch.setenv("SEQTHINK_THEME", "ansi")
    monkeypatch.setenv("SEQTHINK_SOURCES", "claude")
    watch.run([str(SHOP_API)])
    watch.run(
        [str(SHOP_API), "--theme", "dark", "--stale", "7", "--mouse", "--motion", "--no-ascii", "--sources", "journal"]
    )

    wanted = ("theme", "stale", "has_mouse", "has_motion", "is_ascii", "sources")
    assert [tuple(options[name] for name in wanted) for _, _, options in asked] == [
        ("light", 5, False, False, True, {"codex"}),
        ("ansi", 5, False, False, True, {"claude"}),
        ("dark", 7, True, True, False, {"journal"}),
    ]


def test_a_theme_that_is_not_there_is_refused(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQTHINK_THEME", "pink")

    with pytest.raises(UsageError, match="dark, light, ansi"):
        watch.run([str(SHOP_API)])
    assert asked == []


@pytest.mark.parametrize("failure", [None, ImportError("no Textual")])
def test_garbage_is_not_looked_for_while_the_viewer_is_loaded(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, failure: ImportError | None
) -> None:
    was_enabled: list[bool] = []

    def load(name: str) -> ModuleType:
        was_enabled.append(gc.isenabled())
        if failure is not None:
            raise failure
        return sys.modules[name]

    monkeypatch.setattr(importlib, "import_module", load)
    monkeypatch.setattr(gc, "freeze", lambda: None)  # the objects of other tests are not the viewer's

    with pytest.raises(ImportError) if failure is not None else nullcontext():
        watch.run(["--all"])

    assert was_enabled == [False]
    assert gc.isenabled()
    assert len(asked) == (failure is None)
