"""Markdown in lines of cells: each construct as a drawing, and what holds for any text."""

from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seqthink.drawing.markup import markdown
from seqthink.drawing.markup.markdown import markdown_lines, plain_lines
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import BOLD, ITALIC, Role, Span, spans_text, spans_width
from seqthink.events import ThoughtEvent
from tests.support.journals.build import shop_api


def drawn(text: str, cells: int = 40, **options: bool) -> list[str]:
    """Return the lines of ``text``, none of which is too wide or holds a control."""
    signs = ASCII if options.get("is_ascii") else UNICODE
    lines = markdown_lines(text, cells, signs=signs)
    texts = [spans_text(line) for line in lines]
    assert [text for text in texts if width(text) > cells] == []
    assert [line for line in lines if spans_width(line) > cells] == []
    return [text.rstrip() for text in texts]


CONSTRUCTS = {
    "line breaks join": ("one\ntwo\n\nthree", [" one two", "", " three"]),
    "two blanks break": ("one  \ntwo", [" one", " two"]),
    "a literal break breaks": (r"one\ntwo\n\n- a\n- b", [" one", " two", "", " • a", " • b"]),
    "a literal break in lines": ("*one*\\ntwo\nthree", [" one", " two three"]),
    "a literal break in code stays": ("one\n\n`a\\nb`", [" one", "", r" `a\nb`"]),
    "heading": ("# Plan\nText\n\nMore\n===", [" Plan", " Text", "", " More"]),
    "emphasis": ("*a* **b** _c_ ***d***", [" a b c d"]),
    "tight list": (
        "- one\n- two\n  - three\n    1. four\n- five",
        [" • one", " • two", "   • three", "     1. four", " • five"],
    ),
    "loose list": ("1. one\n\n   more\n\n2) two", [" 1. one", "", "    more", "", " 2) two"]),
    "wrapped item": (
        "10. a long item that goes on into the next line",
        [" 10. a long item that goes on into the", "     next line"],
    ),
    "empty items": ("-\n- b", [" •", " • b"]),
    "quote": ("> a\n> b\n>\n> c", [" > a b", " >", " > c"]),
    "list in quote": ("> - a\n>   - b", [" > • a", " >   • b"]),
    "code span": ("call `run()` and ``a`b``", [" call `run()` and ``a`b``"]),
    "fence": ("```python\ndef f():\n    return 1\n```", [" │ def f():", " │     return 1"]),
    "long code": (
        "```\nrows = pool.run(query, timeout=30, retries=5)\n```",
        [" │ rows = pool.run(query, timeout=30,", "   retries=5)"],
    ),
    "fence with a sentence": ("```py ignore this\nx\n```", [" py ignore this", " │ x"]),
    "open fence": ("```\na\nb", [" │ a", " │ b"]),
    "rule": ("a\n\n***\n\nb", [" a", "", " " + "─" * 38, "", " b"]),
    "link": ('[here](http://x.y "t") <http://a.b>', [' here (http://x.y "t") http://a.b']),
    "image": ("![a chart](c.png)", [" image: a chart (c.png)"]),
    "html": ("<b>x</b>\n<!-- y -->", [" <b>x</b> <!-- y -->"]),
    "definitions are text": ("[TODO]: later", [" [TODO]: later"]),
    "strikes stay": ("~~no~~", [" ~~no~~"]),
    "entities": ("&lt;a&gt; &#27;[31m&#x202e;", [" <a> \ufffd[31m⟨U+202E⟩"]),
    "table": (
        "|name|score|\n|-|-:|\n|`a`|1|\n|bb|22|",
        [" name  score", " ────  ─────", " `a`   1", " bb    22"],
    ),
    "diff without numbers": ("```diff\n a\n-b\n+c\n```", ["  a", "- b", "+ c"]),
    "diff in a list": ("- x\n\n  ```diff\n  +c\n  ```", [" • x", "", "   + c"]),
}


@pytest.mark.parametrize(("text", "lines"), CONSTRUCTS.values(), ids=CONSTRUCTS.keys())
def test_each_construct_is_drawn(text: str, lines: list[str]) -> None:
    assert drawn(text) == lines


def test_a_table_wraps_in_its_cells_and_falls_apart_where_it_is_too_narrow() -> None:
    table = "|name|what it does|third|\n|-|-|-|\n|pool|holds the connections of all|x|"

    assert drawn(table, 30) == [
        " name  what it does     third",
        " ────  ───────────────  ─────",
        " pool  holds the        x",
        "       connections of",
        "       all",
    ]
    assert drawn(table, 20) == [
        " name: pool",
        " what it does:",
        " holds the",
        " connections of all",
        " third: x",
    ]


def test_a_diff_shows_its_files_and_line_numbers() -> None:
    diff = (
        "```diff\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -9,3 +9,3 @@ def f():\n a\n-b\n+c\n d\n"
        "--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n\\ No newline at end of file\n```"
    )

    assert drawn(diff) == [
        " @@ x.py def f():",
        "   9   a",
        "- 10   b",
        "+ 10   c",
        "  11   d",
        " @@ old (deleted)",
        "- 1   gone",
        "  \\ No newline at end of file",
    ]


