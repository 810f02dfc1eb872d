"""Patches of Codex in a workspace: located by their lines, applied by git to copies, refused like any other diff."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.audit.code_under_review import code_of_thought
from seqthink.audit.workspace.files import LINKED, MISSING, OUTSIDE
from seqthink.audit.workspace.patch import ALREADY_THERE, MAX_FILES, STEERS_GIT
from seqthink.audit.workspace.patch_conversion import (
    MISSING_LINES,
    NO_CHANGE,
    TOO_MUCH,
    FileText,
    PatchError,
    is_in_place,
    unified_from_patch,
)
from seqthink.audit.workspace.workspace import Workspace
from seqthink.core.codex_patch import BAD_LINE, parse_patch
from tests.support.audit.repositories import Repo
from tests.support.depth import first

POOL = (
    "import os\n\n\nclass Pool:\n    def take(self):   \n        return self.free.pop()\n\n"
    "    def give(self, one):\n        self.free.append(one)\n"
)
LONG = "".join(f"{number}\n" for number in range(1, 40))


def patch(*lines: str) -> str:
    """Return a patch that consists of ``lines``."""
    return "".join(f"{line}\n" for line in ("*** Begin Patch", *lines, "*** End Patch"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository with a commit."""
    made = Repo(tmp_path / "repo")
    made.commit(**{
        "pool.py": POOL, "open.txt": "one\ntwo", "crlf.txt": "a\r\nb\r\nc\r\n", "long.txt": LONG,
        "typed.txt": "say — it\na “b”\nit’s\u00a0so\n", "blank.txt": "a\n\n",
    })  # fmt: skip
    return made


async def after(repo: Repo, diff: str) -> dict[str, str | None]:
    """Return what applying a patch makes of each file; None: it is gone."""
    workspace, before = Workspace(repo.root), repo.snapshot()
    checked = await workspace.dry_run(diff)

    assert (checked.problem, repo.snapshot()) == ("", before)
    assert await workspace.apply(checked) == ""
    now = repo.snapshot()
    changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
    assert changed <= set(checked.files)
    return {path: (repo.root / path).read_bytes().decode() if path in now else None for path in sorted(changed)}


