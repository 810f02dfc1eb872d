"""Texts of a session that a test gives, where no journal holds them."""

from collections.abc import Callable

from seqthink.chain.health.health import Health
from seqthink.chain.session import Session
from seqthink.core.events import Event, UnknownEvent
from seqthink.core.text import TextPrefix


class GivenTexts:
    """`SessionTexts` from functions of a thought's index and a refused call's ordinal. Every line holds ``event``."""

    def __init__(
        self,
        session: Session,
        thought_text: Callable[[int], str] = "thought {}".format,
        error_text: Callable[[int], str] = "error {}".format,
        event: Event | UnknownEvent | None = None,
    ) -> None:
        self.session = session
        self.health = Health()
        self._thought_text = thought_text
        self._error_text = error_text
        self._event = event

    def row_text(self, index: int) -> str:
        return self._thought_text(index)

    def prefix(self, index: int) -> TextPrefix:
        return TextPrefix(self._thought_text(index))

    def pieces(self, index: int) -> list[str]:
        return [self._thought_text(index)]

    def refusal_reason(self, ordinal: int) -> str:
        return self._error_text(ordinal)

    def event(self, offset: int, size: int) -> Event | UnknownEvent | None:  # noqa: ARG002 - it is the same everywhere
        return self._event
