"""The live page in a real browser: from an append to a row, opening and scrolling 100,000 thoughts; memory; weight."""

import fcntl
import gzip
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench import journals
from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.stdio import cpu_of, resident_of
from tests.bench.terminal import wait_seconds
from tests.support.screens.browser import Page, browser
from tests.support.web.command import RunningWeb, running_web

_SESSION = "20260310T140200.000000Z-k3v9qa"
_LONG = 100_000
_READERS = 8
_MAX_NODES, _MAX_WEIGHT, _MAX_MEGABYTES = 2_000, 60_000, 150

# When a text was first seen in an element, in seconds since 1970: rows and the text beside them are both in it.
_LISTEN = """(() => {
  window.seen = {};
  new MutationObserver((changes) => {
    const now = (performance.timeOrigin + performance.now()) / 1000;
    const look = (node) => {
      for (const [, place] of node.textContent.matchAll(/t([0-9]{4,})[.]/g)) window.seen[place] ??= now;
    };
    for (const change of changes) {
      if (change.type === "characterData") look(change.target);
      for (const node of change.addedNodes) look(node);
    }
  }).observe(document.querySelector("#rows"), { childList: true, characterData: true, subtree: true });
})()"""
# Frames in that many milliseconds, while each scrolls on by a page's height; every fourth jumps far.
_SCROLL = """new Promise((done) => {
  const rows = document.querySelector("#rows");
  const gaps = [], started = performance.now();
  let before = started, turn = 0, most = 0;
  const step = (now) => {
    gaps.push(now - before);
    before = now;
    turn += 1;
    const reach = rows.scrollHeight - rows.clientHeight;
    if (turn % 60 === 0) rows.scrollTop = reach * ((turn * 0.137) % 1);
    else rows.scrollTop = (rows.scrollTop + 120) % reach;
    most = Math.max(most, document.getElementsByTagName("*").length);
    if (now - started < MILLISECONDS) requestAnimationFrame(step);
    else done({ gaps: gaps.slice(1), most });
  };
  requestAnimationFrame(step);
})"""
# When the first rows were in the document, in milliseconds since the navigation.
_WATCH_FIRST = """new MutationObserver((_, observer) => {
  if (document.querySelectorAll("#rows .row").length < 5) return;
  window.firstRows = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""
_HAS_ROWS = "document.querySelectorAll('#rows .row').length > 5"


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure each goal of the live page."""
    table = Table("web: the live page in Chromium", ["figure", "found", "goal", ""])
    with browser(folder / "browser") as page:
        for rate in (20, 200):
            _append_to_row(table, folder, page, rate, is_quick=is_quick)
        _opened_and_scrolled(table, folder, page, is_quick=is_quick)
    _weight(table, folder)
    _memory(table, folder, is_quick=is_quick)
    return [table]


def _sessions(folder: Path, length: int, *, is_over: bool) -> tuple[Path, Path]:
    """Return a folder of journals with one session in it, and that session."""
    sessions = folder / f"sessions-{length}-{is_over}"
    sessions.mkdir(exist_ok=True)
    path = sessions / f"{_SESSION}.jsonl"
    if not path.exists():
        journals.write(path, length, is_over=is_over)
    return sessions, path


def _append_to_row(table: Table, folder: Path, page: Page, rate: int, *, is_quick: bool) -> None:
    count = rate * (4 if is_quick else 15)
    place = folder / f"rate-{rate}"
    place.mkdir()
    sessions, path = _sessions(place, 1000, is_over=False)
    with ExitStack() as stack:
        file = stack.enter_context(path.open("ab", 0))
        fcntl.flock(file, fcntl.LOCK_EX)
        web = _started(stack, sessions, _SESSION)
        page.visit(web.url, 1440)
        page.until(_HAS_ROWS)
        page.until(f"document.querySelector('#rows').textContent.includes('{journals.text_mark(1000)}')")
        page.ask(_LISTEN)
        wait_seconds(2)
        appended: dict[int, float] = {}
        started = time.perf_counter()
        for number in range(1, count + 1):
            wait_seconds(max(0.0, started + number / rate - time.perf_counter()))
            line = journals.line(1000 + number, 1000)
            appended[1000 + number] = time.time()
            file.write(line)
        page.until(f"!!window.seen[{1000 + count}]")
        seen = {int(key): value for key, value in page.ask("window.seen").items()}
    took = [seen[number] - at for number, at in appended.items() if number in seen]
    middle, last = median(took), p99(took)
    table.add(
        f"append to row in the DOM, {rate} thoughts/s, p50 / p99",
        f"{seconds(middle)} / {seconds(last)}",
        "≤ 50 / 150 ms",
        verdict(middle <= 0.050 and last <= 0.150),
    )
    table.notes.append(f"{rate} thoughts/s: {len(took):,} of {len(appended):,} appended rows were seen in the DOM.")


