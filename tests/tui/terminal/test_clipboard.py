"""Copying: to tmux's buffer where there is one, else to the terminal, and what is said of it."""

import os
import stat
from pathlib import Path

import pytest

from tests.support.journals.build import shop_api
from tests.support.screens.screen_text import running_viewer, settings_of
from tui.terminal.clipboard import TERMINAL_ANSWER, TMUX_ANSWER, copy_to_tmux, is_in_tmux


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return shop_api().write(tmp_path / "a.jsonl")


def _tmux(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a `tmux` in front of the PATH."""
    program = folder / "bin" / "tmux"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TMUX", "/tmp/tmux-1/default,1,0")


def test_an_old_tmux_takes_the_text_without_the_terminal_s_clipboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tmux(tmp_path, monkeypatch, f'[ "$2" = - ] && cat > "{tmp_path}/buffer"')

    assert copy_to_tmux("é\nlast")
    assert (tmp_path / "buffer").read_text(encoding="utf-8") == "é\nlast"


def test_a_tmux_that_fails_took_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tmux(tmp_path, monkeypatch, "exit 1")

    assert not copy_to_tmux("text")


def test_tmux_is_known_by_its_variable() -> None:
    assert is_in_tmux({"TMUX": "/tmp/x,1,0"})
    assert not is_in_tmux({"TMUX": ""})
    assert not is_in_tmux({})


async def test_in_tmux_a_thought_goes_to_its_buffer(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tmux(tmp_path, monkeypatch, f'echo "$@" > "{tmp_path}/arguments"; cat > "{tmp_path}/buffer"')
    async with running_viewer(shop, (80, 24), settings_of(tmp_path)) as stage:
        await stage.press("g", "y")
        await stage.until(lambda: TMUX_ANSWER in stage.text)

    assert (tmp_path / "arguments").read_text(encoding="utf-8") == "load-buffer -w -\n"
    assert (tmp_path / "buffer").read_text(encoding="utf-8").startswith("Symptoms: 502s")


@pytest.mark.parametrize("script", ["", "exit 1"])
async def test_elsewhere_it_is_said_that_the_terminal_decides(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    if script:
        _tmux(tmp_path, monkeypatch, script)
    async with running_viewer(shop, (44, 20), settings_of(tmp_path)) as stage:
        await stage.press("y")
        await stage.until(lambda: TERMINAL_ANSWER in stage.text)
        assert stage.app.clipboard
