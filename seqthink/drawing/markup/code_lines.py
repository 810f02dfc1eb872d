"""Code in lines with colours, wrapped so that its rail and its indent stay.

Only known languages are coloured, and only the beginning of a long block, up to the first very long line: a lexer may
be slow on text that was not written to be read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Protocol, cast

from seqthink.drawing.text.span_wrapping import wrap_code
from seqthink.drawing.text.spans import BOLD, ITALIC, Role, Span, Spans, spans_text, spans_width

MAX_COLOURED_CHARS, MAX_COLOURED_LINES, MAX_COLOURED_LINE_CHARS = 6000, 300, 400
"""Characters and lines of a block, and characters of a line, up to which code is coloured.

Some lexers take quadratic time: 8,000 blank lines of Java would take five seconds.
"""
MAX_QUICK_CHARS = 1000
"""Characters of a text whose code is coloured at once."""
CONTINUATION_CELLS = 2
"""How much further a line's continuation is indented than the line."""

_LANGUAGES = (
    "bash sh shell zsh", "c h", "cpp c++ cc cxx hpp", "csharp c# cs", "clojure clj", "cmake", "console shell-session",
    "css", "dart", "docker dockerfile", "elixir ex exs", "erlang erl", "fsharp f#", "go golang", "graphql gql",
    "groovy gradle", "haskell hs", "html htm", "ini cfg conf properties", "java", "javascript js jsx mjs cjs node",
    "json json5 jsonc jsonl", "julia jl", "kotlin kt kts", "latex tex", "lua", "make makefile mk", "nginx", "nim",
    "nix", "objective-c objc", "ocaml ml", "perl pl", "php", "postgresql postgres plpgsql", "powershell ps1 pwsh",
    "protobuf proto", "python py python3 py3", "pycon", "r", "ruby rb", "rust rs", "scala", "scss", "solidity",
    "sql mysql sqlite", "swift", "terraform hcl tf", "toml", "typescript ts tsx mts cts", "vim viml", "xml svg xsd",
    "yaml yml", "zig",
)  # fmt: skip
LANGUAGE_NAMES = {name: names.split()[0] for names in _LANGUAGES for name in names.split()}
"""What each known name of a language is for Pygments."""
_FACES = {Role.MUTED: ITALIC, Role.KEYWORD: BOLD}
_Kind = tuple[str, ...]
"""A kind of token as Pygments has it: a path such as ``("Name", "Function")``."""
_FENCE = re.compile(r"^[ >*+-]*(?:```|~~~)[`~ ]*([\w+#.-]+)", re.MULTILINE)
_loaded: set[str] = set()


class _Lexer(Protocol):
    """What is used of a lexer of Pygments."""

    def get_tokens_unprocessed(self, text: str) -> Iterable[tuple[int, _Kind, str]]:
        """Yield place, kind and text of each token."""
        ...


def is_colouring_quick(text: str) -> bool:
    """Return whether the fenced code of a short text is soon coloured.

    The first code in a language takes some hundredths of a second, for its lexer must be loaded.
    """
    names = [LANGUAGE_NAMES[name] for found in _FENCE.finditer(text) if (name := found[1].lower()) in LANGUAGE_NAMES]
    return not names or (len(text) <= MAX_QUICK_CHARS and _loaded.issuperset(names))


def forget_lexers() -> None:
    """Act as if no code had been coloured yet."""
    _lexer.cache_clear()
    _loaded.clear()


def code_lines(code: str, language: str, *, max_chars: int = MAX_COLOURED_CHARS) -> list[Spans]:
    """Return a sanitized block of code in its lines, coloured up to ``max_chars`` characters."""
    name = LANGUAGE_NAMES.get(language.lower(), "")
    end = _coloured_end(code, min(max_chars, MAX_COLOURED_CHARS)) if name else 0
    coloured = _coloured(code[:end], name) if end else []
    rest = code[end + 1 if coloured else 0 :]
    return coloured + ([[Span(line)] for line in rest.split("\n")] if rest or not coloured else [])


