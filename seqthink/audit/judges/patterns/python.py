"""Patterns of mistakes in Python: those without a ruff rule, and the gravest of ruff's. Pure."""

from typing import Final

from seqthink.audit.judges.patterns.pattern import (
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
    UNSAFE_LOAD,
    WEAK_RANDOM,
    CodePattern,
    unsafe,
    wrong,
)  # fmt: skip

_PY: Final = ("python",)

PATTERNS: Final[tuple[CodePattern, ...]] = (
    wrong(_PY, "(while_statement condition: (true) body: (block) @body) @here", ENDLESS, "endless"),
    wrong(_PY, "(while_statement condition: (integer) @one body: (block) @body (#eq? @one 1)) @here", ENDLESS, "endless"),
    wrong(_PY, "(block [(return_statement) (raise_statement)] . (_) @here @after)", UNREACHABLE, "unreachable"),
    wrong(_PY, "(block [(break_statement) (continue_statement)] . (_) @here @after)", UNREACHABLE, "unreachable"),
    unsafe(
        _PY,
        """(assignment left: (attribute attribute: (identifier) @name) right: (false)
            (#match? @name "^(verify|check_hostname)$")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _PY,
        """(assignment left: (attribute attribute: (identifier) @name) right: (attribute attribute: (identifier) @value)
            (#eq? @name "verify_mode") (#eq? @value "CERT_NONE")) @here""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _PY,
        """(call function: (_) @f arguments: (argument_list (keyword_argument name: (identifier) @name value: (false))
            @here) (#match? @name "^(verify|verify_ssl|ssl|check_hostname)$")
            (#match? @f "(?i)(get|post|put|patch|request|session|client|connect|delete)$"))""",
        TLS, cost=GRAVE,
    ),
    unsafe(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            (#eq? @module "random") (#match? @f "^(choice|choices|randint|random|randrange|sample|getrandbits)$")) @here""",
        WEAK_RANDOM, "for secrets",
    ),
    unsafe(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            (#match? @module "^(dill|cloudpickle|jsonpickle|joblib|shelve)$")
            (#match? @f "^(loads?|decode|open)$")) @here""",
        UNSAFE_LOAD,
    ),
    wrong(
        _PY,
        """(expression_statement (assignment left: (identifier) @name right: [
              (call function: (_) @f)
              (await (call function: (_) @f))
            ]) @here (#match? @f
              "(^socket\\\\.(socket|create_connection)|^sqlite3\\\\.connect|^psycopg2?\\\\.connect|(?i:pool)\\\\w*\\\\.(acquire|getconn|get_connection)|\\\\.acquire_connection|^(ThreadPoolExecutor|ProcessPoolExecutor|Pool|multiprocessing\\\\.Pool)|^(io\\\\.|builtins\\\\.|gzip\\\\.|codecs\\\\.|tarfile\\\\.|zipfile\\\\.)?(open|ZipFile))$"))""",
        KEPT_OPEN, "kept open",
    ),
    wrong(
        _PY,
        """(expression_statement (assignment left: (identifier) @name right: [
              (call function: (_) @f)
              (await (call function: (_) @f))
            ]) @here (#match? @f "(?i:pool)\\\\w*\\\\.(acquire|getconn|get_connection)$|^(\\\\w+\\\\.)?Pool$"))""",
        'Not released when something raises: use "with" or a finally block.', "left on error",
    ),
    wrong(
        _PY,
        """(expression_statement (assignment left: (identifier) @name right: (call function: (_) @f)) @here
            (#match? @f "^(io\\\\.|gzip\\\\.|socket\\\\.)?(open|socket|create_connection)$|^\\\\w+\\\\.connect$"))""",
        'Not closed when something raises: use "with" or a finally block.', "left on error", MINOR,
    ),
    wrong(
        _PY,
        """(attribute object: (call function: (identifier) @f) attribute: (identifier) @use
            (#eq? @f "open") (#match? @use "^(read|write|readlines|writelines|readline)$")) @here""",
        'Nothing closes the file; open it in a "with".', cost=MINOR,
    ),
    wrong(
        _PY,
        """(call function: (attribute) @g arguments: (argument_list . [(call function: (identifier) @f)
            ((_) . (call function: (identifier) @f))]) (#eq? @f "open") (#match? @g "[.](loads?|dump|reader|writer)$")) @here""",
        'Nothing closes the file; open it in a "with".', cost=MINOR,
    ),
    wrong(
        _PY,
        """(block (expression_statement (call function: (attribute object: (_) @name attribute: (identifier) @f)
            (#eq? @f "acquire") (#match? @name "(?i)(lock|mutex|sem\\\\w*)$"))) @here . (_) @next
            (#not-match? @next "^try"))""",
        'The lock stays held when something raises: use "with" or a finally block.',
    ),
)  # fmt: skip

WITHOUT_RUFF: Final[tuple[CodePattern, ...]] = (
    unsafe(_PY, '(call function: (identifier) @f (#match? @f "^(eval|exec)$")) @here', EVAL),
    unsafe(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            (#eq? @module "os") (#match? @f "^(system|popen)$")) @here""",
        SHELL,
    ),
    unsafe(
        _PY,
        """(call arguments: (argument_list (keyword_argument name: (identifier) @name value: (true)) @here)
            (#eq? @name "shell"))""",
        SHELL,
    ),
    unsafe(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            (#match? @module "^(pickle|marshal)$") (#match? @f "^loads?$")) @here""",
        UNSAFE_LOAD,
    ),
    unsafe(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            arguments: (argument_list . (_) .) (#eq? @module "yaml") (#eq? @f "load")) @here""",
        UNSAFE_LOAD, cost=GRAVE,
    ),
    unsafe(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            (#eq? @module "hashlib") (#match? @f "^(md5|sha1)$")) @here""",
        HASH,
    ),
    unsafe(
        _PY,
        """(call function: (attribute attribute: (identifier) @f)
            arguments: (argument_list . (string (string_content) @sql (interpolation))) (#match? @f "^execute")) @here""",
        SQL, "sql",
    ),
    wrong(_PY, "(except_clause (block . (pass_statement) .)) @here", SWALLOWED),
    wrong(
        _PY,
        """(default_parameter value: [(list) (dictionary) (set)]) @here""",
        "A mutable default is shared by all calls; default to None and create it inside.",
    ),
    wrong(_PY, '(call function: (identifier) @f (#eq? @f "breakpoint")) @here', DEBUGGER),
    wrong(
        _PY,
        """(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
            (#match? @module "^i?pdb$") (#eq? @f "set_trace")) @here""",
        DEBUGGER,
    ),
)  # fmt: skip
"""The gravest of what ruff finds, for when ruff is missing or a syntax error silences it."""
