"""Files collected from a repository, whose hostile settings have no effect: each would leave a marker."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from seqthink.audit.config import SessionConfig
from seqthink.audit.workspace import git as git_module
from seqthink.audit.workspace.workspace import FILE_BUDGET_BYTES, TOTAL_BUDGET_BYTES, Workspace, WorkspaceFiles
from tests.support.audit.repositories import Repo
from tests.support.depth import first
from tests.support.proc import process_file

DIFF, ALL = SessionConfig(), SessionConfig(scope="workspace")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository with a commit."""
    made = Repo(tmp_path / "repo")
    made.commit(**{"a.py": "one\ntwo\nthree\n", "src/b.py": "b = 1\n"})
    return made


async def gather(root: Path, config: SessionConfig = DIFF) -> WorkspaceFiles:
    return await Workspace(root).read_files(config)


def lines_of(material: WorkspaceFiles) -> dict[str, list[int] | None]:
    return {
        source.path: None if source.added_lines is None else sorted(source.added_lines) for source in material.units
    }


async def test_changed_files_are_gathered_as_they_are_with_what_came_staged_or_not(repo: Repo) -> None:
    repo.write("a.py", "one\nTWO\nthree\nfour\n")
    repo.write("src/new.py", "n = 1\n")
    repo.git("add", "src/new.py")
    repo.write("untracked.py", "u = 1\n")
    (repo.root / "src" / "b.py").unlink()

    material = await gather(repo.root)

    assert lines_of(material) == {"a.py": [2, 4], "src/new.py": None}
    assert material.units[0].text == "one\nTWO\nthree\nfour\n"
    assert material.notes == ()


COMMITTED = 1_700_000_000
"""A second of the past."""


async def test_a_change_in_the_second_of_the_commit_is_gathered_later(repo: Repo) -> None:
    """Size and whole seconds are those of the committed content; only the age of the index makes git compare."""
    repo.configure("[core]\n\ttrustctime = false\n")  # a time that nobody can set
    repo.write("a.py", "x = 1\n")
    os.utime(repo.root / "a.py", (COMMITTED, COMMITTED))
    repo.commit()
    repo.write("a.py", "x = 2\n")
    for path in (repo.root / "a.py", repo.root / ".git" / "index"):
        os.utime(path, (COMMITTED, COMMITTED))

    assert lines_of(await gather(repo.root)) == {"a.py": [1]}


async def test_a_clean_tree_is_reported(repo: Repo) -> None:
    material = await gather(repo.root)

    assert (material.units, material.notes) == ((), ("git diff lists no changed file.",))


async def test_before_the_first_commit_all_that_is_added_is_new(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "young")
    repo.write("a.py", "a = 1\n")
    repo.git("add", ".")

    assert lines_of(await gather(repo.root)) == {"a.py": None}


async def test_gathering_leaves_everything_as_it_was(repo: Repo) -> None:
    repo.write("a.py", "changed\n")
    os.utime(repo.root / "src" / "b.py", (1, 1))  # git would want to note that it is unchanged
    before = repo.snapshot()

    await gather(repo.root)
    await gather(repo.root, ALL)

    assert repo.snapshot() == before


async def test_a_root_below_the_top_sees_only_its_own_part(repo: Repo) -> None:
    repo.write("a.py", "changed\n")
    repo.write("src/b.py", "b = 2\n")

    assert lines_of(await gather(repo.root / "src")) == {"b.py": [1]}
    assert list(lines_of(await gather(repo.root / "src", ALL))) == ["b.py"]


async def test_a_renamed_file_is_new_only_where_it_changed(repo: Repo) -> None:
    lines = [f"line {number}\n" for number in range(50)]
    repo.commit(**{"old.py": "".join(lines)})
    repo.git("mv", "old.py", "moved.py")
    repo.write("moved.py", "".join(["first\n", *lines]))

    assert lines_of(await gather(repo.root)) == {"moved.py": [1]}


@pytest.mark.parametrize(
    "name", first(2, ["ä ö.py", 'quo"te.py', "new\nline.py", "tab\t.py", " lead.py", "[*].py", "-x.py"])
)
async def test_unusual_names_are_gathered(repo: Repo, name: str) -> None:
    repo.commit(**{name: "x = 1\n"})
    repo.write(name, "x = 2\n")

    assert lines_of(await gather(repo.root)) == {name: [1]}
    assert name in lines_of(await gather(repo.root, ALL))
    assert lines_of(await gather(repo.root, SessionConfig(scope="paths", paths=(name,)))) == {name: None}


