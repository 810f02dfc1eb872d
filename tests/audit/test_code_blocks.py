"""Code found in a thought: its language, text, line, and the file that the thought names."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.audit.code.blocks import CodeBlock, code_blocks, fenced_blocks, is_diff
from seqthink.audit.code.candidates import candidate_languages
from seqthink.audit.code_under_review import code_of_thought
from seqthink.audit.judges.internal import judge
from seqthink.audit.review import combine_cards
from tests.audit.test_trigger import WRITTEN

PIECES = [
    "```", "````", "~~~", "```py", "``` ", "> ", ">", "- ", "1. ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "x = f(1)",
    "def f(x):", "    return x", "}", "import os", "diff --git a/x b/x", "index 1..2", "--- a/x", "+++ b/x",
    "@@ -1,2 +1,2 @@", "+a", "-b", "# a/b.py", "`a.py`:", "$ make", "gan-config", '{"a": 1}', "prose that goes on.",
    "\x1b", "\u2028", "\x0b", "\ud800",
]  # fmt: skip
DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"
ANY = candidate_languages("f(1)\n")
_END = re.compile("\r\n|\r|\n")


def one(thought: str) -> CodeBlock:
    [block] = code_blocks(thought)
    return block


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("py", "python"), ("Python3", "python"), ("js {1,3}", "javascript"), ("tsx", "tsx"), ("TS", "typescript"),
        ("golang", "go"), ("rs", "rust"), ("c++", "cpp"), ("hpp", "cpp"), ("C#", "csharp"), ("yml", "yaml"),
        ("shell", "bash"), ("patch", "diff"), ("jsonc", "json"), ("{.python .numberLines}", "python"),
        ("lang-py", "python"), ("python,ignore", "python"), ("elixir", "elixir"), ("12:40:src/x.ts", "typescript"),
        ("src/x.go", "go"), ("rust:src/x.rs", "rust"),
    ],
)  # fmt: skip
def test_a_fence_names_its_language(info: str, language: str) -> None:
    assert one(f"```{info}\nx\n```").language == language


@pytest.mark.parametrize("info", ["text", "console", "markdown", "mermaid", "latex", "output", "Log"])
def test_a_fence_named_as_prose_is_no_code(info: str) -> None:
    assert code_blocks(f"```{info}\ndef f(x):\n    return x\n```") == []


@pytest.mark.parametrize(
    ("thought", "path"),
    [
        ("```python jobs/report.py\nx\n```", "jobs/report.py"),
        ('```py title="a b/c.py"\nx\n```', "a b/c.py"),
        ("```py file=a/b.py\nx\n```", "a/b.py"),
        ("```12:40:src/x.ts\nx\n```", "src/x.ts"),
        ("```python:src/x.py\nx\n```", "src/x.py"),
        ("```js\n// src/a.js\nx\n```", "src/a.js"),
        ("```\n# jobs/report.py\nx = f('1')\n```", "jobs/report.py"),
        ("```css\n/* a/b.css */\nx\n```", "a/b.css"),
        ("jobs/report.py:\n```py\nx\n```", "jobs/report.py"),
        ("**`jobs/report.py`**\n\n```py\nx\n```", "jobs/report.py"),
        ("### File: a.go (new)\n```go\nx\n```", "a.go"),
        ("Change `jobs/report.py` to read:\n```py\nx\n```", "jobs/report.py"),
        ("# jobs/report.py\nimport os\nimport sys", "jobs/report.py"),
        ("```make Makefile\nx\n```", "Makefile"),
        ("```py ../../etc/passwd\nx\n```", "../../etc/passwd"),
        ("```py /etc/passwd\nx\n```", "/etc/passwd"),
        ("```py\nx\n```", ""),
        ("```Python 3.11\nx\n```", ""),
        ("```py {1,3-5}\nx\n```", ""),
        ("```py\n# see foo.py for more\nx\n```", ""),
        ("That is in foo.py, I think.\n```py\nx\n```", ""),
        ("Both `a.py` and `b.py`:\n```py\nx\n```", ""),
        ("foo.py:\n\n\n```py\nx\n```", ""),
        ("```diff\n# a/b.py\n```", ""),
    ],
)
def test_the_file_that_a_thought_names_for_a_piece_of_code(thought: str, path: str) -> None:
    assert one(thought).path == path


def test_a_path_is_cut_and_has_no_controls() -> None:
    assert one(f"```py {'a/' * 300}b.py\nx\n```").path == "a/" * 100
    assert one('```py title="a\u202e/b\x7f.py"\nx\n```').path == "a/b.py"


def test_an_info_of_any_length_is_no_language() -> None:
    assert code_blocks(f"```{'a' * 5000}\nprose goes here\n```") == []


@pytest.mark.parametrize(
    ("thought", "expected"),
    [
        ("a\n```py\nx\n```\nb", CodeBlock("python", "x\n", 3)),
        ("~~~py\n```\n~~~", CodeBlock("python", "```\n", 2)),
        ("````py\n```\n````", CodeBlock("python", "```\n", 2)),
        ("```py\nx\n\n", CodeBlock("python", "x\n\n", 2)),
        ("1. a:\n\n   ```py\n   x\n     y\n   ```", CodeBlock("python", "x\n  y\n", 4)),
        ("- ```py\n  x\n  ```", CodeBlock("python", "x\n", 2)),
        ("\t```py\n\tx\n\t\ty\n\t```", CodeBlock("python", "x\n\ty\n", 2)),
        ("> ```py\n> x\n>   y\n\nend", CodeBlock("python", "x\n  y\n", 2)),
        ("> > ```py\n> > x\n> end", CodeBlock("python", "x\n", 2)),
        ("```py\r\nx\r\n```\r\n", CodeBlock("python", "x\n", 2)),
        ("```py\rx\r```", CodeBlock("python", "x\n", 2)),
        ("````md\n# Use\n\n```py\nx\n```\n````", CodeBlock("python", "x\n", 5)),
        (
            "a\n\n    import os\n    import sys\n\nb",
            CodeBlock("", "import os\nimport sys\n", 3, is_fenced=False, candidates=ANY),
        ),
    ],
)
def test_a_block_has_its_text_and_the_line_on_which_it_begins(thought: str, expected: CodeBlock) -> None:
    assert one(thought) == expected


def test_code_in_the_middle_of_a_line_is_no_fence() -> None:
    assert fenced_blocks("see ```py\nx") == []
    assert fenced_blocks("```x``` is how it is marked") == []
    assert fenced_blocks("`" * 3 + "a`b\nx") == []


def test_blank_lines_do_not_part_bare_code_and_prose_does() -> None:
    code = 'import os\nimport sys\n\n\ndef f(x):\n    """Say it, as all of them do."""\n\n    return x\n'

    assert [(block.text, block.first_line) for block in code_blocks(f"{code}\nThat is the first.\n\n{code}")] == [
        (code, 1),
        (code, 12),
    ]


def test_a_bare_diff_ends_where_its_hunk_says() -> None:
    [diff, after] = code_blocks(f"So:\n{DIFF}\n- one\n- two\n\n```py\nx\n```")

    assert diff == CodeBlock("diff", DIFF, 2, is_fenced=False)
    assert after.first_line == 15


def test_what_a_bare_diff_brings_is_no_fence_and_no_configuration() -> None:
    diff = "--- a/R.md\n+++ b/R.md\n@@ -1,3 +1,4 @@\n ```gan-config\n+{}\n ```\n x\n"

    assert fenced_blocks(diff) == []
    assert one(diff) == CodeBlock("diff", diff, 1, is_fenced=False)


@pytest.mark.parametrize("before", ["", "a\n", "- a\n", "> a\n", "1. a\n\n   b\n", "    a\n"])
@pytest.mark.parametrize("after", ["", "\n```\nx\n```\n"])
def test_a_bare_diff_is_found_below_anything_with_and_without_fences_in_the_text(before: str, after: str) -> None:
    assert code_blocks(f"{before}{DIFF}{after}")[0].text == DIFF


def test_several_files_are_one_diff() -> None:
    assert one(DIFF + DIFF).text == DIFF + DIFF
    assert one(DIFF + "\n" + DIFF).text == DIFF + "\n" + DIFF


@pytest.mark.parametrize("text", [DIFF, DIFF.partition("\n")[2], "@@ -1 +1 @@ def f():\n-a\n+b\n"])
def test_what_git_and_diff_write_is_a_diff(text: str) -> None:
    assert is_diff(text)
    assert one(f"```\n{text}```").is_diff


@pytest.mark.parametrize(
    "text",
    ["- a\n+ b\n", "--- a\n+++ b\n", "@@ -1 +1 @@ is how it begins\n", "diff --git is a command\n", "---\n+++\n"],
)
def test_lists_and_talk_of_diffs_are_none(text: str) -> None:
    assert not is_diff(text)
    assert code_blocks(text) == []


def test_configuration_is_no_code_and_quoted_in_a_longer_fence_only_text() -> None:
    assert code_blocks("```gan-config\n{}\n```") == []
    assert [fence.language for fence in fenced_blocks("````md\n```gan-config\n{}\n```\n````")] == ["md"]


def test_a_quote_of_any_depth_is_read() -> None:
    assert code_blocks(">" * 5000 + "```py\nx\n```") == []
    assert one(">" * 19 + "```py\n" + ">" * 19 + "x").text == "x\n"


INNER = 'def f():\n    """Say it.\n\n    ```\n    f()\n    ```\n    """\n    return 1\n'
MODULE = '"""Say it.\n\n```sh\nmake\n```\n"""\n\nX = f(1)\n'
HERE = "cat > README.md <<'EOF'\n# It\n```sh\nmake\n```\nEOF\n"
GREW = "diff --git a/R.md b/R.md\n--- a/R.md\n+++ b/R.md\n@@ -1,3 +1,4 @@\n ```\n make\n+make test\n ```\n"


@pytest.mark.parametrize(
    ("thought", "expected"),
    [
        (f"```py\n{INNER}```\nend", CodeBlock("python", INNER, 2)),
        (f"~~~py\n{INNER}~~~", CodeBlock("python", INNER, 2)),
        (f"````py\n{INNER}\n```\n````", CodeBlock("python", f"{INNER}\n```\n", 2)),
        ("1. a\n\n   ```py\n   x\n       ```\n   y\n   ```", CodeBlock("python", "x\n    ```\ny\n", 4)),
        ("> ```py\n> x\n>     ```\n> y\n> ```", CodeBlock("python", "x\n    ```\ny\n", 2)),
        ("```py\nx\n   ```\nend", CodeBlock("python", "x\n", 2)),
        ("```py\nx\n``` py\ny\n`````", CodeBlock("python", "x\n``` py\ny\n", 2)),
        ("````py\nx\n```\n~~~~\n````", CodeBlock("python", "x\n```\n~~~~\n", 2)),
        (f"```py\n{INNER}```".replace("\n", "\r\n"), CodeBlock("python", INNER, 2)),
        ("```py\nx\0\n```", CodeBlock("python", "x\0\n", 2)),
        ("<details>\n```py\nx\n```\n</details>", CodeBlock("python", "x\n", 3)),
        (f"```py\n{MODULE}```\nend", CodeBlock("python", MODULE, 2)),
        (f"```sh\n{HERE}```\nend", CodeBlock("bash", HERE, 2)),
        (f"```diff\n{GREW}```\nend", CodeBlock("diff", GREW, 2)),
    ],
)
def test_only_a_mark_that_closes_a_fence_ends_its_code(thought: str, expected: CodeBlock) -> None:
    assert code_blocks(thought) == [expected]


@pytest.mark.parametrize("code", ['x = """never closed\n', "cat <<EOF\nnever closed\n"])
def test_code_that_breaks_off_in_a_string_ends_with_its_fence(code: str) -> None:
    language = "py" if code.startswith("x") else "sh"
    [broken, after] = code_blocks(f"```{language}\n{code}```\n\nThen:\n\n```{language}\nx = f(1)\n```")

    assert broken.text == code
    assert after.text == "x = f(1)\n"


