"""Heuristics: is a text code, and in which language? Only signs count that prose never has. Pure."""

import re
from collections import Counter
from typing import Final

from seqthink.audit.code.data_formats import is_json, is_settings, is_sure_yaml, is_yaml
from seqthink.audit.code.statements import is_sentence, sign_of, without_strings

STRONG, WEAK, INDENTED, OPEN, PROSE, BLANK = "strong", "weak", "indented", "open", "prose", "blank"
CODE_KINDS: Final = (STRONG, WEAK)
_MAX_LINE_CHARS: Final = 200
_MAX_GUESS_LINES: Final = 200
"""Characters of a line that are examined."""

_STRONG = re.compile(
    r"""\s*+(?:
      (?P<bash>\#!.*\b(?:sh|bash|zsh)\b.*$
        | \$\s[a-z./][\w./-]*(?:\s.*)?$ | set\s-[a-z]*e[a-z]*\b.*$ | (?:if|while)\s\[\[?\s.*$ | export\s[A-Z_]+=.*$
        | (?:for\s\w+\sin\s.*;\s*do|done|fi|esac)$)
    | (?P<perl>use\s(?:strict|warnings);$ | (?:my|our)\s[$@%(].*$ | sub\s\w+\s\{$)
    | (?P<typescript>(?:export\s)?(?:declare\s)?(?:interface|enum)\s\w+[^;]*\{.*$
        | (?:export\s)?type\s\w+(?:<.*>)?\s=\s.+$ | (?:readonly\s)?\w+\??:\s(?:string|number|boolean)\b[^:]*[;,]$
        | (?:export\s)?(?:async\s)?function\s\w+.*\):\s[\w<>\[\]|\s]+\{$ | (?:export\s)?const\s\w+:\s.+=.*$
        | import\stype\b.*$)
    | (?P<javascript>(?:export\s)?(?:default\s)?(?:async\s)?function\b\*?\s*\w*\(.*\)\s*\{.*$
        | (?:export\s)?(?:const|let(?!\s\w+\s=\s[\w\s+*/-]+$)|var)\s(?:[\w$]+|[\{\[].*[\}\]])\s=\s.+$
        | import\s.*\bfrom\s['"].*['"];?$ | module\.exports\b.*$ | console\.\w+\(.*$ | \}\)?;?\s*(?:catch|then)\b.*\{$
        | (?:const|let)\s\{.*\}\s=\srequire\(.*$)
    | (?P<rust>(?:pub(?:\(\w+\))?\s)?(?:async\s|unsafe\s|const\s)*(?:fn\s\w+|trait\s[A-Z]|impl\b).*[{;)]$
        | pub(?:\(\w+\))?\s(?:struct|enum|mod|use|const)\b.*$ | let\smut\s.*$
        | use\s(?:[a-z_]\w*::)+.*;$ | \#!?\[\w+.*\]$)
    | (?P<go>func\s(?:\(\w+\s\*?[\w.]+\)\s)?\w*\((?!.*->).*\{\s*$ | package\s[a-z]\w*$ | import\s(?:\(|"[\w./-]+")$
        | type\s\w+\s(?:struct|interface)\s\{.*$ | [\w,\s]+\s:=\s.+$ | (?:if|for)\s.*(?:!=\snil|:=).*\{$)
    | (?P<csharp>using\s[A-Z][\w.]*;$ | namespace\s[A-Z][\w.]*[;{\s]*$)
    | (?P<php><\?(?:php|=).*$ | .*\$this->.*$ | .*\bfunction\s\w*\(.*\$.*$
        | (?:(?:public|private|protected|static|final|abstract)\s)+(?:static\s)?function\s.*$)
    | (?P<cpp>\#include\s*<(?:vector|iostream|string|memory|map|algorithm|\w+stream|optional|utility)>\s*$
        | (?:using\s|const\s|auto\s)?.*\bstd::.*[;{]$ | template\s*<.*>.*$)
    | (?P<c>\#include\s*[<"][\w./]+[>"]\s*$ | \#define\s\w+.*$ | (?:int|void)\smain\(.*$)
    | (?P<java>package\s[\w.]+;$ | import\s(?:static\s)?[\w.*]+;$ | @Override$
        | (?:(?:public|private|protected|static|final|abstract|synchronized)\s)+
          (?:class|interface|enum|record)\s\w+.*$
        | (?:public|private|protected)\s(?:(?:static|final|abstract|synchronized)\s)*[\w<>\[\],.?]+\s\w+
          (?:\(.*|\s=.*|;)$)
    | (?P<kotlin>(?:(?:private|internal|override|suspend)\s)*fun\s(?:<.*>\s)?[\w.]+\(.*\).*[{=].*$
        | data\sclass\s\w+\(.*$ | val\s\w+(?::\s?[\w<>?]+)?\s=\s.+$)
    | (?P<python>(?:async\s)?def\s\w+\s*\(.*\)(?!.*:\s[A-Z][\w.]*(?:\[.*\])?\s=).*:(?:\s.*)?$
        | (?:async\s)?def\s\w+\($ | class\s\w+(?:\(.*\))?:$
        | from\s[\w.]+\simport\s(?:\(|\*|\w+(?:\sas\s\w+)?(?:,\s\w+)*)\)?$ | if\s__name__\s==.*:$
        | import\s[\w.]+(?:\sas\s\w+)?(?:,\s[\w.]+)*$ | \#!.*\bpython.*$ | except\s[\w.,()\s]*(?:Error|Exception)\b.*:$
        | (?:el)?if\s[\w.]+\sis\s(?:not\s)?None:$
        | for\s[\w,\s()]+\sin\s[\w.]+(?:[\(\[].*)?:$ | with\s.*\(.*\)(?:\sas\s\w+)?:$
        | (?:if|elif|while)\s(?=[^"']*[=<>(.\[_])(?!.*\b(?!(?:and|or|not|in|is|if|else|for)\b)[a-z]+\s
          (?!(?:and|or|not|in|is|if|else|for)\b)[a-z]+\b).*:$)
    | (?P<ruby>def\s(?:self\.)?\w+[?!]?(?:\(.*\))?$ | require(?:_relative)?\s['"].*['"]$
        | class\s[A-Z]\w*(?:\s<\s[\w:]+)?$
        | module\s[A-Z]\w*$ | .*\sdo\s\|[\w,\s]+\|$)
    | (?P<sql>(?:SELECT|WHERE|FROM|(?:LEFT\s|INNER\s)?JOIN|(?:GROUP|ORDER)\sBY)\s.+$
        | (?:INSERT\sINTO|DELETE\sFROM|ALTER\sTABLE)\s.+$
        | UPDATE\s\w+\sSET\b.*$ | (?:CREATE|DROP)\s(?:UNIQUE\s)?(?:TABLE|INDEX|VIEW)\b.*$)
    | (?P<unclear>(?:typedef\s)?(?:struct|enum|union)\s\w+.*\{$ | \$\w+\s[.+]?=\s.*;$ | \w+\(\)\s*\{$
        | (?:(?:static|const|unsigned|inline|extern|struct|virtual)\s)*
          (?:void|int|char|size_t|u?int\d+_t|struct\s\w+)\b[\s*&]+\w+(?:\(.*|\s=\s.*;|;|\[.*;)$)
    )""",
    re.VERBOSE,
)
_WEAK = re.compile(
    r"""\s*+(?:
      .*(?:[;{]|(?<!\w)\})$ | [)\]}]+[;,]?$ | .*=>\s*[\{(]?$ | else:$ | try:$ | finally:$ | end$
    | @(?:\w+\.\w.*|\w+\(.*\)|property|(?:static|class)method|dataclass)$
    | .*\s=>\s.*,$
    | (?:return|raise|throw|yield|await)\b(?:\s[\w.]*[(\[.\"'{_].*|\s[\w\s+*/<>=-]{1,40})?$
    | (?:await\s|new\s)?[\w.$]+\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)[;,]?$
    | (?:self\.|this\.)?[\w.\[\]]+(?::\s[\w\[\]., |]+)?\s(?:[-+*/|]|\|\|)?=\s
      (?:.*["'`]|.*\w\.\w+\(|[\[\{]|(?:await|new|lambda)\b|\w+_\w+\().*$
    )""",
    re.VERBOSE,
)
_LIST_ITEM = re.compile(r"(?! (?:  )*\*)\s*+(?:[-*+•>|]|\d{1,9}[.)]|[a-z]\))\s")
_PROSE_WORDS = re.compile(r"(?:^|[\s(,:])[A-Za-z][a-z']*+(?:,?\s[a-z']++){3}|\w[.!?]$|[a-z]{2}[,:]$")
_COMMENT_OR_TEXT = re.compile(r"""\s*+(?://|\#|--|/?\*|["'`])""")
_OUTPUT_LINE = re.compile(
    r"""\s*+(?:Traceback\s\(most | at\s\S.*[:(]\S*\d+\)?$ | File\s".*",\sline\s\d | goroutine\s\d
    | panic:\s | thread\s'.*'\spanicked
    | \[?\d{4}-\d\d-\d\d[T\s]\d\d: | \[?\d\d:\d\d:\d\d | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\b
    | E\s{3} | error(?:\[E\d+\])?:\s | -->\s\S+:\d+:\d+ | \d+\s\| | (?:\w+\.)*\w+(?:Error|Exception):\s | Caused\sby:\s
    | FAILED\s | PASSED\s | \S+:\d+:\d+:\s | ={3,}\s)""",
    re.VERBOSE,
)
_SQL_QUERY = re.compile(r"\s*(?:select\s|insert into\s|update\s|delete from\s|create table\s)", re.IGNORECASE)
_TYPE_ANNOTATION = re.compile(r"\(\w+\??:\s\w|\):\s\w|\bas\s(?:const|any|unknown)\b|\b(?:private|public|readonly)\s\w")
_NAME_OF_FUNCTION = re.compile(r"\s*+[\w.]+\(\)$")
_PROMPT = re.compile(r"\s*\$\s[a-z./]")


