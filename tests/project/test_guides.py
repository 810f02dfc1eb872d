"""The pages for people are so: every picture has its sentence, every error its fix, every file of a list is there."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from seqthink.connect.clients.registry import CLIENTS
from tests.conftest import PROJECT
from tests.support.docs import readme
from tests.support.docs.pages import DOCS, Page, mapped_pages, page, pages
from tests.support.docs.proofs import BOUND, HERE
from tests.support.docs.readme import codes
from tests.support.docs.source_nodes import nodes_of
from tests.support.screens.page_pictures import PAGE_PICTURES
from tests.support.screens.scenes import SCENES
from tests.support.screens.screenshots import PICTURES

CONTRIBUTING, SECURITY, CHANGELOG = (Page(PROJECT / f"{name}.md") for name in ("CONTRIBUTING", "SECURITY", "CHANGELOG"))
MAX_README_LINES = 120
MAX_CONTRIBUTING_LINES = 140
MAX_GUIDE_LINES = 50
_HOLE = "…"
"""Stands for a part of a message that differs each time."""


# The README


def test_the_readme_is_an_introduction_and_not_a_manual() -> None:
    assert len(readme.text().splitlines()) <= MAX_README_LINES


def test_the_readme_leads_to_the_tutorial_and_to_the_map_of_all_pages() -> None:
    assert {"docs/tutorial.md", "docs/README.md"} <= set(Page(readme.README).links)


# docs/README.md, docs/how-to


def test_the_map_lists_every_page_once_under_its_kind() -> None:
    kinds = mapped_pages()
    listed = [f"docs/{entry.path}" for entries in kinds.values() for entry in entries]

    assert [*kinds] == ["Tutorial", "How-to guides", "Reference", "Explanation"]
    assert sorted(listed) == sorted(one.name for one in pages() if one.name != "docs/README.md")


def test_a_how_to_guide_is_about_one_task_and_short() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in (DOCS / "how-to").iterdir()}

    assert lengths
    assert {name: length for name, length in lengths.items() if length > MAX_GUIDE_LINES} == {}


# docs/clients.md


def test_the_clients_of_the_table_are_those_there_are() -> None:
    assert [codes(row[0]) for row in page("clients").rows("MCP client")] == [[name] for name in CLIENTS]


def test_the_entry_for_any_other_client_is_the_plain_one() -> None:
    [entry] = [fence.text for fence in page("clients").fences if fence.language == "json"]

    assert json.loads(entry) == json.loads(CLIENTS["cursor"].snippet(HERE))


# docs/gallery.md


def test_every_picture_is_in_the_gallery_with_a_sentence() -> None:
    drawn = {path.name for path in (PROJECT / "screenshots").iterdir()}
    shown = re.findall(r"^!\[([^\]]+)\]\(\.\./screenshots/([\w.-]+)\)\n\n(\S.*)$", page("gallery").text, re.MULTILINE)

    assert sorted(name for _, name, _ in shown) == sorted(drawn)
    assert [
        name for described, name, sentence in shown if len(described) < 20 or not re.match(r"[A-Z`]", sentence)
    ] == []
    assert len({sentence for *_, sentence in shown}) == len(shown)


def test_every_picture_is_made_of_a_scene_but_for_the_one_that_moves() -> None:
    drawn = {path.name for path in (PROJECT / "screenshots").iterdir()}

    assert drawn == {f"{name}.svg" for name in (*PICTURES, "demo")} | {f"{name}.png" for name in PAGE_PICTURES}
    assert {*PICTURES, *(picture.scene for picture in PAGE_PICTURES.values())} <= SCENES.keys()


# docs/troubleshooting.md


_ERRORS = {"UsageError", "OutputError", "ClientFileError", "FileChangedError", "ChangedWhileReadError"}


def _messages() -> Iterator[tuple[str, str]]:
    """Yield where each message for a user is made, and its text with holes where it differs."""
    for path in sorted([*(PROJECT / "seqthink").rglob("*.py"), *(PROJECT / "tui").rglob("*.py")]):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in _ERRORS):
            continue  # to parse all takes seconds
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and node.args and _callee(node) in _ERRORS:
                yield f"{path.relative_to(PROJECT)}:{node.lineno}", _text(node.args[0])


def _callee(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _text(node: ast.expr) -> str:
    """Return the literal text of a string, with a hole for each part that is computed."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return _HOLE


