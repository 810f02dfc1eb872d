"""Patterns of mistakes in Java. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
    ENDLESS,
    EVAL,
    GRAVE,
    HASH,
    KEPT_OPEN,
    MINOR,
    SHELL,
    SQL,
    SWALLOWED,
    TLS,
    UNREACHABLE,
    UNSAFE_LOAD,
    WEAK_RANDOM,
    CodePattern,
    unsafe,
    wrong,
)  # fmt: skip

_JAVA: Final = ("java",)

PATTERNS: Final[tuple[CodePattern, ...]] = (
    wrong(_JAVA, "(catch_clause body: (block) @body) @here", SWALLOWED, "empty"),
    wrong(_JAVA, "(while_statement condition: (parenthesized_expression (true)) body: (_) @body) @here", ENDLESS, "endless"),
    wrong(_JAVA, "(for_statement !init !condition !update body: (_) @body) @here", ENDLESS, "endless"),
    wrong(
        _JAVA,
        "(block [(return_statement) (throw_statement) (break_statement) (continue_statement)] . (_) @here @after)",
        UNREACHABLE, "unreachable",
    ),
    wrong(
        _JAVA,
        '(binary_expression operator: ["==" "!="] right: (string_literal)) @here',
        "Compares identity, not text; use equals().",
    ),
    wrong(
        _JAVA,
        '(binary_expression left: (_) @value operator: ["==" "!="] (#match? @value "^\\"[^\\"]*\\"$")) @here',
        "Compares identity, not text; use equals().",
    ),
    wrong(
        _JAVA,
        '(binary_expression operator: ["==" "!="] right: (field_access) @value (#match? @value "[.]NaN$")) @here',
        "Nothing equals NaN; use isNaN().",
    ),
    wrong(
        _JAVA,
        """(local_variable_declaration declarator: (variable_declarator name: (identifier) @name value: [
            (object_creation_expression type: (_) @f) (method_invocation) @f]) (#match? @f
            "^(File(In|Out)putStream|FileReader|FileWriter|Socket|ServerSocket|RandomAccessFile|Scanner|BufferedReader|PrintWriter)$|([cC]onnection|[dD]ata[sS]ource|[pP]ool|conn|ds|DriverManager)[.](getConnection|borrowObject)[(]|Files[.](newBufferedReader|newInputStream|newBufferedWriter|newOutputStream)[(]"))
            @here""",
        KEPT_OPEN, "kept open",
    ),
    unsafe(
        _JAVA,
        """(binary_expression left: (_) @sql @here operator: "+" (#match? @sql "^\\"" ))""",
        SQL, "sql",
    ),
    unsafe(
        _JAVA,
        """(method_invocation object: (identifier) @o name: (identifier) @f arguments: (argument_list . (string_literal) @sql
            . (_)) (#eq? @o "String") (#eq? @f "format")) @here""",
        SQL, "sql",
    ),
    unsafe(
        _JAVA,
        """(method_invocation name: (identifier) @f arguments: (argument_list . (string_literal (string_fragment) @name))
            (#eq? @f "getInstance") (#match? @name "(?i)^(md5|sha-?1|md4|md2)$")) @here""",
        HASH,
    ),
    unsafe(
        _JAVA,
        """(method_invocation object: (identifier) @o name: (identifier) @f (#eq? @o "DigestUtils")
            (#match? @f "^(md5|sha1|sha)(Hex)?$")) @here""",
        HASH,
    ),
    unsafe(
        _JAVA,
        """(method_invocation object: (_) @o name: (identifier) @f arguments: (argument_list . (binary_expression
            operator: "+")) (#eq? @f "exec") (#match? @o "untime")) @here""",
        SHELL,
    ),
    unsafe(
        _JAVA,
        """(object_creation_expression type: (_) @f arguments: (argument_list . (string_literal) @shell . (string_literal) @flag
            . (_) @value) (#eq? @f "ProcessBuilder") (#match? @shell "^\\"(/bin/)?(ba)?sh\\"$") (#eq? @flag "\\"-c\\"")) @here""",
        SHELL, "computed",
    ),
    unsafe(
        _JAVA,
        """(method_invocation object: (_) @o name: (identifier) @f (#eq? @f "eval") (#match? @o "(?i)(engine|script|js)")
            arguments: (argument_list . (_) @value)) @here""",
        EVAL, "computed",
    ),
    unsafe(
        _JAVA,
        """(method_invocation object: (_) @o name: (identifier) @f (#match? @f "^read(Object|Unshared)$")
            (#match? @o "(?i)^(ois|in|input|stream|objectin.*|.*objectinputstream.*)$")) @here""",
        UNSAFE_LOAD,
    ),
    unsafe(
        _JAVA,
        """(method_declaration name: (identifier) @f body: (block) @body (#match? @f "^check(Server|Client)Trusted$")) @here""",
        TLS, "empty", GRAVE,
    ),
    unsafe(
        _JAVA,
        """(lambda_expression parameters: (_) @p body: (true) (#match? @p "host|session")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(_JAVA, '((identifier) @here (#match? @here "^(NoopHostnameVerifier|TrustAllStrategy|ALLOW_ALL_HOSTNAME_VERIFIER)$"))',
           TLS, cost=GRAVE),
    unsafe(_JAVA, '(object_creation_expression type: (_) @f (#eq? @f "Random")) @here', WEAK_RANDOM, "for secrets"),
    wrong(
        _JAVA,
        '(method_invocation name: (identifier) @f arguments: (argument_list) @value (#eq? @value "()") (#eq? @f "printStackTrace")) @here',
        "Prints the error and continues; log it or re-raise it.", cost=MINOR,
    ),
)  # fmt: skip