def line_kind(line: str) -> str:
    """Return which kind of line this is: strong or weak sign of code, indented, open, prose or blank."""
    line = line[:_MAX_LINE_CHARS].rstrip()
    if not line or line.isspace():
        return BLANK
    if _OUTPUT_LINE.match(line) or _LIST_ITEM.match(line):
        return PROSE
    if _STRONG.match(line):
        return PROSE if is_sentence(without_strings(line.strip())) else STRONG
    if line[0] not in " \t" and not _COMMENT_OR_TEXT.match(line) and _PROSE_WORDS.search(line):
        return PROSE
    if _WEAK.match(line) and not _PROSE_WORDS.search(line):
        return WEAK
    return INDENTED if line[0] in " \t" else OPEN


def is_output_line(line: str) -> bool:
    """Return whether ``line`` is one of a log, a trace or a report."""
    return bool(_OUTPUT_LINE.match(line[:_MAX_LINE_CHARS]))


def is_talk_line(line: str) -> bool:
    """Return whether ``line`` is an item of a list, a quotation or a row of a table."""
    return bool(_LIST_ITEM.match(line[:_MAX_LINE_CHARS]))


def is_code(text: str, *, is_fenced: bool) -> bool:
    """Return whether ``text`` looks like a program; fenced text needs fewer signs."""
    if is_json(text) or text.startswith("#!/") or (is_fenced and (is_yaml(text) or _is_sql_query(text))):
        return True
    kinds = Counter(line_kind(line) for line in text.split("\n"))
    lines = kinds.total() - kinds[BLANK]
    names = sum(bool(_NAME_OF_FUNCTION.match(line)) for line in text.split("\n"))
    strong, weak, prose = kinds[STRONG], kinds[WEAK] - max(0, names - 1), kinds[PROSE]
    if is_fenced:
        return (strong > 0 and prose <= strong + weak) or (weak * 2 >= max(2, lines) and prose * 3 <= weak)
    return strong >= 2 or (strong == 1 and weak > 0) or (weak >= 3 and weak * 3 >= lines * 2)


