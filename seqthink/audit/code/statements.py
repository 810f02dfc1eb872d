r"""Weighs a line: how surely it is a statement of a programming language or data format. Pure.

Weights are 0 (no sign of code) to 3 (no prose has it). They are set for a line without its strings and its comment, so
that what is quoted counts neither for nor against it. A line with words that only sentences have weighs nothing.
"""

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from seqthink.audit.code.shell_commands import command_weight
from seqthink.audit.code.statement_forms import FORMS

MAX_LINE_CHARS: Final = 200
"""Characters of a line that are examined."""
_CACHED_LINES: Final = 512
"""Lines whose signs are kept: a line is asked about by itself, and as part of a paragraph."""


class Sign(Struct, frozen=True):
    """What a line shows."""

    weight: int
    """0 to 3."""
    is_sentence: bool = False
    """Whether it is worded as a sentence."""


NO_SIGN: Final = Sign(0)
_STRING = re.compile(r"""(?<![\w"'`])(?:"(?>(?:[^"\\]++|\\.)*)"|'(?>(?:[^'\\]++|\\.)*)'|`(?>(?:[^`\\]++|\\.)*)`)""")
_COMMENT = re.compile(r"(?:(?<=[\s;{}),])(?://|\#|--\s)|/\*).*+$")
_SENTENCE_WORDS: Final = (
    "the|an|we|it|they|you|he|she|there|is|are|was|were|be|been|being|will|would|should|could|can|cannot|must|might|may|"
    "has|have|had|does|did|but|because|so|also|my|our|its|their|your|these|those|only|still|already|than|about|until|"
    "instead|maybe|probably|however|therefore|means|needs|again|too|very"
)
_SENTENCE = re.compile(
    rf"(?<![\w.$@:'\"-])(?:{_SENTENCE_WORDS})(?=\s(?!(?:not|None|null|in|True|False|NULL|true|false)\b)[a-z])"
    r"|(?<![\w.$-])(?:[Aa]|[Tt]his|[Tt]hat|to|of)\s(?!as\b|in\b|is\b|if\b|else\b|and\b|or\b|not\b)[a-z]{2,}(?![\w(.\[])"
    r"|^(?:The|We|It|This|That|I|You|They|If\sthe|So|But|Then|There|My|Our)\s[a-z]"
    r"|[a-z]{2}\.$|(?:^|\s)[a-z'-]+[?!]$|[a-z],?\s(?:and|or|then)\s(?:then\s|the\s)?[a-z]+\s[a-z]+\s[a-z]+"
    r"|[\u2190\u2192\u21d2\u2264\u2265\u2211\u221a\u2208\u2026]"
)
"""What sentences, pseudo-code and formulas have, outside strings and comments."""
_KEYWORDS: Final = (
    "for|in|if|else|not|and|or|import|from|as|return|is|await|async|yield|do|then|end|def|class|extends|implements|throws|"
    "let|const|var|val|new|function|local|void|int|char|long|double|float|string|bool|boolean|struct|enum|interface|type|"
    "package|trait|fun|func|fn|sub|object|case|match|when|data|mut|raise|throw|puts|echo|where|guard|defer|unless|while|with|by|lambda|using|sizeof|public|private|protected|static|final"
)
_WORD_RUN = re.compile(
    rf"(?:^|[\s(,:])(?!(?:{_KEYWORDS})\b)[A-Za-z][a-z']*+(?:,?\s(?!(?:{_KEYWORDS})\b)[a-z']++){{2}}(?![\w.(\[:=<*&-])"
    r"|(?:^|[\s(,:])[A-Za-z][a-z']*+(?:,?\s[a-z']++){3}(?![\w.(\[:=<*&-])"
)
"""Three words in a row, none of them a keyword, or four."""
_WORD = re.compile(r"[A-Za-z']+")
_KEYWORD_SET: Final = frozenset(_KEYWORDS.split("|"))
_CLAUSE = re.compile(
    r"[\[({].*\bfor\s\w+(?:,\s?\w+)*\sin\s|^for\s\w+(?:,\s?\w+)*\sin\s[\w.]+(?:[\[(:.]|\s?\{|\sdo$)|^from\s|\sif\s.+\selse\s|^import\s"
)
"""Clauses of languages that consist of words."""
_MODIFIERS = re.compile(
    r"(?:(?:public|private|protected|static|final|abstract|const|unsigned|inline|extern|virtual|export|default|async|"
    r"internal|override|suspend|readonly|open|sealed|pub|unsafe|mut|long|volatile|synchronized|function)\s)+"
)

