"""`seqthink why` in strange and hostile repositories: nothing of theirs runs, and no question ends in a traceback."""

import os
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

from seqthink.audit.workspace import processes as process_module
from seqthink.audit.workspace.processes import ProcessResult
from seqthink.core.errors import UsageError
from tests.cli.overview.conftest import Why
from tests.support.audit.repositories import Repo
from tests.support.depth import first
from tests.support.transcripts.agents_at_work import MINUTE, World

TEXT = "import pool\nsize = chosen_once(20)\n"


def test_nothing_that_a_repository_names_is_run(world: World, why: Why, tmp_path: Path) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.repo.write(".gitattributes", "*.py filter=f diff=d\n")
    world.commit()
    ran = tmp_path / "ran"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\ncat\n", "utf-8")
    script.chmod(0o755)
    evil = f"{script}"
    world.repo.configure(
        f"[core]\nfsmonitor = {evil}\nhooksPath = {tmp_path}\npager = {evil}\nsshCommand = {evil}\n"
        f'[filter "f"]\nclean = {evil}\nsmudge = {evil}\nprocess = {evil}\nrequired = true\n'
        f'[diff]\nexternal = {evil}\n[diff "d"]\ntextconv = {evil}\ncommand = {evil}\n'
        f"[blame]\nignoreRevsFile = {evil}\n[alias]\nblame = !{evil}\nlog = !{evil}\n[include]\npath = {evil}\n"
    )
    world.by_hand("db.py", TEXT + "more = by_the_user\n")

    assert why("--json", "db.py").status == 0
    assert why("--json", "HEAD").status == 0
    why("--json", "chosen_once")

    assert not ran.exists()


