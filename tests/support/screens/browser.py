"""Controls a headless browser over two pipes; tests are skipped where none is installed."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

TIMEOUT_SECONDS = 60.0
_PAUSE_SECONDS = 0.01
"""Between two questions: the page needs the processor to become what is waited for."""
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

Json = dict[str, Any]

_CODES = {"ArrowDown": "ArrowDown", "ArrowUp": "ArrowUp", "Enter": "Enter", "Escape": "Escape", " ": "Space"}
_KEY_NUMBERS = {
    "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}  # fmt: skip
_MIDDLE = """selector => {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: "nearest" });
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


# The page looks itself for a while: a question each time would cost three processes what one spends on looking.
_UNTIL = """new Promise((done, fail) => {
  let looks = 25;
  const look = async () => {
    try {
      if (await (%s)) done(true);
      else if (!--looks) done(false);
      else setTimeout(look, 10);
    } catch (error) {
      fail(error);
    }
  };
  look();
})"""


class _LeftPageError(Exception):
    """The page that was asked has been left meanwhile."""


_LEFT_PAGE = (
    "Inspected target navigated or closed", "Execution context was destroyed", "Cannot find context",
    "Promise was collected",
)  # fmt: skip


class Page:
    """One page: its network requests, the browser's complaints, and the values of expressions."""

    def __init__(self, reads: int, writes: int) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._reads, self._writes = reads, writes
        self._pending = b""
        self._count = 0
        self._session: str | None = None
        self._events: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, width: int = 1200, *, dark: bool = False, media: str = "", script: bool = True) -> None:
        """Load a file and wait until it is loaded."""
        self.visit(path.as_uri(), width, dark=dark, media=media, script=script)

    def visit(self, url: str, width: int = 1200, *, dark: bool = False, media: str = "", script: bool = True) -> None:
        """Load a page and wait until it is loaded."""
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.resize(width)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self._events.clear()
        self.call("Page.navigate", url=url)
        end = time.monotonic() + TIMEOUT_SECONDS
        while "Page.loadEventFired" not in self._events:
            self._receive(end)

    def resize(self, width: int, height: int = 900, scale: int = 1) -> None:
        """Resize the window; pictures have ``scale`` pixels for each of it."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )

    def ask(self, expression: str) -> Any:  # noqa: ANN401 - any JSON value
        """Return the value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true, in whatever page is there by then."""
        end = time.monotonic() + TIMEOUT_SECONDS
        is_true = False
        while not is_true:
            assert time.monotonic() < end, expression
            with suppress(_LeftPageError):
                is_true = self.ask(_UNTIL % expression)
            if not is_true:
                select.select([self._reads], [], [], _PAUSE_SECONDS)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, named as in a keydown event: ``j``, ``ArrowDown``, ``Enter``, `` ``."""
        for key in keys:
            text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
            described = {"key": key, "code": _CODES.get(key, ""), "windowsVirtualKeyCode": _KEY_NUMBERS.get(key, 0)}
            self.call("Input.dispatchKeyEvent", type="keyDown", **described, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", **described)

    def click(self, selector: str) -> None:
        """Click into the middle of the first element that a CSS selector finds."""
        self.until(f"!!document.querySelector({json.dumps(selector)})")
        box = self.ask(f"(({_MIDDLE}))({json.dumps(selector)})")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def wait_for_event(self, words: str, count: int) -> None:
        """Wait until the browser has sent an event ``count`` times."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while sum(words in complaint for complaint in self.complaints) < count:
            self._receive(end)

    def picture(self, path: Path, *, is_whole: bool = True) -> None:
        """Save a screenshot of the whole page, or of what the window shows."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=is_whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def call(self, method: str, **parameters: object) -> Json:
        """Return the browser's answer to a command."""
        self._count += 1
        message: Json = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            answer = self._receive(end)
            if answer.get("id") == self._count:
                if any(words in answer.get("error", {}).get("message", "") for words in _LEFT_PAGE):
                    raise _LeftPageError(answer)
                assert "error" not in answer, answer
                return answer["result"]

    def _receive(self, end: float) -> Json:
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._reads], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser says nothing"
            chunk = os.read(self._reads, 1 << 16)
            assert chunk, "the browser went away"
            self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\0")
        message: Json = json.loads(line)
        self._note(message)
        return message

    def _note(self, message: Json) -> None:
        method, params = message.get("method", ""), message.get("params", {})
        self._events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method in {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening"}:
            self.complaints.append(json.dumps(params))


@contextmanager
def browser(folder: Path) -> Generator[Page]:
    """Yield a page in a new browser, whose profile is in ``folder``."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium here to open the page in")
    reads, their_writes = os.pipe()
    their_reads, writes = os.pipe()
    ours = [sys.executable, "-c", _ON_PIPES, str(their_reads), str(their_writes), program]
    running = subprocess.Popen(
        [*ours, *_OPTIONS, f"--user-data-dir={folder}"],
        pass_fds=(their_reads, their_writes),
        env=os.environ | {"HOME": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(their_reads)
    os.close(their_writes)
    try:
        page = Page(reads, writes)
        yield page
        page.call("Page.close")
    finally:
        os.close(writes)  # the browser exits when its pipe closes
        try:
            running.wait(TIMEOUT_SECONDS)
        finally:
            running.kill()
            os.close(reads)


# It asks the network for nothing of its own, and starts no new process for each page that a test opens.
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
    "--disable-site-isolation-trials", "--renderer-process-limit=1",
)  # fmt: skip

# A browser reads commands from descriptor 3 and answers on 4.
_ON_PIPES = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(reads, 3)
os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
