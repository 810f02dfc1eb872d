"""Markdown in lines of cells: each construct as a drawing, and what holds for any text."""

from unicodedata import category

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seqthink.core.events import ThoughtEvent
from seqthink.drawing.markup import code_lines, markdown
from seqthink.drawing.markup.markdown import MEASURE_CELLS, markdown_lines, plain_lines
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import BOLD, ITALIC, STRUCK, Role, Span, spans_text, spans_width
from tests.support.depth import first
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
        [" │ rows = pool.run(query, timeout=30,", " │   retries=5)"],
    ),
    "fence with a sentence": ("```py ignore this\nx\n```", [" py ignore this", " │ x"]),
    "open fence": ("```\na\nb", [" │ a", " │ b"]),
    "rule": ("a\n\n***\n\nb", [" a", "", " " + "─" * 38, "", " b"]),
    "link": ('[here](http://x.y "t") <http://a.b>', [' here (http://x.y "t") http://a.b']),
    "image": ("![a chart](c.png)", [" image: a chart (c.png)"]),
    "html": ("<b>x</b>\n<!-- y -->", [" <b>x</b> <!-- y -->"]),
    "definitions are text": ("[TODO]: later", [" [TODO]: later"]),
    "strikes": ("a ~~no~~ b", [" a ~~no~~ b"]),
    "entities": ("&lt;a&gt; &#27;[31m&#x202e;", [" <a> \ufffd[31m⟨U+202E⟩"]),
    "table": (
        "|name|score|\n|-|-:|\n|`a`|1|\n|bb|22|",
        [" name  score", " ────  ─────", " `a`       1", " bb       22"],
    ),
    "columns in the middle": ("|a|total|\n|-|:-:|\n|b|1|\n|c|22|", [" a  total", " ─  ─────", " b    1", " c   22"]),
    "tasks": (
        "- [x] done\n- [ ] to *do*\n- [y] a bullet\n1. [x] a number\n\n[x] a paragraph",
        [" [x] done", " [ ] to do", " • [y] a bullet", "", " 1. [x] a number", "", " [x] a paragraph"],
    ),
    "a wrapped task": (
        "- [ ] a task that goes on into the next line of the page",
        [" [ ] a task that goes on into the next", "     line of the page"],
    ),
    "a formula": (
        r"*so* \(x_1 * y * z_2\) and \[a\,b\] and $c*d*e$",
        [r" so \(x_1 * y * z_2\) and \[a\,b\] and", " $c*d*e$"],
    ),
    "commands of LaTeX": (r"**b**: \alpha, \frac{a}{b}, \{x\}, 5\%", [r" b: \alpha, \frac{a}{b}, \{x\}, 5\%"]),
    "a displayed formula": (
        "So\n\\[\na_1\n= b * c * d\n\\]\nand $$x\\\\y$$",
        [" So", "", r" \[", " a_1", " = b * c * d", r" \]", "", r" and $$x\\y$$"],
    ),
    "an environment": (
        "\\begin{align}\na &= b \\\\\n- c\n\\end{align}",
        [r" \begin{align}", r" a &= b \\", " - c", r" \end{align}"],
    ),
    "a formula without an end": ("\\[ a\n\n*b*", [" [ a", "", " b"]),
    "prices are not a formula": ("*It* costs $5 and $6, or $7-$8*", [" It costs $5 and $6, or $7-$8*"]),
    "commands that begin with an n": (r"*a*\n\nabla f \neq \nu_1\nnot", [" a", r" \nabla f \neq \nu_1", " not"]),
    "indented code goes on with its indent": (
        "```\n    rows = pool.run(query, timeout=30)\n```",
        [" │     rows = pool.run(query,", " │       timeout=30)"],
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


def test_what_is_struck_through_is_so_between_its_tildes() -> None:
    line = markdown_lines("~~**a** b~~ c", 40)[0]

    assert line[1:] == [
        Span("~~", Role.LINE),
        Span("a", face=BOLD | STRUCK),
        Span(" b", face=STRUCK),
        Span("~~", Role.LINE),
        Span(" c"),
    ]


def test_the_box_of_a_task_is_coloured_when_it_is_done() -> None:
    done, open_ = markdown_lines("- [x] a\n- [ ] b", 40)

    assert (done[1], open_[1]) == (Span("[x] ", Role.GOOD), Span("[ ] ", Role.MUTED))


@pytest.mark.parametrize("cells", [44, 102, 190])
def test_lines_to_read_have_a_measure_and_code_and_tables_have_the_width(cells: int) -> None:
    sentence = "words " * 60
    code = "x" * 170
    room = min(cells - 2, MEASURE_CELLS)

    assert max(map(width, drawn(sentence, cells))) <= room + 1
    assert max(map(width, drawn(f"> *{sentence}*", cells))) <= room + 3
    assert max(width(spans_text(line)) for line in plain_lines(sentence, cells)) <= room + 1
    assert width(drawn(f"```\n{code}\n```", cells)[0]) == min(cells - 1, 173)
    assert width(drawn(f"|a|\n|-|\n|{code}|", cells)[1].rstrip()) == min(cells - 1, 171)
    assert max(width(spans_text(line)) for line in plain_lines(f"|{code}|", cells)) == min(cells - 1, 173)


def test_code_is_coloured_by_its_language() -> None:
    [line] = markdown_lines('```py\nreturn f(1, "a")  # why\n```', 60)

    assert [(span.text, span.role) for span in line if span.role is not Role.TEXT] == [
        ("│ ", Role.LINE),
        ("return", Role.KEYWORD),
        ("1", Role.LITERAL),
        *((piece, Role.STRING) for piece in ('"', "a", '"')),
        ("# why", Role.MUTED),
    ]


def test_code_of_a_revised_text_has_no_colours() -> None:
    [line] = markdown_lines("```py\nreturn 1\n```", 60, role=Role.MUTED)

    assert {span.role for span in line if span.text.strip()} == {Role.LINE, Role.MUTED}


def test_colours_stay_where_a_line_of_code_is_wrapped() -> None:
    lines = markdown_lines('```py\n    return total("one two three four five")\n```', 30)

    assert [spans_text(line).rstrip() for line in lines] == [
        ' │     return total("one two',
        ' │       three four five")',
    ]
    assert {span.role for span in lines[1][3:] if span.text != ")"} == {Role.STRING}


LANGUAGES = sorted(code_lines.LANGUAGE_NAMES)


def test_every_language_has_a_lexer_and_gives_the_code_back() -> None:
    code = "let x = 1\n\n# é ``` \n\t<a b='c'>{{ $x }} /* \\ \"\n目录 '''"

    for language in LANGUAGES:
        drawn_lines = code_lines.code_lines(code, language)

        assert [spans_text(line) for line in drawn_lines] == code.split("\n"), language


@pytest.mark.parametrize("piece", first(2, ["\n", "a ", "{{", '"\\', "/*", " a\n"]))
def test_a_text_of_nothing_but_one_sign_is_drawn_in_any_language(piece: str) -> None:
    code = piece * 6000

    for language in sorted(set(code_lines.LANGUAGE_NAMES.values())):
        assert "\n".join(map(spans_text, code_lines.code_lines(code, language))) == code, language


def test_a_long_block_is_coloured_at_its_beginning_alone() -> None:
    lines = code_lines.code_lines("return\n" * 2000 + "return", "python")
    very_long = code_lines.code_lines("return 1\nreturn " + "x" * 1_000_000 + "\nreturn 1", "python")

    assert len(lines) == 2001
    assert {span.role for line in lines[: code_lines.MAX_COLOURED_LINES] for span in line} == {Role.KEYWORD}
    assert {span.role for line in lines[code_lines.MAX_COLOURED_LINES :] for span in line} == {Role.TEXT}
    assert [line[0].role for line in very_long] == [Role.KEYWORD, Role.TEXT, Role.TEXT]


def test_only_so_much_code_of_a_text_is_coloured() -> None:
    block = "```py\n" + "return 1\n" * 250 + "```\n\n"
    lines = [line for line in markdown_lines(block * 20, 60) if "return" in spans_text(line)]

    coloured = [any(span.role is Role.KEYWORD for span in line) for line in lines]
    assert coloured[0]
    assert not coloured[-1]
    assert (sum(coloured) - 20) * 9 <= markdown.MAX_COLOURED_TEXT_CHARS


def test_code_in_a_language_that_was_not_met_yet_is_not_drawn_at_once() -> None:
    code_lines.forget_lexers()
    text = "Now\n\n```Python title\nx = 1\n```"

    assert code_lines.is_colouring_quick("```\nx\n```\n\n```unheard-of\nx\n```")
    assert not code_lines.is_colouring_quick(text)
    markdown_lines(text, 40)
    assert code_lines.is_colouring_quick(text)
    assert not code_lines.is_colouring_quick(text + "x" * code_lines.MAX_QUICK_CHARS)


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
def test_no_word_is_lost(text: str) -> None:
    shown = "".join(drawn(text, 60)).replace(" ", "")

    assert shown.count("one") >= text.count("one")
    assert shown.count("two") >= text.count("two")


@given(
    st.lists(st.sampled_from(["one", "two", "\n", "\n\n", " ", "  ", "\n   ", ".", "目录", "\\n", "  \n"])).map("".join)
)
def test_prose_is_drawn_without_the_parser_as_with_it(text: str) -> None:
    without = drawn(text, 30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "_MARKUP_SIGN", markdown.re.compile(""))
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
