"""Proofs that the commands of a page do what they are there for, one for each program, and a folder to run them in."""

import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs.unix
import pytest

from seqthink.cli.stories.engine_program import EngineProgram, find_program
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS
from seqthink.core import system
from seqthink.server.tools.thinking_tool import thinking_tool_definition
from tests.bench.__main__ import MEASURES
from tests.conftest import PROJECT
from tests.support.audit.repositories import Repo
from tests.support.docs import readme
from tests.support.journals.build import JournalBuilder
from tests.support.repositories.agents import ClaudeAgent, Clock, Part
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import seqthink
from tests.support.servers.wire import start
from tests.support.transcripts import recorded
from tests.support.web.command import running_web

BOUND = 30.0
HERE = Launch("seqthink")
"""A program that is found on the PATH."""
SESSION = "20260310T140200.000000Z-k3v9qa"
LEFT_BEHIND = {"session.jsonl", "session.html", "session.cast", "session.svg", "runs.html", "tests"}
"""What the commands of a page may leave on the desk."""
HUB = "redis://hub:6379"
"""The engine of the pages; in its place each command gets one of its own."""
LEAST_LINES = {
    "find": 1,
    "prune": 2,
    "check": 1,
    "delete": 1,
    "sessions": 1,
    "status": 1,
    "label": 1,
    "import": 3,
    "--version": 1,
}
"""How many lines a command prints at least, where six are too many."""


def lay_out(desk: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder ``desk``, to run commands in: with a saved session, the checkout's journals, and `seqthink`."""
    sessions = seqthink_home / "sessions"
    sessions.mkdir()
    shutil.copyfile(readme.SAMPLE, sessions / f"{SESSION}.jsonl")
    desk.mkdir()
    shutil.copyfile(readme.SAMPLE, desk / "session.jsonl")
    (desk / "tests").symlink_to(PROJECT / "tests")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(desk)
    return desk


@functools.cache
def options_of(command: str) -> frozenset[str]:
    """Return the options that a command's help names."""
    done = seqthink(command, "--help")
    before_example = done.stdout.partition("\noptions:")[2].partition("\n\n")[0]
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"\(default.*?\)", "", before_example)))


def prove(command: str, desk: Path) -> None:
    """Run ``command`` on the desk, or what can be run of it, and see that it did what it is there for."""
    words = shlex.split(command)
    proof = PROOFS.get(words[0])

    assert proof is not None, "no test knows this program; add a proof, or leave the command out"
    proof(command, words)
    assert {path.name for path in desk.iterdir()} <= LEFT_BEHIND