_NAME: Final = r"[A-Za-z_$][\w$]*+"
_PATH: Final = rf"(?:\*|&|@|\$|--|\+\+)?{_NAME}(?>(?:(?:\??\.|::|->){_NAME}|\[[^\]]*+\]|!)*)"
_TYPE: Final = r"(?:[A-Za-z_][\w.:]*+(?:<[^=()]*>|\[[\w., |]*\])?[?*&!]*(?:\[\])*(?:\s\|\s[\w.\[\]]+)*)"


_FORMS: Final = {weight: re.compile(f"(?:{'|'.join(forms)})$") for weight, forms in FORMS.items()}
_SQL = re.compile(
    r"(?:EXPLAIN\s(?:ANALYZE\s)?)?(?:"
    r"SELECT\s(?:DISTINCT\s)?(?:\*|[\w.\"'`(][^;]*?)\sFROM\s[\w.\"`(]+(?:\s+(?:AS\s)?\w+)?"
    r"(?P<more>\s+(?:WHERE|JOIN|LEFT|RIGHT|INNER|ORDER|GROUP|LIMIT|HAVING|UNION|CROSS|FOR\sUPDATE)\b.*)?"
    r"|SELECT\s(?:COUNT|MAX|MIN|SUM|NOW|VERSION)\(.*\).*|INSERT\sINTO\s[\w.\"`]+\s?(?:\(.*\)\s?)?(?:VALUES|SELECT|DEFAULT)\b.*"
    r"|UPDATE\s[\w.\"`]+\sSET\s[\w.\"`]+\s?=.*|DELETE\sFROM\s[\w.\"`]+(?:\sWHERE\s.+)?"
    r"|(?:CREATE|ALTER|DROP)\s(?:OR\sREPLACE\s|UNIQUE\s|TEMP\s|MATERIALIZED\s)*"
    r"(?:TABLE|INDEX|VIEW|FUNCTION|TYPE|DATABASE|SCHEMA|TRIGGER|ROLE|USER|EXTENSION|SEQUENCE|PROCEDURE)\s[\w.\"`(].*"
    r"|GRANT\s.+\sON\s.+\sTO\s\w+|TRUNCATE\s(?:TABLE\s)?\w+|(?:BEGIN|COMMIT|ROLLBACK)(?:\sTRANSACTION)?(?=;)"
    r"|(?:VACUUM|ANALYZE|PRAGMA|USE|SET|SHOW|DESCRIBE)\s[\w. =]+(?=;)|WITH\s(?:RECURSIVE\s)?\w+(?:\s\(.*\))?\sAS\s\(.*"
    r");?$",
    re.IGNORECASE,
)
_COLUMNS = re.compile(
    r"select\s(?:distinct\s)?(?:\*|[\w.]+(?:\([^()]*\))?(?:\s(?:as\s)?\w+)?(?:,\s?[\w.*]+(?:\([^()]*\))?(?:\sas\s\w+)?)*)\sfrom\s"
)
_SQL_CLAUSE = re.compile(
    r"(?:SELECT|WITH|INSERT\sINTO|UPDATE|DELETE\sFROM|ALTER\sTABLE|LEFT\sJOIN|INNER\sJOIN|JOIN|FROM|WHERE|GROUP\sBY"
    r"|ORDER\sBY|HAVING|VALUES|LIMIT|CREATE|DROP|SET|AND|OR|UNION|RETURNING|ON)\b"
)
_SQL_CLAUSE_SENTENCE = re.compile(
    r"[a-z]{2,}\s[a-z]{2,}\s[a-z]{2,}(?:\s|$|[.,;:])|[a-z]{2}[.!?,:]$|^\w+\s(?:is|are|was|with|and|or)\s"
)

