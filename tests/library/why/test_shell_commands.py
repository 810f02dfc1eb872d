"""What shell commands name: the files that they may change, moves, and what they do with git."""

import pytest

from seqthink.library.why.shell_commands import git_step_of, named_files
from tests.support.depth import first


@pytest.mark.parametrize(
    ("command", "names"),
    first(
        6,
        [
            ("cat > src/a.py <<'EOF'\nimport os\nopen('x.py')\nEOF\nls src/b.py", ("src/a.py",)),
            ("sed -i 's/old/new/' lib/x.go && go build ./...", ("lib/x.go",)),
            ("cat README.md | grep pool > out.txt", ("out.txt",)),
            ("python3 - <<EOF\np = 'src/x.py'\nEOF", ("src/x.py",)),
            ("git commit -am 'fix a.py'", ()),
            ("git -C sub checkout -- a.py", ("a.py",)),
            ("FOO=1 black src/", ("src/",)),
            ("sudo mv 'my file.txt' docs/", ("my file.txt", "docs/")),
            ("sed -n 1,5p a.py", ()),
            ("pytest tests/test_a.py", ()),
            ("curl https://example.org/c.tar.gz", ()),
            ("tee a.log", ("a.log",)),
            ("rm -rf build/x.o", ("build/x.o",)),
        ],
        is_unpacked=True,
    ),
)
def test_a_command_names_the_files_that_it_may_change(command: str, names: tuple[str, ...]) -> None:
    found = [name for name in named_files(command).names if not name.startswith("s/")]

    assert tuple(found) == names


def test_a_command_of_several_lines_may_write_each_of_them() -> None:
    assert named_files("cat > a.py <<E\nx = 1\nE").lines == ("cat > a.py <<E", "x = 1", "E")
    assert named_files("echo x > a.py").lines == ()


@pytest.mark.parametrize(
    ("command", "moves"),
    [
        ("git mv a/b.py c/", (("a/b.py", "c/b.py"),)),
        ("mv a.py b.py && cp b.py d/e.py", (("a.py", "b.py"), ("b.py", "d/e.py"))),
        ("mv a.py b.py c/", ()),
    ],
)
def test_moves_and_copies_have_two_ends(command: str, moves: tuple[tuple[str, str], ...]) -> None:
    assert named_files(command).moves == moves


@pytest.mark.parametrize(
    ("command", "step"),
    [
        ("git add -A && git commit -m 'x'", "commit"),
        ("git -C /x -c a.b=c commit", "commit"),
        ("git stash", "restore"),
        ("git log --oneline", None),
        ("echo commit", None),
    ],
)
def test_git_steps(command: str, step: str | None) -> None:
    assert git_step_of(command) == step


def test_a_hostile_command_takes_no_longer_than_its_length() -> None:
    for command in ("git " * 20_000, "'" * 60_000, "a/" * 30_000, "-x " * 20_000 + "git", "<<" * 30_000):
        assert len(named_files(command).names) <= 16
        git_step_of(command)
