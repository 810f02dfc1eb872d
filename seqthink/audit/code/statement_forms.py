"""Forms of whole lines of code, by how surely each is code and by language. Pure data.

They are matched against a line without its strings (``""`` stands for each), its comment and its indentation.
"""

from typing import Final

FORMS: Final[tuple[tuple[int, str, tuple[str, ...]], ...]] = (
    (3, "typescript", (
        r"(?:export\s|declare\s)*(?:interface|enum|namespace)\s[A-Z]\w*(?:<.*>)?(?:\sextends\s.+)?\s?\{.*",
    )),
    (3, "typescript", (
        r"import\stype\s.+",
        r"export\stype\s[A-Z]\w*.*=.*",
        r"(?:export\s)?type\s[A-Z]\w*(?:<.*>)?\s=\s.+",
    )),
    (3, "typescript", (
        r"(?:const|let|var)\s\w+:\s(?:[A-Za-z_][\w.:]*(?:<[^=()]*>|\[[\w., |]*\])?[?*&!]*(?:\[\])*(?:\s"
        r"\|\s[\w.\[\]]+)*)\s=\s\S.*",
        r"(?:export\s)?(?:async\s)?function\s\w+\(.*\w\??:\s.*",
    )),
    (3, "javascript", (
        r"(?:export\s)?(?:default\s)?(?:async\s)?function\s?\*?\s*\w*\(.*\)\s*\{.*",
    )),
    (3, "javascript", (
        r"import\s.+\sfrom\s?\"\";?",
        r"import\s\"\";",
        r"export\s(?:default|const|class|\{|\*).*",
    )),
    (3, "javascript", (
        r"module\.exports\b.*",
        r"(?:const|let|var)\s.+=\s*require\(.*",
        r"(?:const|let|var)\s[{\[].*[}\]]\s=\s.+",
    )),
    (3, "javascript", (
        r"(?:const|let|var)\s[\w$]+\s=\s(?:await|new|async|function)\b.*",
        r".*\)\s=>\s[{(].*",
        r".*=>\s*\{",
    )),
    (3, "javascript", (
        r"(?:console|document|window|process)\.\w+(?:\.\w+)*\(.*",
    )),
    (3, "rust", (
        r"(?:pub(?:\(\w+\))?\s)?(?:async\s|unsafe\s|const\s)*fn\s\w+(?:<.*>)?\(.*",
        r"let\smut\s\w.*=.*",
        r"#!?\[[\w(].*\]",
    )),
    (3, "rust", (
        r"(?:pub\s)?use\s(?:\w+::)+.*;",
        r"impl(?:<.*>)?\s[A-Z].*\{.*",
        r"pub\s(?:struct|enum|trait|mod|use|const)\s.+",
    )),
    (3, "rust", (
        r"(?:println|format|vec|panic|assert_eq|assert|eprintln|write|dbg|todo|matches)!\s?[(\[].*",
    )),
    (3, "rust", (
        r"let\s\w+:\s(?:[A-Za-z_][\w.:]*(?:<[^=()]*>|\[[\w., |]*\])?[?*&!]*(?:\[\])*(?:\s\|\s[\w.\[\]]+)*)\s=\s.+;",
        r".*\.(?:unwrap|expect|collect|into_iter|iter|clone|to_string)\([^)]*\)\??;",
    )),
    (3, "go", (
        r"func\s(?:\(\w+\s\*?[\w.]+\)\s)?\w*\((?!.*->).*\{.*",
        r"type\s\w+\s(?:struct|interface|func)\b.*[{)]\}?",
    )),
    (3, "go", (
        r"if\s(?:.*;\s)?err\s!=\snil\s\{.*",
        r"if\s.*:=.*;.*\{",
        r"for\s.*:=\s(?:range\s)?.*\{.*",
        r"(?:fmt|log|errors|os|http)\.[A-Z]\w+\(.*\)",
    )),
    (3, "go", (
        r"import\s(?:\(|\"\")",
        r"var\s\w+\s(?:\*|\[\]|map\[)?[\w.]+(?:\s=\s.+)?",
        r"defer\s.+\)",
        r"return\s(?:nil|\w+),\s\w*err\b.*",
    )),
    (3, "swift", (
        r"(?:@\w+(?:\(.*\))?\s)*(?:\w+\s)*func\s\w+(?:<.*>)?\(.*->.*",
        r"guard\slet\s.+=.+else\s?\{.*",
        r"if\slet\s\w+(?:\s=\s.+)?\s\{.*",
    )),
    (3, "swift", (
        r"(?:(?:private|public|static|lazy|weak|@\w+)\s)*(?:let"
        r"|var)\s\w+:\s(?:some\s)?[\w\[\]:<>? ]+(?:\s=\s.+|\s\{.*)?",
    )),
    (3, "swift", (
        r"(?:final\s)?(?:struct|class|enum|extension|protocol)\s[A-Z]\w*(?::\s[A-Z][\w, ]*)?\s\{.*",
    )),
    (3, "kotlin", (
        r"(?:@\w+\s)*(?:(?:public|private|protected|static|final|abstract|internal|override|virtual|readonly"
        r"|async|sealed|open|inline|synchronized|suspend|partial|fileprivate|mutating|extern"
        r"|constexpr)\s)*fun\s(?:<.*>\s)?[\w.]+\(.*",
        r"data\sclass\s\w+\(.*",
        r"(?:private\s|lateinit\s|const\s)*va[lr]\s\w+(?::\s?[\w<>?, ]+)?\s=\s.+",
    )),
    (3, "kotlin", (
        r"(?:private\s)?lateinit\svar\s.+",
        r"companion\sobject\b.*\{",
        r"val\s\w+\sby\s.+",
        r".*\?\.(?:let|also|run)\s\{.*\}",
    )),
    (3, "scala", (
        r"(?:case\s)?(?:object|class)\s[A-Z]\w*(?:\[.*\])?(?:\(.*\))?\sextends\s[A-Z].*",
        r"case\s(?:class|object)\s[A-Z].*",
    )),
    (3, "scala", (
        r"(?:override\s|private\s|implicit\s)*def\s\w+(?:\[.*\])?(?:\(.*\))*(?::\s?[\w\[\], .]+)?\s=\s?.*",
        r"import\s[\w.]+\.(?:_|\{.*\})",
    )),
    (3, "php", (
        r"<\?(?:php|=).*",
        r"\$\w+(?:(?:->|::)\w+|\[.*\])*(?:\(.*\))?\s?(?:[.+*/-]?=\s?.+)?;",
        r".*\$this->.*",
        r"echo\s.*;",
        r"foreach\s?\(\$.*",
    )),
    (3, "php", (
        r"use\s[A-Z]\w*(?:\\\w+)+(?:\sas\s\w+)?;",
        r"(?:(?:public|private|protected|static|final|abstract|internal|override|virtual|readonly|async"
        r"|sealed|open|inline|synchronized|suspend|partial|fileprivate|mutating|extern"
        r"|constexpr)\s)*function\s\w*\(.*\$.*",
        r"(?:return|if|while|throw)\b.*\$\w+.*[;{]",
    )),
    (3, "csharp", (
        r"using\s(?:static\s)?[A-Z][\w.]*;",
        r".*\{\s?get;.*\}.*",
        r"foreach\s\(.+\sin\s.+\).*",
        r"namespace\s[A-Z][\w.]*[;{\s]*",
    )),
    (3, "csharp", (
        r"(?:await\s)?Console\.\w+\(.*;",
        r"\[(?:Http\w+|Test|Fact|Authorize|ApiController|Route|Theory|Obsolete)\b.*\]",
    )),
    (3, "java", (
        r"package\s[\w.]+;",
        r"import\s(?:static\s)?[\w.*]+;",
        r"System\.(?:out|err)\.\w+\(.*",
    )),
    (3, "java", (
        r"(?:@\w+\s)*(?:(?:public|private|protected|static|final|abstract|internal|override|virtual|readonly"
        r"|async|sealed|open|inline|synchronized|suspend|partial|fileprivate|mutating|extern"
        r"|constexpr)\s)+(?:class|interface|enum|record)\s[A-Z]\w*.*",
        r"(?:(?:public|private|protected|static|final|abstract|internal|override|virtual|readonly|async"
        r"|sealed|open|inline|synchronized|suspend|partial|fileprivate|mutating|extern"
        r"|constexpr)\s)+(?:[A-Za-z_][\w.:]*(?:<[^=()]*>|\[[\w., |]*\])?[?*&!]*(?:\[\])*(?:\s"
        r"\|\s[\w.\[\]]+)*)\s\w+\s?(?:\(.*|=.*;|;)",
    )),
    (3, "cpp", (
        r"#include\s*<(?:\w+)>\s*",
        r"(?:using\s|const\s|auto\s|return\s)?.*\bstd::.*[;{]",
        r"template\s?<.*>.*",
        r"using\snamespace\s\w+;",
        r"(?:const\s)?\w+<[\w:, *<>]+>[&*]?\s\w+(?:\s=\s.*|\(.*\)|\{.*\})?;",
        r"for\s?\((?:const\s)?[\w:<>]+[&*]?\s\w+\s:\s.+\).*",
        r"[\w:<>*& ]+\(.*\)\s(?:const\s|noexcept\s|override\s)*\{.*;\s\}",
    )),
    (3, "cpp", (
        r"(?:const\s)?auto[&*]?\s\w+\s=\s.+;",
        r"(?:std::)?c(?:out|err)\s<<.+;",
        r"for\s\((?:const\s)?auto.*",
    )),
    (3, "c", (
        r"#include\s*\"\"",
        r"#include\s*<[\w./]+\.h>",
        r"#(?:define|ifdef|ifndef|undef|pragma|endif)\b(?:\s\w.*)?",
        r"(?:int|void)\smain\(.*",
    )),
    (3, "c", (
        r"(?:(?:static|const|unsigned|inline|extern|struct)\s)*(?:void|int|char|float|double|long|size_t|bool"
        r"|u?int\d+_t|struct\s\w+|FILE)\b[\s*&]+\w+(?:\s?\(.*[;{),]|\s=\s.*;|;|\[.*;)",
    )),
    (3, "c", (
        r"typedef\s.+",
        r"(?:printf|fprintf|scanf|malloc|free|memcpy|strcpy|strncpy|sprintf|snprintf)\(.*\);",
    )),
    (3, "python", (
        r"(?:async\s)?def\s\w+\s*\(.*\)(?!:\s[A-Z][\w.]*(?:\[.*\])?\s=)(?:\s*->\s*.+)?:(?:\s\S.*)?",
        r"from\s[\w.]+\simport\s(?:\(|\*|\w+(?:\sas\s\w+)?(?:,\s\w+)*)\)?",
    )),
    (3, "python", (
        r"if\s__name__\s==.*:",
        r"yield\sfrom\s\w.*",
        r"(?:throw|raise)\s[A-Z]\w*\(.*\)",
        r"class\s\w+(?:\(.*\))?:(?:\s(?:pass|\.\.\.))?",
        r"with\s.+\(.*\)(?:\sas\s\w+)?:",
        r"import\s[\w.]+\sas\s\w+",
    )),
    (3, "python", (
        r"except\s\(?[A-Z][\w.]*(?:,\s\w+)*\)?(?:\sas\s\w+)?:.*",
        r"raise\s[A-Z]\w*(?:Error|Exception)\(.*\)(?:\sfrom\s\w+)?",
        r"async\s(?:with|for)\s.+:",
    )),
    (3, "python", (
        r"@(?:property|staticmethod|classmethod|dataclass(?:\(.*\))?|(?:pytest|app|router|functools"
        r"|mock)\.[\w.]+(?:\(.*\))?)",
    )),
    (3, "python", (
        r"(?:return\s|\w+\s=\s|yield\s)?[\[({].*\sfor\s\w+(?:,\s?\w+)*\sin\s.+[\])}]",
        r".*\w\([^()]*\sfor\s\w+(?:,\s?\w+)*\sin\s.+\)",
    )),
    (3, "ruby", (
        r"(?:it|describe|context|specify|RSpec\.describe|subject|let!?)[\s(](?:\"\"|:\w+|[A-Z]\w+).*\s(?:do|\{.*\})",
        r"expect\(.*\)\.(?:to|not_to)\s.+",
        r"(?:return\s)?(?:render\s(?:json:|:\w|\"\").*|redirect_to\s\S+(?:,.*)?)",
    )),
    (3, "bash", (
        r"(?:if|elif)\s.+;\sthen(?:\s.*;\sfi)?",
        r"(?:for\s\w+\sin\s.+|while\s.+|until\s.+);\sdo(?:\s.*;\sdone)?",
    )),
    (3, "ruby", (
        r"require(?:_relative)?\s\"\"",
        r".*\s(?:do|\{)\s\|[\w,\s*]+\|.*",
        r"(?:has_many|has_one|belongs_to|validates|attr_\w+|before_action|scope|include|extend|private|gem"
        r"|puts|p)\s(?::\w+|\"\").*",
    )),
    (3, "ruby", (
        r"class\s[A-Z]\w*\s<\s[\w:]+",
        r"def\sself\.\w+.*",
        r"def\s\w+[?!](?:\(.*\))?",
        r"@\w+\s\|\|=\s.+",
        r".*\.(?:map|each|select|reject|sum)\(&:\w+\).*",
    )),
    (3, "lua", (
        r"local\s(?:function\s\w+\(.*|[\w, ]+\s=\s.+)",
        r"for\s\w+(?:,\s\w+)?\sin\si?pairs\(.*\)\sdo",
        r"function\s[\w.:]+\(.*\)(?:.*\send)?",
    )),
    (3, "lua", (
        r"for\s\w+\s=\s[\w.#]+,\s?[\w.#-]+(?:,\s?-?\d+)?\sdo",
    )),
    (3, "css", (
        r"(?:[.#]?[a-z][\w-]*|\*|:root|@media\s.*)(?:(?:[.#:]|::|\s|,\s?"
        r"|\s?>\s?)[\w-]+(?:\([\w-]+\))?)*\s?\{(?:\s*[a-z-]+:\s?[^;{}]+;?)+\s*\}",
    )),
    (3, "css", (
        r"@(?:media|keyframes|supports|font-face|layer)\b.*\{",
        r"--[\w-]+:\s.+;",
        r":root\s\{",
    )),
    (3, "html", (
        r"<!DOCTYPE\s\w+>",
        r"<(?P<tag>html|head|body|div|span|button|input|form|label|select|option|ul|ol|li|table|tr|td|th"
        r"|thead|tbody|nav|main|section|header|footer|article|script|style|link|meta|title|img|a|p|h[1-6]|svg"
        r"|path|textarea|canvas|video|iframe|template)(?:\s[^<>]*)?>.*</(?P=tag)>",
    )),
    (3, "html", (
        r"<(?:html|head|body|div|span|button|input|form|label|select|ul|ol|li|table|tr|nav|main|section"
        r"|header|footer|script|link|meta|img|a|p|svg|path|textarea|iframe)\s[\w:@.-]+(?:=[^<>]*)?/?>.*",
    )),
    (3, "javascript", (
        r"<[A-Z]\w*(?:\.\w+)?(?:\s[\w-]+(?:=(?:\"\"|\{.*?\}))?)*\s?/?>(?:.*</[A-Z][\w.]*>)?",
        r"(?:return\s)?\(?<[A-Z]\w*\s.*=\{.*",
    )),
    (3, "", (
        r"throw\snew\s\w+\(.*",
        r"for\s\(.*;.*;.*\).*",
        r"if\s\(.*\)\s(?:return|throw|continue|break)\b.*;",
        r"(?:if|while)\s\(.*\)\s(?:[\w.>-]+\(.*\)|[\w.\[\]*]+\s?[-+*/]?=\s.*|[\w.]+(?:\+\+|--)|\+\+\w+);",
        r"\}\s*(?:else(?:\sif\s?\(.*\))?|catch\s?(?:\(.*\))?|finally)\s*\{",
        r"try\s\{",
    )),
    (2, "dockerfile", (
        r"FROM\s(?:--\S+\s)?[\w./-]*[\w](?:[:@][\w.:-]+|/[\w./-]+)(?:\s(?:AS|as)\s\w+)?",
        r"RUN\s(?:--\S+\s)?[a-z./][\w./-]*\s.+",
        r"(?:COPY|ADD)\s(?:--\S+\s)*[\w./*-]+(?:\s[\w./*-]+)+",
    )),
    (2, "dockerfile", (
        r"(?:CMD|ENTRYPOINT)\s\[.*\]",
        r"WORKDIR\s[/\w.-]+",
        r"EXPOSE\s\d[\d/a-z ]*",
        r"ENV\s\w+[=\s]\S.*",
        r"ARG\s[A-Z_]+(?:=.*)?",
        r"HEALTHCHECK\s.*CMD.*",
        r"USER\s[a-z]\w*",
    )),
    (2, "go", (
        r"package\s[a-z]+",
        r"\w+(?:,\s\w+)*\s:=\s(?:.*[(\[\".&*]|\w+\{).*",
        r"go\s(?:func\b|[\w.]+\().*",
        r"\w+\s<-\s\w+.*",
        r"case\s<-.*:",
    )),
    (2, "python", (
        r"@[a-z]\w*\.[\w.]+(?:\(.*\))?",
        r"@\w+\(.*\)",
        r"(?:el)?if\s.*(?:\sis\s(?:not\s)?None|\(.*\)|\snot\sin\s.*|\s[=!<>]=\s.*|\[.*\]):(?:\s\S.*)?",
        r"lambda\s[\w, ]*:\s.+",
        r"assert\s.*(?:[=!<>]=|\sin\s|\sis\s|\(|\snot\s).*",
        r"with\s\w.*:",
    )),
    (2, "python", (
        r"for\s\w+(?:,\s\w+)*\sin\s(?:range|enumerate|zip|sorted|reversed|list|set)\(.*\):.*",
        r"for\s\w+(?:,\s\w+)*\sin\s[\w.]+\(.*\):.*",
        r"while\s(?:True|.*[=<>(\[].*):",
    )),
    (2, "python", (
        r"(?:return|yield|=)\s.+\sif\s.+\selse\s.+",
        r"print\(.*\)",
        r"del\s\w+[\[.].*",
        r"global\s\w+",
        r"nonlocal\s\w+",
        r"async\sdef\s\w+\(",
        r"def\s\w+\(",
    )),
    (2, "ruby", (
        r"def\s[a-z_]\w*(?:\(.*\))?",
        r"raise\s[A-Z]\w*(?:,\s\"\")?",
        r"unless\s[\w.@]+[?]?",
        r"(?:return|next)\s(?:(?:nil|false|true|\S*[.\[(@:]\S*)\s)?(?:if|unless)\s(?:\S*[.?@!_(]\S*|!.*)(?:\s.*)?",
        r"puts\s.*[.\[(].*",
        r"@\w+\s=\s.+",
    )),
    (2, "rust", (
        r"match\s[\w.&*()]+\s\{",
        r"(?:Ok|Err|Some|None)(?:\(.*\))?\s=>\s.*",
        r"(?:Ok|Err|Some)\(.*\)",
        r"mod\s\w+;",
        r"(?:struct|enum|trait)\s[A-Z]\w*(?:<.*>)?\s?[{(].*",
        r"\w+!\(.*\);?",
    )),
    (2, "java", (
        r"@(?:Override|Test|Autowired|Bean|Entity|Service|Deprecated|Transactional|Nullable|\w+Mapping(?:\(.*\))?)",
        r"(?:[A-Z]\w*(?:<[^=]*>)?(?:\[\])?|int|boolean|double|long|float|bool|string|char|byte|decimal)\s\w+\s=\s.+;",
        r"[A-Z]\w*<[^=]*>\s\w+\s?[;=(].*",
    )),
    (2, "kotlin", (
        r"when\s?(?:\(.*\))?\s\{",
        r".*\s->\s.*\}",
        r".*\w\s\{\s?it\b.*\}",
    )),
    (2, "scala", (
        r"\w+\smatch\s\{",
        r"case\s.+\s=>\s.*",
        r"trait\s[A-Z]\w*.*",
        r"object\s[A-Z]\w*(?:\s\{)?",
        r"va[lr]\s\w+.*=.*",
    )),
    (2, "swift", (
        r"(?:@\w+\s)(?:private\s|public\s)?(?:var|let)\s\w+\s=\s.+",
        r"(?:(?:private|public|internal|fileprivate|static|lazy)\s)+(?:let|var|val)\s\w+.*=.*",
        r"extension\s[A-Z]\w*.*\{",
        r".*\{\s?\$0.*\}",
        r"import\s(?:SwiftUI|Foundation|UIKit|Combine)",
    )),
    (2, "lua", (
        r"if\s.*(?:==|~=|nil|[<>]).*\sthen(?:\s.+\send)?",
        r"elseif\s.+\sthen",
        r".*\s\.\.\s.*\)",
        r"return\s[A-Z]\w*$",
    )),
    (2, "css", (
        r"(?:[.#][a-z][\w-]*|a|body|html|ul|li|input|button|table|h[1-6])(?:[.#:][\w-]+|::[\w-]+"
        r"|\s[.#]?[a-z][\w-]*|,)*\s?\{",
        r"(?:display|color|margin|padding|width|height|border|background|position|font|flex|grid|gap|top|left"
        r"|overflow|z-index|opacity|transition|align-items|justify-content)(?:-[a-z-]+)?:\s[^;]+;",
    )),
    (2, "html", (
        r"</?(?:html|head|body|div|ul|ol|table|form|nav|main|section|header|footer|script|style|tbody|thead"
        r"|template|svg)>",
    )),
    (2, "javascript", (
        r"(?:async\s)?\(?[\w, {}]*\)?\s=>\s.+[(){}\".]",
        r"(?:switch|while)\s?\(.*\)\s*\{",
        r"(?:else\s)?if\s?\(.+\)\s?\{?",
        r"constructor\(.*\)\s\{",
        r"class\s[A-Z]\w*(?:\sextends\s[\w.]+)?\s?\{.*",
        r"(?:async\s)?\w+\(.*\)\s\{",
    )),
    (2, "javascript", (
        r"(?:const|var)\s[\w$]+\s=\s.+",
        r"let\s[\w$]+\s=\s(?:.*[(\[{\".].*|.+;)",
        r"export\s\*.*",
        r"await\s\w[\w.]*\(.*\);?",
    )),
    (2, "rust", (
        r"let\s\w+\s=\s.+[;?{]",
        r".*\)\?;",
        r"return\sOk\(.*",
        r"let\s\(?[\w, ]+\)?:?.*=\s.+;",
        r"[A-Za-z_$][\w$]*::[A-Za-z_$][\w$]*.*[);]",
    )),
    (2, "toml", (
        r"\[\[?(?:tool|package|dependencies|dev-dependencies|project|build-system|profile|workspace|lib|bin"
        r"|features|server|database|section)(?:[.\w\"-]*)\]\]?",
    )),
    (2, "", (
        r"return\s(?:.*[(\[{\"].*|[\w.]+\s(?:[-+*/%]|[=!<>]=|&&|\|\||and|or|in|<|>|is)\s.+|-?\d+|\w+(?:\.\w+)+);?",
        r"return(?:\s[\w.]+)?;",
        r"(?:break|continue);",
        r"throw\s.+;",
        r"delete\s[\w.\[\]]+;",
    )),
    (2, "", (
        r"while\s?\(.*\)\s*\{?",
        r"switch\s?\(.*\)\s?\{",
        r"do\s\{",
        r"case\s[\w.\"]+:\s.+;",
    )),
    (1, "python", (
        r"import\s[a-z_][\w.]*(?:,\s[\w.]+)*",
        r"(?:el)?if\s(?:not\s)?[\w.]+:",
        r"for\s\w+(?:,\s\w+)*\sin\s[\w.]+:",
        r"while\s(?:not\s)?[\w.]*[_.][\w.]*:",
        r"else:",
        r"try:",
        r"finally:",
        r"except:",
        r"pass",
        r"yield\s\w+",
        r"raise",
        r"elif\s.+:",
        r"@[a-z]\w+",
    )),
    (1, "", (
        r"return(?:\s(?:None|True|False|nil|null|true|false|self|this|\w+(?:,\s\w+)?))?",
        r"end",
        r"break",
        r"continue",
        r"(?:throw|raise)\s\w.*",
        r"else(?:\s?\{)?",
        r"done",
        r"fi",
        r"esac",
        r"then",
        r"do",
        r"default:",
        r"case\s[\w.\"]+:",
    )),
    (1, "ruby", (
        r"module\s[A-Z]\w*",
        r"class\s[A-Z]\w*",
        r"(?:els)?if\s[\w.@]+[?]?(?:\s[=<>!]=?\s\S+)?",
        r"puts\s\w+",
    )),
    (1, "", (
        r"if\s.*(?:[=!<>]=|[<>]|\(|\.|_).*:",
        r"import\s\w+",
        r"(?:struct|enum|class|trait|interface)\s\w+(?:\s\w+)?\s?\{",
        r"use\s\w+(?:::\w+)*;",
    )),
    (1, "sql", (
        r"(?:SELECT|WITH|INSERT\sINTO|UPDATE|DELETE\sFROM|ALTER\sTABLE|LEFT\sJOIN|INNER\sJOIN|JOIN|FROM|WHERE"
        r"|GROUP\sBY|ORDER\sBY|HAVING|VALUES|LIMIT|CREATE|DROP|SET|AND|OR|UNION|RETURNING|ON)\b.*",
    )),
    (1, "bash", (
        r"[A-Z][A-Z0-9_]*=\S*",
        r"for\s\w+\sin\s.*;?\s?do",
        r"while\s.*;\s?do",
        r"if\s\[.*",
    )),
    (1, "json", (
        r"\"\":\s(?:.+,|[\[{])",
    )),
)  # fmt: skip
"""Weight (3: no prose has it; 2: prose seldom has it alone on a line; 1: it needs company), language, and patterns."""