_ASSIGNMENT = re.compile(
    rf"(?:{_PATH}(?:,\s{_PATH})*)(?::\s?{_TYPE})?\s?(?P<operator>(?:[-+*/%|&^.]|\|\||&&|\?\?|<<|>>|\*\*|//)?=)"
    r"(?![=>])\s?(?P<value>\S.*)$"
)
_CALL = re.compile(
    rf"(?:await\s|new\s|yield\s|go\s|defer\s)?(?P<path>{_PATH})(?:<[\w, ]+>)?\((?P<arguments>.*)\)"
    r"(?P<chain>\[\d+\]|)(?P<end>;?)$"
)
_OPEN_CALL = re.compile(rf"(?:await\s|return\s)?{_PATH}\((?:.*[,({{\[]|.*=>\s?\{{)?$")
_MATH_CALL = re.compile(
    r"\b(?:max|min|sum|abs|log2?|ln|exp|sqrt|sin|cos|tan|floor|ceil|gcd|lcm|mod|len|dp|[A-Za-z]{1,2}\d?)(?:\[[^\]]*\])?\("
)
_LONG_NAME_ARGUMENT = re.compile(r"[A-Za-z_]\w{2,}(?!\w*[\[(])")
_COMPLEX_VALUE = re.compile(
    r"\w[!?]?(?:<[\w, ]++>)?\(.*\)|\"\"|(?:self|this)\.|[A-Za-z_]\w(?<![\d.])(?:\.|::|->)[A-Za-z_]\w"
    r"|^(?:\{\}|\[\]|\(\))$|\?.+\s:\s|\sif\s.+\selse\s|=>|^(?:await|new|lambda|function|async|not)\s|\w\[\"\"\]|[A-Za-z_]\w\[[^\]]*:[^\]]*\]|[A-Za-z_]\w\w\[[^\]]+\]$|\s\|\|\s|\s\?\?\s|\sor\s[\[{\"]|^[frb]\"\""
)
_PUNCTUATED = re.compile(r".*?(?:[a-z_]\w\((?!s\)).*|\w(?:->|::)\w.*|\w\[.*\].*)(?:[)\w\]\"}];|\)\s?\{)$")
_SWAP = re.compile(r"[\w.]+\[[^\]]*+\], ")
_SELF = re.compile(r"(?:self|this)\.\w|@\w|\$\w")
_WORDS = re.compile(rf"\b(?!(?:{_KEYWORDS})\b)[A-Za-z]{{2,}}\s(?!(?:{_KEYWORDS})\b)[a-z]{{2,}}")
_CLOSER = re.compile(r"(?:[)\]}]+[;,]?|\}\s?\)[;,]?|end[,;)]?|</[\w.]+>|/>|EOF|\};?)$")
_REMARK = re.compile(r"(?://|#(?!include|define|\[|[\w-]+[^{]*\{)|--\s|/\*|\*\s|\*/|<!--)")
_DECLARED = re.compile(r"(?:(?:const|let|var|val|local|auto|my|our|final|using|readonly|static|late)\s)+")


def sign_of(line: str) -> Sign:
    """Return what ``line`` shows."""
    return _sign_of_text(line[:MAX_LINE_CHARS].strip())


@lru_cache(maxsize=_CACHED_LINES)
def _sign_of_text(text: str) -> Sign:
    if weight := _sql_weight(text) or command_weight(text):
        return Sign(weight)
    bare = without_strings(text)
    form = _form_weight(bare)
    if form and text.startswith("<"):
        return Sign(form)
    if is_sentence(bare):
        return Sign(0, is_sentence=True)
    return Sign(max(form, _assignment_weight(bare), _call_weight(bare), _punctuation_weight(bare)))


def without_strings(text: str) -> str:
    """Return ``text`` with each string empty and without a comment at its end."""
    return _COMMENT.sub("", _STRING.sub('""', text)).strip()


