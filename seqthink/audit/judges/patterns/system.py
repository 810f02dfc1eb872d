"""Patterns of mistakes in C, C++ and the shell. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
    ASSIGNED,
    CURLY,
    DEBUGGER,
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
    CodePattern,
    unsafe,
    wrong,
)  # fmt: skip

_BASH: Final = ("bash",)

C: Final[tuple[CodePattern, ...]] = (
    wrong(("c",), "(if_statement condition: (parenthesized_expression (assignment_expression)) @here)", ASSIGNED),
    wrong(("cpp",), "(if_statement condition: (condition_clause value: (assignment_expression)) @here)", ASSIGNED),
    wrong(("cpp",), "(catch_clause body: (compound_statement) @body) @here", SWALLOWED, "empty"),
    wrong(
        ("c",),
        """(while_statement condition: (parenthesized_expression (_) @value) body: (_) @body
            (#match? @value "^(1|true)$")) @here""",
        ENDLESS, "endless",
    ),
    wrong(
        ("cpp",),
        "(while_statement condition: (condition_clause value: (_) @value) body: (_) @body (#match? @value \"^(1|true)$\")) @here",
        ENDLESS, "endless",
    ),
    wrong(CURLY, "(for_statement !initializer !condition !update body: (_) @body) @here", ENDLESS, "endless"),
    wrong(
        CURLY,
        """(compound_statement [(return_statement) (break_statement) (continue_statement) (goto_statement)]
            . (_) @here @after)""",
        UNREACHABLE, "unreachable",
    ),
    wrong(
        CURLY,
        """(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name)
            value: [(call_expression function: (_) @f) (cast_expression value: (call_expression function: (_) @f))])
            (#match? @f "^(fopen|fdopen|popen|opendir|malloc|calloc|realloc|strdup)$")) @here""",
        KEPT_OPEN, "kept open",
    ),
    wrong(
        CURLY,
        """(binary_expression left: (_) @a operator: ["==" "!="] right: (_) @b (#eq? @a @b)
            (#match? @a "^[\\\\w.>-]+$")) @here""",
        "Both sides are the same; correct one of them.",
    ),
    wrong(
        ("c",),
        '(binary_expression operator: ["==" "!="] right: (string_literal)) @here',
        "Compares addresses, not text; use strcmp().",
    ),
    wrong(
        CURLY,
        '(binary_expression operator: ["==" "!="] right: (identifier) @b (#eq? @b "NAN")) @here',
        "Nothing equals NaN; use isnan().",
    ),
    wrong(
        CURLY,
        '(call_expression function: (_) @f (#match? @f "^(__builtin_trap|__debugbreak|DebugBreak|__builtin_debugtrap)$")) @here',
        DEBUGGER,
    ),
    wrong(CURLY, '(call_expression function: (_) @f arguments: (argument_list . (_) @value .) (#eq? @f "raise")'
          ' (#eq? @value "SIGTRAP")) @here', DEBUGGER),
    unsafe(
        CURLY,
        '(call_expression function: (_) @f (#match? @f "^(gets|strcpy|strcat|sprintf|vsprintf)$")) @here',
        "Writes past the end when the text is long; use the call that takes a size.",
    ),
    unsafe(
        CURLY,
        """(call_expression function: (_) @f arguments: (argument_list . (string_literal) @value) (#match? @f "^f?scanf$")
            (#match? @value "%s")) @here""",
        "Reads past the end when the text is long; give %s a width.",
    ),
    unsafe(
        CURLY,
        '(call_expression function: (_) @f arguments: (argument_list . (identifier) @value .) (#match? @f "^printf$")) @here',
        'Untrusted text is used as the format; print it with "%s".',
    ),
    unsafe(
        CURLY,
        '(call_expression function: (_) @f arguments: (argument_list . (_) @value) (#match? @f "^(std::)?(system|popen)$")) @here',
        SHELL, "computed",
    ),
    unsafe(
        CURLY,
        """(call_expression function: (_) @f arguments: (argument_list (string_literal) @sql) (#match? @f
            "^(sn|s|as)printf$|format$")) @here""",
        SQL, "sql",
    ),
    unsafe(CURLY, '(binary_expression left: (_) @sql @here operator: "+")', SQL, "sql"),
    unsafe(CURLY, '(call_expression function: (_) @f (#match? @f "^(MD5|SHA1|MD5_Init|SHA1_Init|EVP_md5|EVP_sha1)$")) @here', HASH),
    unsafe(
        CURLY,
        """(call_expression function: (_) @f arguments: (argument_list) @value (#match? @f
            "^(curl_easy_setopt|SSL_CTX_set_verify|SSL_set_verify)$")
            (#match? @value "SSL_VERIFY(PEER|HOST), *(0L?|false)|SSL_VERIFY_NONE")) @here""",
        TLS, cost=GRAVE,
    ),
)  # fmt: skip

BASH: Final[tuple[CodePattern, ...]] = (
    unsafe(
        _BASH,
        """(command name: (command_name) @f argument: (_) @value (#eq? @f "eval") (#match? @value "\\\\$|`")
            (#not-match? @value "^\\"?\\\\$\\\\((ssh-agent|dircolors|brew|direnv|pyenv|rbenv|opam|starship|zoxide|fnm|nodenv|register|mise)"))
            @here""",
        EVAL,
    ),
    unsafe(
        _BASH,
        """(pipeline (command name: (command_name) @a) . (command name: (command_name) @b) (#match? @a "^(curl|wget)$")
            (#match? @b "^(sudo|ba|z|da)?sh$|^sudo$|^python3?$")) @here""",
        "Runs what the network sends; download it, check it, then run it.",
    ),
    unsafe(
        _BASH,
        """(command name: (command_name) @f argument: (_) @value (#match? @f "^(curl|wget|git)$") (#match? @value
            "^(-k|-[a-zA-Z]*k[a-zA-Z]*|--insecure|--no-check-certificate|http.sslVerify=false)$")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _BASH,
        '(variable_assignment name: (_) @n value: (_) @v (#match? @n "^(GIT_SSL_NO_VERIFY|NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY)$")'
        ' (#match? @v "^[\\"\']?(1|true|0)[\\"\']?$")) @here',
        TLS, cost=GRAVE,
    ),
    unsafe(
        _BASH,
        '(command name: (command_name) @f argument: (_) @value (#eq? @f "chmod") (#match? @value "^(0?777|a\\\\+rwx)$")) @here',
        "Anyone can write to this; grant only the rights needed.",
    ),
    wrong(
        _BASH,
        """(command name: (command_name) @f argument: (word) @flag argument: [(simple_expansion) (expansion)
            (concatenation . (simple_expansion))] (#eq? @f "rm") (#match? @flag "^-[a-z]*r")) @here""",
        'Unquoted and perhaps empty, this may delete too much; write "${name:?}".',
    ),
    wrong(
        _BASH,
        """(while_statement condition: (_) @value body: (do_group) @body (#match? @value "^(true|:)$")) @here""",
        ENDLESS, "endless",
    ),
    unsafe(
        _BASH,
        '(command name: (command_name) @f argument: (_) @value (#match? @f "^(bash|sh|ssh)$") (#match? @value "^\\".*\\\\$\\\\{?[1-9@*]")) @here',
        SHELL, cost=MINOR,
    ),
    unsafe(_BASH, '(command name: (command_name) @f (#match? @f "^(md5sum|sha1sum)$")) @here', HASH, cost=MINOR),
)  # fmt: skip
