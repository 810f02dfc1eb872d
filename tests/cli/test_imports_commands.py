"""What a command really loads, as a fresh process reports it after running it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.share.export.formats import FORMATS
from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.servers.commands import SHOP_API, TIMEOUT_SECONDS, environment

VIEWER_AND_PROTOCOL = {"mcp", "mcp_types", "pydantic", "textual", "rich", "tui"}


def loaded_by_running(*arguments: str | Path) -> set[str]:
    """Return the top-level names that are loaded when the command has run."""
    program = (
        "import sys, json, os; from seqthink.__main__ import main; kept = os.dup(1); "
        "os.dup2(os.open(os.devnull, os.O_WRONLY), 1); status = main(sys.argv[1:]); "
        "os.write(kept, json.dumps([status, *sys.modules]).encode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=TIMEOUT_SECONDS,
    )
    status, *names = json.loads(done.stdout)
    assert status == 0
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize(
    "arguments",
    first(
        1,
        [
            ("replay", SHOP_API, "--at", "3"),
            ("demo", "--list"),
            pytest.param(("demo", "--fast"), marks=pytest.mark.deep),  # from its beginning to its end
        ],
    ),
    ids=lambda arguments: " ".join(map(str, (arguments[0], *arguments[2:]))),
)
def test_no_command_without_a_screen_loads_the_viewer_or_the_protocol(arguments: tuple[str | Path, ...]) -> None:
    assert loaded_by_running(*arguments) & VIEWER_AND_PROTOCOL == set()


@pytest.mark.parametrize("command", first(1, ["show", "check"]))
def test_what_reads_one_journal_once_loads_no_event_loop_no_viewer_and_nothing_that_makes_pages(command: str) -> None:
    loaded = loaded_by_running(command, SHOP_API)

    assert loaded & {"asyncio", "anyio", "watchfiles", "jinja2", "markupsafe"} == set()
    assert loaded & VIEWER_AND_PROTOCOL == set()


@pytest.mark.parametrize("form", first(2, FORMATS))
def test_an_export_loads_no_viewer_and_only_the_page_what_makes_pages(form: str) -> None:
    loaded = loaded_by_running("export", SHOP_API, "--format", form)

    assert loaded & VIEWER_AND_PROTOCOL == set()
    assert loaded & {"jinja2", "markupsafe"} == ({"jinja2", "markupsafe"} if form == "html" else set())


def test_the_viewer_starts_without_what_only_other_screens_and_other_programs_sessions_need() -> None:
    program = (
        "import json, sys, tui.run; first = list(sys.modules); tui.screens.load_all(); "
        "print(json.dumps([first, list(sys.modules)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=TIMEOUT_SECONDS,
    )
    loaded, later = map(set, json.loads(done.stdout))

    assert "tui.session_view.screen" in loaded
    assert {f"tui.screens.{path.stem}" for path in (PROJECT / "tui" / "screens").glob("[!_]*.py")} <= later
    assert {name for name in loaded if name.startswith("tui.screens.")} == set()
    assert (
        loaded
        & {"wcwidth", "anyio", "watchfiles", "seqthink.sources.transcripts.spool", "seqthink.library.finding.search"}
        == set()
    )