def _prove_target(_command: str, words: list[str]) -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(rf"^{words[1]}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)

    assert recipe is not None
    assert all(_is_program(PROJECT / module.replace(".", "/")) for module in re.findall(r"-m (tests\.\w+)", recipe[1]))
    assert all(f"{word.partition('=')[0]} ?=" in makefile for word in words[2:])
    if words[1] == "bench":
        assert {word.partition("=")[2] for word in words[2:]} <= MEASURES.keys()


def _is_program(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


def _prove_install(_command: str, words: list[str]) -> None:
    """See that ours gets installed, and run what is run then; `tests/packaging` proves the install."""
    if words[0] == "uvx":
        run = words[3:] if words[1] == "--from" else words[1:]
        assert words[1:3] == ["--from", "."] or words[1] == NAME
        _run_seqthink(run)
    else:
        assert words in KEPT


NAME = "seqthink"
"""The project's name, which a package index will know once there is a release."""
KEPT = [
    ["pipx", "install", "."],
    ["uv", "tool", "install", "."],
    ["uv", "tool", "install", ".[fleet]"],
    ["uv", "tool", "install", ".", "--with", "../acme"],
    ["pipx", "inject", "seqthink", "../acme"],
    ["uv", "tool", "install", NAME],
    ["pipx", "install", "--force", "."],
    ["uv", "tool", "install", "--reinstall", "."],
    ["pipx", "uninstall", "seqthink"],
    ["uv", "tool", "uninstall", "seqthink"],
]
"""Commands of other programs that change what is installed: they are held to the word."""


def _prove_server(server: list[str]) -> None:
    assert Path(server[0]).name == "seqthink"
    assert server[1] == "serve"
    assert _listed_tools(*server[2:]) == ["sequentialthinking"]


@functools.cache
def _listed_tools(*options: str) -> list[str]:
    with start(*options) as wire:
        wire.handshake()
        return [tool["name"] for tool in wire.ask("tools/list")["result"]["tools"]]


def _prove_beside(words: list[str]) -> None:
    """In a tmux of its own, the viewer comes up in a second pane."""
    if "--hook" in words:
        [hook] = json.loads(subprocess.check_output(words, timeout=BOUND))["hooks"]["PreToolUse"]
        assert shlex.split(hook["hooks"][0]["command"])[1:] == ["beside", "--once"]
        return
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not here")
    socket = Path("../tmux").resolve()
    tmux = ["tmux", "-S", str(socket), "-f", os.devnull]
    subprocess.run([*tmux, "new-session", "-d", "-x", "120", "-y", "30", "sleep 60"], check=True, timeout=BOUND)
    try:
        subprocess.run(words, env=os.environ | {"TMUX": f"{socket},0,0", "TMUX_PANE": "%0"}, check=True, timeout=BOUND)
        picture = [*tmux, "capture-pane", "-p", "-t", "%1"]
        _wait_for(lambda: b"No thoughts yet" in subprocess.check_output(picture), shlex.join(words))
        # One that is killed with its terminal may still write into the folder of the next test.
        subprocess.run([*tmux, "send-keys", "-t", "%1", "q"], check=True, timeout=BOUND)
        _wait_for(lambda: subprocess.check_output([*tmux, "list-panes"]).count(b"\n") == 1, "q")
    finally:
        subprocess.run([*tmux, "kill-server"], check=True, timeout=BOUND)


def _prove_web(words: list[str]) -> None:
    """It prints a link that lets in a client, which gets the page."""
    options = [word for word in words[2:] if word != "--open"]  # which would open a browser
    if "last" in options:
        _write_new_session("The pool starves: a timeout")
    with running_web(*options) as web:
        web.enter()

        assert b"/page.js" in web.page(urlsplit(web.url).path)


def _prove_setup(words: list[str]) -> None:
    """A client of this home gets the entry of the server that a yes has agreed to, or loses it."""
    file = Path.home() / ".cursor" / "mcp.json"
    file.parent.mkdir()
    (file.parent / "state").touch()
    removing, asks = "--remove" in words, not {"--dry-run", "--yes"} & set(words)
    if removing:
        subprocess.run(["seqthink", "setup", "--yes", "cursor"], capture_output=True, check=True, timeout=BOUND)
    before = file.exists()
    if asks:
        with Terminal(words, (120, 60), variables=_own_variables()) as terminal:
            terminal.until("y/N")
            terminal.type("y\r")
            assert terminal.process.wait(BOUND) == 0
    else:
        subprocess.run(words, capture_output=True, check="--dry-run" not in words, timeout=BOUND)
    if "--dry-run" in words:
        assert file.exists() == before
    elif removing:
        assert not file.exists()
    else:
        entry = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]["seqthink"]
        _prove_server([entry["command"], *entry["args"]])


def _own_variables() -> dict[str, str]:
    return {name: os.environ[name] for name in ("HOME", "PATH", "SEQTHINK_HOME")}


def _prove_ssh(command: str, words: list[str]) -> None:
    """What the other machine would do is done here; a port that is forwarded is the one that the pages are on."""
    host = words.index("host")
    options, inside = words[1:host], words[host + 1 :]
    if "-t" in options:
        if "--port" in inside:
            port = inside.pop(inside.index("--port") + 1)
            inside.remove("--port")  # it may be in use here
            assert options == ["-t", "-L", f"{port}:127.0.0.1:{port}"]
        _prove_seqthink(shlex.join(inside), inside)
        return
    assert options == []
    with _running(command.removeprefix("ssh host ")) as read:
        _wait_for(lambda: b"Symptoms" in read(), command)


def _prove_seqthink(command: str, words: list[str]) -> None:
    if HUB in words:
        _prove_fleet(words)
    elif "--repo" in words:
        _prove_repositories(words)
    elif words[1] == "watch":
        _prove_watch(command, words)
    elif words[1] in OWN_PROOFS:
        OWN_PROOFS[words[1]](words)
    elif words[1] == "import":
        recorded.lay_out("claude/agents", Path.home())
        for path in Path.home().rglob("*.jsonl"):
            path.touch()
        _run_seqthink(words)
    elif words[1] in {"find", "stats"}:
        _write_new_session("The pool starves: a timeout, and no wrong password")
        _run_seqthink(words)
    else:
        _run_seqthink(words)


def _write_new_session(text: str, thoughts: int = 1, cwd: str = "/home/ana/shop-api", branch: str = "") -> None:
    """Write a session that changed just now, with ``text`` in each thought, in a working folder and on a branch."""
    path = Path(os.environ["SEQTHINK_HOME"]) / "sessions" / "new.jsonl"
    builder = JournalBuilder(datetime.fromtimestamp(time.time(), UTC)).session(
        host=system.host_name(), cwd=cwd, branch=branch or None
    )
    for number in range(1, thoughts + 1):
        builder = builder.thought(text, number, thoughts)
    builder.write(path)


def _prove_fleet(words: list[str]) -> None:
    """What another machine would have sent is sent here; a shipper alone is seen to send it."""
    program = find_program()
    if program is None:
        pytest.skip("neither redis-server nor valkey-server is here")
    data = Path("../engine")
    data.mkdir()
    engine = EngineProgram(program, data.resolve())
    words = [engine.url if word == HUB else word for word in words]
    engine.start()
    try:
        if words[1] == "ship":
            listed = ["seqthink", "sessions", "--fleet", engine.url, "--json"]
            with _running(shlex.join(words)):
                _wait_for(lambda: SESSION.encode() in subprocess.check_output(listed, timeout=BOUND), words[1])
            return
        _write_new_session("Thought on the other machine", 6)  # the wall shows what is new, and so does `show last`
        subprocess.run(["seqthink", "ship", engine.url, "--once"], capture_output=True, check=True, timeout=BOUND)
        if words[1] == "watch":  # it needs a terminal
            with Terminal(words, (120, 35), variables=_own_variables()) as terminal:
                terminal.until("Thought on the other machine" if "--all" in words else "shop-api")
        elif words[1] == "fetch":  # the session is here already, the same to the byte
            subprocess.run(words, capture_output=True, check=True, timeout=BOUND)
        else:
            _run_seqthink(words)
    finally:
        engine.stop()


def _prove_repositories(words: list[str]) -> None:
    """Of two sessions, only that of the repository and the branch is found."""
    repository = Repo(Path("../world/shop").resolve())
    repository.git("remote", "add", "origin", "https://git.example/acme/shop.git")
    _write_new_session("The pool starves: a timeout", cwd=str(repository.root), branch="feat")
    words = [str(repository.root) if word == "." else word for word in words]
    if words[1] == "watch":  # it needs a terminal
        _run_seqthink(["seqthink", "demo"])
        with Terminal(words, (120, 35), variables=_own_variables()) as terminal:
            terminal.until("The pool starves")
            assert "seqthink-demo" not in terminal.text
        return
    done = subprocess.run(words, capture_output=True, check=True, timeout=BOUND)
    shown = Path(words[-1]).read_bytes() if "-o" in words else done.stdout

    assert b"The pool starves: a timeout" in shown
    assert SESSION.encode() not in shown


def _prove_label(words: list[str]) -> None:
    """The session then has the labels."""
    _run_seqthink(words)
    labels = subprocess.check_output(words[:3], timeout=BOUND).decode()

    assert [word for word in words[3:] if not word.startswith("--") and word not in labels] == []


def _prove_sessions(words: list[str]) -> None:
    """Sessions are listed; if a tag is wanted, the one that has it."""
    if "--tag" in words:
        tag = words[words.index("--tag") + 1]
        subprocess.run(["seqthink", "label", "last", "--tag", tag], capture_output=True, check=True, timeout=BOUND)
    _run_seqthink(words)


def _prove_diff(words: list[str]) -> None:
    """Two sessions, or files in place of those that are named, are compared on stdout or as a page."""
    _write_new_session("The pool starves: a timeout")
    earlier = Path(os.environ["SEQTHINK_HOME"]) / "sessions" / "20261120T140200.000000Z-aaaaaa.jsonl"
    JournalBuilder().session(earlier.stem).thought("The gateway is slow", 1, 1).write(earlier)
    if words[2] != "last":
        words = [*words[:2], str(earlier.with_name("new.jsonl")), str(earlier), *words[4:]]
    done = subprocess.run(words, capture_output=True, check=True, timeout=BOUND)
    page = Path(words[words.index("--html") + 1]) if "--html" in words else None
    shown = page.read_bytes() if page is not None else done.stdout
    if page is not None:
        page.unlink()

    assert b"The pool starves" in shown
    assert b"The gateway is slow" in shown
    assert done.stderr == b""


def _prove_settings(words: list[str]) -> None:
    """The command that the settings name is started."""
    if "--try-notify" in words:
        file = Path(os.environ["SEQTHINK_HOME"]) / "settings.toml"
        called = Path("../called").resolve()
        occasion = words[words.index("--try-notify") + 1]
        file.write_text(f"[notify]\n{occasion} = {json.dumps(['touch', str(called)])}\n", encoding="utf-8")
        file.chmod(0o600)
        subprocess.run(words, capture_output=True, check=True, timeout=BOUND)
        assert called.exists()
        return
    _run_seqthink(words)


def _prove_why(words: list[str]) -> None:
    """In a repository with a line of an agent, the thought before its edit is printed."""
    world = Path("../world").resolve()
    tree = world / "tree"
    tree.mkdir(parents=True)
    agent = ClaudeAgent(Path.home(), tree, tree, "00000001-5eed-4000-8000-000000000001", Clock())
    lines = [*(f"setting_{number} = value_of({number})" for number in range(1, 41)), "def make_pool(size):"]
    lines += [f"    part_{number} = made_of({number})" for number in range(42, 61)]
    agent.change("Twenty is what the database allows.", Part("shop/db.py", 0, (), lines))
    repository = Repo(tree)
    repository.write("shop/db.py", "".join(f"{line}\n" for line in lines))
    repository.commit()
    if "HEAD~1" in words:
        repository.write("notes.txt", "by hand\n")
        repository.commit()
    thought = "Twenty is what the database allows."
    if "--open" in words:
        with Terminal(words, (120, 35), variables=_own_variables(), folder=tree) as terminal:
            terminal.until(thought)
        return
    done = subprocess.run(words, cwd=tree, capture_output=True, check=True, timeout=BOUND)

    assert thought.encode() in done.stdout
    assert done.stderr == b""


def _prove_serve(words: list[str]) -> None:
    """A client gets its tools."""
    assert _listed_tools(*words[2:])[0] == "sequentialthinking"


def _prove_tap(words: list[str]) -> None:
    """With our own server in place of the one behind `--`, a client gets its tools through the tap."""
    own = words[: words.index("--") + 1]
    with start(program=[*own, "seqthink", "serve"]) as wire:
        wire.handshake()

        assert wire.ask("tools/list")["result"]["tools"][0]["name"] == "sequentialthinking"


def _prove_doctor(words: list[str]) -> None:
    """It looks at everything; what is wrong with this machine is not the page's matter."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=BOUND)

    assert done.returncode in {0, 1}
    assert done.stderr == b""
    assert b"This machine" in done.stdout
    assert b"Journals" in done.stdout


def _prove_config(words: list[str]) -> None:
    if "--write" in words:
        _prove_setup(words)
        return
    done = subprocess.run(words, capture_output=True, check=True, timeout=BOUND)
    if "--tap" in words:
        _prove_tapped_entry(done.stdout.decode(), words)
        return
    entry = json.loads(done.stdout)["mcpServers"]["seqthink"]

    _prove_server([entry["command"], *entry["args"]])


def _prove_tapped_entry(snippet: str, words: list[str]) -> None:
    """The entry starts the tap with the given options, and the tap the given command; that one is not installed."""
    client = CLIENTS[words[words.index("--tap") + 1]]
    separator = words.index("--")
    options = words[words.index(client.name) + 1 : separator]
    starts = Launch(
        str(PROJECT / ".venv/bin/seqthink"),
        ("tap", *options, *words[separator:]),
        {"SEQTHINK_HOME": os.environ["SEQTHINK_HOME"]},
    )
    assert snippet.strip() == client.snippet(starts)


def _prove_watch(command: str, words: list[str]) -> None:
    """A viewer that was there first shows the session that comes."""
    if "--all" in words and "|" in words:
        with _running(command) as read:
            _wait_for(lambda: b"watching" in read(), command)
            _run_seqthink(["seqthink", "demo"])
            _wait_for(lambda: b" is done\n" in read(), command)
        return
    if "--all" in words:  # it needs a terminal
        with Terminal(words, (120, 35), variables={"SEQTHINK_HOME": os.environ["SEQTHINK_HOME"]}) as terminal:
            _run_seqthink(["seqthink", "demo"])
            terminal.until("seqthink-demo")
        return
    if "--sources" in words and "journal" not in words:  # a pipe gets a client's newest session once
        recorded.lay_out("claude/agents", Path.home())
        _run_seqthink(words)
        return
    with _running(shlex.join(words)) as read:
        _run_seqthink(["seqthink", "demo"])
        _wait_for(lambda: b"seqthink-demo" in read() and read().count(b"\n") > 5, command)


def _run_seqthink(words: list[str]) -> None:
    fast = ["--fast"] if words[1] == "demo" and "--fast" not in words else []
    done = subprocess.run([*words, *fast], capture_output=True, check=True, timeout=BOUND)
    shown = Path(words[-1]).read_bytes() if "-o" in words else done.stdout

    assert shown.count(b"\n") >= LEAST_LINES.get(words[1], 6)
    assert done.stderr == b""


def _run(command: str, words: list[str]) -> None:
    if shutil.which(words[0]) is None and words[0] == "jq":
        pytest.skip("jq is not here")
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, timeout=BOUND)

    assert done.stdout
    assert done.stderr == b""


def _prove_eval(command: str, _words: list[str]) -> None:
    """The shell then completes our commands."""
    subprocess.run(["bash", "-c", f"{command}; complete -p seqthink"], capture_output=True, check=True, timeout=BOUND)


def _prove_removal(_command: str, words: list[str]) -> None:
    """What is removed is the folder of the journals on Linux, and nothing above it."""
    kept = platformdirs.unix.Unix("seqthink", appauthor=False).user_state_path

    assert words[:2] == ["rm", "-r"]
    assert [Path(word).expanduser() for word in words[2:]] == [kept]


def _prove_container(_command: str, words: list[str]) -> None:
    """What a container would run is run here; the image is proved in `tests/packaging/test_image.py`."""
    if words[1] == "build":
        assert words[2:] == ["-t", "seqthink", "."]
        return
    if words[1] == "compose":  # the file itself is proved in `tests/packaging/test_compose.py`
        text = (PROJECT / "compose.yaml").read_text(encoding="utf-8")
        assert words[2:4] in (["up", "-d"], ["run", "--rm"])
        assert [word for word in words[4:] if f"\n  {word}:\n" not in text] == []
        return
    options, inside = words[2 : words.index("seqthink")], words[words.index("seqthink") :]
    assert "--rm" in options
    assert options.count("-v") == sum(word.endswith(":/journals") for word in options)
    if inside[1] == "watch":
        assert "-it" in options
        _prove_watch(shlex.join(inside), inside)
    else:
        _run_seqthink(inside)


def _prove_folder(_command: str, words: list[str]) -> None:
    kept = platformdirs.unix.Unix("seqthink", appauthor=False).user_state_path

    assert words[:2] == ["mkdir", "-p"]
    assert [Path(os.path.expandvars(word)) for word in words[2:]] == [kept / "sessions"]


def _prove_script(_command: str, words: list[str]) -> None:
    assert os.access(PROJECT / words[0], os.X_OK)


OWN_PROOFS: dict[str, Callable[[list[str]], None]] = {
    "beside": _prove_beside,
    "config": _prove_config,
    "diff": _prove_diff,
    "doctor": _prove_doctor,
    "label": _prove_label,
    "serve": _prove_serve,
    "sessions": _prove_sessions,
    "settings": _prove_settings,
    "setup": _prove_setup,
    "tap": _prove_tap,
    "web": _prove_web,
    "why": _prove_why,
}
"""Of the commands of ours that are proved by more than lines on stdout."""

PROOFS: dict[str, Callable[[str, list[str]], None]] = {
    "make": _prove_target,
    ".ci/run": _prove_script,
    "pipx": _prove_install,
    "uv": _prove_install,
    "uvx": _prove_install,
    "docker": _prove_container,
    "eval": _prove_eval,
    "mkdir": _prove_folder,
    "rm": _prove_removal,
    "ssh": _prove_ssh,
    "seqthink": _prove_seqthink,
    "head": _run,
    "jq": _run,
}


@contextmanager
def _running(command: str) -> Generator[Callable[[], bytes]]:
    """Run ``command`` in a group of its own until the block is left; the function given returns its output so far."""
    out = Path("../out")
    with out.open("wb") as file:
        process = subprocess.Popen(["sh", "-c", command], stdout=file, stderr=file, start_new_session=True)
    try:
        yield out.read_bytes
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(BOUND)


def _wait_for(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + BOUND
    while not is_so():
        assert time.monotonic() < end, f"nothing came of: {what}"
        time.sleep(0.05)  # noqa: TID251 - looks again at what another process does


@functools.cache
def given_texts() -> list[str]:
    """Return what a server answers to the sample's first nine thoughts, to a bad number and to bad tags."""
    lines = map(json.loads, readme.SAMPLE.read_text(encoding="utf-8").splitlines())
    fields = thinking_tool_definition("lenient")["inputSchema"]["properties"].keys()
    calls = [{name: line[name] for name in fields & line.keys()} for line in lines if line["type"] == "thought"][:9]
    with start("--tools", "context") as wire:
        wire.handshake()
        results = [wire.call(arguments) for arguments in [*calls, {**calls[0], "thoughtNumber": "abc"}]]
        results.append(wire.call({"content": "c", "tags": ["pool", 5]}, name="store_context"))
    assert [result.get("isError", False) for result in results] == [False] * 9 + [True] * 2
    return [result["content"][0]["text"] for result in results]
