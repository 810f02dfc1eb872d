"""The editor's copy of a thought, at the keys of a person."""

import stat
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.screens.piloted import (
    line,
    running,
    until,
)
from tui.app import Viewer


def _stay(_: Viewer) -> nullcontext[None]:
    return nullcontext()


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script, seen = tmp_path / "my editor", tmp_path / "seen"
    script.write_text('#!/bin/sh\n{ echo "$1"; stat -c %a "$2"; cat "$2"; } > "$SEEN"\n', encoding="utf-8")
    script.chmod(stat.S_IRWXU)
    monkeypatch.setenv("SEEN", str(seen))
    monkeypatch.setenv("EDITOR", f"'{script}' --wait")
    monkeypatch.setattr(Viewer, "suspend", _stay)
    return seen


async def test_the_editor_gets_a_private_copy_of_the_thought(editor: Path, shop: Path, folder: Path) -> None:
    read, read_seen = shop.read_bytes, editor.read_text
    before = read()
    async with running(shop, folder) as pilot:
        await pilot.press("g", "e")
        await until(pilot, lambda: "back from the editor" in line(pilot, "keys"))
        option, mode, *text = read_seen("utf-8").splitlines()

        assert (option, mode) == ("--wait", "600")
        assert text[0].startswith("Symptoms: 502s")
        assert read() == before


@pytest.mark.parametrize(
    ("value", "said"),
    first(
        1,
        [
            ("", "set $EDITOR"),
            ("/no/such/editor", "no such file"),
            ("false", "status 1"),
            ("vi 'x", "no closing quotation"),
        ],
        is_unpacked=True,
    ),
)
async def test_what_is_wrong_with_the_editor_is_said_in_a_line(
    value: str, said: str, shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", value)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(Viewer, "suspend", _stay)
    async with running(shop, folder) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: said in line(pilot, "keys"))
