"""What a session is called in the address of its page. A key is only looked up, never used as a path."""

from pathlib import Path
from typing import Final

from seqthink.core.text import one_line
from seqthink.library.catalog.session_catalog import SessionCatalog

_MAX_LOOKS: Final = 25
"""How often a session is waited for that may not be listed yet, 0.4 seconds each time."""


def key_of(catalog: SessionCatalog, path: Path) -> str:
    """Return the key of a session: its id; of a fleet's session ``ORIGIN~SESSION``."""
    return key_of_id(catalog.session(path).key)


def key_of_id(session: str) -> str:
    r"""Return the key of a session whose id is ``session``: safe text for a page and an address.

    An id with a character that is not safe becomes ASCII with escapes such as ``\u202e``, each its own.
    """
    key = session.replace("/", "~")  # an address has no place for a slash
    is_safe = one_line(key) == key and "\\" not in key
    return key if is_safe else key.encode("unicode_escape").decode("ascii")


class SessionKeys:
    """The sessions by their keys.

    Args:
        catalog: the sessions.
        shown: one more, whether it is listed or not.
    """

    def __init__(self, catalog: SessionCatalog, shown: Path | None = None) -> None:
        self._catalog = catalog
        self._shown = {key_of(catalog, shown): shown} if shown is not None else {}

    def find(self, reference: str) -> tuple[str, Path] | None:
        """Return key and path of the session that is called so, or whose key alone begins so; by a list made now.

        Raises:
            UsageError: the sessions cannot be listed.
        """
        for _ in range(_MAX_LOOKS):
            if self._catalog.look() or self._catalog.is_listed:
                break
        # of two with one key the newer counts
        listed = {key_of_id(file.session): file.path for file in reversed(self._catalog.sessions())}
        known = self._joined_journals() | listed | self._shown
        if reference in known:
            return reference, known[reference]
        matching = [key for key in known if reference and key.startswith(reference)]
        return (matching[0], known[matching[0]]) if len(matching) == 1 else None

    def _joined_journals(self) -> dict[str, Path]:
        """Return the journals that are shown as part of a transcript, by their own keys."""
        catalog = self._catalog
        own = (file for place in catalog.places if not place.is_translated for file in place.sessions())
        instead = {key_of_id(file.session): catalog.shown_instead(file.path) for file in own}
        return {key: path for key, path in instead.items() if path is not None}
