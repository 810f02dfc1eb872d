"""Random diffs that try to change a file the user was not asked about, and a workspace to apply them to."""

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Final

import mcp_types as types

from seqthink.audit.consent import apply_if_accepted
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.channel import Outcome, Question
from seqthink.dialogue.dialogue import Dialogue
from tests.support.audit.repositories import Repo

FILES: Final = {
    "a.py": "one\ntwo\nthree\n",
    "README.md": "one\ntwo\nthree\n",
    "README": "one\ntwo\nthree\n",
    "src/b.py": "b = 1\nc = 2\n",
    "src/a.py": "one\ntwo\nthree\n",
    "a/a.py": "one\ntwo\nthree\n",
    "b/README.md": "one\ntwo\nthree\n",
    "a/b/deep.py": "x\ny\n",
    "x/y.py": "one\ntwo\nthree\n",
    "sp ace.py": "one\ntwo\n",
    'quo"te.py': "one\ntwo\n",
    "back\\slash.py": "one\ntwo\n",
    'x" (+1 −1)': "one\ntwo\n",
    "tab\there.py": "one\ntwo\n",
    "new\nline.py": "one\ntwo\n",
    "é.py": "one\ntwo\n",
    "e\u0301.py": "one\ntwo\n",
    "A.py": "one\ntwo\nthree\n",
    "q.py": "one\ntwo\n",
    "run.sh": "ls\n",
    "crlf.txt": "one\r\ntwo\r\n",
    "ignored.log": "one\ntwo\n",
    "empty.py": "",
    "no end.py": "one\ntwo",
    "a.py => q.py": "one\ntwo\n",
    "dev/null": "one\ntwo\n",
    ".gitignore": "*.log\n",
    ".gitattributes": "*.txt text eol=crlf\n*.py filter=x ident\nq.py working-tree-encoding=UTF-16\n",
}
EXECUTABLE: Final = {"run.sh"}
_NEW: Final = ["n.py", "src/n.py", "new/deep/n.py", "é n.py", "-n.py", "n" * 200 + ".py", "a.py/n", "\u3164.py", "N.py"]
_HOSTILE: Final = [
    "../outside/secret", "/dev/null", "/etc/passwd", ".git/config", ".GIT/hooks/x", "link.py", "way/secret", "hard.py",
    ".gitattributes", "src/../a.py", "./a.py", "src//b.py", "", " ", "a.py ", " a.py", "a.py\r", "sub", ".git\u200c/x",
]  # fmt: skip
_MODES: Final = ["100644", "100755", "100644", "100755", "120000", "160000", "100666", "040000", "0", "100644 x"]
_NULL: Final = "/dev/null"
_STAMPS: Final = [
    "", "", "", "\t", "\t2024-01-02 03:04:05.000000000 +0100", "\t1970-01-01 00:00:00.000000000 +0000",
    " 2024-01-02 03:04:05", "\tThu Jan  1 00:00:00 1970", " 1970-01-01 00:00:00 +0000", "\r", " trailing", "\tmore",
]  # fmt: skip


Snapshot = dict[str, tuple[int, bytes]]
"""Kind, permissions and bytes of files, by path."""


@dataclass
class ConsentResult:
    """Result of one diff: the question, the message after it, and all files before and afterwards."""

    question: str | None
    sentence: str
    before: Snapshot
    after: Snapshot

    @property
    def changed(self) -> set[str]:
        """The changed paths."""
        return {path for path in {*self.before, *self.after} if self.before.get(path) != self.after.get(path)}

    @property
    def listed(self) -> set[str]:
        """The paths listed in the question."""
        return {path for line in self._lines() for path in line[:2] if path}

    @property
    def unasked(self) -> set[str]:
        """The paths that changed without being listed in the question."""
        return self.changed - self.listed

    @property
    def wrong(self) -> list[str]:
        """The changed paths that the question describes wrongly."""
        return [path for old, path, words in self._lines() if self.changed and not self._is_right(old, path, words)]

    def _lines(self) -> list[tuple[str | None, str, list[str]]]:
        found = (_LINE.fullmatch(line) for line in (self.question or "").split("\n"))
        return [(_read(match[1]), _read(match[2]) or "", match[3].split(", ")) for match in found if match]

    def _is_right(self, old: str | None, path: str, words: list[str]) -> bool:
        was, now = self.before.get(old or path), self.after.get(path)
        could, can = bool(was and was[0] & 0o100), bool(now and now[0] & 0o100)
        is_moved = old is None or (old in self.before and old not in self.after and path not in self.before)
        return is_moved and {
            "new": was is None,
            "deleted": now is None,
            "becomes executable": can and not could,
            "is no longer executable": could and now is not None and not can,
        } == {word: word in words for word in _WORDS}


