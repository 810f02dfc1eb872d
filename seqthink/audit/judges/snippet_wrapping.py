"""Ways to complete a snippet so that a parser accepts it. Pure.

Models seldom show whole files: they show a method without its class, statements without a function, a prompt with its
output, `...` for omitted code. Each wrapping turns the snippet into a complete file; the lines keep their order and
move down by ``line_offset``.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct


class Wrapping(Struct, frozen=True):
    """A snippet completed to a file."""

    text: str
    """The completed file."""
    line_offset: int = 0
    """Lines that were put before the snippet."""


_PLACEHOLDER: Final = "□"
_NEST: Final = ("(□\n)", "const it = {\n□\n};", "class It {\n□\n}", "async function* it() {\n□\n}")
_MARKUP: Final = ("<>\n□\n</>",)
_TYPES: Final = ("interface It {\n□\n}", "type It =\n□\n;", "enum It {\n□\n}", "function it(\n□\n) {}")
_CURLY: Final = ("void it() {\n□\n}", "struct It {\n□\n};", "enum It {\n□\n};", "int it[] = {\n□\n};")
_SWITCH: Final = "void it() { switch (it) {\n□\n} }"
_CHAIN: Final = "it\n□\n;"
_WRAPPINGS: Final[Mapping[str, Sequence[str]]] = {
    "python": (
        "async def it():\n□", "class It:\n□", "it(\n□\n)", "{\n□\n}", "try:\n  pass\n□", "if it:\n  it\n□",
        "□\ndef it(): pass",
    ),
    "javascript": (*_NEST, "it(\n□\n)", _CHAIN, *_MARKUP, "async function it() { switch (it) {\n□\n} }"),
    "typescript": (*_NEST, *_TYPES, "it(\n□\n)", _CHAIN, "async function it() { switch (it) {\n□\n} }"),
    "tsx": (*_NEST, *_TYPES, "it(\n□\n)", _CHAIN, *_MARKUP),
    "go": (
        "package it\n□", "package it\nfunc it() {\n□\n}", "package it\ntype It struct {\n□\n}",
        "package it\ntype It interface {\n□\n}", "package it\nvar it = It{\n□\n}",
        "package it\nfunc it() {\nswitch it {\n□\n} }", "package it\nfunc it() {\nselect {\n□\n} }",
    ),
    "rust": (
        "async fn it() {\n□\n}", "impl It {\n□\n}", "trait It {\n□\n}", "struct It {\n□\n}",
        "enum It {\n□\n}", "fn it() { match it {\n□\n} }", "fn it() { it\n□\n; }",
        "fn it() { It {\n□\n} }",
    ),
    "java": (
        "class It {\n□\n}", "class It { void it() {\n□\n} }", "interface It {\n□\n}", "enum It {\n□\n}",
        "class It { void it() { switch (it) {\n□\n} } }", "class It { void it() { it\n□\n; } }",
        "class It { void it() { it(\n□\n); } }", "□\nclass It {}",
    ),
    "c": (*_CURLY, _SWITCH, "struct it it = {\n□\n};"),
    "cpp": (*_CURLY, "class It { public:\n□\n};", _SWITCH, "void it() { it\n□\n; }", "auto it = It{\n□\n};"),
    "json": ("{\n□\n}", "[\n□\n]"),
    "yaml": (),
    "bash": ("it() {\n□\n}", "case it in\n□\nesac", "if it; then\n□\nfi"),
    "ruby": (
        "case it\n□\nend", "begin\n□\nend", "if it\n□\nend", "it = {\n□\n}", "it = [\n□\n]", "it(\n□\n)", "it\n□",
        "case it\nwhen it\n□\nend",
    ),
    "php": (
        "<?php class It {\n□\n}", "<?php interface It {\n□\n}", "<?php $it = [\n□\n];", "<?php it(\n□\n);",
        "<?php $it\n□\n;", "<?php switch ($it) {\n□\n}", "<?php $it = match ($it) {\n□\n};", "<?php enum It {\n□\n}",
        "<?php □\nfunction it() {}", "<?php if ($it) {\n□\n}", "<?php return\n□\n;",
    ),
    "csharp": (
        "class It {\n□\n}", "class It { void it() {\n□\n} }", "interface It {\n□\n}", "enum It {\n□\n}",
        "class It { void it() { switch (it) {\n□\n} } }", "class It { object it() => it switch {\n□\n}; }",
        "class It { object it() => it\n□\n; }", "class It { void it() { it(\n□\n); } }",
        "class It { object it = new It {\n□\n}; }", "□\nclass It {}", "class It {\n□\nvoid it() {} }",
    ),
    "kotlin": (
        "class It {\n□\n}", "fun it() {\n□\n}", "interface It {\n□\n}", "enum class It {\n□\n}",
        "fun it() { when (it) {\n□\n} }", "val it = it\n□", "val it = it(\n□\n)", "class It(\n□\n)", "□\nclass It",
        "□\nfun it() {}", "fun it() { if (it) {\n□\n} }",
    ),
    "swift": (
        "class It {\n□\n}", "func it() {\n□\n}", "protocol It {\n□\n}", "enum It {\n□\n}",
        "func it() { switch it {\n□\n} }", "let it = it\n□", "let it = it(\n□\n)", "let it = [\n□\n]", "□\nclass It {}",
        "□\nfunc it() {}", "func it() { if it {\n□\n} }",
    ),
    "scala": (
        "object It {\n□\n}", "class It { def it = {\n□\n} }", "object It { it match {\n□\n} }", "object It { it\n□\n}",
        "object It { it(\n□\n) }", "class It(\n□\n)", "□\nclass It", "□\ndef it = it", "enum It {\n□\n}", "enum It:\n□",
        "object It { it {\n□\n} }",
    ),
    "lua": (
        "local it = {\n□\n}", "it(\n□\n)", "local it = it\n□", "if it then\n□\nend", "repeat\n□\nuntil it",
    ),
    "sql": (
        "SELECT * FROM it\n□", "SELECT\n□", "CREATE TABLE it (\n□\n)", "SELECT\n□\nFROM it",
        "SELECT * FROM it WHERE\n□", "WITH\n□\nSELECT * FROM it",
    ),
    "css": (".it {\n□\n}", "@media it {\n□\n}", "@keyframes it {\n□\n}"),
    "dockerfile": ("FROM it\n□",),
}  # fmt: skip

_INDENTED: Final = ("python", "yaml")
_ALWAYS_CLEANED: Final = ("php", "html", "css", "sql")
"""Languages in which the grammar lacks something that whole files have, too."""
_ELLIPSIS_LINE = re.compile(r"^[ \t]*+(?:(?://|\#|--|/\*|\{/\*|<!--)[ \t]*+)?(?:\.\.\.|…).*$", re.MULTILINE)
_ELLIPSIS = re.compile(r"(?:,[ \t]{0,8})?(?:(?<![\w.\])])\.\.\.(?![\w.\[({$])|…)")
_LAST_ELLIPSIS = re.compile(r",[ \t]*(?:\.\.\.|…)(?=[ \t]*[)\]}])")
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")
_CELL = re.compile(
    r"^[ \t]*(?:[!%]{1,2}[ \t]*[a-z].*|\?{1,2}\w.*)|\?{1,2}[ \t]*$|(?<==)[ \t]*[!%][ \t]*[a-z].*", re.MULTILINE
)
_CELL_PROMPT = re.compile(r"^(?:In \[\d*\]:|[ \t]{2,}\.{3,}:)(?: |$)")
_ARGUMENT = re.compile(r"(?<=[(\[{,])\s*+(?:\.\.\.|…)[ \t]*+(?:,|(?=[\n)\]}]))")
_NAMED_PLACEHOLDER = re.compile(r"<[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*>")
_SHELL_PROMPT = re.compile(r"^[ \t]*(?:[\w.@~/:-]*[$#>] )(?=\S)")
_SHELL_FIRST = re.compile(r"^[ \t]*(?:[\w.@~/:-]*\$ )\S")
_PHP_TAG = re.compile(r"<\?(?:php|=|\s)", re.IGNORECASE)
_PHP_OPENING = re.compile(r"\A\s*<\?(?:php)?(?=\s)", re.IGNORECASE)
_HTML_TAG = re.compile(
    r"(<!--(?>(?:[^-]++|-(?!->))*)-->|<(?:script|style)\b(?>(?:[^<]++|<(?!/))*)|<[A-Za-z/!](?>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*)>"
    r"|/?\b(?:html|head|body|div|span|p|a|ul|ol|li|table|tr|td|th|h[1-6]|br|img|title|section|form|button|label)>)"
    r"|<\?[^>]*+\?>|<(?![A-Za-z/!])|>",
    re.IGNORECASE,
)
_CSS_HACK = re.compile(
    r"(?<=[{;\s])[*#](?=[a-z-]++[ \t]*:(?!:))|(?<=:)\s*(?:progid:|alpha\(|expression\()[^;}\n]*+"
    r"|\burl-prefix\(\)|(?<=;)\s*+;|!\s+(?=important)"
    r"|(?<=url\()[^)\"'\n]++(?=\))",
    re.IGNORECASE,
)
_SQL_COMMAND = re.compile(r"^(?:\\[^\n]*|[ \t]*(?:GO|DELIMITER\b[^\n]*|/)[ \t]*$)", re.MULTILINE | re.IGNORECASE)
_JSON_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
_JSON_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')


def wrappings(language: str, text: str, *, may_wrap: bool) -> Iterator[Wrapping]:
    """Yield the ways to parse ``text``, the unchanged text first; without ``may_wrap`` only that."""
    may_clean = may_wrap or language in _ALWAYS_CLEANED
    cleaned = _CLEANERS.get(language, _unchanged)(text) if may_clean else text
    if not may_wrap:
        yield Wrapping(cleaned)
        return
    dedented = textwrap.dedent(cleaned) if language in _INDENTED else cleaned
    for base in dict.fromkeys((dedented, _without_ellipses(language, dedented))):
        yield Wrapping(base)
        for wrapping in _WRAPPINGS.get(language, ()):
            if wrapping in _MARKUP and not base.lstrip().startswith(("<", "{")):
                continue
            before, _, after = wrapping.partition(_PLACEHOLDER)
            inner = textwrap.indent(base, "    ") if before.endswith(":\n") else base
            inner = _PHP_OPENING.sub("", inner) if language == "php" else inner
            yield Wrapping(before + inner + after, before.count("\n"))


def _without_ellipses(language: str, text: str) -> str:
    """Return ``text`` without ellipses for omitted code and without notebook commands."""
    if language == "python":
        bare = _ARGUMENT.sub(_only_lines, _LAST_ELLIPSIS.sub("", text)).replace("…", "...")
        return _NAMED_PLACEHOLDER.sub("it", _CELL.sub(_cell_command_value, bare))
    elided = _ELLIPSIS.sub("", _ELLIPSIS_LINE.sub("", text))
    return _without_last_commas(elided) if language == "json" else elided


def _only_lines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _cell_command_value(match: re.Match[str]) -> str:
    """Return the replacement for a notebook command: a value where its result is assigned, else nothing."""
    return " None" if match.string[match.start() - 1 : match.start()] == "=" else ""


def _python_session(text: str) -> str:
    """Return the input lines if ``text`` is a transcript of Python or IPython, else ``text``."""
    lines = text.split("\n")
    if any(line.startswith("In [") for line in lines):
        prompt = _CELL_PROMPT
    elif any(line.lstrip().startswith(">>>") for line in lines):
        prompt = _PROMPT
    else:
        return text
    return "\n".join(prompt.sub("", line) if prompt.match(line) else "" for line in lines)


def _shell_session(text: str) -> str:
    """Return the input lines if ``text`` is a shell transcript, else ``text``."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    if not _SHELL_FIRST.match(first):
        return text
    input_lines, is_continued = list[str](), False
    for line in lines:
        is_typed = bool(_SHELL_PROMPT.match(line))
        input_lines.append(_SHELL_PROMPT.sub("", line) if is_typed else line if is_continued else "")
        is_continued = (is_typed or is_continued) and line.endswith("\\")
    return "\n".join(input_lines)