def _listed_errors() -> list[str]:
    return [codes(message)[0] for message, _ in page("troubleshooting").rows("Message")]


def _pieces(message: str) -> list[str]:
    """Return what of a message stays the same each time."""
    return [piece.strip() for piece in message.split(_HOLE) if len(piece.strip()) > 3]


@pytest.mark.slow  # all modules are parsed
def test_every_error_that_a_user_meets_has_its_fix() -> None:
    fixes = [_pieces(message) for message in _listed_errors()]

    unexplained = [
        (where, text)
        for where, text in _messages()
        if _pieces(text) and not any(pieces and all(piece in text for piece in pieces) for pieces in fixes)
    ]

    assert unexplained == []


@pytest.mark.slow  # all modules are parsed
def test_every_message_that_is_explained_is_one_that_the_program_says() -> None:
    sources = [*(PROJECT / "seqthink").rglob("*.py"), *(PROJECT / "tui").rglob("*.py")]
    spoken = {
        text
        for path in sources
        for node in nodes_of(path)
        if isinstance(node, ast.Constant | ast.JoinedStr) and (text := _text(node)) != _HOLE
    }

    assert [message for message in _listed_errors() if not _is_spoken(_pieces(message), spoken)] == []
    assert [message for message in _listed_errors() if not _pieces(message)] == []


def _is_spoken(pieces: list[str], spoken: Iterable[str]) -> bool:
    longest = max(pieces, key=len, default="")  # by itself it leaves few texts to look at
    return any(longest in text and all(piece in text for piece in pieces) for text in spoken)


_TEXT_ARGUMENTS = {"BadValueError": 0, "JournalWriteError": 0, "ErrorReply": 2, "_with_hint": 1, "_tags_from_list": 1}
"""Which argument of a call is a text for a model or a client."""
_TEXT_NAMES = re.compile(r"\b(error|reason|hint)$|_(HINT|MESSAGE|message)$|MIXED_LIST$")
"""How variables, keys and functions are called that hold or return such a text."""
_NOT_FOR_MODELS = {"error", "ignored a line that is not an MCP message: …"}
"""How the server ended, in the journal; a line on stderr."""


def _model_texts() -> Iterator[tuple[str, str]]:
    """Yield where each text is made by which a model or a client is refused or advised, and the text with holes."""
    journal = PROJECT / "seqthink" / "journal"
    paths = [PROJECT / "seqthink/core/arguments.py", *sorted((PROJECT / "seqthink" / "server").rglob("*.py"))]
    for path in [*paths, journal / "writer.py", journal / "locked_journal.py"]:
        for node in nodes_of(path):
            for text in _texts_for_models(node):
                if _pieces(text) and text not in _NOT_FOR_MODELS:
                    yield path.name, text


def _texts_for_models(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id="_checked_text"), args=[_, _, expected]):
            yield f"must be {_text(expected)}, got {_HOLE}"
        case ast.Call(func=ast.Name(id=name), args=args) if len(args) > _TEXT_ARGUMENTS.get(name, len(args)):
            text = _text(args[_TEXT_ARGUMENTS[name]])
            yield from [] if text == f"must be {_HOLE}, got {_HOLE}" else [text]
        case ast.Call(func=ast.Name(id="InvalidArguments"), args=[ast.Dict(values=values)]):
            yield from map(_text, values)
        case ast.Call(func=ast.Name(id="MCPError" | "AuditResult"), keywords=keywords):
            yield from (_text(keyword.value) for keyword in keywords if keyword.arg in {"message", "error"})
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            yield from [_text(value)] if _TEXT_NAMES.search(ast.unparse(target).rstrip("']")) else []
        case ast.FunctionDef(name=name) if _TEXT_NAMES.search(name):
            yield from (_text(found.value) for found in ast.walk(node) if isinstance(found, ast.Return) and found.value)
        case _:
            pass


def _listed_model_texts() -> list[str]:
    rows = (row for head in ("Refusal", "Hint", "Protocol error") for row in page("troubleshooting").rows(head))
    return [codes(row[0])[0].strip() for row in rows]


def _explains(message: str, text: str) -> bool:
    return re.fullmatch(".+".join(map(re.escape, text.split(_HOLE))), message) is not None


def test_every_text_by_which_a_model_is_refused_or_advised_is_explained() -> None:
    texts = list(_model_texts())

    unexplained = [
        (where, text) for where, text in texts if not any(_explains(message, text) for message in _listed_model_texts())
    ]

    assert len(texts) > 25
    assert unexplained == []


