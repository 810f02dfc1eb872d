"""`seqthink find`, as a process."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.servers.commands import command, environment, seqthink
from tests.support.transcripts.recorded import lay_out


@pytest.fixture
def folder(seqthink_home: Path) -> Path:
    """A folder with two sessions."""
    sessions = seqthink_home / "sessions"
    sessions.mkdir()
    shop_api().write(sessions / "shop.jsonl")
    hostile = "pool \x1b[31mred\x1b]0;title\x07 \u202eright\nnext"
    JournalBuilder().session(title="a\x1b[2Jb").thought(hostile, 1, 1, next=False).write(sessions / "bad.jsonl")
    return sessions


def find(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return seqthink("find", "--sources", "journal", *arguments)


@pytest.mark.usefixtures("folder")
def test_in_a_pipe_each_text_is_one_line_with_its_link() -> None:
    done = find("starves", "checkout's")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "shop#e9\t2026-03-10T14:03:40.000000Z\tshop-api\t3 cron-job\tCheckout's pool has 50: it starves\n"
    )


@pytest.mark.usefixtures("folder")
def test_json_is_an_object_a_line_with_all_there_is_to_know(folder: Path) -> None:
    done = find("starves", "checkout's", "--json")
    assert json.loads(done.stdout) == {
        "session": "shop",
        "path": str(folder / "shop.jsonl"),
        "source": "journal",
        "name": "shop-api",
        "client": "claude-code",
        "kind": "thought",
        "thought": 9,
        "number": 3,
        "branch": "cron-job",
        "time": "2026-03-10T14:03:40.000000Z",
        "snippet": "Checkout's pool has 50: it starves",
        "link": "shop#e9",
    }


@pytest.mark.usefixtures("folder")
def test_nothing_found_is_status_1_as_with_grep() -> None:
    done = find("kubernetes")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_no_sessions_at_all_is_said() -> None:
    done = find("pool")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "seqthink: no sessions yet\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    first(
        2,
        [
            ((), "the following arguments are required: WORDS"),
            (('" "',), "nothing to look for"),
            (("pool", "--since", "soon"), "must be a number above 0 and h, d or w"),
            (("pool", "--limit", "0"), "must be a whole number above 0"),
            (("pool", "--sources", "elsewhere"), "unknown source 'elsewhere'"),
        ],
        is_unpacked=True,
    ),
)
def test_a_bad_request_is_one_line_and_status_2(arguments: tuple[str, ...], says: str) -> None:
    done = seqthink("find", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_an_argument_with_blanks_is_a_phrase() -> None:
    assert find("pool has 50").returncode == 0
    assert find("has pool 50").returncode == 1
    assert find("has", "pool", "50").returncode == 0


@pytest.mark.usefixtures("folder")
def test_the_limit_is_said_when_there_is_more() -> None:
    done = find("pool", "--limit", "2")
    assert len(done.stdout.splitlines()) == 2
    assert "the newest 2; there is more" in done.stderr
    assert not find("starves", "checkout's", "--limit", "1").stderr


@pytest.mark.usefixtures("folder")
def test_old_texts_are_left_out_with_since() -> None:
    assert find("pool", "--since", "1h").returncode == 1
    assert find("pool", "--since", "999999999w").returncode == 0
    assert find("starves", "--since", "2026-03-12").returncode == 1
    assert find("starves", "--since", "2026-03-08").returncode == 0


@pytest.mark.usefixtures("folder")
def test_hostile_text_reaches_no_terminal() -> None:
    for arguments in ((), ("--json",)):
        shown = find("red", *arguments).stdout
        assert shown
        assert not any(ord(one) < 32 and one not in "\t\n" for one in shown)
        assert "\u202e" not in shown


@pytest.mark.usefixtures("folder")
def test_on_a_terminal_sessions_have_a_line_of_their_own_and_words_a_colour() -> None:
    shown = on_terminal("find", "--sources", "journal", "checkout's", "pool")
    assert "\x1b[1mshop-api\x1b[0m" in shown
    assert "\x1b[1;31mpool\x1b[0m" in shown
    assert "\x1b[2J" not in shown
    assert "\x1b" not in on_terminal("find", "--sources", "journal", "checkout's", "pool", NO_COLOR="1")


@pytest.mark.usefixtures("folder")
def test_secrets_are_redacted(folder: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    JournalBuilder().session().thought(f"zebra {secret}").write(folder / "secret.jsonl")
    assert secret in find("zebra").stdout
    assert "[redacted" in find("zebra", "--redact").stdout
    assert find(secret, "--redact").returncode == 1


def test_transcripts_are_searched_and_their_links_name_the_client(tmp_path: Path) -> None:
    lay_out("codex/agents", tmp_path / "home")
    [transcript] = (tmp_path / "home").rglob("rollout-2026-11-23T07-01-42-*.jsonl")
    done = seqthink("find", "--sources", "codex", "--json", "cron", variables={"HOME": str(tmp_path / "home")})
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    assert hits
    assert {(hit["source"], hit["path"]) for hit in hits} == {("codex", str(transcript))}
    session, _, place = hits[0]["link"].partition("#e")
    assert place.isdigit()
    assert seqthink("show", session, variables={"HOME": str(tmp_path / "home")}).returncode == 0


def on_terminal(*arguments: str, **environ: str) -> str:
    """Return what a command prints on a terminal."""
    main, other = pty.openpty()
    try:
        with subprocess.Popen(
            command(*arguments),
            stdout=other,
            stderr=other,
            env=environment() | environ,
        ) as process:
            os.close(other)
            shown = b""
            while piece := _read(main):
                shown += piece
            process.wait()
    finally:
        os.close(main)
    return shown.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # the other side is closed
        return b""
