"""`seqthink web` in a process of its own, as its user starts it, and a client that was let in."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.conftest import PROJECT
from tests.support.screens.browser import Page

TIMEOUT_SECONDS = 60.0


class RunningWeb:
    """A running server. ``url`` is the link that it printed, which lets in one client."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url
        parts = urlsplit(url)
        self.host = parts.netloc
        self.prefix = ""
        """The path that only those who are in know."""
        self._cookie = ""

    @property
    def base(self) -> str:
        """The address below which all pages are, for those who are in."""
        return f"http://{self.host}{self.prefix}"

    def let_in(self, page: Page) -> None:
        """Open the link in a browser."""
        page.visit(self.url)
        page.until("!!document.body?.dataset.prefix")
        self.prefix = page.ask("document.body.dataset.prefix")

    def new_link(self) -> str:
        """Return another link, which lets in one more client: what Enter prints on the terminal."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.url = self.process.stdout.readline().strip()
        return self.url

    def enter(self) -> None:
        """Use the link, so that `get` and `stream` are answered."""
        status, headers, _ = self._answer(self.url.removeprefix(f"http://{self.host}"))
        assert status == 303, status
        self.prefix = f"/{headers['location'].split('/')[1]}"
        self._cookie = headers["set-cookie"].split(";")[0]

    def get(self, path: str) -> Any:  # noqa: ANN401 - any JSON value
        """Return the JSON answer to a path."""
        return json.loads(self.page(path))

    def page(self, path: str) -> bytes:
        """Return a page, a style sheet or a script."""
        status, _, data = self._answer(path)
        assert status == 200, (status, data[:300])
        return data

    def stream(self, path: str) -> http.client.HTTPResponse:
        """Return an open stream of events; closing it leaves."""
        return self._ask(path)

    def _answer(self, path: str) -> "tuple[int, http.client.HTTPMessage, bytes]":
        answer = self._ask(path)
        with closing(answer):
            return answer.status, answer.headers, answer.read()

    def _ask(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT_SECONDS)
        # the answer is the only one of its connection, so closing it closes both
        headers = {"Connection": "close"} | ({"Cookie": self._cookie} if self._cookie else {})
        connection.request("GET", self.prefix + path, headers=headers)
        return connection.getresponse()


@contextmanager
def running_web(*arguments: str, environ: Mapping[str, str] | None = None) -> Generator[RunningWeb]:
    """Start ``seqthink web`` with ``arguments``, and end it with the block."""
    with _running("seqthink", "web", *arguments, environ=environ) as web:
        yield web


@contextmanager
def running_scene(name: str) -> Generator[RunningWeb]:
    """Serve one of the `tests.support.screens.scenes` as pages."""
    with _running("tests.support.web.scene_server", name) as web:
        yield web


@contextmanager
def _running(module: str, *arguments: str, environ: Mapping[str, str] | None = None) -> Generator[RunningWeb]:
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(PROJECT), **(environ or {})},
        cwd=Path.home(),
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().strip()
        assert url, process.stderr.read()
        yield RunningWeb(process, url)
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