def test_every_text_that_is_explained_is_one_that_the_server_gives() -> None:
    texts = [text for _, text in _model_texts()]

    assert [message for message in _listed_model_texts() if not any(_explains(message, text) for text in texts)] == []


# CONTRIBUTING.md


def test_contributing_fits_a_page_and_every_file_and_test_that_it_names_is_there() -> None:
    words = codes(CONTRIBUTING.prose)
    files = [word for word in words if re.fullmatch(r"[\w./-]+/|[\w./-]+\.(?:py|toml|jsonl|md)", word)]
    tests = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "tests").glob("**/test_*.py"))

    assert len(CONTRIBUTING.text.splitlines()) <= MAX_CONTRIBUTING_LINES
    assert len(files) > 30
    lost = [file for file in files if not (PROJECT / file).exists()]
    assert not lost, f"no such files below {PROJECT.name}/; CONTRIBUTING.md names whole paths: {lost}"
    lost = [word for word in words if re.fullmatch(r"test_\w+", word) and f"def {word}(" not in tests]
    assert not lost, f"no such tests: {lost}"


TARGETS = ["quick", "check", "test", "test-deep", "faults", "fmt", "install", "screenshots", "lock", "demo"]


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_that_contributing_names_is_one_of_make(name: str) -> None:
    assert f"make {name}" in CONTRIBUTING.text
    assert re.search(rf"^{name}:(?!=)", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_quick_tests_are_all_but_those_with_a_marker() -> None:
    markers = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]["markers"]
    quick = re.search(r'^QUICK := .* -m "not \((.*)\)"$', (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE)

    assert quick
    assert quick[1].split(" or ") == [marker.partition(":")[0] for marker in markers]


# SECURITY.md, CHANGELOG.md


def test_every_promise_names_tests_that_are_there() -> None:
    rows = SECURITY.rows("Promise")

    assert len(rows) > 5
    assert all(codes(held) for _, held in rows)
    assert [path for _, held in rows for path in codes(held) if not (PROJECT / path).is_file()] == []


def test_the_changelog_begins_with_what_is_not_released_yet_and_has_the_usual_kinds() -> None:
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}

    title, unreleased, *rest = CHANGELOG.headings

    assert (title, unreleased) == ("Changelog", "[Unreleased]")
    assert {heading for heading in rest if not heading.startswith("[")} <= kinds


@pytest.mark.parametrize("shown", [CONTRIBUTING, SECURITY, CHANGELOG], ids=lambda shown: shown.name)
def test_every_link_of_a_page_at_the_top_opens(shown: Page) -> None:
    inner = [link for link in shown.links if not link.startswith("https://")]

    assert [link for link in inner if not _opens(link)] == []


def _opens(link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = PROJECT / name
    return target.is_file() and (not anchor or anchor in Page(target).anchors)


WATCHER = """
import os, sys

def hear(event, arguments):
    # urllib3, which detect-secrets loads, tries by this whether there is IPv6; nobody listens there.
    is_trial = event == "socket.bind" and arguments[1] == ("::1", 0)
    if not is_trial and event in {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"}:
        with open(os.environ["HEARD"], "a", encoding="utf-8") as heard:
            heard.write(f"{event} {arguments}\\n")

sys.addaudithook(hear)
"""
"""Every Python process that finds it as `sitecustomize` writes down where it connects to."""


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file in which processes write what they ask of the network."""
    folder = tmp_path / "watcher"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WATCHER, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("HEARD", str(tmp_path / "heard"))
    return tmp_path / "heard"


@pytest.mark.deep  # every system call of three programs is traced
@pytest.mark.usefixtures("seqthink_home")
@pytest.mark.parametrize(
    "words", [("demo", "--fast"), ("demo", "code-review", "--fast"), ("config", "cursor")], ids=" ".join
)
def test_no_process_of_ours_uses_the_network(words: tuple[str, ...], heard: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "seqthink", *words], capture_output=True, check=True, timeout=BOUND)

    assert done.stdout
    assert not heard.exists()


def test_a_process_that_does_is_detected(heard: Path) -> None:
    program = "import socket; socket.getaddrinfo('localhost', 9)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=BOUND, env=dict(os.environ))

    assert "socket.getaddrinfo" in heard.read_text(encoding="utf-8")