def test_a_program_of_the_repository_called_git_is_not_run(
    world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.commit()
    fake = world.repo.write("bin/git", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")

    assert why("--json", "db.py:2").answer["commits"]
    assert not (tmp_path / "ran").exists()


def test_without_git_the_text_decides(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.commit()
    monkeypatch.setenv("PATH", "")

    asked = why("--json", "db.py:2")

    assert (asked.answer["level"], asked.answer["commits"]) == ("same text", [])
    assert asked.err == "seqthink: git is not asked: git is not installed\n"


def test_where_git_cannot_be_isolated_the_text_decides(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.commit()
    monkeypatch.setattr("seqthink.core.system.HAS_POSIX_FILES", False)

    asked = why("--json", "db.py:2")

    assert (asked.answer["level"], asked.answer["commits"]) == ("same text", [])
    assert asked.err == "seqthink: git is not asked: only on Linux and macOS it can be isolated\n"


def test_a_folder_without_a_repository_is_answered_by_the_text(
    world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    world.agent("ada", plain).write("db.py", TEXT)
    monkeypatch.chdir(plain)

    assert why("--json", "db.py:2").answer["level"] == "same text"
    with pytest.raises(UsageError, match="a commit or a function needs a git repository"):
        why("HEAD")


def test_a_repository_without_commits_is_answered_by_the_text(world: World, why: Why) -> None:
    world.agent("ada").write("db.py", TEXT)

    asked = why("--json", "db.py:2")

    assert (asked.answer["level"], asked.err) == ("same text", "")
    assert why("HEAD").status == 1


def test_an_untracked_file_is_answered_by_the_text(world: World, why: Why) -> None:
    world.commit()
    world.agent("ada").write("db.py", TEXT)

    asked = why("--json", "db.py:2")

    assert (asked.answer["level"], asked.err) == ("same text", "")


def test_a_detached_head_and_a_subfolder_make_no_difference(
    world: World, why: Why, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = world.agent("ada")
    ada.write("src/shop/db.py", TEXT)
    ada.commit()
    world.git("checkout", "-q", "--detach")
    monkeypatch.chdir(world.root / "src")

    answer = why("--json", "shop/db.py:2").answer

    assert (answer["file"], answer["level"]) == ("src/shop/db.py", "same text")


def test_a_line_written_in_another_working_tree_is_found(world: World, why: Why, tmp_path: Path) -> None:
    world.commit()
    tree = tmp_path / "trees" / "feature"
    world.git("worktree", "add", "-q", "-b", "feature", str(tree))
    ada = world.agent("ada", tree)
    ada.think("In a tree of its own.")
    ada.write("src/db.py", TEXT)
    ada.commit("feature")
    world.git("merge", "-q", "--no-ff", "-m", "merge", "feature")
    assert why("--json", "src/db.py:2").answer["behind"]["text"] == "In a tree of its own."

    world.git("worktree", "remove", "--force", str(tree))

    assert why("--json", "src/db.py").answers[0]["behind"]["text"] == "In a tree of its own."


def test_a_clone_that_moved_is_the_same_repository(
    world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = world.agent("ada")
    ada.write("src/db.py", TEXT)
    ada.commit()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    world.root.rename(tmp_path / "elsewhere" / "shop")
    monkeypatch.chdir(tmp_path / "elsewhere" / "shop")

    assert why("--json", "src/db.py:2").answer["level"] == "same text"


def test_another_clone_of_the_repository_counts_and_another_project_does_not(
    world: World, why: Why, tmp_path: Path
) -> None:
    world.by_hand("README.md", "begun = by_the_user\n")
    world.commit()
    clone = tmp_path / "clones" / "other"
    world.git("clone", "-q", str(world.root), str(clone))
    ada = world.agent("ada", clone)
    ada.think("In a clone.")
    ada.write("db.py", TEXT)
    ada.commit("from the clone")
    world.git("pull", "-q", str(clone), "trunk")
    assert why("--json", "db.py:2").answer["behind"]["text"] == "In a clone."

    stranger = Repo(tmp_path / "stranger")
    bob = world.agent("bob", stranger.root)
    bob.write("cart.py", "price = of_the_stranger\n")
    world.tick(90 * MINUTE)
    world.by_hand("cart.py", "price = of_the_stranger\n")
    world.commit()
    assert why("--json", "cart.py:1").answer["edits"] == []


def test_a_renamed_file_is_followed(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.think("Before the move.")
    ada.write("old.py", TEXT)
    ada.commit()
    world.git("mv", "old.py", "new.py")
    world.commit("move")
    assert why("--json", "new.py:2").answer["behind"]["text"] == "Before the move."

    ada.think("Before a move without a commit.")
    ada.edit("new.py", "import pool\n", "import pool\nlater = line_of_it\n")
    ada.run("git mv new.py newest.py")
    ada.commit("edit and move")

    assert why("--json", "newest.py:2").answer["behind"]["text"] == "Before a move without a commit."


def test_a_rebased_and_an_amended_commit_keep_their_edits(world: World, why: Why) -> None:
    world.by_hand("a.txt", "begun = by_the_user\n")
    world.commit()
    world.git("checkout", "-q", "-b", "topic")
    ada = world.agent("ada")
    ada.think("On a branch.")
    ada.write("db.py", TEXT)
    ada.commit()
    ada.think("One thing more.")
    ada.edit("db.py", "size", "more = than_before(9)\nsize")
    world.git("commit", "-q", "-a", "--amend", "--no-edit")
    world.git("checkout", "-q", "trunk")
    world.tick(MINUTE)
    world.by_hand("b.txt", "in_between = by_the_user\n")
    world.commit()
    world.git("checkout", "-q", "topic")
    world.tick(MINUTE)
    world.git("rebase", "-q", "trunk")

    answers = why("--json", "db.py").answers

    assert [(answer["level"], answer["behind"]["text"]) for answer in answers if answer["level"] == "same text"] == [
        ("same text", "On a branch."),
        ("same text", "One thing more."),
    ]


def test_a_shallow_clone_is_answered(world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = world.agent("ada")
    ada.write("db.py", TEXT)
    ada.commit()
    world.by_hand("b.txt", "later = by_the_user\n")
    world.commit()
    shallow = tmp_path / "shallow"
    world.git("clone", "-q", "--depth", "1", f"file://{world.root}", str(shallow))
    monkeypatch.chdir(shallow)

    asked = why("--json", "db.py:2")

    assert (asked.answer["level"], asked.err) == ("same text", "")


def test_a_submodule_is_a_repository_of_its_own(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    world.commit()
    library = Repo(world.root.parent / "library")
    library.commit(**{"lib.txt": "text = of_the_library\n"})
    world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "lib")
    inside = world.root / "lib"
    ada = world.agent("ada", inside)
    ada.write("db.py", TEXT)
    world.commit("in the submodule", inside)
    monkeypatch.chdir(world.root)

    answer = why("--json", "lib/db.py:2").answer

    assert (answer["file"], answer["level"], len(answer["commits"])) == ("db.py", "same text", 1)


def test_a_bare_repository_and_a_file_in_git_s_own_folder_are_no_mystery(
    world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.commit()
    bare = tmp_path / "bare.git"
    world.git("clone", "-q", "--bare", str(world.root), str(bare))
    monkeypatch.chdir(bare)

    with pytest.raises(UsageError, match="no such file"):
        why("db.py:2")
    assert why("HEAD:1").status == 1


def test_a_link_out_of_the_repository_leads_to_its_target(world: World, why: Why, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(TEXT, "utf-8")
    (world.root / "link.py").symlink_to(outside)
    world.commit()

    assert why("--json", "link.py:1").answer["file"] == str(outside)


@pytest.mark.parametrize(
    "name",
    first(3, ['q"uote.py', "tab\tname.py", "ünïcode ☃.py", "-rf", "a:b.py", "line\nbreak.py", "$(touch x).py", "'.py"]),
)
def test_odd_names_are_names(world: World, why: Why, name: str) -> None:
    ada = world.agent("ada")
    ada.write(f"src/{name}", TEXT)
    ada.commit()
    world.git("mv", f"src/{name}", f"src/new {name}")
    world.commit()

    found = why("--json", f"src/new {name}").answers[0]

    assert (found["level"], found["file"]) == ("same text", f"src/new {name}")
    assert why("--json", "HEAD~1").answers[0]["file"] == f"src/{name}"
    assert not (world.root / "x").exists()


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"\x00\x01" * 99, "is a binary file"), (b"", "has only 0 lines")],
)
def test_what_has_no_lines_is_refused(world: World, why: Why, data: bytes, says: str) -> None:
    world.repo.write("file", data)
    world.commit()

    with pytest.raises(UsageError, match=says):
        why("file:1")


def test_an_empty_file_has_nothing_to_ask_about(world: World, why: Why) -> None:
    world.repo.write("empty.py", b"")
    world.commit()

    assert why("empty.py").status == 1


def test_a_pipe_is_not_read(world: World, why: Why) -> None:
    os.mkfifo(world.root / "pipe")

    with pytest.raises(UsageError, match="not a regular file"):
        why("pipe")


def test_a_huge_file_is_refused(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqthink.library.why.asked_lines.MAX_FILE_BYTES", 1 << 20)
    world.repo.write("huge.txt", b"one line of it\n" * 100_000)

    with pytest.raises(UsageError, match="is larger than 1 MiB"):
        why("huge.txt:1")


def test_bytes_that_are_no_text_do_no_harm(world: World, why: Why) -> None:
    world.repo.write("latin.py", "café = of_the_user\n".encode("latin-1") + b"\xff\xfe more = of_it\n")
    world.commit()

    assert why("latin.py").status in {0, 1}


def test_a_damaged_repository_is_answered_by_the_text(world: World, why: Why) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.commit()
    for file in (world.root / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.chmod(0o644)
            file.write_bytes(b"damaged")

    asked = why("--json", "db.py:2")

    assert asked.answer["level"] == "same text"
    assert "git does not say which commits the lines are from" in asked.err


def test_a_folder_that_points_to_anothers_repository_is_not_asked(
    world: World, why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / ".git").write_text(f"gitdir: {world.root / '.git'}\n", "utf-8")
    (trap / "db.py").write_text(TEXT, "utf-8")
    world.commit()
    monkeypatch.chdir(trap)

    asked = why("--json", "db.py:2")

    assert asked.err.startswith("seqthink: git is not asked: its .git names a repository elsewhere")


@pytest.mark.parametrize("pointer", ["/tmp/\0x", "circle"])
@pytest.mark.usefixtures("world")
def test_a_folder_that_points_nowhere_is_not_asked(
    why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pointer: str
) -> None:
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / "circle").symlink_to("circle")
    (trap / ".git").write_text(f"gitdir: {pointer}\n", "utf-8")
    (trap / "db.py").write_text(TEXT, "utf-8")
    monkeypatch.chdir(trap)

    asked = why("--json", "db.py:2")

    assert "git is not asked: " in asked.err


def test_a_session_in_a_damaged_repository_does_no_harm(world: World, why: Why, tmp_path: Path) -> None:
    world.by_hand("cart.py", "price = by_the_user(9)\n")
    world.commit()
    damaged = Repo(tmp_path / "damaged")
    damaged.commit(**{"cart.py": "price = by_the_user(9)\n"})
    world.agent("ada", damaged.root).write("cart.py", "price = by_the_user(9)\n")
    (damaged.root / ".git" / "index").unlink()
    (damaged.root / ".git" / "index").mkdir()

    assert why("--json", "cart.py:1").answer["edits"] == []


def test_git_that_is_held_up_is_given_up_soon(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    world.agent("ada").write("db.py", TEXT)
    world.commit()
    os.mkfifo(world.root / ".git" / "objects" / "info" / "alternates")
    monkeypatch.setattr("seqthink.audit.workspace.git.TIME_LIMIT_SECONDS", 0.2)
    started: list[object] = []

    async def run_process(*arguments: object) -> ProcessResult | None:
        started.append(arguments)
        return await process_module.run_process(*arguments)  # pyright: ignore[reportArgumentType] - passed on

    monkeypatch.setattr("seqthink.audit.workspace.git.run_process", run_process)

    asked = why("--json", "db.py")

    assert asked.answers[0]["level"] == "same text"
    assert len(started) <= 3  # the settings are read, and two commands wait


def test_a_nul_far_into_a_file_is_a_character(world: World, why: Why) -> None:
    text = "number = 12345678901\n" * 1000 + "size = chosen\0_once(20)\n"
    ada = world.agent("ada")
    ada.write("db.py", text)
    ada.commit()

    assert why("--json", "db.py:1001").status == 0


def test_a_packed_line_is_no_riddle(world: World, why: Why) -> None:
    world.by_hand("packed.js", "chosen_once(x" + "):" * 100_000 + "\n")
    world.by_hand("db.py", TEXT + "def chosen_once(size):\n    return size\n")
    world.commit()

    began = time.process_time()
    asked = why("chosen_once")

    assert asked.out.startswith("db.py:3-4 "), asked
    assert time.process_time() - began < 10  # it was a minute


def test_a_pager_that_is_no_command_is_named(world: World, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    world.agent("ada").write("db.py", TEXT)
    monkeypatch.setattr("seqthink.cli.overview.why.is_terminal", lambda: True)
    monkeypatch.setenv("PAGER", "less '")

    asked = why("-p", "db.py")

    assert "PAGER is not a command: no closing quotation" in asked.err
    assert "db.py:1-2" in asked.out


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_secrets_in_names_and_commits_are_redacted(world: World, why: Why, options: tuple[str, ...]) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 3 + "aB3dE5"
    ada = world.agent("ada")
    ada.facts[0] = msgspec.structs.replace(ada.facts[0], title=f"use {secret}", client_version=secret)
    ada.write(f"{secret}.py", TEXT)
    world.git("config", "user.name", f"Ada {secret}")
    ada.commit(f"add {secret}")

    asked = why(f"{secret}.py:2", "--redact", *options)

    assert secret not in asked.out
    assert "same text" in asked.out


def test_it_reads_only(world: World, why: Why) -> None:
    ada = world.agent("ada")
    ada.write("db.py", TEXT)
    ada.commit()
    world.by_hand("db.py", TEXT + "more = by_the_user\n")
    before = world.repo.snapshot()

    why("db.py")
    why("HEAD")
    why("chosen_once")

    assert world.repo.snapshot() == before
    status = subprocess.run(["git", "status", "--short"], cwd=world.root, capture_output=True, check=True).stdout
    assert status == b" M db.py\n"
