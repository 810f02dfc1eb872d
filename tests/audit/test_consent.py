"""A user who accepts a diff was asked about every file that it changes, and about no other."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.audit.consent import apply_if_accepted
from seqthink.audit.workspace import file_writes
from seqthink.audit.workspace.dry_run import MAX_TOTAL_BYTES
from seqthink.audit.workspace.file_writes import CHANGED_SINCE, FileWrite
from seqthink.audit.workspace.files import LINKED, MISSING, PATH_BLOCKED, RefusedFileError
from seqthink.audit.workspace.patch import LONG_NAME, MAX_FILES, MAX_NAME_BYTES, TWO_NAMES
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from tests.support.audit.consent_runs import AcceptingClient, ConsentResult, ConsentWorkspace, random_diff
from tests.support.depth import first

ONE = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
TWO = "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"
TO_644 = "old mode 100755\nnew mode 100644\n"
NEVER = "1970-01-01 00:00:00.000000000 +0000"


GONE = "--- a/q.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"


def diff(old: str, new: str = "", *heads: str, hunk: str = ONE) -> str:
    """Return a diff with git headers, of one file or of a rename."""
    lines = [f"diff --git a/{old} b/{new or old}", *heads, f"--- a/{old}", f"+++ b/{new or old}"]
    return "".join(f"{line}\n" for line in lines) + hunk


def plain(old: str, new: str, hunk: str = ONE) -> str:
    """Return a diff without git headers."""
    return f"--- {old}\n+++ {new}\n{hunk}"


def made(path: str, text: str = "x\n") -> str:
    """Return a diff that creates a file."""
    lines = text.splitlines()
    hunk = f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    return f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n{hunk}"


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> ConsentWorkspace:
    return ConsentWorkspace(tmp_path_factory.mktemp("laboratory"))


@pytest.fixture
def laboratory(made_once: ConsentWorkspace) -> Iterator[ConsentWorkspace]:
    """Yield a workspace, and restore it afterwards."""
    yield made_once
    made_once.restore()


def brief(value: object) -> str:
    """Return a case's name."""
    return value[:40] if isinstance(value, str) and "\n" not in value else "case"


def lines(asked: ConsentResult) -> list[str]:
    """Return the file list of the question."""
    return (asked.question or "").split("\n")[1:-1]


