"""Dry runs and applied diffs: a dry run names every file, and applying changes no other."""

import os
import shutil
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.audit.workspace import dry_run
from seqthink.audit.workspace.dry_run import DryRun
from seqthink.audit.workspace.file_writes import CHANGED_SINCE
from seqthink.audit.workspace.files import LINKED, MISSING, OUTSIDE
from seqthink.audit.workspace.git import Git
from seqthink.audit.workspace.patch import (
    ALREADY_THERE,
    MAX_BYTES,
    STEERS_GIT,
    UNREADABLE,
    Patch,
    paths_in_patch,
)
from seqthink.audit.workspace.workspace import Workspace
from seqthink.core.unified_diff import BAD_COUNTS
from tests.support.audit.repositories import Repo
from tests.support.depth import first

A = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository with a commit."""
    made = Repo(tmp_path / "repo")
    made.commit(**{"a.py": "one\ntwo\nthree\n", "src/b.py": "b = 1\n"})
    return made


async def check(repo: Repo, diff: str) -> DryRun:
    """Return the dry run of a diff, and check that it left everything as it was."""
    before = repo.snapshot()
    checked = await Workspace(repo.root).dry_run(diff)

    assert repo.snapshot() == before
    return checked


async def apply(workspace: Workspace, diff: str) -> str:
    """Try a diff and apply it; return why it was not applied."""
    return await workspace.apply(await workspace.dry_run(diff))


async def refused(repo: Repo, diff: str) -> str:
    """Return why a diff is refused by dry run and apply, and check that both left everything as it was."""
    checked = await check(repo, diff)
    before = repo.snapshot()

    assert await Workspace(repo.root).apply(checked) == checked.problem
    assert repo.snapshot() == before
    assert checked.problem != ""
    assert checked.units == ()
    return checked.problem


async def applied(repo: Repo, diff: str) -> DryRun:
    """Return the dry run of a diff, and check that applying it has the same result and stages nothing."""
    checked = await check(repo, diff)
    before, staged = repo.snapshot(), repo.git("ls-files", "--stage")

    assert checked.problem == ""
    assert await Workspace(repo.root).apply(checked) == ""
    after = repo.snapshot()
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert changed <= set(checked.files)
    assert {source.path: source.text.encode() for source in checked.units} == {
        path: after[path] for path in checked.files if path in after
    }
    assert repo.git("ls-files", "--stage") == staged
    return checked


async def test_a_diff_that_applies_has_its_files_and_what_it_would_leave(repo: Repo) -> None:
    checked = await applied(repo, A)

    assert checked.files == ("a.py",)
    assert [(source.text, source.added_lines, source.is_complete) for source in checked.units] == [
        ("one\nTWO\nthree\n", {2}, True)
    ]


async def test_lines_that_moved_are_reported_where_they_are_and_not_where_the_diff_thought(repo: Repo) -> None:
    repo.write("a.py", "zero\n" * 5 + "one\ntwo\nthree\n")
    diff = A.replace("@@ -1,3 +1,3 @@", "@@ -2,3 +2,3 @@")

    assert [source.added_lines for source in (await applied(repo, diff)).units] == [{7}]


async def test_new_deleted_renamed_and_executable_files_are_all_reported(repo: Repo) -> None:
    repo.commit(**{"old.py": "".join(f"{number}\n" for number in range(20)), "run.sh": "x\n", "gone.py": "g\n"})
    diff = (
        "diff --git a/old.py b/dir/new name.py\nsimilarity index 90%\nrename from old.py\nrename to dir/new name.py\n"
        "--- a/old.py\n+++ b/dir/new name.py\t\n@@ -1,3 +1,4 @@\n 0\n+half\n 1\n 2\n"
        "diff --git a/gone.py b/gone.py\ndeleted file mode 100644\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
        "diff --git a/empty.py b/empty.py\nnew file mode 100644\nindex 0000000..e69de29\n"
        "diff --git a/n.py b/n.py\nnew file mode 100755\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+n\n"
    )

    checked = await applied(repo, diff)

    assert checked.files == ("dir/new name.py", "empty.py", "gone.py", "n.py", "old.py", "run.sh")
    assert {source.path: source.added_lines for source in checked.units} == {
        "dir/new name.py": {2},
        "empty.py": None,
        "n.py": None,
        "run.sh": frozenset(),
    }
    assert sorted(checked.notes) == ["n.py becomes executable.", "run.sh becomes executable."]
    assert os.access(repo.root / "run.sh", os.X_OK)


async def test_a_diff_without_prefixes_in_a_fence_and_without_its_last_newline_applies(repo: Repo) -> None:
    bare = A.replace("a/a.py", "src/b.py").replace("b/a.py", "src/b.py").replace("src/src/", "src/")

    await applied(repo, f"```diff\n{A}```")
    repo.write("src/b.py", "one\ntwo\nthree\n")
    await applied(repo, bare.removesuffix("\n"))


async def test_a_dirty_tree_is_no_hindrance_where_the_diff_fits(repo: Repo) -> None:
    repo.write("a.py", "one\ntwo\nthree\ndirty\n")
    repo.write("src/b.py", "dirty\n")

    assert (await applied(repo, A)).units[0].text == "one\nTWO\nthree\ndirty\n"


async def test_a_workspace_needs_no_repository_and_may_lie_below_the_top_of_one(repo: Repo, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    shutil.copytree(repo.root, plain, ignore=shutil.ignore_patterns(".git"))

    assert await apply(Workspace(plain), A) == ""
    assert (plain / "a.py").read_text("utf-8") == "one\nTWO\nthree\n"
    below = "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-b = 1\n+b = 2\n"
    assert await apply(Workspace(repo.root / "src"), below) == ""
    assert (repo.root / "src" / "b.py").read_text("utf-8") == "b = 2\n"


async def test_what_does_not_apply_is_reported_with_its_place(repo: Repo) -> None:
    other = A.replace(" one", " eins")

    assert await refused(repo, other) == "a.py:1: the lines around the change differ from the file's"
    assert await refused(repo, A.replace("a.py", "c.py")) == f"c.py: {MISSING}"
    assert await refused(repo, "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n") == f"a.py: {ALREADY_THERE}"
    assert await refused(repo, A.replace("@@ -1,3", "@@ -1,4")) == f"a.py: {BAD_COUNTS}"
    assert await refused(repo, "no diff") == "it contains no diff"
    assert await refused(repo, A.replace("+TWO", "+two")) == "it changes nothing"


async def test_of_a_diff_that_fits_in_part_nothing_is_applied(repo: Repo) -> None:
    both = A + "--- a/src/b.py\n+++ b/src/b.py\n@@ -1 +1 @@\n-b = 2\n+b = 3\n"

    assert await refused(repo, both) == "src/b.py:1: the lines around the change differ from the file's"


async def test_line_ends_are_a_files_own(repo: Repo) -> None:
    repo.write("a.py", "one\r\ntwo\r\nthree\r\n")
    ends = " (lines end in CRLF in the file, in LF in the diff)"

    assert await refused(repo, A) == f"a.py:1: the lines around the change differ from the file's{ends}"
    assert (await applied(repo, A.replace("\n", "\r\n"))).units[0].text == "one\r\nTWO\r\nthree\r\n"


async def test_line_ends_that_only_the_diff_has_are_reported(repo: Repo) -> None:
    assert (await refused(repo, A.replace("\n", "\r\n"))).endswith("(lines end in LF in the file, in CRLF in the diff)")


def new(path: str, mode: str = "100644") -> str:
    """Return a diff that creates a file of one line."""
    return (
        f"diff --git a/{path} b/{path}\nnew file mode {mode}\nindex 0000000..1111111\n"
        f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
    )


@pytest.mark.parametrize(
    "path",
    first(3, ["../x.py", "src/../../x.py", "/tmp/x.py", ".git/hooks/pre-commit", "src/.GIT/config", ".git", "git~1/x"]),
)
async def test_a_diff_that_would_leave_the_workspace_or_touch_git_is_refused(repo: Repo, path: str) -> None:
    reason = await refused(repo, new(path))

    assert reason.endswith((OUTSIDE, "it belongs to git"))
    assert reason == await refused(repo, f"diff --git a/a.py b/{path}\nrename from a.py\nrename to {path}\n")
    assert not (repo.root.parent / "x.py").exists()


@pytest.mark.parametrize("name", ["new\nline.py", "tab\t.py", "esc\x1b[31m.py", "over\u202e.py", "\u200bx.py"])
async def test_a_name_that_does_not_show_as_it_is_refuses_the_diff(repo: Repo, name: str) -> None:
    repo.commit(**{name: "x = 1\n"})
    repo.write(name, "x = 2\n")
    diff = repo.git("diff")
    repo.write(name, "x = 1\n")

    assert (await refused(repo, diff)).endswith(UNREADABLE)


@pytest.mark.parametrize(
    "path",
    first(3, [
        ".gitattributes", "src/.gitattributes", ".gitmodules", ".GitModules", ".gitconfig", ".gitmodules.",
        ".gitmodules::$DATA",
        ".githooks/pre-commit", ".husky/pre-commit", "GITMOD~1",
    ]),
)  # fmt: skip
async def test_a_diff_that_would_give_git_orders_is_refused(repo: Repo, path: str) -> None:
    assert await refused(repo, new(path)) == f"{path}: {STEERS_GIT}"


async def test_a_diff_that_git_would_read_differently_is_refused(repo: Repo) -> None:
    repo.commit(**{".gitattributes": "*.py text\n"})

    assert await refused(
        repo, "--- a/.gitattributes\n+++ b/.gitattributes\n@@ -1 +1 @@\n-*.py text\n+*.py filter=x\n"
    ) == (f".gitattributes: {STEERS_GIT}")


async def test_a_diff_that_would_write_through_a_link_is_refused(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (repo.root / "folder").symlink_to(outside)
    (repo.root / "link.py").symlink_to(outside / "a.py")

    assert await refused(repo, A.replace("a.py", "link.py")) == f"link.py: {LINKED}"
    for path in ("folder/a.py", "folder/new.py"):
        diff = A.replace("a.py", path) if path.endswith("a.py") else new(path)
        assert await refused(repo, diff) == f"{path}: a part of its path is a symbolic link or a file"
    assert [file.read_text("utf-8") for file in outside.iterdir()] == ["one\ntwo\nthree\n"]


@pytest.mark.parametrize("mode", ["120000", "160000", "100666", "040000", "0120000", "120000 ", "1"])
async def test_only_files_are_made(repo: Repo, mode: str) -> None:
    assert await refused(repo, new("x", mode))


async def test_a_link_made_by_the_diff_itself_is_no_way_out(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    link = (
        "diff --git a/way b/way\nnew file mode 120000\n--- /dev/null\n+++ b/way\n@@ -0,0 +1 @@\n+../outside\n"
        "\\ No newline at end of file\n"
    )

    assert await refused(repo, link + new("way/x.py")) == "way: symbolic links are not made or changed"
    assert list((tmp_path / "outside").iterdir()) == []


async def test_a_file_is_not_turned_into_a_link_or_a_submodule(repo: Repo) -> None:
    for mode, reason in (
        ("120000", "symbolic links are not made or changed"),
        ("160000", "submodules are not changed"),
    ):
        diff = f"diff --git a/a.py b/a.py\nold mode 100644\nnew mode {mode}\n"

        assert await refused(repo, diff) == f"a.py: {reason}"


async def test_a_binary_diff_is_refused(repo: Repo) -> None:
    repo.commit(**{"x.bin": b"\0\1\2"})
    repo.write("x.bin", b"\0\1\3" * 9)
    diff = repo.git("diff", "--binary")
    repo.git("checkout", "x.bin")

    assert await refused(repo, diff) == "x.bin: binary diffs are not judged"


async def test_a_file_that_git_touches_though_it_was_not_read_out_of_the_diff_refuses_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def half_blind(git: Git, folder: Path, asked: Patch) -> tuple[str, ...]:
        return tuple(path for path in await paths_in_patch(git, folder, asked) if path != "x.py")

    monkeypatch.setattr(dry_run, "paths_in_patch", half_blind)

    assert await refused(repo, A + new("x.py")) == "x.py: it would also change, but the diff does not clearly name it"


async def test_a_text_may_stand_for_a_file_on_trial_and_never_when_applied(repo: Repo) -> None:
    diff = A.replace("a.py", "thought.md")

    checked = await Workspace(repo.root).dry_run(diff, {"thought.md": "one\ntwo\nthree\n"})

    assert [source.text for source in checked.units] == ["one\nTWO\nthree\n"]
    assert await Workspace(repo.root).apply(checked) == f"thought.md: {CHANGED_SINCE}"
    assert await refused(repo, diff) == f"thought.md: {MISSING}"


async def test_a_text_in_the_place_of_a_folder_refuses_the_diff(repo: Repo) -> None:
    repo.write("src/c.py", "one\ntwo\nthree\n")
    diff = A.replace("a.py", "src/c.py") + A.replace("a.py", "src")

    checked = await Workspace(repo.root).dry_run(diff, {"src": "one\ntwo\nthree\n"})

    assert checked.problem == "src: it cannot be copied: Is a directory"


async def test_names_with_and_without_prefixes_do_not_mix(repo: Repo) -> None:
    mixed = A + "--- src/b.py\n+++ src/b.py\n@@ -1 +1 @@\n-b = 1\n+b = 2\n"

    assert await refused(repo, mixed) == "some of its names begin with a/ and b/, and some do not"


async def test_something_in_the_way_is_reported(repo: Repo) -> None:
    (repo.root / "folder").mkdir()
    os.mkfifo(repo.root / "pipe")
    workspace = Workspace(repo.root)

    assert (await workspace.dry_run(new("folder"))).problem == "folder: it is a folder"
    assert (await workspace.dry_run(new("pipe"))).problem == "pipe: it is not a regular file"
    assert (await workspace.dry_run(new("a.py/x"))).problem.startswith("a.py/x: a part of its path")
    assert (
        await workspace.dry_run(A.replace("+TWO", "+\ud800"))
    ).problem == "it contains characters that no text file can hold"
    assert (await workspace.dry_run(A + "x" * MAX_BYTES)).problem.startswith("the diff is larger than")


async def test_a_new_file_and_one_below_it_cannot_both_be(repo: Repo) -> None:
    assert await refused(repo, new("x") + new("x/y"))


@pytest.mark.parametrize(
    "name", first(2, ["ä ö.py", 'quo"te.py', " lead.py", "-x.py", "[*].py", ".gitignore", ".github/ci.yml"])
)
async def test_unusual_names_are_applied(repo: Repo, name: str) -> None:
    repo.commit(**{name: "x = 1\n"})
    repo.write(name, "x = 2\n")
    diff = repo.git("diff")
    repo.write(name, "x = 1\n")

    assert (await applied(repo, diff)).files == (name,)


async def test_a_long_file_is_applied_and_read_back(repo: Repo) -> None:
    lines = [f"line {number}\n" for number in range(10_000)]
    repo.commit(**{"long.py": "".join(lines)})
    lines[9000:9001] = ["new\n", "lines\n"]
    repo.write("long.py", "".join(lines))
    diff = repo.git("diff")
    repo.git("checkout", "long.py")

    assert [source.added_lines for source in (await applied(repo, diff)).units] == [{9001, 9002}]


TEXTS = st.lists(st.sampled_from(["a", "b", "-- x", "++ y", "", " ", "@@ -1 +1 @@", "é", "x\r", "\x0c"])).map("\n".join)


@given(old=TEXTS, new_text=TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_what_git_says_of_two_texts_makes_one_of_the_other(tmp_path: Path, old: str, new_text: str) -> None:
    folder = tmp_path / "texts"
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in (("x", old), ("b/x", new_text)):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    command = ["git", "diff", "--no-index", "--text", "--no-prefix", "x", "b/x"]
    output = (await anyio.run_process(command, cwd=folder, check=False)).stdout.decode()
    diff = output.replace("--- x", "--- a/x", 1).replace("diff --git x", "diff --git a/x", 1)
    shutil.rmtree(folder / "b")
    workspace = Workspace(folder)

    checked = await workspace.dry_run(diff)

    if old == new_text:
        assert checked.problem == "it contains no diff"
    else:
        assert await workspace.apply(checked) == ""
        assert [source.text.encode() for source in checked.units] == [new_text.encode()]
        assert (folder / "x").read_bytes() == new_text.encode()
