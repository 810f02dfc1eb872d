"""Patterns of mistakes in JavaScript and TypeScript. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
    ASSIGNED,
    DEBUGGER,
    ENDLESS,
    EVAL,
    GRAVE,
    HASH,
    HTML,
    KEPT_OPEN,
    MINOR,
    SCRIPT,
    SERIOUS,
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

PATTERNS: Final[tuple[CodePattern, ...]] = (
    wrong(SCRIPT, "(debugger_statement) @here", DEBUGGER),
    wrong(SCRIPT, "(catch_clause body: (statement_block) @body) @here", SWALLOWED, "empty"),
    wrong(
        SCRIPT,
        """(call_expression function: (member_expression property: (property_identifier) @f)
            arguments: (arguments . (arrow_function body: (statement_block) @body) .) (#eq? @f "catch")) @here""",
        SWALLOWED, "empty",
    ),
    wrong(SCRIPT, "(while_statement condition: (parenthesized_expression (true)) body: (_) @body) @here", ENDLESS, "endless"),
    wrong(
        SCRIPT,
        "(for_statement initializer: (empty_statement) condition: (empty_statement) !increment body: (_) @body) @here",
        ENDLESS, "endless",
    ),
    wrong(
        SCRIPT,
        """(statement_block [(return_statement) (throw_statement) (break_statement) (continue_statement)]
            . (_) @here @after)""",
        UNREACHABLE, "unreachable",
    ),
    wrong(
        SCRIPT,
        """(binary_expression operator: ["==" "===" "!=" "!=="] right: (_) @value (#match? @value "^(Number\\\\.)?NaN$")) @here""",
        "Nothing equals NaN; use Number.isNaN().",
    ),
    wrong(
        SCRIPT,
        """(binary_expression left: (_) @left operator: ["==" "===" "!=" "!=="] right: (string
            (string_fragment) @value) (#match? @left "^typeof ") (#not-match? @value
            "^(string|number|boolean|object|function|undefined|symbol|bigint|unknown)$")) @here""",
        "typeof never returns this; correct the name.",
    ),
    wrong(
        SCRIPT,
        """(binary_expression operator: ["==" "===" "!=" "!=="] right: [(array) (object)]) @here""",
        "A new object is never equal to anything; compare contents.",
    ),
    wrong(SCRIPT, "(if_statement condition: (parenthesized_expression (assignment_expression)) @here)", ASSIGNED),
    wrong(
        SCRIPT,
        """(call_expression function: (member_expression property: (property_identifier) @f)
            arguments: (arguments . (arrow_function "async")) (#eq? @f "forEach")) @here""",
        "forEach does not wait for async functions; use for...of or Promise.all.",
    ),
    unsafe(SCRIPT, '(call_expression function: (identifier) @f arguments: (arguments . (_) @value) (#eq? @f "eval")) @here', EVAL),
    unsafe(SCRIPT, '(new_expression constructor: (identifier) @f (#eq? @f "Function")) @here', EVAL),
    unsafe(
        SCRIPT,
        """(call_expression function: (identifier) @f arguments: (arguments . (_) @value)
            (#match? @f "^set(Timeout|Interval)$") (#match? @value "^[\\"'`]")) @here""",
        EVAL,
    ),
    wrong(
        ("javascript", "tsx"),
        """(jsx_element open_tag: (jsx_opening_element name: (_) @a) close_tag: (jsx_closing_element name: (_) @b)
            (#not-eq? @a @b)) @here""",
        "The opening and closing tags differ; make them the same.",
    ),
    unsafe(
        SCRIPT,
        """(assignment_expression left: (member_expression property: (property_identifier) @f) right: (_) @value
            (#match? @f "^(inner|outer)HTML$") (#not-match? @value "^([\\"'`][^$]*[\\"'`]|null)$|(?i:sanitiz|escape|purify)"))
            @here""",
        HTML,
    ),
    unsafe(
        SCRIPT,
        """(augmented_assignment_expression left: (member_expression property: (property_identifier) @f) right: (_) @value
            (#match? @f "^(inner|outer)HTML$") (#not-match? @value "^[\\"'`][^$]*[\\"'`]$|(?i:sanitiz|escape|purify)")) @here""",
        HTML,
    ),
    unsafe(
        SCRIPT,
        """(call_expression function: (member_expression object: (identifier) @o property: (property_identifier) @f)
            arguments: (arguments . (_) @value) (#eq? @o "document") (#match? @f "^write(ln)?$")
            (#not-match? @value "^[\\"'`][^$]*[\\"'`]$")) @here""",
        HTML,
    ),
    unsafe(
        SCRIPT,
        """(call_expression function: (member_expression property: (property_identifier) @f)
            arguments: (arguments . (_) . (_) @value) (#eq? @f "insertAdjacentHTML")
            (#not-match? @value "^[\\"'`][^$]*[\\"'`]$|(?i:sanitiz|escape|purify)")) @here""",
        HTML,
    ),
    unsafe(
        ("javascript", "tsx"),
        """(jsx_attribute (property_identifier) @f (_) @value (#eq? @f "dangerouslySetInnerHTML")
            (#not-match? @value "(?i:sanitiz|escape|purify)")) @here""",
        HTML,
    ),
    unsafe(
        SCRIPT,
        """(call_expression function: (_) @f arguments: (arguments . [
            (template_string (template_substitution)) (binary_expression operator: "+")])
            (#match? @f "(^|child_process\\\\.|cp\\\\.)(exec|execSync|execAsync|execPromise)$")) @here""",
        SHELL,
    ),
    unsafe(
        SCRIPT,
        """(pair key: (_) @key value: (true) (#match? @key "^[\\"']?shell[\\"']?$")) @here""",
        SHELL, cost=MINOR,
    ),
    unsafe(
        SCRIPT,
        """[(arguments (template_string (template_substitution)) @sql @here)
            (variable_declarator value: (template_string (template_substitution)) @sql @here)
            (assignment_expression right: (template_string (template_substitution)) @sql @here)
            (return_statement (template_string (template_substitution)) @sql @here)]""",
        SQL, "sql",
    ),
    unsafe(
        SCRIPT,
        '(binary_expression left: (_) @sql @here operator: "+" (#match? @sql "^[\\"\'`]"))',
        SQL, "sql",
    ),
    unsafe(
        SCRIPT,
        """(pair key: (_) @key value: (false) (#match? @key
            "^[\\"']?(rejectUnauthorized|strictSSL|strictSsl|verifySsl|verifySSL)[\\"']?$")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        SCRIPT,
        """(assignment_expression left: (_) @key (#match? @key "NODE_TLS_REJECT_UNAUTHORIZED|[.]rejectUnauthorized$")
            right: (_) @value (#match? @value "^([\\"']?0[\\"']?|false)$")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        SCRIPT,
        """(call_expression function: (_) @f arguments: (arguments . (string (string_fragment) @name))
            (#match? @f "create(Hash|Hmac)$") (#match? @name "(?i)^(md5|sha-?1|md4|rmd160)$")) @here""",
        HASH,
    ),
    unsafe(
        SCRIPT,
        '(call_expression function: (_) @f (#match? @f "^(md5|sha1|CryptoJS\\\\.(MD5|SHA1))$")) @here',
        HASH,
    ),
    unsafe(SCRIPT, '(call_expression function: (_) @f (#eq? @f "Math.random")) @here', WEAK_RANDOM, "for secrets"),
    unsafe(
        SCRIPT,
        """(call_expression function: (_) @f (#match? @f "(^|\\\\.)(unserialize|v8\\\\.deserialize|deserialize)$")
            arguments: (arguments . (_) @value) (#match? @f "^(serialize\\\\.|v8\\\\.|nodeSerialize\\\\.|unserialize)")) @here""",
        UNSAFE_LOAD, cost=SERIOUS,
    ),
    wrong(
        SCRIPT,
        """(variable_declarator name: (identifier) @name value: [
              (await_expression (call_expression function: (_) @f)) (call_expression function: (_) @f)] @here
            (#match? @f "((?i:pool)\\\\w*\\\\.(connect|getConnection|acquire)|^fs\\\\.(promises\\\\.)?openSync|fsp?\\\\.open|fsPromises\\\\.open|puppeteer\\\\.launch|chromium\\\\.launch|fs\\\\.promises\\\\.open)$"))""",
        KEPT_OPEN, "kept open",
    ),
)  # fmt: skip
