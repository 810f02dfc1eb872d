"""Rows show Markdown and simple LaTeX as text, and leave alone what only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.plain_formulas import plain_formula
from seqthink.core.plain_markdown import plain_inline, with_whole_formulas, without_marks
from seqthink.core.text import first_line, plain_line
from tests.core.test_text import unsafe

MARKED = st.text(alphabet="ab 1*_`$\\|[]()<>{}^~#\0\u0301é", max_size=60) | st.lists(
    st.sampled_from(
        ["\\frac", "{", "}", "^", "_", "x", "\\sqrt", "[", "]", "\\text", "\\hat", "$", " ", "\\log", "n", "**"]
    )
).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("once is *twice* enough", "once is twice enough"),
        ("**bold _and_ so on**, ***both***", "bold and so on, both"),
        ("这是**重点**内容", "这是重点内容"),
        ("see [the docs](https://a.b/c_(d)) and ![a plan](p.png)", "see the docs and a plan"),
        ("[![badge](a.svg)](b)", "badge"),
        ("at <https://a.b/_c_>", "at https://a.b/_c_"),
        ("| a | b |", "a | b"),
        ("## Title ##", "Title"),
        ("`*p*` and `$x^2$` stay", "*p* and $x^2$ stay"),
        (r"2 \* 3 \* 4", "2 * 3 * 4"),
        (r"so $S(n)=\frac{n(n+1)}{2}$.", "so S(n)=(n(n+1))/2."),
        (r"\(x^2\) and \[\sqrt{y}\]", "x² and √y"),
        (r"$$\sum_{i=1}^{n} i$$", "∑ᵢ₌₁ⁿ i"),
        ("$$\n\\sum_{i=1}^{n} i\n  = \\frac{n(n+1)}{2}\n$$\nholds", "∑ᵢ₌₁ⁿ i = (n(n+1))/2"),
        ("> $$\n> x^2\n> $$", "x²"),
        ("so $$\nx^2\n$$", "so x²"),
        ("\\[\nx^2\n+ y\n\\]", "x² + y"),
        ("\\begin{aligned}\nx^2\n\\end{aligned}", "x²"),
        ("$$\\nx^2\\n$$", "x²"),
    ],
)
def test_marks_of_markdown_and_formulas_become_text(text: str, shown: str) -> None:
    assert first_line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4",
        "2*3*4 and 2**8 and 3**9",
        "snake_case_name",
        "__init__ and _private_name_",
        "$5 and $6",
        "costs $5, or 6$ there",
        "a|b",
        "|x| = |y|",
        "f(*args, **kwargs)",
        "src/**/*.py and tests/**/*.py",
        "*.py,*.txt",
        "*/5 * * * *",
        "/*comment*/",
        "PATH=$HOME/bin:$PATH",
        "arr[0](x)",
        r"C:\temp\alpha",
    ],
)
def test_what_only_looks_like_marks_stays(text: str) -> None:
    assert without_marks(text) == text


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (r"\alpha \le \beta \cdot \text{cost per unit}", "α ≤ β · cost per unit"),
        (r"a_{ij}^{2} + x_{max}", "aᵢⱼ² + x_max"),
        (r"\left( \frac{1}{2} \right)", "(1/2)"),
        (r"\frac12mv^2", "1/2 mv²"),
        (r"\frac{a+b}{c}", "(a+b)/c"),
        (r"n\log n", "n log n"),
        (r"\lim_{x \to 0} \frac{\sin x}{x}", "lim_(x → 0) (sin x)/x"),
        (r"\sqrt[3]{8} + 90^\circ", "∛8 + 90°"),
        (r"\mathbb{R}^n", "ℝⁿ"),
        (r"\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}", "(1 2; 3 4)"),
        (r"\foo{bar}", r"\foo{bar}"),
        ("{" * 40, "{" * 40),
    ],
)
def test_a_simple_formula_is_text_and_an_unknown_command_stays(formula: str, shown: str) -> None:
    assert plain_formula(formula) == shown


@given(MARKED)
def test_plain_text_is_safe_and_not_longer(text: str) -> None:
    assert len(plain_inline(text)) <= len(text)
    assert len(plain_formula(text)) <= len(text)
    assert unsafe(first_line(text), frozenset()) == []


@given(st.text(alphabet="abc 123.,;:!?()", max_size=60))
def test_plain_text_is_what_it_was(text: str) -> None:
    assert plain_inline(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("```sh\n$$\nx^2\n$$\n```\nso", "$$ · x^2 · $$ · so"),
        ("- ```sh\n  $$\n  x^2", "$$ · x^2"),
        ("echo $$\nkill $$ x", "echo $$ kill $$ x"),
        ("$$\nx^2", "$$ x^2"),
    ],
)
def test_what_only_looks_like_a_formula_of_several_lines_keeps_its_lines(text: str, shown: str) -> None:
    assert plain_line(text) == shown


def test_formulas_that_never_end_take_no_quadratic_time() -> None:
    for mark in ("$$\n", "\\[\n", "\\begin{a}\n", "```\n", "~~~\n", "|-", "|  ", "- |"):
        text = mark * 200_000

        assert with_whole_formulas(text) == text or mark == "$$\n"
        assert len(first_line(text)) <= 1000