def _commented_json(text: str) -> str:
    """Return JSON without comments; if there are any, also without trailing commas."""
    bare = _JSON_COMMENT.sub(lambda match: match[1] or re.sub(r"[^\n]", " ", match[0]), text)
    return text if bare == text else _without_last_commas(bare)


def _without_last_commas(text: str) -> str:
    return _JSON_COMMA.sub(lambda match: match[1] or "", text)


def _plain_markup(text: str) -> str:
    """Return HTML without processing instructions and without `<` and `>` that are text."""
    return _HTML_TAG.sub(lambda match: match[1] or re.sub(r"[^\n]", " ", match[0]), text)


def _css_without_hacks(text: str) -> str:
    """Return CSS without bare addresses, signs before a property, and filters that only old browsers read."""
    return _CSS_HACK.sub(_harmless_css, text)


def _harmless_css(match: re.Match[str]) -> str:
    if match.string.startswith("url(", match.start() - 4):
        return "'it'"
    return {"*": " ", "#": " ", ";": " ", "!": "!"}.get(match[0].strip(), "it")


def _sql_without_commands(text: str) -> str:
    """Return SQL without the commands that only a client reads, such as `GO` and `DELIMITER`."""
    return _SQL_COMMAND.sub("", text)


def _opened_php(text: str) -> str:
    """Return ``text`` with PHP's opening tag if it has none: without one, all of it would be text to print."""
    return text if _PHP_TAG.search(text) else f"<?php {text}"


def _unchanged(text: str) -> str:
    return text


_CLEANERS: Final[Mapping[str, Callable[[str], str]]] = {
    "python": _python_session,
    "bash": _shell_session,
    "json": _commented_json,
    "php": _opened_php,
    "html": _plain_markup,
    "css": _css_without_hacks,
    "sql": _sql_without_commands,
}