UPDATES = {
    "a hunk below its @@ line": (
        ["*** Update File: pool.py", "@@     def give(self, one):", "-        self.free.append(one)", "+        pass"],
        {"pool.py": POOL.replace("self.free.append(one)", "pass")},
    ),
    "blanks at the end of a kept line": (
        ["*** Update File: pool.py", "@@", "     def take(self):", "-        return self.free.pop()", "+        pass"],
        {"pool.py": POOL.replace("return self.free.pop()", "pass")},
    ),
    "two hunks": (
        ["*** Update File: pool.py", "@@", "-import os", "+import sys", "@@ def give(self, one):", "+# end"],
        {"pool.py": POOL.replace("import os", "import sys") + "# end\n"},
    ),
    "a move with a change": (
        ["*** Update File: pool.py", "*** Move to: lib/new name.py", "@@", "-import os"],
        {"lib/new name.py": POOL.replace("import os\n", ""), "pool.py": None},
    ),
    "a move alone": (
        ["*** Update File: pool.py", "*** Move to: é.py"],
        {"é.py": POOL, "pool.py": None},
    ),
    "new, empty and deleted files": (
        ["*** Add File: src/a b.py", "+x = 1", "*** Add File: empty", "*** Delete File: open.txt"],
        {"empty": "", "open.txt": None, "src/a b.py": "x = 1\n"},
    ),
    "the end of a file without a newline": (
        ["*** Update File: open.txt", "@@", " one", "-two", "+2", "*** End of File"],
        {"open.txt": "one\n2\n"},
    ),
    "above an end without a newline": (
        ["*** Update File: open.txt", "@@", "-one", "+1", " two"],
        {"open.txt": "1\ntwo\n"},
    ),
    "lines that end in CRLF": (
        ["*** Update File: crlf.txt", "@@", " a", "-b", "+B", "+B", " c"],
        {"crlf.txt": "a\r\nB\r\nB\r\nc\r\n"},
    ),
    "one file twice": (
        ["*** Update File: open.txt", "@@", "-one", "+1", "*** Update File: open.txt", "@@", "-1", "+I"],
        {"open.txt": "I\ntwo\n"},
    ),
    "one file twice, far apart": (
        [
            "*** Update File: long.txt",
            "@@",
            "-5",
            "+five",
            "*** Update File: long.txt",
            "@@",
            "-30",
            "+thirty",
            "+more",
        ],
        {"long.txt": LONG.replace("5\n", "five\n", 1).replace("30\n", "thirty\nmore\n")},
    ),
    "changed, then deleted": (
        ["*** Update File: open.txt", "@@", "-one", "+1", "*** Delete File: open.txt", "*** Add File: new.txt", "+x"],
        {"open.txt": None, "new.txt": "x\n"},
    ),
    "deleted, then created": (["*** Delete File: open.txt", "*** Add File: open.txt", "+new"], {"open.txt": "new\n"}),
    "created, then changed": (
        ["*** Add File: new.txt", "+a", "+b", "*** Update File: new.txt", "@@", "-a", "+A"],
        {"new.txt": "A\nb\n"},
    ),
    "moved, then changed": (
        [
            "*** Update File: pool.py",
            "*** Move to: lib.py",
            "@@",
            "-import os",
            "+import re",
            "*** Update File: lib.py",
            "@@",
            "-import re",
            "+import sys",
        ],
        {"pool.py": None, "lib.py": POOL.replace("import os", "import sys")},
    ),
    "moved, and its name is taken again": (
        ["*** Update File: open.txt", "*** Move to: old.txt", "@@", "-one", "+1", "*** Add File: open.txt", "+new"],
        {"old.txt": "1\ntwo\n", "open.txt": "new\n"},
    ),
    "one file of two is changed": (
        ["*** Update File: pool.py", "@@", " import os", "*** Update File: open.txt", "@@", "-one", "+1"],
        {"open.txt": "1\ntwo\n"},
    ),
    "typographic characters": (
        ["*** Update File: typed.txt", "@@ say - it", '-a "b"', "+x", " it's so"],
        {"typed.txt": "say — it\nx\nit’s\u00a0so\n"},
    ),
    "CRLF in the patch and in the file": (
        ["*** Update File: crlf.txt\r", "@@\r", " a\r", "-b\r", "+B\r", "*** Add File: new.txt\r", "+x\r"],
        {"crlf.txt": "a\r\nB\r\nc\r\n", "new.txt": "x\n"},
    ),
    "CRLF only in the patch": (["*** Update File: open.txt\r", "@@\r", "-one\r", "+1\r"], {"open.txt": "1\ntwo\n"}),
    "a line below the blank lines of the end": (["*** Update File: blank.txt", "@@", "+b"], {"blank.txt": "a\n\nb\n"}),
    "the end first": (
        ["*** Update File: pool.py", "@@", "+# end", "@@", "-import os", "+import sys"],
        {"pool.py": POOL.replace("import os", "import sys") + "# end\n"},
    ),
    "a blank line below the head, and an environment": (
        ["*** Environment ID: a1", "*** Update File: open.txt", "", "@@", "-one", "+1"],
        {"open.txt": "1\ntwo\n"},
    ),
    "a path with a dot": (["*** Update File: ./open.txt", "@@", "-one", "+1"], {"open.txt": "1\ntwo\n"}),
}


@pytest.mark.parametrize("name", first(5, UPDATES))
async def test_a_patch_is_applied_as_it_says(repo: Repo, name: str) -> None:
    lines, expected = UPDATES[name]

    assert await after(repo, patch(*lines)) == expected


@pytest.mark.parametrize("name", first(4, UPDATES))
async def test_what_is_in_place_is_no_finding(repo: Repo, name: str) -> None:
    diff = patch(*UPDATES[name][0])
    await after(repo, diff)
    code = await code_of_thought(f"Done:\n\n{diff}", Workspace(repo.root))

    assert code.findings == ()


REFUSED = {
    "pool.py: " + MISSING_LINES: ["*** Update File: pool.py", "@@", "-not there", "+x"],
    "open.txt: " + MISSING_LINES: ["*** Update File: open.txt", "@@ not there", "-one", "+x"],
    "none.py: " + MISSING: ["*** Update File: none.py", "@@", "-a", "+x"],
    "gone.py: " + MISSING: ["*** Delete File: gone.py"],
    "pool.py: " + ALREADY_THERE: ["*** Add File: pool.py", "+x"],
    "crlf.txt: " + ALREADY_THERE: ["*** Update File: pool.py", "*** Move to: crlf.txt", "@@", "-import os"],
    "pool.py: " + BAD_LINE: ["*** Update File: pool.py", "@@", "import os", "+x"],
    "crlf.txt: " + NO_CHANGE: ["*** Update File: crlf.txt"],
    "../x.py: " + OUTSIDE: ["*** Add File: ../x.py", "+x"],
    "/etc/passwd: " + OUTSIDE: ["*** Update File: /etc/passwd", "@@", "-root", "+x"],
    "../y.py: " + OUTSIDE: ["*** Update File: pool.py", "*** Move to: ../y.py", "@@", "-import os"],
    ".gitattributes: " + STEERS_GIT: ["*** Add File: .gitattributes", "+* filter=x"],
    "link: " + LINKED: ["*** Update File: link", "@@", "-one", "+x"],
    f"the diff is larger than {MAX_FILES} files": [f"*** Add File: {number}" for number in range(MAX_FILES + 1)],
}