def wrapped_code(line: Spans, cells: int) -> Iterator[Spans]:
    """Yield a line of code in pieces of at most ``cells`` cells; the second and later ones keep its indent."""
    text = spans_text(line)
    indent = len(text) - len(text.lstrip(" ")) + CONTINUATION_CELLS
    indent = min(indent, cells // 2)
    first = next(wrap_code(text, cells))
    yield from _cut_at(line, [first], cells)
    if len(first) < len(text):
        behind = _behind(line, len(first))
        before = Span(" " * indent)
        for piece in _cut_at(behind, wrap_code(text[len(first) :], cells - indent), cells - indent):
            yield [before, *piece]


def _behind(line: Spans, start: int) -> Spans:
    """Return what is in ``line`` from a character on."""
    found: Spans = []
    for span in line:
        if start < len(span.text):
            found.append(span._replace(text=span.text[max(0, start) :]))
        start -= len(span.text)
    return found


def _cut_at(line: Spans, pieces: Iterable[str], cells: int) -> Iterator[Spans]:
    """Yield the spans of the texts that a line was cut into."""
    rest = line[::-1]
    for piece in pieces:
        room, drawn = len(piece), list[Span]()
        while room and rest:
            span = rest.pop()
            drawn.append(span._replace(text=span.text[:room]))
            if len(span.text) > room:
                rest.append(span._replace(text=span.text[room:]))
            room -= len(drawn[-1].text)
        # An emoji sequence split across two spans is wider than joined.
        yield drawn if piece.isascii() or spans_width(drawn) <= cells else [Span(piece)]


def _coloured_end(code: str, max_chars: int) -> int:
    """Return where the part ends that may be coloured: at the end of a line."""
    end = 0
    for line in code[: max_chars + 1].split("\n", MAX_COLOURED_LINES)[:MAX_COLOURED_LINES]:
        if len(line) > MAX_COLOURED_LINE_CHARS or end + len(line) > max_chars:
            break
        end += len(line) + 1
    return max(0, end - 1)


def _coloured(code: str, name: str) -> list[Spans]:
    """Return the lines of a code; [] if its lexer does not give the code back as it was."""
    lines: list[Spans] = [[]]
    end = 0
    for at, kind, text in _lexer(name).get_tokens_unprocessed(code):
        if at != end:
            return []
        end += len(text)
        role = _role(kind)
        for number, piece in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append(Span(piece, role, _FACES.get(role, 0)))
    return (
        lines
        if end == len(code) and spans_text(span for line in lines for span in line) == code.replace("\n", "")
        else []
    )


@cache
def _lexer(name: str) -> _Lexer:
    from pygments.lexers import find_lexer_class_by_name  # noqa: PLC0415 - with the first code of this language

    _loaded.add(name)
    options = {"startinline": True} if name == "php" else {}
    return cast("_Lexer", find_lexer_class_by_name(name)(**options))


@cache
def _role(kind: _Kind) -> Role:
    """Return the role of a kind of token, or that of the kinds it belongs to."""
    parts = tuple(kind)
    return next((_KINDS[parts[:count]] for count in range(len(parts), 0, -1) if parts[:count] in _KINDS), Role.TEXT)


_KINDS: Mapping[_Kind, Role] = {
    ("Comment",): Role.MUTED,
    ("Comment", "Preproc"): Role.KEYWORD,
    ("Keyword",): Role.KEYWORD,
    ("Keyword", "Constant"): Role.LITERAL,
    ("Keyword", "Type"): Role.NAME,
    ("Operator", "Word"): Role.KEYWORD,
    ("Literal",): Role.LITERAL,
    ("Literal", "String"): Role.STRING,
    ("Literal", "String", "Doc"): Role.MUTED,
    ("Name", "Attribute"): Role.NAME,
    ("Name", "Builtin"): Role.NAME,
    ("Name", "Class"): Role.NAME,
    ("Name", "Constant"): Role.LITERAL,
    ("Name", "Decorator"): Role.NAME,
    ("Name", "Exception"): Role.NAME,
    ("Name", "Function"): Role.NAME,
    ("Name", "Namespace"): Role.NAME,
    ("Name", "Tag"): Role.KEYWORD,
    ("Generic", "Prompt"): Role.MUTED,
    ("Generic", "Output"): Role.MUTED,
    ("Generic", "Error"): Role.TEXT,
}
