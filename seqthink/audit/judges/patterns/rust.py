"""Patterns of mistakes in Rust. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
    DEBUGGER,
    ENDLESS,
    GRAVE,
    HASH,
    MINOR,
    SHELL,
    SQL,
    SWALLOWED,
    TLS,
    UNREACHABLE,
    CodePattern,
    unsafe,
    wrong,
)  # fmt: skip

_RUST: Final = ("rust",)
_IGNORED: Final = "The error is ignored; check it."

PATTERNS: Final[tuple[CodePattern, ...]] = (
    wrong(_RUST, '(macro_invocation macro: (identifier) @f (#eq? @f "dbg")) @here', DEBUGGER),
    wrong(_RUST, '(macro_invocation macro: (identifier) @f (#match? @f "^(todo|unimplemented)$")) @here',
          "Not written yet: this panics when it is reached.", cost=MINOR),
    wrong(_RUST, "(loop_expression body: (block) @body) @here", ENDLESS, "endless"),
    wrong(_RUST, "(while_expression condition: (boolean_literal) @value body: (block) @body (#eq? @value \"true\")) @here",
          ENDLESS, "endless"),
    wrong(
        _RUST,
        """(match_arm pattern: (match_pattern) @p value: [(block) (unit_expression)] @body (#match? @p "^Err\\\\(")) @here""",
        SWALLOWED, "empty",
    ),
    wrong(
        _RUST,
        """(if_expression condition: (let_condition pattern: (_) @p) consequence: (block) @body !alternative
            (#match? @p "^Err\\\\(")) @here""",
        SWALLOWED, "empty",
    ),
    wrong(
        _RUST,
        """(block [(expression_statement (return_expression)) (expression_statement (break_expression))
            (expression_statement (continue_expression))] . (_) @here @after)""",
        UNREACHABLE, "unreachable",
    ),
    wrong(
        _RUST,
        """(binary_expression left: (_) @a operator: ["==" "!="] right: (_) @b (#eq? @a @b)
            (#match? @a "^[\\\\w.]+$")) @here""",
        "Both sides are the same; correct one of them.",
    ),
    wrong(
        _RUST,
        """(binary_expression operator: ["==" "!="] right: (scoped_identifier) @b (#match? @b "::NAN$")) @here""",
        "Nothing equals NaN; use is_nan().",
    ),
    wrong(_RUST, '(call_expression function: (_) @f (#match? @f "mem::forget$|^Box::leak$")) @here',
          "A forgotten value is never released; let it drop.", cost=MINOR),
    unsafe(
        _RUST,
        """(call_expression function: (field_expression field: (field_identifier) @f) arguments: (arguments
            (boolean_literal) @value) (#match? @f "^danger_accept_invalid_(certs|hostnames)$") (#eq? @value "true")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _RUST,
        '(call_expression function: (_) @f (#match? @f "^(md5::compute|(Md5|Sha1)::(new|digest)|(md5|sha1)::(Md5|Sha1)::(new|digest))$")) @here',
        HASH,
    ),
    unsafe(
        _RUST,
        """(macro_invocation macro: (identifier) @f (token_tree . (string_literal) @sql) (#eq? @f "format")
            (#match? @sql "\\\\{")) @here""",
        SQL, "sql",
    ),
    unsafe(
        _RUST,
        """(call_expression function: (field_expression value: (_) @shell field: (field_identifier) @f)
            arguments: (arguments . [(reference_expression) (macro_invocation)]) (#eq? @f "arg")
            (#match? @shell "Command::new\\\\(\\"(/bin/)?(ba|z)?sh\\"\\\\)\\\\s*\\\\.arg\\\\(\\"-l?c\\"\\\\)$")) @here""",
        SHELL,
    ),
    wrong(
        _RUST,
        """(let_declaration pattern: "_" value: (_) @f
            (#match? @f "(fs::(write|remove_file|rename|create_dir_all)|\\\\.(commit|execute|flush|sync_all|write_all)|serde_json::\\\\w+)\\\\(.*\\\\)(\\\\.await)?$"))
            @here""",
        _IGNORED,
    ),
)  # fmt: skip