_WORDS: Final = ("new", "deleted", "becomes executable", "is no longer executable")
_NAME: Final = r'("(?:[^"\\]|\\.)*"|[^" ]+)'
_LINE: Final = re.compile(rf"- (?:{_NAME} → )?{_NAME} \(([^()]*)\)")


def _read(name: str | None) -> str | None:
    return json.loads(name) if name and name.startswith('"') else name


class ConsentWorkspace:
    """A repository with every kind of file, beside files that no diff may touch."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo = Repo(folder / "repo")
        self.restore()
        shutil.rmtree(self.repo.root / ".git" / "hooks")
        self.repo.git("add", "a.py", "README.md", "src", ".gitignore")
        self.repo.git("commit", "-q", "-m", "step")
        self.repo.git("add", "--intent-to-add", "q.py")

    def restore(self) -> None:
        """Restore everything except git's own folder."""
        root, outside = self.repo.root, self.folder / "outside"
        for path in (outside, *(path for path in root.iterdir() if path.name != ".git")):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif os.path.lexists(path):
                path.unlink()
        outside.mkdir()
        (outside / "secret").write_bytes(b"one\ntwo\n")
        for path, text in FILES.items():
            self.repo.write(path, text).chmod(0o755 if path in EXECUTABLE else 0o644)
        (root / "link.py").symlink_to("../outside/secret")
        (root / "way").symlink_to("../outside")
        (root / "hard.py").hardlink_to(outside / "secret")
        (root / "sub").mkdir()

    def snapshot(self, below: str = "") -> Snapshot:
        """Return all files, by path relative to the folder ``below`` the repository's top."""
        return {
            os.path.relpath(path, self.repo.root / below): (path.lstat().st_mode, _bytes(path))
            for path in self.folder.rglob("*")
            if path.is_symlink() or not path.is_dir()
        }

    async def ask(self, diff: str, below: str = "") -> ConsentResult:
        """Propose ``diff`` to a user who accepts everything, then restore the files."""
        before = self.snapshot(below)
        client = AcceptingClient()
        dialogue = Dialogue(client, lambda _kind, _fields: None, 1, lambda: 0.0)
        sentence = await apply_if_accepted(diff, "", Workspace(self.repo.root / below), dialogue)
        result = ConsentResult(client.question, sentence, before, self.snapshot(below))
        if result.changed:
            self.restore()
        return result


def _bytes(path: Path) -> bytes:
    return os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()


class AcceptingClient:
    """A client whose user accepts every question; ``meanwhile`` runs while they think."""

    capabilities = types.ClientCapabilities(elicitation=types.ElicitationCapability())

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.question: str | None = None
        self._meanwhile = meanwhile

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        for key, question in questions.items():
            assert isinstance(question, types.ElicitRequest)
            self.question = question.params.message
            self._meanwhile()
            outcomes[key] = types.ElicitResult(action="accept", content={})

    async def left(self) -> None: ...

    async def log(self, level: types.LoggingLevel, data: object) -> None: ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None: ...


def random_diff(random: Random, below: str = "") -> str:
    """Return a diff of one to three files: sound, or with deceptive headers, names, modes and lines."""
    files = {path.removeprefix(below): text for path, text in FILES.items() if path.startswith(below)}
    malice = random.choice([0.0, 0.0, 0.1, 0.3, 0.8])
    sections = [_section(random, files, malice) for _ in range(random.choice([1, 1, 1, 2, 3]))]
    lines = [line for section in sections for line in section]
    if random.random() < malice / 2:
        _shuffle(random, lines)
    text = "".join(lines)
    if random.random() < malice / 4:
        text = f"some words\n```diff\n{text}```\n"
    return text.replace("\n", "\r\n") if random.random() < malice / 8 else text


def _section(random: Random, files: Mapping[str, str], malice: float) -> list[str]:
    """Return a diff's section for one file."""
    old = random.choice(list(files))
    new = random.choice([*_NEW, *_HOSTILE, *files])
    what = random.choice(
        ["change", "change", "change", "new", "delete", "rename", "copy", "mode", "two names", "binary"]
    )
    if random.random() < malice:
        old = random.choice([*files, *_HOSTILE, *_NEW])
    text = files.get(old, "one\ntwo\n")
    changed = _changed(random, text)
    match what:
        case "change" | "two names":
            left = old if what == "change" else new
            return [*_heads(random, old, left, malice, []), *_hunks(text, changed)]
        case "new":
            return [
                *_heads(random, None, new, malice, [f"new file mode {_mode(random, malice)}"]),
                *_hunks("", "1\n2\n"),
            ]
        case "delete":
            return [
                *_heads(random, old, None, malice, [f"deleted file mode {_mode(random, malice)}"]),
                *_hunks(text, ""),
            ]
        case "rename" | "copy":
            header_lines = [
                f"{what} from {_spelled(random, old, malice)}",
                f"{what} to {_spelled(random, new, malice)}",
            ]
            hunks = _hunks(text, changed) if random.random() < 0.6 else []
            return [*_heads(random, old, new, malice, header_lines, has_names=bool(hunks)), *hunks]
        case "mode":
            header_lines = [f"old mode {_mode(random, malice)}", f"new mode {_mode(random, malice)}"]
            return _heads(random, old, old, malice, header_lines, has_names=False)
        case _:
            header_lines = ["index 0000000..1111111", *random.choice([_BINARY, ["Binary files a/x and b/x differ"]])]
            return _heads(random, old, old, malice, header_lines, has_names=False)