def is_program_output(text: str) -> bool:
    """Return whether ``text`` is output of programs: a log, a trace, or commands with more output than input."""
    lines = [line[:_MAX_LINE_CHARS] for line in text.split("\n") if line.strip()]
    if not lines:
        return False
    output_lines = sum(bool(_OUTPUT_LINE.match(line)) for line in lines)
    prompt_lines = sum(bool(_PROMPT.match(line)) for line in lines)
    return bool(_OUTPUT_LINE.match(lines[0])) or output_lines * 3 > len(lines) or 0 < prompt_lines * 2 < len(lines)


def guess_language(text: str) -> str:
    """Return the language that ``text`` looks like, or "" if that is not clear."""
    if is_json(text):
        return "json"
    languages = [
        sign.lastgroup or "" for line in text.split("\n") if (sign := _STRONG.match(line[:_MAX_LINE_CHARS].rstrip()))
    ]
    if not languages:
        return (
            "yaml" if is_yaml(text) or is_sure_yaml(text) else "sql" if _is_sql_query(text) else _signed_language(text)
        )
    if set(languages) == {"sql"}:
        return _signed_language(text) or "sql"
    if languages[0] == "bash" or text.startswith("#!"):
        return languages[0]
    counted = Counter(languages)
    for wider, narrower in (("javascript", "typescript"), ("c", "cpp"), ("java", "csharp")):
        if counted[narrower]:
            counted[narrower] += counted.pop(wider, 0)
    del counted["unclear"]
    (best, best_count), (_, next_count) = [*counted.most_common(2), ("", 0), ("", 0)][:2]
    if best == "javascript" and _TYPE_ANNOTATION.search(text):
        return "typescript"
    return best if best_count > 2 * next_count else ""


def _signed_language(text: str) -> str:
    """Return the one language that the statements in ``text`` have, or ""; commands must be all there is."""
    if is_settings(text):
        return "toml"
    signs = [sign_of(line) for line in text.split("\n")[:_MAX_GUESS_LINES] if line.strip()]
    languages = {sign.language for sign in signs if sign.weight > 1 and sign.language}
    if {sign.language for sign in signs} == {"bash"}:
        return "bash"
    return languages.pop() if len(languages) == 1 and "bash" not in languages else ""


def _is_sql_query(text: str) -> bool:
    """Return whether ``text`` is lowercase SQL; prose may use the same words but ends differently."""
    text = text.strip().lower()
    is_whole = text.endswith(";") and not any(mark in text for mark in "!?")
    return is_whole and bool(_SQL_QUERY.match(text)) and (not text.startswith("select") or "\nfrom " in text)