def test_signs_of_a_diff_have_their_colours() -> None:
    lines = markdown_lines("```diff\n@@ -1 +1 @@\n-a\n+b\n```", 40)

    assert [line[-1].role for line in lines] == [Role.MUTED, Role.BAD, Role.GOOD]


def test_faces_add_up() -> None:
    line = markdown_lines("**a *b*** c", 40)[0]

    assert line[1:] == [Span("a ", face=BOLD), Span("b", face=BOLD | ITALIC), Span(" c")]


def test_ascii_has_signs_of_its_own() -> None:
    assert all(line.isascii() for line in drawn("- a\n\n---\n\n```\nx\n```\n\n> q", is_ascii=True))


def test_too_deep_is_shown_as_written() -> None:
    deep = "\n".join("> " * level + f"w{level}" for level in range(1, 80))

    text = " ".join(drawn(deep, 80))

    assert all(f"w{level}" in text for level in range(1, 80))


def test_deep_but_readable_is_indented_as_far_as_there_is_room() -> None:
    lines = drawn("".join("  " * level + f"- item {level}\n" for level in range(20)), 24)

    assert all(f"item {level}" in " ".join(lines) for level in range(20))


HOSTILE = [
    "\x1b]52;c;eA==\x07 *b*",
    "[x](javascript:alert(1)) [y](http://a\x1b]8;;z)",
    "`\x1b[2J`\n\n```\x9b31m\n\x1b[0m\u202e\n```",
    "| \x1b | \ud800 |\n|-|-|\n| \u2066 | \t |",
    "&#27;]0;x&#7; &#x9b; &#8238; &NewLine; &Tab; &ZeroWidthSpace;",
    "[a](&#27;&#8238;) ![&#27;](x&#27;y 'z&#27;')",
    "```diff\n--- a/\x1bx\n+++ b/\x1bx\n@@ -1 +1 @@ \x1b[31m\n+\x1b]8;;\x07\n```",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("cells", [20, 44, 80])
def test_no_control_comes_out(text: str, cells: int) -> None:
    assert [line for line in drawn(text, cells) if not line.isprintable()] == []


PIECES = st.sampled_from(
    [
        "a",
        "word",
        "* ",
        "- ",
        "1. ",
        "> ",
        "\n",
        "\n\n",
        "    ",
        "`",
        "```",
        "```diff\n",
        "**",
        "_",
        "[",
        "](",
        ")",
        "!",
        "|",
        "|-|-|\n",
        "# ",
        "---",
        "@@ -1 +1 @@",
        "+",
        "目录",
        "👩‍👩‍👧‍👦",
        "e\u0301\u0301",
        "\ufe0f",
        "\x1b[",
        "&#27;",
        "\\n",
        "<b>",
        "http://x.y",
        "\u202e",
        "\t",
        "\r",
        "&amp;",
        "\\",
        "1\ufe0f\u20e3",
        "🇩🇪",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)


@given(TEXTS, st.integers(4, 80), st.booleans())
@example("*1*\ufe0f*2*\ufe0f", 4, False)
@settings(max_examples=150)
def test_any_text_is_drawn_within_its_width_and_without_a_control(text: str, cells: int, is_ascii: bool) -> None:
    lines = drawn(text, cells, is_ascii=is_ascii) + [spans_text(line) for line in plain_lines(text, cells)]

    assert [line for line in lines if width(line) > cells or "\n" in line] == []
    assert [line for line in lines if any(is_control(sign) for sign in line)] == []


_BIDI = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def is_control(sign: str) -> bool:
    """Whether a terminal would take it as more than a sign."""
    return category(sign) in {"Cc", "Cs"} or sign in _BIDI


WORDS = st.lists(
    st.sampled_from(
        ["one", "two", "- ", "> ", "1. ", "\n", "\n\n", "    ", " ", "# ", "*", "**", "[", "]: ", "<i>", "!"]
    )
)


@given(WORDS.map("".join))
@settings(max_examples=150)
def test_no_word_is_lost(text: str) -> None:
    shown = "".join(drawn(text, 60)).replace(" ", "")

    assert shown.count("one") >= text.count("one")
    assert shown.count("two") >= text.count("two")


@given(
    st.lists(st.sampled_from(["one", "two", "\n", "\n\n", " ", "  ", "\n   ", ".", "目录", "\\n", "  \n"])).map("".join)
)
@settings(max_examples=150)
def test_prose_is_drawn_without_the_parser_as_with_it(text: str) -> None:
    without = drawn(text, 30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "_MARKUP", markdown.re.compile(""))
        parsed = drawn(text, 30)

    assert [line for line in without if line] == [line for line in parsed if line]


def test_the_fix_of_the_example_is_drawn_as_in_the_contract() -> None:
    thoughts = [event for event in shop_api().events if isinstance(event, ThoughtEvent)]
    fix = next(thought.thought for thought in thoughts if thought.thoughtNumber == 7)

    assert drawn(fix, 52) == [
        " Fix: jitter the report job, cap its pool at 10.",
        "",
        " @@ jobs/report.py",
        "  40   pool = Pool(size=10)",
        "+ 41   rows = pool.run(q)  # TODO release",
    ]