def points_at_its_text(thought: str, block: CodeBlock) -> bool:
    lines = _END.split(thought)[block.first_line - 1 :]
    text = block.text.removesuffix("\n").split("\n") if block.text else []
    return len(text) <= len(lines) and all(
        line.endswith(part.lstrip(" \t")) for part, line in zip(text, lines, strict=False)
    )


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.lists(st.sampled_from(PIECES)).map("\n".join) | st.text())
def test_every_block_points_at_its_text(thought: str) -> None:
    for block in [*code_blocks(thought), *fenced_blocks(thought)]:
        assert points_at_its_text(thought, block)


def test_the_blocks_of_the_written_thoughts_point_at_their_text() -> None:
    found = [(one.text, block) for one in WRITTEN for block in code_blocks(one.text)]

    assert len(found) > 80
    assert all(points_at_its_text(thought, block) for thought, block in found)


@pytest.mark.parametrize("language", ["", "sh", "bash", "diff", "patch"])
def test_a_patch_of_codex_in_a_fence_is_a_diff_without_the_call_around_it(language: str) -> None:
    patch = "*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\n"
    call = f"apply_patch <<'EOF'\n{patch}EOF\n"

    assert one(f"So:\n```{language}\n{call}```") == CodeBlock("diff", patch, 4)
    assert one(f"So:\n\n{call}\nThat is all.") == CodeBlock("diff", patch, 4, is_fenced=False)


