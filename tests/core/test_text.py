import re
import time
import unicodedata
from functools import cache
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcwidth import table_grapheme, wcwidth

from seqthink.core.text import first_line, first_line_and_rest, one_line, sanitize, sanitize_pieces, unescape_breaks
from tests.support.depth import sized

any_text = st.text(
    st.characters(exclude_categories=[])
    | st.sampled_from("\x00\x07\x1b\x7f\x85\x9b\t\r\n\u200d\ufe0f\u202e\u2066\ufeff\u0301\ud800\\n*#>- ")
)
LINE_FEED = frozenset("\n")
JOINERS = frozenset("\u200d\ufe0f\u00ad")


def unsafe(text: str, allowed: frozenset[str]) -> list[str]:
    """Return the characters that a terminal could take as a control, or that change how others are shown."""
    return [
        c
        for c in text
        if c not in allowed
        and (
            unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}
            or unicodedata.bidirectional(c) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
            or c in "\u200b\u200c\u200e\u200f\u061c\ufeff\U000e0041\U0001d173\U0001bca0\U00013430\U0001343f"
        )
    ]


REPLACED_NAMES = re.compile(
    r"(?:MONGOLIAN FREE )?VARIATION SELECTOR.*|HANGUL (?:CHOSEONG |JUNGSEONG )?FILLER|HALFWIDTH HANGUL FILLER"
    r"|COMBINING GRAPHEME JOINER|KHMER VOWEL INHERENT .*|ZERO WIDTH (?:NON-)?JOINER|SOFT HYPHEN"
)
"""Default-ignorable characters that are marks or letters, which Python's own tables do not distinguish from others."""


HANGUL_PARTS = {chr(code) for code in (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))}
"""Vowels and ends of Hangul syllables: terminals draw them into the cell of the beginning."""


def characters(table: str) -> set[str]:
    """Return the characters of one of the measuring library's tables of Unicode's properties."""
    ranges = cast("tuple[tuple[int, int], ...]", getattr(table_grapheme, table))
    return {chr(code) for first, last in ranges for code in range(first, last + 1)}


def has_no_sign_of_its_own(character: str) -> bool:
    """Return whether Unicode has it as a control, as format, as a separator of lines, or as default-ignorable."""
    return (
        character in characters_that_control()
        or unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
        or REPLACED_NAMES.fullmatch(unicodedata.name(character, "")) is not None
        or "\U000e0000" <= character <= "\U000e0fff"  # a block of default-ignorable ones, tags among them
        or character in "\ufffe\uffff"
    )


@cache
def characters_that_control() -> set[str]:
    """Return what breaks graphemes as a control: all format characters but those that are seen, such as U+0600."""
    return characters("GRAPHEME_CONTROL")


@pytest.mark.slow  # tens of thousands of characters
def test_exactly_the_characters_without_a_sign_of_their_own_are_replaced() -> None:
    examined = [*map(chr, sized(range(0x20000), range(0x110000))), *map(chr, range(0xE0000, 0xE1000))]
    replaced = {character for character in examined if sanitize(character, joiners=False) != character}

    assert replaced == {one for one in examined if has_no_sign_of_its_own(one)} - LINE_FEED


def test_what_stays_and_has_no_width_in_a_terminal_is_a_mark_or_a_part_of_a_hangul_syllable() -> None:
    marks = characters("GRAPHEME_EXTEND") | characters("GRAPHEME_SPACINGMARK")
    stays = (
        {one for one in map(chr, range(0x110000)) if wcwidth(one) <= 0 and sanitize(one) == one} - LINE_FEED - JOINERS
    )
    unknown = {one for one in stays if unicodedata.category(one)[0] != "M"}

    assert unknown - marks - HANGUL_PARTS == set()


@pytest.mark.parametrize(
    "text", ["👩‍💻", "❤️", "🇫🇷", "👍🏽", "e\u0301", "क्षि", "ไทย้", "한", "\u1112\u1161\u11ab", "\u0600١", "a\u00adb"]
)
def test_what_scripts_and_emoji_are_made_of_stays(text: str) -> None:
    assert sanitize(text) == text


@given(any_text)
def test_no_control_survives(text: str) -> None:
    assert unsafe(sanitize(text), LINE_FEED | JOINERS) == []
    assert unsafe(sanitize(text, joiners=False), LINE_FEED) == []
    assert unsafe(one_line(text), frozenset()) == []
    assert unsafe(first_line(text), frozenset()) == []


def test_no_single_character_survives_as_a_control() -> None:
    every = [chr(code) for code in (*range(0x20000), *range(0xE0000, 0xE1000))]

    assert [c for c in every if unsafe(sanitize(c), LINE_FEED | JOINERS)] == []


@given(any_text, st.booleans())
@example("e" + "\u0301" * 2 + "\u200d" + "\u0301" * 9, False)
def test_what_is_safe_stays_as_it_is(text: str, joiners: bool) -> None:
    safe = sanitize(text, joiners=joiners)

    assert sanitize(safe, joiners=joiners) == safe
    assert one_line(one_line(text)) == one_line(text)


@given(any_text, st.integers(1, 50))
def test_a_first_line_is_one_line_and_keeps_its_limit(text: str, limit: int) -> None:
    line = first_line(text, limit)

    assert "\n" not in line
    assert len(line) <= limit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("\x9b31m\x7f\ud800", "\ufffd31m\ufffd\ufffd"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\tb", "a    b"),
        ("one\r\ntwo\rthree\u2028four\x85five\x0bsix", "one\ntwo\nthree\nfour\nfive\nsix"),
        ("e" + "\u0301" * 9, "e" + "\u0301" * 3),
        ("👩‍💻 ❤️", "👩‍💻 ❤️"),
        ("[red]text[/red]", "[red]text[/red]"),
    ],
)
def test_controls_are_shown_by_stand_ins(text: str, shown: str) -> None:
    assert sanitize(text) == shown


