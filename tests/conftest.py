"""Gives every test an empty home, a plain environment, one time zone and no animation."""

import gc
import importlib
import importlib.metadata
import itertools
import os
import re
import shutil
import signal
import sys
import time
import tomllib
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from textual import constants
from textual._styles_cache import StylesCache
from typing_extensions import override

from seqthink.core import system
from tests.support.reach import NEEDS, needs_of
from tests.support.servers.warm_server import WarmServer

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

_PLAIN_ENVIRONMENT = {"LANG": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC", "TEXTUAL_ANIMATIONS": "none"}

_INHERITED = tuple(
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGTSTP", "SIGTTIN", "SIGTTOU")
    if hasattr(signal, name)
)
_POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
_DIFFERING_MODULES = {"os", "select", "signal"}
"""Windows has them, but not all of their names."""

_MAX_ID_CHARS = 200
_MAX_FOLDER_CHARS = 30
_folder_numbers = itertools.count()
_NEVER = 1 << 30
_HAS_FAILED = pytest.StashKey[bool]()

# The same few examples in each run of `make test`, and fewer in `make quick`, so that a failure is that of the change;
# new ones, and many, in `make test-deep`, which says how to have one again. A busy machine is not a failure:
# nothing here measures time.
_CALM = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("test", _CALM, max_examples=25, derandomize=True)
settings.register_profile("deep", _CALM, max_examples=int(os.environ.get("SEQTHINK_EXAMPLES", "1000")))
settings.register_profile("quick", settings.get_profile("test"), max_examples=10)
settings.load_profile("test")


def pytest_configure(config: pytest.Config) -> None:
    """Prepare signals; refuse to update snapshots with another Textual than the pinned one, which would change all."""
    _hand_down_no_ignored_signals()
    if not config.getoption("update_snapshots", default=False):
        return
    installed, pinned = importlib.metadata.version("textual"), _pinned_textual()
    if installed != pinned:
        raise pytest.UsageError(f"snapshots are drawn with textual {pinned}, this is {installed}: run `make test`")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a long text by its beginning and its length: each name goes to each worker, and back with each result."""
    if not isinstance(val, str | bytes) or len(val) <= _MAX_ID_CHARS:
        return None
    return f"{val[:_MAX_ID_CHARS]!a}... ({len(val):,})"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it needs, and by its folder."""
    for item in items:
        if isinstance(item, pytest.Function):
            for need in needs_of(item):
                item.add_marker(need)
        if "deep" in item.path.parts:
            item.add_marker("deep")


def pytest_collection(session: pytest.Session) -> None:
    """Collect no garbage while tests are found: there is none, and each collection visits all that is loaded."""
    gc.disable()
    if worker := getattr(session.config, "workerinput", None):
        _import_a_share(session.config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def _import_a_share(config: pytest.Config, worker: int, workers: int) -> None:
    """Import this worker's share of the test modules before it collects all of them.

    In a fresh clone pytest rewrites the assertions of each module once, which takes 13 s in all. Workers collect in the
    same order, so each of them would rewrite every module; this way it finds most of them rewritten by another.
    """
    if config.option.file_or_dir:
        return
    paths = sorted(path.relative_to(PROJECT).with_suffix("") for path in PROJECT.glob("tests/**/test_*.py"))
    for path in paths[worker::workers]:
        with suppress(Exception, pytest.skip.Exception):  # the collection meets it again, and reports it
            importlib.import_module(".".join(path.parts))


def pytest_collection_finish() -> None:
    """Keep thousands of tests and modules out of the garbage collections during the run."""
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _NEVER)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Send one report of a test that passes: six messages of each of thousands cost more than most of the tests."""
    if not hasattr(item.config, "workerinput") or item.config.getoption("durations") is not None:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember that a test has failed: its folder is kept."""
    report = yield
    if report.failed:
        item.stash[_HAS_FAILED] = True
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Collect garbage behind each module, and freeze the rest: it stays for long, and need not be visited again."""
    yield
    gc.enable()  # a command that ended before its viewer was loaded has left it off: its own process would have ended
    if nextitem is None or nextitem.path != item.path:
        StylesCache.get_inner_outer.cache_clear()  # of a thousand widgets that are gone, with all their rows
        gc.collect()
        gc.freeze()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Skip the modules that need POSIX where it is missing, as on Windows; elsewhere nothing is skipped."""
    if system.HAS_POSIX_FILES:
        return None
    module: pytest.Module = PosixModule.from_parent(parent, path=module_path)  # pyright: ignore[reportUnknownMemberType] - pytest's own
    return module


class PosixModule(pytest.Module):
    """A module of tests; skipped if it cannot be imported because the system is not POSIX."""

    @override
    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Return its tests."""
        try:
            return super().collect()
        except (self.CollectError, AttributeError) as error:
            if reason := _missing_posix(error.__cause__ or error):
                pytest.skip(reason, allow_module_level=True)
            raise


def _missing_posix(error: BaseException) -> str:
    """Return which name of POSIX an import has missed; empty if it failed for another reason."""
    if isinstance(error, ModuleNotFoundError) and error.name in _POSIX_MODULES:
        return f"needs {error.name}"
    module = getattr(error, "obj", None)
    if isinstance(error, AttributeError) and isinstance(module, ModuleType) and module.__name__ in _DIFFERING_MODULES:
        return f"needs {module.__name__}.{error.name}"
    return ""


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


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmServer]:
    """Return a process that forks servers, one for all tests: to load what a server needs takes half a second."""
    with WarmServer() as server:
        yield server


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder whose name no other test has had: a process that an earlier test left may still write there.

    It is removed unless the test fails. The framework's own keeps all folders, and looks for the next name among them.
    """
    item = cast("pytest.Item", request.node)  # pyright: ignore[reportUnknownMemberType] - pytest's own
    name = re.sub(r"\W", "_", item.name)[:_MAX_FOLDER_CHARS]
    folder = tmp_path_factory.getbasetemp() / f"{name}{next(_folder_numbers)}"
    folder.mkdir(0o700)
    yield folder
    if _HAS_FAILED not in item.stash:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def seqthink_home(tmp_path: Path) -> Path:
    """Return the folder that ``SEQTHINK_HOME`` names: this test's own, and empty."""
    return tmp_path / "seqthink"


class HomeFolder:
    """A folder with an empty home and an empty `SEQTHINK_HOME`: of one test, or of all that leave it empty."""

    def __init__(self, folder: Path) -> None:
        self.home, self.seqthink_home = folder / "home", folder / "seqthink"
        self.home.mkdir()
        self.seqthink_home.mkdir()

    def is_empty(self) -> bool:
        """Return whether no test has left anything there."""
        try:
            return not (os.listdir(self.home) or os.listdir(self.seqthink_home))  # noqa: PTH208 - asked after each test
        except OSError:
            return False


@pytest.fixture(scope="session")
def common_homes(tmp_path_factory: pytest.TempPathFactory) -> list[HomeFolder]:
    """Return the folders of the tests that ask for none and start nothing; the last is in use."""
    return [HomeFolder(tmp_path_factory.mktemp("common"))]


@pytest.fixture(autouse=True)
def same_place(
    request: pytest.FixtureRequest, common_homes: list[HomeFolder], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Give the test, and each process it starts, empty folders and an environment without user preferences."""
    is_common = "tmp_path" not in request.fixturenames and not NEEDS.keys() & request.keywords.keys()
    place = common_homes[-1] if is_common else HomeFolder(request.getfixturevalue("tmp_path"))
    # After the folder: what a test has replaced is put back before the folder is removed.
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    for name in [name for name in os.environ if name.startswith(_FOREIGN)]:
        if not name.startswith("TEXTUAL_SNAPSHOT_"):  # for the plugin's workers
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place.home))
    if sys.platform == "win32":
        monkeypatch.setenv("USERPROFILE", str(place.home))
    monkeypatch.setenv("SEQTHINK_HOME", str(place.seqthink_home))
    for name, value in _PLAIN_ENVIRONMENT.items():
        if os.environ.get(name) != value:
            monkeypatch.setenv(name, value)
    time.tzset()
    # The variable is for child processes; in this one the snapshot plugin has loaded Textual before any conftest.
    monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
    yield
    if is_common and not place.is_empty():
        common_homes.append(HomeFolder(tmp_path_factory.mktemp("common")))