@given(st.integers(0, 1 << 32), st.sampled_from(["", "src"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_only_files_named_in_the_question_change(laboratory: ConsentWorkspace, seed: int, below: str) -> None:
    asked = await laboratory.ask(random_diff(Random(seed), below and f"{below}/"), below)

    assert asked.unasked == set()
    assert asked.wrong == []
    assert asked.changed in (set(), asked.listed)
    assert bool(asked.changed) is asked.sentence.endswith("was applied.")


@pytest.mark.parametrize(
    "text",
    first(
        5,
        [
            plain("a/a.py", "b/README.md"),
            plain("a/README", "b/README.md"),
            plain("a.py.orig", "a.py"),
            plain("a/a.py", r'"\142/README.md"'),
            plain("a/q.py", '"b/q".py', TWO),
            plain(f"a/a.py\t{NEVER}", "b/n.py", "@@ -0,0 +1 @@\n+x\n"),
            plain("a/a.py", f"b/README.md\t{NEVER}", "@@ -1,3 +0,0 @@\n-one\n-two\n-three\n"),
            diff("a.py", "README.md"),
            diff("a.py", "n.py"),
            diff("a.py", "README.md", "index 1111111..2222222 100644"),
            diff("a.py", "README.md") + diff("README.md", "a.py"),
            diff("a.py", "README.md") + plain("a/README.md", "b/a.py"),
            'diff --git a/a.py "\\142/README.md"\n' + plain("a/a.py", r'"\142/README.md"'),
            'diff --git a/q.py "b/q".py\n' + plain("a/q.py", '"b/q".py', TWO),
            'diff --git a/a.py "\\\\142/x/y.py"\n' + plain("a/a.py", r'"\\142/x/y.py"'),
            "diff --git a/a.py b/n.py\nrename old a.py\nrename new n.py\n",
            "diff --git a/q.py b/README.md\nold mode 100644\nnew mode 100755\n",
        ],
    ),
    ids=brief,
)
async def test_a_diff_whose_headers_name_two_files_is_refused(laboratory: ConsentWorkspace, text: str) -> None:
    asked = await laboratory.ask(text)

    assert (asked.question, asked.changed) == (None, set())
    assert asked.sentence.endswith(f"{TWO_NAMES}.")


@pytest.mark.parametrize(
    ("text", "listed"),
    first(6, [
        (plain(r'"\141/x/y.py"', r'"\142/x/y.py"'), ["- x/y.py (+1 −1)"]),
        (plain("a/a.py", "a/a.py"), ["- a/a.py (+1 −1)"]),
        (diff("a.py => q.py", hunk=TWO), ['- "a.py => q.py" (+1 −1)']),
        (f"diff --git a/README.md b/README.md\n{plain('a/a.py', 'b/a.py')}", ["- a.py (+1 −1)"]),
        (diff("a.py") + "garbage\n" + plain("a/README", "b/README"), ["- README (+1 −1)", "- a.py (+1 −1)"]),
        (diff("a.py") + diff("a.py", hunk="@@ -3 +3,2 @@\n three\n+four\n"), ["- a.py (+2 −1)"]),
        (plain("a/a.py", f"b/a.py\t{NEVER}", "@@ -1,3 +0,0 @@\n-one\n-two\n-three\n"), ["- a.py (deleted, +0 −3)"]),
        (diff("a.py", "n.py", "rename from a.py", "rename to n.py"), ["- a.py → n.py (+1 −1)"]),
        ("diff --git a/a.py b/n.py\ncopy from a.py\ncopy to n.py\n", ["- n.py (new, +3 −0)"]),
        (f"diff --git a/run.sh b/run.sh\n{TO_644}", ["- run.sh (is no longer executable, +0 −0)"]),
        (diff("crlf.txt", hunk="@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n"), ["- crlf.txt (+1 −1)"]),
        (diff("hard.py", hunk=TWO), ["- hard.py (+1 −1)"]),
        (diff("ignored.log", hunk=TWO), ["- ignored.log (+1 −1)"]),
        (diff("e\u0301.py", hunk=TWO) + diff("é.py", hunk=TWO), ['- "e\\u0301.py" (+1 −1)', '- "é.py" (+1 −1)']),
        (diff("A.py") + diff("a.py"), ["- A.py (+1 −1)", "- a.py (+1 −1)"]),
        (made("\u05d0.py"), ['- "\\u05d0.py" (new, +1 −0)']),
        (
            'diff --git "a/x\\" (+1 −1)" "b/x\\" (+1 −1)"\nold mode 100644\nnew mode 100755\n',
            ['- "x\\"\\u0020(+1 −1)" (becomes executable, +0 −0)'],
        ),
        (made("a  b .py"), ['- "a \\u0020b .py" (new, +1 −0)']),
        (made("n" * 255), [f"- {'n' * 255} (new, +1 −0)"]),
    ], is_unpacked=True),
    ids=brief,
)  # fmt: skip
async def test_a_diff_that_can_be_read_in_more_than_one_way_lists_what_git_does(
    laboratory: ConsentWorkspace, text: str, listed: list[str]
) -> None:
    asked = await laboratory.ask(text)

    assert lines(asked) == listed
    assert asked.changed == asked.listed
    assert asked.wrong == []


@pytest.mark.parametrize(
    ("text", "reason"),
    first(5, [
        (diff("link.py", hunk=TWO), LINKED),
        (diff("way/secret", hunk=TWO), PATH_BLOCKED),
        (diff("a.py", "way/n.py", "rename from a.py", "rename to way/n.py"), PATH_BLOCKED),
        (diff("a.py", "src/b.py", "rename from a.py", "rename to src/b.py"), "the file already exists"),
        (diff("a.py", "q.py", "copy from a.py", "copy to q.py"), "the file already exists"),
        (diff("a.py", "n.py", "rename from q.py", "rename to n.py"), "inconsistent old filename on line 2"),
        (plain("a/./a.py", "b/./a.py"), "invalid path './a.py'"),
        (plain("a/a.py ", "b/a.py "), MISSING),
        (made("n" * (MAX_NAME_BYTES + 1)), LONG_NAME),
        (made("\u3164.py"), "its name has characters that do not display correctly"),
        (made("a\u0301\u0301\u0301\u0301.py"), "its name has characters that do not display correctly"),
        ("".join(made(f"{number}.py") for number in range(MAX_FILES + 1)), f"larger than {MAX_FILES} files"),
        ("".join(made(f"{number}.py") for number in range(51)), "it changes 51 files"),
        ("".join(made(f"{'n/' * 200}{number}.py") for number in range(45)), "too long to ask about"),
    ], is_unpacked=True),
    ids=brief,
)  # fmt: skip
async def test_a_change_that_the_question_cannot_show_is_refused(
    laboratory: ConsentWorkspace, text: str, reason: str
) -> None:
    asked = await laboratory.ask(text)

    assert (asked.question, asked.changed) == (None, set())
    assert asked.sentence.endswith(f"{reason}.")


async def test_files_that_are_too_large_together_are_refused(laboratory: ConsentWorkspace) -> None:
    names = [f"big{number}.py" for number in range(5)]
    for name in names:
        laboratory.repo.write(name, "one\ntwo\nthree\n" + "x" * (MAX_TOTAL_BYTES // 5))

    asked = await laboratory.ask("".join(map(diff, names)))

    assert asked.sentence.endswith(f"the files are larger than {MAX_TOTAL_BYTES >> 20} MiB.")


# Between the question and the answer


THREE = diff("a.py") + made("new/n.py") + GONE


async def accepted(root: Path, text: str, meanwhile: Callable[[], object]) -> str:
    """Propose a diff to a user who accepts it, and return the outcome."""
    dialogue = Dialogue(AcceptingClient(meanwhile), lambda _kind, _fields: None, 1, lambda: 0.0)
    return await apply_if_accepted(text, "", Workspace(root), dialogue)


Change = Callable[[Path], object]
CHANGES: list[tuple[Change, str]] = [
    (lambda root: (root / "a.py").write_text("one\ntwo\nthree\nfour\n", "utf-8"), f"a.py: {CHANGED_SINCE}"),
    (lambda root: (root / "a.py").chmod(0o755), f"a.py: {CHANGED_SINCE}"),
    (lambda root: (root / "a.py").unlink(), f"a.py: {CHANGED_SINCE}"),
    (lambda root: _link(root / "a.py"), f"a.py: {LINKED}"),
    (lambda root: (root / "new").symlink_to("../outside"), f"new/n.py: {PATH_BLOCKED}"),
    (lambda root: (root / "new").write_text("", "utf-8"), f"new/n.py: {PATH_BLOCKED}"),
    (lambda root: (root / "q.py").write_text("", "utf-8"), f"q.py: {CHANGED_SINCE}"),
]


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("../outside/secret")


@pytest.mark.parametrize(("change", "reason"), first(3, CHANGES, is_unpacked=True), ids=brief)
async def test_a_workspace_that_changes_before_the_answer_is_left_alone(
    laboratory: ConsentWorkspace, change: Change, reason: str
) -> None:
    root, left = laboratory.repo.root, dict[str, tuple[int, bytes]]()

    def meanwhile() -> None:
        change(root)
        left.update(laboratory.snapshot())

    sentence = await accepted(root, THREE, meanwhile)
    after = laboratory.snapshot()

    assert sentence == f"The proposed diff was not applied: {reason}."
    assert after == left


async def test_changes_to_other_files_do_not_matter(laboratory: ConsentWorkspace) -> None:
    root = laboratory.repo.root

    sentence = await accepted(root, THREE, lambda: (root / "README.md").write_text("", "utf-8"))
    found = [(root / name).exists() for name in ("new/n.py", "q.py")]

    assert sentence == "The proposed diff was applied."
    assert found == [True, False]


def break_writing(monkeypatch: pytest.MonkeyPatch, path: str, meanwhile: Callable[[], object]) -> None:
    """Make the writing of one file fail after ``meanwhile`` was called."""
    replace = file_writes.write_one

    def failing(root: Path, one: FileWrite) -> None:
        if one.path == path:
            meanwhile()
            raise RefusedFileError("no")
        replace(root, one)

    monkeypatch.setattr(file_writes, "write_one", failing)


async def test_a_write_that_fails_undoes_the_writes_before_it(
    laboratory: ConsentWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = laboratory.snapshot()
    break_writing(monkeypatch, "q.py", lambda: None)

    sentence = await accepted(laboratory.repo.root, THREE, lambda: None)

    assert sentence == "The proposed diff was not applied: q.py: no."
    assert laboratory.snapshot() == before
    assert not (laboratory.repo.root / "new").exists()


async def test_a_write_that_cannot_be_undone_is_reported(
    laboratory: ConsentWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = laboratory.repo.root
    break_writing(monkeypatch, "q.py", lambda: (root / "a.py").write_text("theirs", "utf-8"))

    sentence = await accepted(root, THREE, lambda: None)

    assert sentence.endswith("q.py: no; the changes to a.py could not be undone.")
    assert ((root / "a.py").read_text("utf-8"), (root / "new").exists()) == ("theirs", False)


async def test_a_file_keeps_its_permissions_and_who_shares_its_bytes_keeps_them(laboratory: ConsentWorkspace) -> None:
    root = laboratory.repo.root
    (root / "a.py").chmod(0o4640)
    more = "diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n"

    sentence = await accepted(root, diff("a.py") + more + diff("hard.py", hunk=TWO), lambda: None)
    mode = (root / "a.py").stat().st_mode & 0o7777
    secret = (laboratory.folder / "outside" / "secret").read_text("utf-8")

    assert sentence == "The proposed diff was applied."
    assert (mode, secret) == (0o750, "one\ntwo\n")


async def test_a_workspace_without_git_is_asked_about_too(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\nthree\n", "utf-8")

    sentence = await accepted(tmp_path, diff("a.py"), lambda: None)

    assert sentence == "The proposed diff was applied."
    assert (tmp_path / "a.py").read_text("utf-8") == "one\nTWO\nthree\n"
