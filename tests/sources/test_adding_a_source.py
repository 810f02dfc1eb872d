"""docs/sources/adding-a-source.md, executed: its package is installed, its sessions are shown, its tests pass."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from seqthink.sources.transcripts.installed.entry_points import GROUP
from tests.support.transcripts.acme import NAME, blocks, install, module, test_module, write_session


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a session of Acme, and the page's package on the path."""
    install(tmp_path / "packages")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages"), *sys.path])
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SEQTHINK_HOME", str(tmp_path / "journals"))
    (tmp_path / "journals" / "sessions").mkdir(parents=True)
    write_session(tmp_path / "home")
    return tmp_path / "home"


@pytest.mark.process
def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    (tmp_path / "acme_seqthink.py").write_text(module(), encoding="utf-8")
    (tmp_path / "test_acme.py").write_text(test_module(), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_acme.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_the_entry_of_the_page_is_that_of_our_group() -> None:
    [project] = map(tomllib.loads, blocks("toml"))

    assert project["project"]["entry-points"] == {GROUP: {NAME: "acme_seqthink:DESCRIPTION"}}