@pytest.mark.parametrize("reason", first(5, REFUSED))
async def test_what_no_diff_may_do_no_patch_may_do(repo: Repo, reason: str) -> None:
    (repo.root / "link").symlink_to("open.txt")
    before = repo.snapshot()
    checked = await Workspace(repo.root).dry_run(patch(*REFUSED[reason]))

    assert checked.problem == reason
    assert repo.snapshot() == before


async def test_a_patch_that_does_not_apply_rejects_and_its_lines_are_judged_alone(repo: Repo) -> None:
    thought = "So:\n\n" + patch("*** Update File: pool.py", "@@", "-not there", "+import sys")
    code = await code_of_thought(thought, Workspace(repo.root))
    [finding] = code.findings

    assert (finding.line, finding.is_fatal) == (3, True)
    assert finding.comment == f"The diff does not apply: pool.py: {MISSING_LINES}."
    assert [(unit.path, unit.text, unit.is_complete) for unit in code.units] == [("pool.py", "import sys\n", False)]


async def test_without_a_workspace_only_its_lines_are_judged() -> None:
    diff = patch("*** Add File: a.py", "+x = 1", "*** Update File: b.py", "@@", " y = 1", "+z = 1")
    code = await code_of_thought(f"```sh\napply_patch <<'EOF'\n{diff}EOF\n```", None)

    assert code.findings == ()
    assert [(unit.path, unit.text, unit.new_lines, unit.is_complete) for unit in code.units] == [
        ("a.py", "x = 1\n", [1], True),
        ("b.py", "y = 1\nz = 1\n", [2], False),
    ]


async def test_a_proposal_in_this_form_becomes_a_unified_diff(repo: Repo) -> None:
    workspace = Workspace(repo.root)
    unified = await workspace.as_unified(patch("*** Update File: open.txt", "@@", "-one", "+1"))

    assert unified == (
        "diff --git a/open.txt b/open.txt\n--- a/open.txt\n+++ b/open.txt\n"
        "@@ -1,2 +1,2 @@\n-one\n+1\n-two\n\\ No newline at end of file\n+two\n"
    )
    assert await workspace.as_unified("no diff") == "no diff"
    hopeless = patch("*** Delete File: gone.py")
    assert await workspace.as_unified(hopeless) == hopeless


def test_lines_that_are_everywhere_do_not_take_forever() -> None:
    text = "x\n" * 400_000
    hunks = ["@@", *["-x"] * 2, "+y"] * 20
    diff = parse_patch(patch("*** Update File: a", *hunks, "@@", "-z", *["@@", " x", "-z"] * 10))

    with pytest.raises(PatchError) as raised:
        unified_from_patch(diff, lambda _: FileText(text))
    assert raised.value.reason in {MISSING_LINES, TOO_MUCH}


LINES = st.lists(st.sampled_from(["a", "b", "  a", "", "a "]), max_size=12)


@given(LINES, st.data())
def test_a_patch_of_unique_lines_makes_exactly_its_file(old: list[str], data: st.DataObject) -> None:
    before = [f"{number}{line}" for number, line in enumerate(old)]
    signs = data.draw(st.lists(st.sampled_from([" ", "-", "+"]), min_size=len(before), max_size=len(before)))
    body = [part for sign, line in zip(signs, before, strict=True) for part in _lines_for(sign, line)]
    expected = [
        line
        for sign, original in zip(signs, before, strict=True)
        for line in {" ": [original], "-": [], "+": [original, f"new {original}"]}[sign]
    ]
    files = parse_patch(patch("*** Update File: f", "@@", *body))
    before_text, after_text = ("".join(f"{line}\n" for line in lines) for lines in (before, expected))
    if not files or not files[0].hunks:
        return
    unified = unified_from_patch(files, lambda _: FileText(before_text))

    assert (unified.count("\n@@ ") > 0) == (before != expected)
    assert is_in_place(files, lambda _: FileText(after_text))


def _lines_for(sign: str, line: str) -> list[str]:
    return {" ": [f" {line}"], "-": [f"-{line}"], "+": [f" {line}", f"+new {line}"]}[sign]
