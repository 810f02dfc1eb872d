"""The commands that the guide "Be called" shows do what they are there for, whatever a session is called."""

import json
import os
import re
import shutil
import sys
import threading
import tomllib
from collections.abc import Generator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.chain.attention import Attention, Standing
from seqthink.cli.preferences import read_settings_file
from seqthink.share.notify.commands import run_command
from seqthink.share.notify.facts import facts_of, json_line, variables_of
from seqthink.share.notify.occasions import Occasion, Subject
from seqthink.share.notify.states import NotifyState
from tests.share.notify.test_notifier import wait_until
from tests.support.docs.pages import page

GUIDE = "how-to/call-me"
HOSTILE = "@/etc/passwd <!channel> $(touch owned) `touch owned` #(touch owned) \"'; touch owned; é"
ASKED = f"{HOSTILE} asks you: Go on?"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are shell scripts")


def commands() -> list[tuple[str, list[str]]]:
    """Return the commands of the guide, each with what its comment says it reaches."""
    found: list[tuple[str, list[str]]] = []
    for fence in page(GUIDE).fences:
        if fence.language == "toml":
            reached = re.findall(r"^# (\w+)", fence.text, re.MULTILINE)
            found += zip(reached, tomllib.loads(fence.text)["notify"].values(), strict=True)
    return found


def command_for(reached: str) -> list[str]:
    return next(words for name, words in commands() if name == reached)


def run(words: list[str]) -> str:
    standing = Standing(Attention.ASKING, since=1, question="Go on?")
    facts = facts_of(Occasion(NotifyState.ASKING, Subject(key="", session="s", name=HOSTILE, standing=standing)), 1)
    return run_command(words, variables_of(facts), json_line(facts)).problem


class Service:
    """Takes what a command posts, on this machine."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()

            @override
            def log_message(self, format: str, *_args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reached_by(self, words: list[str]) -> list[str]:
        """Return a command with this service in place of the one on the network."""
        text = words[-1]
        [address] = re.findall(r"https://\S+", text)
        return [*words[:-1], text.replace(address, self.url)]


@pytest.fixture
def service() -> Generator[Service]:
    with closing(Service()) as made:
        yield made


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    yield tmp_path
    assert not (tmp_path / "owned").exists()
    assert not Path("owned").exists()


def test_the_settings_take_each_command_of_the_guide(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.touch(0o600)
    for fence in (fence for fence in page(GUIDE).fences if fence.language == "toml"):
        path.write_text(fence.text, encoding="utf-8")
        found = read_settings_file(path)

        assert (found.wrong, len(found.values)) == ((), fence.text.count(" = "))


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl sends it")
def test_ntfy_gets_the_sentence_and_no_file(service: Service) -> None:
    assert run(service.reached_by(command_for("ntfy"))) == ""
    assert [body.decode() for body in service.bodies] == [ASKED]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl sends it")
def test_pushover_gets_the_sentence_in_its_form(service: Service) -> None:
    assert run(service.reached_by(command_for("Pushover"))) == ""
    [body] = service.bodies
    assert f'name="message"\r\n\r\n{ASKED}\r\n' in body.decode()
    assert 'name="token"\r\n\r\nAPP\r\n' in body.decode()


@pytest.mark.skipif(shutil.which("curl") is None or shutil.which("jq") is None, reason="they make and send it")
def test_slack_gets_plain_text_in_which_nothing_is_a_mention(service: Service) -> None:
    assert run(service.reached_by(command_for("Slack"))) == ""
    [body] = map(json.loads, service.bodies)
    assert body == {"blocks": [{"type": "section", "text": {"type": "plain_text", "text": ASKED}}]}


@pytest.mark.parametrize(("reached", "program"), [("Linux", "notify-send"), ("macOS", "osascript")])
def test_a_desktop_is_given_the_sentence_as_one_argument(
    reached: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = tmp_path / program
    stand_in.write_text(f'#!/bin/sh\nfor one in "$@"; do printf "%s\\n" "$one"; done > {tmp_path}/got\n', "utf-8")
    stand_in.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    assert run(command_for(reached)) == ""
    assert (tmp_path / "got").read_text("utf-8").splitlines()[-1] == ASKED


def test_tmux_is_given_the_sentence_in_a_variable_and_shows_it_without_expanding_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = tmp_path / "tmux"
    stand_in.write_text(f'#!/bin/sh\n[ "$1" = display-popup ] && export "$3" && sh -c "$4" > {tmp_path}/got\n', "utf-8")
    stand_in.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    assert run(command_for("tmux")) == ""
    wait_until(lambda: (tmp_path / "got").exists() and (tmp_path / "got").read_text("utf-8") == f"{ASKED}\n")
