"""Loads the rules of a language from its folder in `seqthink/audit/rules`, and compiles them, once in a process."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from seqthink.audit.judges.languages import LANGUAGES, dialects, grammar
from seqthink.audit.judges.rule_file import (
    NO_FRAGMENTS,
    PLACE,
    Rule,
    RuleError,
    captures_place,
    read_fragments,
    read_rule,
)
from seqthink.audit.judges.rule_predicates import check_predicates

if TYPE_CHECKING:
    from tree_sitter import Query

RULES_FOLDER: Final[Traversable] = files("seqthink.audit") / "rules"
_SUFFIX: Final = ".scm"
_FRAGMENTS: Final = "fragments.toml"


class CompiledRule(Struct, frozen=True):
    """A rule with its query for one grammar."""

    rule: Rule
    query: "Query"


class LoadedRules(Struct, frozen=True):
    """The rules for one grammar."""

    rules: tuple[CompiledRule, ...]
    """By name, those of the language's own folder first."""
    problems: tuple[str, ...] = ()
    """Sentences about rules that could not be loaded."""

    def count(self, *, has_ruff: bool = True) -> int:
        """Return how many rules count where ruff judges, or where it does not."""
        return sum(not (has_ruff and compiled.rule.is_without_ruff) for compiled in self.rules)


@cache
def rules_for(dialect: str) -> LoadedRules:
    """Return the rules for the grammar ``dialect``; a file that is not a rule is skipped and named in ``problems``."""
    return load_rules(dialect, RULES_FOLDER)


def load_rules(dialect: str, root: Traversable) -> LoadedRules:
    """Return the rules in ``root`` for the grammar ``dialect``."""
    rules, problems = list[CompiledRule](), list[str]()
    try:
        fragments = fragments_in(root)
    except (RuleError, OSError, UnicodeDecodeError) as error:
        fragments = NO_FRAGMENTS
        problems.append(f"The fragments of the rules could not be loaded: {error}.")
    for name, file in rule_files(folders_for(dialect), root):
        try:
            rule = read_rule(name, file.read_text("utf-8"), fragments)
            if dialect in rule.languages:
                rules.append(CompiledRule(rule, compile_rule(rule, dialect)))
        except (RuleError, OSError, UnicodeDecodeError) as error:
            problems.append(f"The rule {name} could not be loaded: {error}.")
    return LoadedRules(tuple(rules), tuple(problems))


def fragments_in(root: Traversable) -> Mapping[str, str]:
    """Return the fragments that the rules in ``root`` share, by their names; there need not be any.

    Raises:
        RuleError: The file is not one of fragments.
    """
    file = root / _FRAGMENTS
    return read_fragments(file.read_text("utf-8")) if file.is_file() else NO_FRAGMENTS


def folders_for(dialect: str) -> Sequence[str]:
    """Return the folders with rules for the grammar ``dialect``: its own, and of languages that fall back to it."""
    others = [language for language in LANGUAGES if language != dialect and dialect in dialects(language)]
    return (dialect, *others)


def rule_files(folders: Sequence[str], root: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the rule files in ``folders`` of ``root``, each with its name ``folder/rule``."""
    for folder in folders:
        if (root / folder).is_dir():
            for file in sorted((root / folder).iterdir(), key=lambda file: file.name):
                if file.name.endswith(_SUFFIX):
                    yield f"{folder}/{file.name.removesuffix(_SUFFIX)}", file


def compile_rule(rule: Rule, dialect: str) -> "Query":
    """Return the compiled query of ``rule``.

    Raises:
        RuleError: The query is none of this release of the grammar, or a pattern of it does not capture ``@here``.
    """
    from tree_sitter import Query, QueryError  # noqa: PLC0415 - optional dependency

    check_predicates(rule.predicates)
    try:
        query = Query(grammar(dialect), rule.query)
    except QueryError as error:
        raise RuleError(str(error)) from error
    source = rule.query.encode()
    patterns = [
        source[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
        for index in range(query.pattern_count)
    ]
    if not patterns or not all(captures_place(pattern) for pattern in patterns):
        raise RuleError(f"a pattern does not capture @{PLACE}, or a predicate is outside of its pattern")
    return query
