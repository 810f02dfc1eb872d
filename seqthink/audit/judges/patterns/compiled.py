"""Mistakes in Go, Rust and Java. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
    CHANCE,
    DEBUGGER,
    ENDLESS,
    EVAL,
    GRAVE,
    HASH,
    HTML,
    KEPT_OPEN,
    MINOR,
    SHELL,
    SQL,
    SWALLOWED,
    TLS,
    UNPACKED,
    UNREACHABLE,
    Pattern,
    unsafe,
    wrong,
)  # fmt: skip

_GO: Final = ("go",)
_RUST: Final = ("rust",)
_JAVA: Final = ("java",)
_IGNORED: Final = "The error is ignored; check it."

GO: Final[tuple[Pattern, ...]] = (
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
           CHANCE, "for secrets"),
    wrong(
        _GO,
        """(binary_expression left: (_) @a operator: ["==" "!="] right: (_) @b (#eq? @a @b)
            (#match? @a "^[\\\\w.]+$")) @here""",
        "Both sides are the same; compare what is meant.",
    ),
)  # fmt: skip

RUST: Final[tuple[Pattern, ...]] = (
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
        "Both sides are the same; compare what is meant.",
    ),
    wrong(
        _RUST,
        """(binary_expression operator: ["==" "!="] right: (scoped_identifier) @b (#match? @b "::NAN$")) @here""",
        "Nothing equals NaN; use is_nan().",
    ),
    wrong(_RUST, '(call_expression function: (_) @f (#match? @f "mem::forget$|^Box::leak$")) @here',
          "What is forgotten is never released; let it drop.", cost=MINOR),
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

JAVA: Final[tuple[Pattern, ...]] = (
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
        UNPACKED,
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
    unsafe(_JAVA, '(object_creation_expression type: (_) @f (#eq? @f "Random")) @here', CHANCE, "for secrets"),
    wrong(
        _JAVA,
        '(method_invocation name: (identifier) @f arguments: (argument_list) @value (#eq? @value "()") (#eq? @f "printStackTrace")) @here',
        "Prints the error and goes on; log it or let it rise.", cost=MINOR,
    ),
)  # fmt: skip