async def test_tracked_files_are_gathered_programs_first_up_to_the_budget(repo: Repo) -> None:
    repo.commit(**{
        "A.txt": "text\n",
        "picture.png": b"\x89PNG\0",
        "latin.txt": b"\xe9",
        "empty.py": "",
        "uv.lock": "x\n",
        "large.txt": "x" * (FILE_BUDGET_BYTES + 1),
        **{f"fill{number}.txt": "x" * FILE_BUDGET_BYTES for number in range(5)},
    })  # fmt: skip
    repo.write("untracked.py", "u = 1\n")

    material = await gather(repo.root, ALL)

    assert list(lines_of(material)) == ["a.py", "src/b.py", "A.txt", "fill0.txt", "fill1.txt", "fill2.txt"]
    assert sum(len(source.text) for source in material.units) <= TOTAL_BUDGET_BYTES
    assert material.notes == (
        "Left out (it is empty): empty.py.",
        f"Left out (the budget of {TOTAL_BUDGET_BYTES // 1024} KiB is used up): fill3.txt, fill4.txt, large.txt,"
        " latin.txt, picture.png.",
        "Left out (made by a tool): uv.lock.",
    )
    assert await gather(repo.root, ALL) == material


async def test_what_is_no_text_or_too_large_is_left_out_with_its_reason(repo: Repo) -> None:
    repo.commit(**{"a.png": b"\x89PNG\0", "b.txt": b"a\0b", "large.txt": "x" * (FILE_BUDGET_BYTES + 1)})

    assert (await gather(repo.root, ALL)).notes == (
        "Left out (it is not UTF-8 text): a.png.",
        "Left out (it is binary): b.txt.",
        "Left out (it is larger than 128 KiB): large.txt.",
    )


async def test_folders_stand_for_the_tracked_files_below_them(repo: Repo) -> None:
    repo.write("src/untracked.py", "u = 1\n")

    assert list(lines_of(await gather(repo.root, SessionConfig(scope="paths", paths=("src/", "a.py"))))) == [
        "src/b.py",
        "a.py",
    ]
    assert list(lines_of(await gather(repo.root, SessionConfig(scope="paths", paths=(".",))))) == ["a.py", "src/b.py"]


