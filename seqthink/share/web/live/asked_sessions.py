"""Which sessions a page asks for: in its list, and in the texts that it searches."""

from typing import NamedTuple

from msgspec.structs import replace

from seqthink.chain.overview.session_filter import SessionFilter, session_filter


class AskedSessions(NamedTuple):
    """What a page says about the sessions that it wants."""

    typed: str = ""
    """Words and conditions, as `session_filter` reads them."""
    repository: str = ""
    """A condition on the repository; empty for all."""
    by_repository: bool = False
    """Whether the list has a group for each repository."""

    @property
    def filter(self) -> SessionFilter:
        """The conditions on a session in the list."""
        typed = session_filter(self.typed)
        repository = (self.repository.strip(),) if self.repository.strip() else ()
        return replace(typed, repositories=(*repository, *typed.repositories))

    @property
    def words(self) -> str:
        """The words to look for in texts, as they were typed without conditions."""
        return " ".join(f'"{word}"' for word in session_filter(self.typed).words)
