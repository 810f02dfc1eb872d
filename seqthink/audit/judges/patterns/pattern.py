"""What a pattern is, and the comments and costs that several languages share. Pure."""

from typing import Final, NamedTuple

from seqthink.audit.review import GRAVE, MINOR, SERIOUS, Dimension

SCRIPT: Final = ("javascript", "typescript", "tsx")
CURLY: Final = ("c", "cpp")


class CodePattern(NamedTuple):
    """A tree-sitter query that finds one kind of mistake."""

    languages: tuple[str, ...]
    query: str
    """The query; ``@here`` captures the place of the finding."""
    comment: str
    """What to do about it."""
    dimension: Dimension
    cost: int
    """Points that a finding costs its dimension."""
    predicate: str = ""
    """Name of a predicate that a match must satisfy; "": none."""


def wrong(
    languages: tuple[str, ...], query: str, comment: str, predicate: str = "", cost: int = SERIOUS
) -> CodePattern:
    """Return a pattern for code that does not do what it seems to do."""
    return CodePattern(languages, query, comment, "correctness", cost, predicate)


def unsafe(
    languages: tuple[str, ...], query: str, comment: str, predicate: str = "", cost: int = SERIOUS
) -> CodePattern:
    """Return a pattern for code that lets an attacker in."""
    return CodePattern(languages, query, comment, "security", cost, predicate)


SWALLOWED: Final = "The error is swallowed; handle it, log it or re-raise it."
ENDLESS: Final = "The loop has no way out; add an exit, or wait for something in it."
UNREACHABLE: Final = "Never reached; remove it or move it before the jump."
SQL: Final = "SQL put together from text can be injected; pass the values as parameters."
HASH: Final = "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash."
TLS: Final = "Certificates are not verified; turn verification on."
SHELL: Final = "A shell runs what the text says; pass the program and its arguments as a list."
EVAL: Final = "Runs whatever the text says; parse it instead."
HTML: Final = "Text becomes markup here; assign it as text or sanitize it."
KEPT_OPEN: Final = "Opened and never closed; close it on every path."
WEAK_RANDOM: Final = "This random value can be guessed; use a cryptographic random source."
DEBUGGER: Final = "Debugger call left in; remove it."
ASSIGNED: Final = 'An assignment as a condition; compare with "==".'
UNSAFE_LOAD: Final = "Unpacking these objects can run code; read untrusted data in a plain format such as JSON."

__all__ = ["GRAVE", "MINOR", "SERIOUS"]
