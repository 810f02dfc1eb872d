"""Patterns of mistakes in Go. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
    DEBUGGER,
    ENDLESS,
    GRAVE,
    HASH,
    HTML,
    KEPT_OPEN,
    SHELL,
    SQL,
    SWALLOWED,
    TLS,
    UNREACHABLE,
    WEAK_RANDOM,
    CodePattern,
    unsafe,
    wrong,
)  # fmt: skip

_GO: Final = ("go",)
_IGNORED: Final = "The error is ignored; check it."

PATTERNS: Final[tuple[CodePattern, ...]] = (
    wrong(
        _GO,
        """(assignment_statement left: (expression_list . (identifier) @none .) right: (expression_list . (identifier) @err .)
            (#eq? @none "_") (#match? @err "^(err|e)$|Err$")) @here""",
        SWALLOWED,
    ),
    wrong(
        _GO,
        """(if_statement condition: (binary_expression left: (_) @err operator: "!=" right: (nil)) consequence: (block) @body
            (#match? @err "(?i)err$")) @here""",
        SWALLOWED, "empty",
    ),
    wrong(
        _GO,
        """(short_var_declaration left: (expression_list (identifier) @none .) right: (expression_list
            (call_expression function: (selector_expression) @f)) (#eq? @none "_") (#match? @f
            "^(os|json|strconv|http|io|ioutil|sql|url|xml|yaml|net|time|db|tx|rows|client)[.](Open|Create|Read|Parse|Marshal|Unmarshal|Atoi|Get|Post|Do|Query|Exec|Dial|New|Begin|Prepare|Load)"))
            @here""",
        _IGNORED,
    ),
    wrong(
        _GO,
        """(expression_statement (call_expression function: (selector_expression) @f) (#match? @f
            "^(json|xml|yaml|toml)[.]Unmarshal$|^os[.](Remove|Rename|Mkdir|MkdirAll|WriteFile|Chmod)$|^(db|tx)[.](Exec|ExecContext|Commit|Ping)$|^io[.]Copy$"))
            @here""",
        _IGNORED,
    ),
    wrong(
        _GO,
        """(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list
            (call_expression function: (_) @f)) (#match? @f
            "^os[.](Open|Create|OpenFile)$|^net[.]Dial|^http[.](Get|Post|Head|PostForm)$|(?i:client)[.]Do$|(?i:(db|tx|pool))[.](Query|QueryContext|Acquire)$|^sql[.]Open$|^gzip[.]NewReader$"))
            @here""",
        KEPT_OPEN, "kept open",
    ),
    wrong(
        _GO,
        "(for_statement . body: (block) @body) @here",
        ENDLESS, "endless",
    ),
    wrong(
        _GO,
        """(statement_list [(return_statement) (break_statement) (continue_statement) (goto_statement)]
            . (_) @here @after)""",
        UNREACHABLE, "unreachable",
    ),
    wrong(_GO, '(call_expression function: (_) @f (#eq? @f "runtime.Breakpoint")) @here', DEBUGGER),
    unsafe(
        _GO,
        """(keyed_element . (_) @key . (_) @value (#eq? @key "InsecureSkipVerify") (#eq? @value "true")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _GO,
        """(assignment_statement left: (_) @key right: (_) @value (#match? @key "InsecureSkipVerify$")
            (#eq? @value "true")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _GO,
        '(call_expression function: (_) @f (#match? @f "^(md5|sha1)[.](New|Sum)$")) @here',
        HASH,
    ),
    unsafe(
        _GO,
        """(call_expression function: (_) @f arguments: (argument_list . (_) @shell . (_) @flag . (_) @value)
            (#eq? @f "exec.Command") (#match? @shell "^[\\"`](/bin/)?(ba|z)?sh[\\"`]$") (#match? @flag "^[\\"`]-l?c[\\"`]$"))
            @here""",
        SHELL, "computed",
    ),
    unsafe(
        _GO,
        """(call_expression function: (_) @f arguments: (argument_list . (interpreted_string_literal) @sql . (_))
            (#match? @f "Sprintf$")) @here""",
        SQL, "sql",
    ),
    unsafe(
        _GO,
        """(call_expression function: (_) @f arguments: (argument_list . (raw_string_literal) @sql . (_))
            (#match? @f "Sprintf$")) @here""",
        SQL, "sql",
    ),
    unsafe(
        _GO,
        """(binary_expression left: [(interpreted_string_literal) (raw_string_literal)] @sql @here operator: "+")""",
        SQL, "sql",
    ),
    unsafe(
        _GO,
        """(call_expression function: (_) @f arguments: (argument_list . (_) @value) (#match? @f
            "^template[.](HTML|JS|URL|HTMLAttr)$")) @here""",
        HTML, "computed",
    ),
    unsafe(
        _GO,
        """(type_conversion_expression type: (_) @f operand: (_) @value (#match? @f "^template[.](HTML|JS|URL|HTMLAttr)$"))
            @here""",
        HTML, "computed",
    ),
    unsafe(_GO, '(call_expression function: (_) @f (#match? @f "^rand[.](Int|Intn|Int63|Uint32|Read|Int31n)$")) @here',
           WEAK_RANDOM, "for secrets"),
    wrong(
        _GO,
        """(binary_expression left: (_) @a operator: ["==" "!="] right: (_) @b (#eq? @a @b)
            (#match? @a "^[\\\\w.]+$")) @here""",
        "Both sides are the same; correct one of them.",
    ),
)  # fmt: skip