def _started(stack: ExitStack, sessions: Path, *arguments: str) -> RunningWeb:
    return stack.enter_context(
        running_web(
            *arguments, "--journal-dir", str(sessions), "--sources", "journal", environ={"SEQTHINK_HOME": str(sessions)}
        )
    )


def _opened_and_scrolled(table: Table, folder: Path, page: Page, *, is_quick: bool) -> None:
    sessions, _ = _sessions(folder, _LONG, is_over=True)
    first: list[float] = []
    page.call("Page.addScriptToEvaluateOnNewDocument", source=_WATCH_FIRST)
    scrolled: dict[str, Any] = {}
    for _ in range(2 if is_quick else 5):
        with ExitStack() as stack:
            web = _started(stack, sessions, _SESSION)
            page.visit(web.base + "/page.css", 1440)  # the browser and the connection are warm, the session is not read
            page.call("Page.navigate", url=web.url)
            page.until(_HAS_ROWS)
            first.append(page.ask("window.firstRows") / 1000)
            if len(first) == 1:
                page.until("document.querySelector('#rows').textContent.includes('t100000.')")
                scrolled = page.ask(_SCROLL.replace("MILLISECONDS", "4000" if is_quick else "10000"))
    table.add(
        "100,000 thoughts: from the navigation to the first rows",
        seconds(median(first)),
        "≤ 0.5 s",
        verdict(median(first) <= 0.5),
    )
    gaps: list[float] = scrolled["gaps"]
    most: int = scrolled["most"]
    rate = 1000 * len(gaps) / sum(gaps)
    table.add(
        "100,000 thoughts: scrolling, frames a second",
        f"{rate:.0f}, p99 {p99(gaps):.0f} ms",
        "60",
        verdict(rate >= 59),
    )
    table.add(
        "the most elements meanwhile",
        f"{most:,}",
        f"≤ {_MAX_NODES:,}",
        verdict(most <= _MAX_NODES),
    )


def _weight(table: Table, folder: Path) -> None:
    sessions, _ = _sessions(folder, 1000, is_over=True)
    with ExitStack() as stack:
        web = _started(stack, sessions)
        web.enter()
        parts = [web.page(path) for path in (f"/s/{_SESSION}", "/page.css", "/page.js")]
    weight = sum(len(gzip.compress(part)) for part in parts)
    table.add("page, style and script, gzipped", f"{weight / 1000:.1f} kB", "≤ 60 kB", verdict(weight <= _MAX_WEIGHT))


def _memory(table: Table, folder: Path, *, is_quick: bool) -> None:
    sessions, _ = _sessions(folder, _LONG, is_over=True)
    with ExitStack() as stack:
        web = _started(stack, sessions)
        web.enter()
        streams = [stack.enter_context(closing(web.stream(f"/s/{_SESSION}/events"))) for _ in range(_READERS)]
        assert all(stream.status == 200 for stream in streams)
        count = 0
        while count < _LONG:
            count = web.get(f"/s/{_SESSION}/rows?from=0&to=1")["count"]
        threads = [
            threading.Thread(target=_read_windows, args=(web, place, 20 if is_quick else 60))
            for place in range(_READERS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        megabytes = resident_of(web.process.pid) / 1e6
        _settle(web)
        before, watched = cpu_of(web.process.pid), 10 if is_quick else 30
        wait_seconds(watched)
        share = (cpu_of(web.process.pid) - before) / watched
    table.add(
        f"server: memory with {_READERS} readers on 100,000 thoughts",
        f"{megabytes:.0f} MB",
        f"≤ {_MAX_MEGABYTES} MB",
        verdict(megabytes <= _MAX_MEGABYTES),
    )
    table.add("server: idle, the same readers", f"{share:.2%} of a core", "< 0.5 %", verdict(share < 0.005))


def _settle(web: RunningWeb) -> None:
    """Wait until the server has looked at all texts for what is odd, which takes a while in 100,000 of them."""
    until, before = time.monotonic() + 300, cpu_of(web.process.pid)
    while time.monotonic() < until:
        wait_seconds(3)
        now = cpu_of(web.process.pid)
        if now - before < 0.015:
            return
        before = now


def _read_windows(web: RunningWeb, reader: int, windows: int) -> None:
    """Read windows of rows and the thoughts in them, all over the session, as a reader who scrolls does."""
    for turn in range(windows):
        first = (reader * 12_345 + turn * 1_703) % (_LONG - 100)
        view = "timeline" if reader % 2 else "tree"
        rows = web.get(f"/s/{_SESSION}/rows?view={view}&from={first}&to={first + 60}")["rows"]
        seq = next(row["seq"] for row in rows if row["seq"])
        web.get(f"/s/{_SESSION}/thought/{seq}")