def test_rows_have_no_joiners_and_single_blanks() -> None:
    assert one_line("  👩‍💻 ❤️\n\n of\tgold ") == "👩💻 ❤ of gold"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Plain\nsecond", "Plain"),
        ("\n\n   \n# Heading\n", "Heading"),
        ("> - **Bold** first line", "Bold first line"),
        ("**Fix**: it", "Fix: it"),
        ("Literal\\nbreak", "Literal"),
        ("\\n\\nSecond", "Second"),
        ("---\n***\nAfter rules", "After rules"),
        ("#hashtag stays", "#hashtag stays"),
        ("-5 degrees", "-5 degrees"),
        ("2 ** 8 is 2**8", "2 ** 8 is 2**8"),
        ("", ""),
        (" \n#\n", ""),
        ("Use `pool.take()` and ``x``", "Use pool.take() and x"),
        ("`a**2 + b**2` in **`pool.py`**", "a**2 + b**2 in pool.py"),
        ("a lone ` and ```two` stay", "a lone ` and ```two` stay"),
        ("```ruby\nclass Foo\nend\n```", "class Foo"),
        ("```python title=x\n\n    # why\n", "# why"),
        ("~~~\n* not a list\n~~~", "* not a list"),
        ("```ruby\n```", "ruby"),
        ("```\n```\nAfter an empty one", "After an empty one"),
    ],
)
def test_the_first_line_is_the_first_with_something_to_say(text: str, first: str) -> None:
    assert first_line(text) == first


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("SCENARIO: Two observations\n\n- On Monday\n- On Tuesday", " · On Monday · On Tuesday"),
        ("## Hypotheses:\n\n1. the pool\n2. DNS", " 1. the pool · 2. DNS"),
        ("A paragraph that\ngoes on here", " goes on here"),
        ("It ends.\n\nAnother begins", " Another begins"),
        ("Title\n=====\nText", " · Text"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", " · 1 | 2"),
        ("a | b\n--|:-:\n1 | 2\n*3* | 4", " · 1 | 2 · 3 | 4"),
        ("x | y\nz | w\n\na\n--\nb", " z | w · a · b"),
        ("The fix:\n```ruby\nclass Foo\nend\n```\nDone", " class Foo · end · Done"),
        ("The fix:\n```py\n'''It\n    ```\n    f()\n    ```\n'''\n```\nDone", " '''It · ``` · f() · ``` · ''' · Done"),
        ("Alone\n\n---\n", ""),
        ("", ""),
    ],
)
def test_what_goes_on_behind_a_first_line_is_the_next_lines_without_their_marks(text: str, rest: str) -> None:
    assert first_line_and_rest(text, "·") == (first_line(text), rest)


@given(st.text(), st.integers(1, 30))
def test_what_goes_on_behind_a_first_line_is_safe_and_keeps_its_limit(text: str, limit: int) -> None:
    first, rest = first_line_and_rest(text, "·", limit)

    assert first == first_line(text, limit)
    assert len(rest) <= limit
    assert unsafe(rest, frozenset()) == []


@pytest.mark.parametrize(
    "text",
    [
        "`a " * 5000,
        "`" * 20_000,
        "``a" * 5000,
        "```\n" * 5000,
        "**a " * 5000,
        "*" * 20_000,
        "# " * 9000,
        "- " * 9000 + "x",
        "\\n" * 9000,
        "\u0301" * 9000,
    ],
)
@pytest.mark.deep  # it measures time
def test_no_text_makes_a_row_slow(text: str) -> None:
    begin = time.process_time()
    first_line_and_rest(text, "·")

    assert time.process_time() - begin < 0.1


@pytest.mark.parametrize(
    ("text", "unescaped"),
    [
        (r"one\ntwo\r\nthree\n\nfour", "one\ntwo\nthree\n\nfour"),
        (r"\nabla f \neq \notin, \newcommand{x}", r"\nabla f \neq \notin, \newcommand{x}"),
        (r"one.\nnabla and\nequal", "one.\nnabla and\nequal"),
        (r"E = h \nu, \(\nu_1\), $\nu$ and a \ne b", r"E = h \nu, \(\nu_1\), $\nu$ and a \ne b"),
        (r"drugo.\nu redu\ne poi\ni = 0", "drugo.\nu redu\ne poi\ni = 0"),
        (r"\text{a} \theta \rho \tau", r"\text{a} \theta \rho \tau"),
    ],
)
def test_a_literal_break_is_one_and_the_command_of_a_formula_is_not(text: str, unescaped: str) -> None:
    assert unescape_breaks(text) == unescaped


ESCAPES = st.lists(
    st.sampled_from(
        ["\\n", "\\r", "\\", "n", "u", "e", "eg", "abla", " ", "$", "^", "x", "\u0301" * 4, "\r", "\n", "\x1b"]
    )
).map("".join)


@given(ESCAPES, st.lists(st.integers(0, 40), max_size=4))
def test_breaks_are_found_across_the_pieces_of_a_text(text: str, cuts: list[int]) -> None:
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(ends)]

    assert "".join(sanitize_pieces(pieces, unescaped=True)) == sanitize(unescape_breaks(text))
    assert "".join(sanitize_pieces(pieces)) == sanitize(text)
