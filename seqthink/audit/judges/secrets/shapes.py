"""Forms in which secrets are written down, beyond those that `seqthink.core.redaction` knows. Pure.

Redaction replaces what looks like a secret in any text; here a find rejects code. So these forms say more of what is
around the value, by the language, and each value must look like a secret, too (`seqthink.audit.judges.secrets.values`).
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_PROGRAMS: Final = frozenset({
    "python", "javascript", "typescript", "tsx", "jsx", "go", "rust", "java", "c", "cpp", "csharp", "kotlin", "swift",
    "scala", "ruby", "php", "lua", "sql", "html", "css", "dart", "elixir", "haskell", "perl", "r", "vue", "svelte",
})  # fmt: skip
"""Languages in which a word without quotes is a variable. In all others it is a text."""

_WORDS: Final = (
    r"(?:(?<![A-Za-z])[pP](?i:ass)(?=[\"'\]\s:=,])|[pPsStTaAcCkKjJeE](?i:(?<=p)(?:assword|asswd|assphrase|wd(?![a-z])|rivate[_.-]?key)"
    r"|(?<=s)(?:ecret|igning[_.-]?key)|(?<=t)oken(?!s)|(?<=a)(?:pi|ccess|uth|ccount)[_.-]?(?:key|token)"
    r"|(?<=c)redentials?|(?<=e)ncryption[_.-]?key|(?<=j)wt[_.-]?key|(?<=k)ey[_.-]?pass))"
)
_NAME: Final = rf"{_WORDS}(?:(?!{_WORDS})[\w.-]){{0,40}}+(?![\w.-])"
_QUOTED: Final = r"(?:\"(?P<a>[^\"\n]{4,200})\"|'(?P<b>[^'\n]{4,200})'|`(?P<c>[^`\n]{4,200})`)"
_BARE: Final = r"(?P<bare>[^\s\"'`<>(){}\[\],;|!*&@$%#][^\s\"'`<>(){}\[\],;|]{7,200})"
_BARE_OR_QUOTED: Final = rf"(?:{_QUOTED}|{_BARE})"


class _Shape(NamedTuple):
    """One form."""

    hint: str
    """A word of any such text, in lower case; "": it is always looked for."""
    pattern: re.Pattern[str]
    is_for_programs: bool = True
    """Whether it also means a text in a program, where words without quotes are variables."""


def _shape(hint: str, pattern: str, *, is_for_programs: bool = True) -> _Shape:
    return _Shape(hint, re.compile(pattern, re.MULTILINE), is_for_programs)


_SHAPES: Final = (
    # DB_PASSWORD=text, with whatever sets a variable before it; also in the middle of a command
    _shape("=", rf"{_NAME}={_BARE_OR_QUOTED}", is_for_programs=False),
    _shape("=", rf"{_NAME}[ \t]++=[ \t]*+{_BARE_OR_QUOTED}[ \t]*+(?:[#;].*)?$", is_for_programs=False),
    # password: text, in a file of settings or a header
    _shape(":", rf"{_NAME}[\"']?[ \t]*+:[ \t]++{_BARE_OR_QUOTED}[ \t]*+(?:#.*|[\"'].*)?$", is_for_programs=False),
    # ENV DB_PASSWORD text, set -x DB_PASSWORD text, #define DB_PASSWORD "text", aws configure set name text
    _shape("", r"(?i:\b(?:env|arg|setx?|-x|define|defaults?|configure)\b)[^\n=:]{0,80}?"
           rf"{_NAME}[ \t]++{_BARE_OR_QUOTED}", is_for_programs=False),
    _shape("#define", rf"#[ \t]*define[ \t]++\w*?{_NAME}[ \t]++{_QUOTED}"),
    # password[] = "text", password: &str = "text"
    _shape("=", rf"{_NAME}(?:[ \t]*+\[\w*\]|[ \t]*+:[ \t]*+&?[\w&<>' .]{{1,40}}?)[ \t]*+=[ \t]*+{_QUOTED}"),
    # setenv("DB_PASSWORD", "text"), setPassword("text"), PASSWORD('text'), ConvertTo-SecureString "text"
    _shape(",", rf"[\"'`][\w.-]{{0,60}}?{_NAME}[\"'`][ \t]*+,[ \t]*+{_QUOTED}"),
    _shape("(", rf"(?i:\b(?:set|with|using)[\w]{{0,40}}?){_NAME}\([ \t]*+{_QUOTED}[ \t]*+\)"),
    _shape("set(", rf"(?i:\bset\()[ \t]*+\w{{0,60}}?{_NAME}[ \t]++{_QUOTED}"),
    _shape("securestring", rf"(?i:ConvertTo-SecureString)[ \t]++(?i:-String[ \t]++)?{_QUOTED}"),
    _shape("auth", rf"\bauth[ \t]*+=[ \t]*+\([ \t]*+[\"'][^\"'\n]{{0,80}}[\"'][ \t]*+,[ \t]*+{_QUOTED}[ \t]*+\)"),
    # SQL
    _shape("password", r"(?i:\bpassword)(?:[ \t]*+=)?[ \t]*+\(?[ \t]*+[NnEe]?'(?P<b>[^'\n]{4,200})'"),
    _shape("identified", r"(?i:\bidentified\s++(?:with\s++\S{1,60}\s++)?(?:by|as)\s++(?:password\s++)?)"
           r"['\"](?P<b>[^'\"\n]{4,200})['\"]"),
    # a pair of name and value, in YAML, JSON, XML and HCL
    _shape("value", rf"(?i:\b(?:name|key|id))[\"']?[ \t]*+[:=][ \t]*+[\"']?[\w.:-]{{0,60}}?{_NAME}[\"']?,?\s++"
           rf"[\"']?value[\"']?[ \t]*+[:=][ \t]*+{_BARE_OR_QUOTED}"),
    _shape("default", rf"\bvariable[ \t]++\"\w{{0,60}}?{_NAME}\"[ \t]*+\{{(?:[^}}]{{0,400}}?)"
           rf"\bdefault[ \t]*+=[ \t]*+{_QUOTED}"),
    _shape("</", rf"<[\w:.-]{{0,60}}?{_NAME}>[ \t]*+(?P<bare>[^<>\s]{{4,200}})[ \t]*+</"),
    # a connection: …;Password=text;
    _shape("=", r"(?i:[;\"' ](?:password|pwd)[ \t]?=[ \t]?)(?P<bare>[^;\"'\s]{4,200})(?=[;\"'])"),
    # options of commands that take a password
    _shape("pass", rf"\bsshpass[ \t]++-p[ \t]?{_BARE_OR_QUOTED}"),
    _shape("login", rf"\blogin\b[^\n]{{0,200}}?[ \t]-p[ \t]++{_BARE_OR_QUOTED}"),
    _shape("redis-cli", rf"\bredis-cli\b[^\n]{{0,200}}?[ \t](?:-a|--pass)[ \t]++{_BARE_OR_QUOTED}"),
    _shape("curl", r"\bcurl\b[^\n]{0,400}?[ \t](?:-u|--user)[ \t=]?[\"']?[^\s:\"']{1,80}:[\"']?"
           r"(?P<bare>[^\s\"']{4,200})"),
    _shape("machine", r"\bmachine\s++\S{1,200}\s++(?:login\s++\S{1,200}\s++)?password\s++(?P<bare>\S{4,200})"),
    _shape("_auth", r"_auth(?:Token)?[ \t]*+=[ \t]*+(?P<bare>[\w+/=.-]{16,300})"),
    # a header: Authorization: token text, X-Api-Key: text
    _shape(":", r"(?i:\b(?:proxy-)?authorization[\"']?[ \t]*+[:=,]?[ \t]*+[\"']?"
           r"(?:token|apikey|api-key|key|bearer|basic)[ \t]++)(?P<bare>[\w.+/=~-]{8,300})"),
    _shape(":", r"(?i:\bx-[\w-]{0,40}?(?:key|token|secret|auth)[\w-]{0,20}+:[ \t]*+)(?P<bare>[\w.+/=~-]{8,300})"),
)  # fmt: skip


class LooseSecret(NamedTuple):
    """A value that may be a secret."""

    start: int
    """Where it begins in the text."""
    text: str


def loose_secrets(text: str, language: str) -> Iterator[LooseSecret]:
    """Yield the values in ``text`` that have one of the forms; a value may come twice."""
    lowered = text.lower()
    for shape in _SHAPES:
        if shape.hint in lowered and (shape.is_for_programs or language not in _PROGRAMS):
            for match in shape.pattern.finditer(text):
                name = match.lastgroup
                assert name is not None
                yield LooseSecret(match.start(name), match[name])
