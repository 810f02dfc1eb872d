"""Gives every test an empty home, a plain environment, one time zone and no animation."""

import importlib.metadata
import os
import signal
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import settings
from textual import constants

PROJECT = Path(__file__).parent.parent

_FOREIGN = (
    *(
        "CLICOLOR",
        "COLORTERM",
        "COLUMNS",
        "FORCE_COLOR",
        "LC_",
        "LINES",
        "NO_COLOR",
        "TERM",
        "TEXTUAL_",
        "TMUX",
        "XDG_",
    ),
    *("DISABLE_THOUGHT_LOGGING", "ENABLE_GAN_AUDITING", "SEQTHINK_"),
)

_INHERITED = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
)

# A busy machine is no failure: only the tests that promise a time check one.
settings.register_profile("steady", settings(), deadline=None)
settings.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    """Prepare signals; refuse to update snapshots with another Textual than the pinned one, which would change all."""
    _hand_down_no_ignored_signals()
    if not config.getoption("update_snapshots", default=False):
        return
    installed, pinned = importlib.metadata.version("textual"), _pinned_textual()
    if installed != pinned:
        raise pytest.UsageError(f"snapshots are drawn with textual {pinned}, this is {installed}: run `make test`")


def _hand_down_no_ignored_signals() -> None:
    """Go on ignoring the signals that `nohup` or a shell's `&` made us ignore, but let no program under test do so."""
    for number in _INHERITED:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _do_nothing)  # a new program starts with the default instead of a handler


def _do_nothing(_number: int, _frame: object) -> None:
    pass


def _pinned_textual() -> str:
    pyproject = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = [pin for pin in pyproject["dependency-groups"]["dev"] if pin.startswith("textual==")]
    return pins[0].removeprefix("textual==")


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, as the server and Textual do."""
    return "asyncio"


@pytest.fixture
def seqthink_home(tmp_path: Path) -> Path:
    """Return the folder that ``SEQTHINK_HOME`` names: this test's own, and empty."""
    return tmp_path / "seqthink"


@pytest.fixture(autouse=True)
def same_place(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test, and each process it starts, empty folders and an environment without user preferences."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN) and not name.startswith("TEXTUAL_SNAPSHOT_"):  # for the plugin's workers
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    seqthink_home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SEQTHINK_HOME", str(seqthink_home))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    # The variable is for child processes; in this one the snapshot plugin has loaded Textual before any conftest.
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
