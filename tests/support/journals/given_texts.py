"""Texts of a session that a test gives, where no journal holds them."""

from collections.abc import Callable

from seqthink.chain.session import Session
from seqthink.text import TextPrefix


class GivenTexts:
    """`SessionTexts` from two functions: of a thought's index, of a refused call's ordinal. No line has an event."""

    def __init__(
        self,
        session: Session,
        thought_text: Callable[[int], str] = "thought {}".format,
        error_text: Callable[[int], str] = "error {}".format,
    ) -> None:
        self.session = session
        self._thought_text = thought_text
        self._error_text = error_text

    def row_text(self, index: int) -> str:
        return self._thought_text(index)

    def prefix(self, index: int) -> TextPrefix:
        return TextPrefix(self._thought_text(index))

    def pieces(self, index: int) -> list[str]:
        return [self._thought_text(index)]

    def refusal_reason(self, ordinal: int) -> str:
        return self._error_text(ordinal)

    def event(self, offset: int, size: int) -> None:  # noqa: ARG002 - nothing was journaled
        return None