def test_a_patch_of_codex_that_a_program_contains_is_its_text() -> None:
    assert one('```py\nP = """\\\n*** Begin Patch\n*** Add File: x\n+a\n*** End Patch\n"""\n```').language == "python"


@pytest.mark.deep  # it measures time
@pytest.mark.parametrize(
    "line", ["x = f(a[", "if a in b ", "SELECT a FROM b ", "- k: v\n  ", "git -x /a ", "<a b={c} ", "def a ", "#! a "]
)
def test_hostile_text_is_read_in_linear_time(line: str) -> None:
    started = process_time()
    code_blocks(line * (200_000 // len(line)))
    code_blocks(f"{line * 40}\n" * (200_000 // len(line) // 40))

    assert process_time() - started < 10


SOUND = [
    '```python\ndef f():\n    """Say it.\n\n    ```python\n    f()\n    ```\n    """\n```',
    '```python\n"""Say it.\n\n```\nf()\n```\n"""\n\nX = 1\n```\nDone.',
    '~~~python\nx = """\n```\n"""\n~~~',
    '1. Do:\n\n   ```py\n   def f():\n       """It.\n\n       ```\n       f()\n       ```\n       """\n   ```',
    "> ```py\n> def f():\n>     return 1\n> ```",
    "# T\n\n````markdown\n```python\nx = 1\n```\n````",
    "```bash\ncat > README.md <<'EOF'\n# T\n```sh\nmake\n```\nEOF\necho done\n```",
    '```python\r\ndef f():\r\n    """Say it.\r\n\r\n    ```\r\n    f()\r\n    ```\r\n    """\r\n```\r\n',
    "```rust\n/// ```\n/// f();\n/// ```\nfn f() {}\n```",
    "```yaml\nservices:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${DB_PASSWORD:?set it}\n```",
    '```sh\nexport PGPASSWORD="$(pass show db/app-2)"\npsql -h db -U app\n```',
]


@pytest.mark.parametrize("thought", SOUND)
async def test_sound_code_passes_with_any_text_in_it(thought: str) -> None:
    code = await code_of_thought(thought, None)
    review = combine_cards([await judge(code.units, code.findings)], threshold=85)

    assert (len(code.units), review.verdict) == (1, "pass"), review.summary