async def test_tracked_links_and_submodules_are_left_out(repo: Repo, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret\n", encoding="utf-8")
    (repo.root / "link.py").symlink_to(secret)
    inner = Repo(tmp_path / "inner")
    inner.commit(**{"x.py": "x = 1\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
    repo.git("add", "-A")

    changed, everything = await gather(repo.root), await gather(repo.root, ALL)

    assert [source.path for source in changed.units] == [".gitmodules"]
    assert [source.path for source in everything.units] == ["a.py", "src/b.py", ".gitmodules"]
    assert "secret" not in str(changed.units) + str(everything.units)
    assert lines_of(await gather(repo.root / "sub", ALL)) == {"x.py": None}


async def test_a_tracked_folder_that_became_a_link_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.py").write_text("secret\n", encoding="utf-8")
    shutil.rmtree(repo.root / "src")
    (repo.root / "src").symlink_to(tmp_path / "outside")

    for config in (DIFF, ALL, SessionConfig(scope="paths", paths=("src", "src/b.py"))):
        assert "secret" not in str((await gather(repo.root, config)).units)


async def test_a_tracked_file_that_became_a_pipe_does_not_hold_anything_up(repo: Repo) -> None:
    (repo.root / "a.py").unlink()
    os.mkfifo(repo.root / "a.py")

    with anyio.fail_after(30):
        assert (await gather(repo.root)).notes != ()
        assert list(lines_of(await gather(repo.root, ALL))) == ["src/b.py"]


async def test_a_file_that_is_declared_binary_is_judged_all_the_same(repo: Repo) -> None:
    repo.commit(**{".gitattributes": "*.py -diff\n"})
    repo.write("a.py", "changed\n")

    assert lines_of(await gather(repo.root)) == {"a.py": None}


async def test_conflict_markers_of_a_merge_are_gathered(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "other")
    repo.commit(**{"a.py": "other\n"})
    repo.git("checkout", "-q", "trunk")
    repo.commit(**{"a.py": "mine\n"})
    with pytest.raises(Exception, match="merge"):
        repo.git("merge", "other")

    assert lines_of(await gather(repo.root)) == {"a.py": [1, 3, 4, 5]}


async def test_a_linked_tree_is_read_like_its_own_repository(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree" / "a.py").write_text("one\ntwo\nthree\nfour\n", encoding="utf-8")

    assert lines_of(await gather(tmp_path / "tree")) == {"a.py": [4]}


async def test_a_repository_with_long_hashes_and_packed_refs_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "long", "--object-format=sha256")
    repo.commit(**{"a.py": "a = 1\n"})
    repo.git("pack-refs", "--all")
    repo.git("update-index", "--split-index")
    repo.write("a.py", "a = 2\n")

    assert lines_of(await gather(repo.root)) == {"a.py": [1]}


async def test_the_repositorys_own_line_ends_are_respected(repo: Repo) -> None:
    repo.configure("[core]\nautocrlf = true\n")
    repo.write("a.py", "one\r\ntwo\r\nthree\r\nfour\r\n")

    assert lines_of(await gather(repo.root)) == {"a.py": [4]}


@pytest.mark.parametrize("makes_link", [False, True], ids=["gitfile", "link"])
async def test_a_git_folder_elsewhere_that_does_not_know_the_tree_is_not_used(
    repo: Repo, tmp_path: Path, makes_link: bool
) -> None:
    thief = tmp_path / "thief"
    thief.mkdir()
    (thief / "a.py").write_text("mine\n", encoding="utf-8")
    if makes_link:
        (thief / ".git").symlink_to(repo.root / ".git")
    else:
        (thief / ".git").write_text(f"gitdir: {repo.root}/.git\n", encoding="utf-8")

    material = await gather(thief)
    named = await gather(thief, SessionConfig(scope="paths", paths=("a.py",)))

    assert material.units == ()
    assert len(material.notes) == 1
    assert lines_of(named) == {"a.py": None}


async def test_a_working_tree_that_the_settings_name_is_not_believed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.py").write_text("secret\n", encoding="utf-8")
    repo.configure(f"[core]\nworktree = {tmp_path}/outside\n")
    repo.write("a.py", "mine\n")

    assert [source.text for source in (await gather(repo.root)).units] == ["mine\n"]


Hostile = Callable[[Repo, str], None]


def config(text: str, attributes: str = "") -> Hostile:
    """Return a function that writes a configuration, where CMD is the program, and attributes."""

    def plant(repo: Repo, command: str) -> None:
        repo.configure(text.replace("CMD", command))
        if attributes:
            repo.write(".gitattributes", attributes)

    return plant


def included(repo: Repo, command: str) -> None:
    repo.write("more.config", f'[filter "x"]\nclean = {command}\nrequired = true\n')
    repo.configure(f"[include]\npath = {repo.root}/more.config\n")
    repo.write(".gitattributes", "*.py filter=x\n")


def attributes_inside(repo: Repo, command: str) -> None:
    repo.configure(f'[filter "x"]\nprocess = {command}\nrequired = true\n')
    repo.write(".git/info/attributes", "*.py filter=x\n")


def hooks(repo: Repo, command: str) -> None:
    for name in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"):
        repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{command}\n").chmod(0o755)
    repo.configure("[core]\nfsmonitor = .git/hooks/fsmonitor-watchman\n")


def promised(repo: Repo, command: str) -> None:
    repo.configure(
        f'[extensions]\npartialClone = far\n[remote "far"]\nurl = ext::{command} %S\npromisor = true\n'
        '[protocol "ext"]\nallow = always\n[core]\nrepositoryformatversion = 1\n'
    )
    for blob in {repo.git("rev-parse", f"HEAD:{path}").strip() for path in ("a.py", "src/b.py")}:
        (repo.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


HOSTILE: dict[str, Hostile] = {
    "fsmonitor": config("[core]\nfsmonitor = CMD\n"),
    "hooks": hooks,
    "external diff": config("[diff]\nexternal = CMD\n"),
    "diff driver": config('[diff "x"]\ncommand = CMD\n', "*.py diff=x\n"),
    "text converter": config('[diff "x"]\ntextconv = CMD\ncachetextconv = true\n', "*.py diff=x\n"),
    "clean filter": config('[filter "x"]\nclean = CMD\nrequired = true\n', "*.py filter=x\n"),
    "process filter": config('[filter "x"]\nprocess = CMD\nrequired = true\n', "*.py filter=x\n"),
    "attributes inside": attributes_inside,
    "included": included,
    "pager": config("[core]\npager = CMD\n[pager]\ndiff = CMD\nls-files = CMD\n"),
    "alias": config("[alias]\ndiff = !CMD\nls-files = !CMD\n"),
    "transport": promised,
    "ssh": config(
        "[core]\nsshCommand = CMD\ngitProxy = CMD\naskPass = CMD\neditor = CMD\nalternateRefsCommand = CMD\n"
    ),
}


@pytest.mark.parametrize("name", first(4, HOSTILE))
async def test_no_setting_of_the_workspace_runs_a_program(repo: Repo, tmp_path: Path, name: str) -> None:
    marker = tmp_path / "marker"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    HOSTILE[name](repo, str(script))
    repo.write("a.py", "one\nTWO\nthree\n")
    workspace = Workspace(repo.root)

    for scope in (DIFF, ALL, SessionConfig(scope="paths", paths=("a.py", "src"))):
        await workspace.read_files(scope)
    checked = await workspace.dry_run("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+ONE\n")
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n-one\n+ONE\n TWO\n three\n"
    applied = await workspace.apply(await workspace.dry_run(diff))

    assert not marker.exists()
    assert (checked.problem != "", applied) == (True, "")
    assert (repo.root / "a.py").read_text(encoding="utf-8") == "ONE\nTWO\nthree\n"


async def test_no_variable_of_the_environment_reaches_git(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo(tmp_path / "other")
    other.commit(**{"secret.py": "secret\n"})
    marker = tmp_path / "marker"
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home" / ".gitconfig").write_text(f"[core]\nfsmonitor = touch {marker};\n", encoding="utf-8")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", f"touch {marker};")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"touch {marker};")
    monkeypatch.setenv("GIT_TRACE", str(marker))
    (repo.root / "a.py").write_text("changed\n", encoding="utf-8")

    assert lines_of(await gather(repo.root)) == {"a.py": [1]}
    assert list(lines_of(await gather(repo.root, ALL))) == ["a.py", "src/b.py"]
    assert not marker.exists()


async def test_a_program_called_git_in_the_workspace_is_not_run(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    repo.write("bin/git", f"#!/bin/sh\ntouch {marker}\n").chmod(0o755)
    repo.write("git", f"#!/bin/sh\ntouch {marker}\n").chmod(0o755)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", f".::bin:{repo.root}/bin:{os.environ['PATH']}")
    repo.write("a.py", "changed\n")

    assert lines_of(await gather(repo.root)) == {"a.py": [1]}
    assert not marker.exists()


async def test_a_missing_git_is_reported(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    workspace = Workspace(repo.root)

    assert (await workspace.read_files(DIFF)).notes == ("git was not used: git is not installed.",)
    assert (
        await workspace.dry_run("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+1\n")
    ).problem == "git is not installed"


@pytest.fixture
def slow_git(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a git that never ends on PATH; return the file with the process id of its child."""
    started = tmp_path / "started"
    program = repo.root.parent / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {started}.new\nmv {started}.new {started}\nwait\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return started


def is_running(process: int) -> bool:
    try:
        return process_file(process, "stat").read_text("utf-8").split()[2] != "Z"
    except OSError:
        return False


async def until(is_so: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not is_so():  # noqa: ASYNC110 - a process has no event
            await anyio.sleep(0.01)


async def test_git_and_what_it_started_end_with_a_cancelled_audit(repo: Repo, slow_git: Path) -> None:
    workspace = Workspace(repo.root)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(workspace.read_files, DIFF)
        await until(slow_git.exists)
        tasks.cancel_scope.cancel()

    child = int(await anyio.Path(slow_git).read_text("utf-8"))
    await until(lambda: not is_running(child))


@pytest.mark.usefixtures("slow_git")
async def test_git_is_ended_at_its_time_limit(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_module, "TIME_LIMIT_SECONDS", 0.2)

    assert (await gather(repo.root)).notes == ("git was not used: git took longer than 0.2 s.",)


async def test_git_is_ended_when_it_says_too_much(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_module, "MAX_OUTPUT_BYTES", 1 << 20)
    repo.write("a.py", "x" * 99 + "\n" + "y\n" * (1 << 20))

    assert (await gather(repo.root)).notes == ("git could not diff: git printed more than 1 MiB.",)