def is_sentence(bare: str) -> bool:
    """Return whether ``bare``, a line without strings, is worded as a sentence, as pseudo-code or as a formula."""
    if _SENTENCE.search(bare):
        return True
    rest = bare[modifiers.end() :] if (modifiers := _MODIFIERS.match(bare)) else bare
    run = _WORD_RUN.search(rest)
    if run is None or _CLAUSE.search(rest):
        return False
    words = _WORD.findall(run[0])
    return sum(word in _KEYWORD_SET for word in words) * 2 < len(words)


def is_closer(line: str) -> bool:
    """Return whether ``line`` only ends what other lines began."""
    return bool(_CLOSER.match(line.strip()))


def is_remark(line: str) -> bool:
    """Return whether ``line`` is a comment."""
    return bool(_REMARK.match(line.strip()))


def _sql_weight(text: str) -> int:
    match = _SQL.match(text)
    if match is None:
        return 0
    if text[0].isupper() and text[:2].isupper():
        return 0 if _SQL_CLAUSE_SENTENCE.search(_STRING.sub('""', text)) else 3 if text.endswith(";") else 2
    is_query = not text.startswith("select") or bool(_COLUMNS.match(text))
    if not is_query or not text[0].islower() or _SENTENCE.search(_STRING.sub('""', text)):
        return 0
    return 3 if text.endswith(";") else 2 * bool(match["more"] and re.search(r"[=<>*]|is null|limit \d", text))


def _form_weight(bare: str) -> int:
    weight = next((weight for weight, forms in _FORMS.items() if forms.match(bare)), 0)
    return weight or int(bool(_SQL_CLAUSE.match(bare)) and not _SQL_CLAUSE_SENTENCE.search(bare))


def _assignment_weight(bare: str) -> int:
    match = _ASSIGNMENT.match(_DECLARED.sub("", bare, count=1))
    if match is None or _WORDS.search(match["value"].replace("await ", "").replace("new ", "").replace("not ", "")):
        return 0
    value, ends = match["value"].rstrip(";"), bare.endswith(";")
    if _is_formula(bare, value):
        return 0
    if _COMPLEX_VALUE.search(value) or _SELF.match(bare) or _SWAP.match(bare) or match["operator"] != "=":
        return 2 + ends
    is_plain = not (ends or "_" in bare or re.match(r"[\[{]|(?:True|False|None|null|true|false)$", value))
    return 0 if is_plain else 1 + (ends and len(bare) > 8)


def _is_formula(bare: str, value: str) -> bool:
    """Return whether an assignment is one of mathematics: powers, one-letter functions and variables."""
    if "^" in value or re.search(r"\d[a-z]\b|\b[A-Za-z]\s?\(", bare) or value.endswith("%"):
        return True
    if _MATH_CALL.search(value):
        arguments = value[value.index("(") :]
        return not _LONG_NAME_ARGUMENT.search(_MATH_CALL.sub("", arguments)) and '""' not in value
    return False


def _punctuation_weight(bare: str) -> int:
    """Return what the end of a line shows in any language: a semicolon or a brace below calls and members."""
    return 2 * (bool(_PUNCTUATED.match(bare)) and not _WORDS.search(bare))


def _call_weight(bare: str) -> int:
    if bare.count("(") != bare.count(")"):
        return int(bool(_OPEN_CALL.match(bare)) and not _WORDS.search(bare))
    match = _CALL.match(bare)
    if match is None or _WORDS.search(match["arguments"].replace("new ", "").replace("await ", "")):
        return 0
    path, ends = match["path"], bool(match["end"])
    if len(path) < 3 and not ends:
        return 0
    has_dot, has_arguments = (
        bool(re.search(r"\.|::|->", path)) or bool(match["chain"]),
        bool(match["arguments"].strip()),
    )
    is_rich = '""' in match["arguments"] or "=" in match["arguments"] or "{" in match["arguments"]
    return min(3, 1 + (has_dot and has_arguments) + is_rich + ends)