_BINARY: Final = ["GIT binary patch", "literal 3", "KcmV-z0RR910000", "", "literal 0", "HcmV?d00001", ""]


def _heads(
    random: Random,
    old: str | None,
    new: str | None,
    malice: float,
    header_lines: Sequence[str],
    *,
    has_names: bool = True,
) -> list[str]:
    """Return the lines above the hunks."""

    def other(name: str | None) -> str | None:
        return random.choice([*FILES, *_HOSTILE, *_NEW, None]) if random.random() < malice / 4 else name

    a, b = random.choice([("a/", "b/")] * 20 + [("", ""), ("i/", "w/"), ("b/", "a/"), ("x/", "y/"), ("a/", "./")])
    heads = list[str]()
    if header_lines or random.random() < 0.6:
        one, two = (_spelled(random, prefix + (other(name) or ""), malice) for prefix, name in
                    ((a, old or new), (b, new or old)))  # fmt: skip
        heads.append(f"diff --git {one} {two}")
        heads += header_lines
        if random.random() < malice / 4:
            heads.insert(random.randint(0, len(heads)), _extra(random, malice))
    if has_names:
        pair = list[str]()
        for sign, prefix, name in (("---", a, other(old)), ("+++", b, other(new))):
            spelled = _NULL if name is None else _spelled(random, prefix + name, malice)
            stamp = random.choice(_STAMPS) if random.random() < malice else ("\t" if name and " " in name else "")
            pair.append(f"{sign} {spelled}{stamp}")
        heads += pair * (2 if random.random() < malice / 10 else 1)
    return [f"{line}\n" for line in heads]


def _extra(random: Random, malice: float) -> str:
    """Return an extra header line that contradicts the others."""
    name = random.choice([*FILES, *_HOSTILE, *_NEW])
    kind = random.choice([
        "rename from", "rename to", "copy from", "copy to", "rename old", "rename new", "old mode", "new mode",
        "new file mode", "deleted file mode", "similarity index", "index 1111111..2222222", "--- a/", "garbage",
    ])  # fmt: skip
    if "mode" in kind or kind.startswith("index"):
        return f"{kind} {_mode(random, 1)}"
    if kind == "similarity index":
        return f"{kind} 90%"
    return f"{kind}{'' if kind.endswith('/') else ' '}{_spelled(random, name, malice)}"


def _mode(random: Random, malice: float) -> str:
    return random.choice(_MODES) if random.random() < malice else random.choice(["100644", "100755"])


def _spelled(random: Random, name: str, malice: float) -> str:
    """Return ``name`` quoted as git would, or differently."""
    if random.random() < malice / 2:
        odd = "".join(rf"\{byte:03o}" if random.random() < 0.3 else chr(byte) for byte in name.encode())
        odd = odd.encode("latin-1", "replace").decode("utf-8", "replace")
        return random.choice(
            [f'"{odd}"', f'"{odd}" x', f'"{name}', f'"{name}".py', f"{name}/../{name}", f"./{name}", name]
        )
    if name.isprintable() and not set(name) & {'"', "\\"}:
        return name
    return '"' + "".join(_escaped(letter) for letter in name) + '"'


def _escaped(letter: str) -> str:
    if letter in "\t\n\r":
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}[letter]
    return f"\\{letter}" if letter in '"\\' else letter


def _changed(random: Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or ["\n"]
    lines[random.randrange(len(lines))] = random.choice(["", "new\n", "new\nlines\n"])
    return "".join(lines)


def _hunks(old: str, new: str) -> list[str]:
    lines = list[str]()
    for line in list(unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True)))[2:]:
        lines.append(line if line.endswith("\n") else f"{line}\n")
        if not line.endswith("\n"):
            lines.append("\\ No newline at end of file\n")
    return lines


def _shuffle(random: Random, lines: list[str]) -> None:
    """Repeat, drop or move one line, or insert words."""
    if not lines:
        return
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    match random.choice(["double", "drop", "move", "words", "end"]):
        case "double":
            lines.insert(to, lines[at])
        case "drop":
            del lines[at]
        case "move":
            lines.insert(to, lines.pop(at))
        case "words":
            lines.insert(
                at, random.choice(["garbage\n", "\n", "-- \n", "diff --git a/q.py b/q.py\n", "index 1..2 120000\n"])
            )
        case _:
            lines[-1] = lines[-1].rstrip("\n")
