"""Who is let in: a link that works once becomes a cookie that works below one path, until the server ends.

Token, path and cookie are random and live in memory only. None follows from another, so that who has seen the link, in
a list of processes or a terminal's history, has nothing once it was opened.
"""

import hmac
import secrets
from typing import Final

TOKEN_BYTES: Final = 32
PREFIX_BYTES: Final = 16
TOKEN_NAME: Final = "t"
COOKIE_NAME: Final = "seqthink"


class Links:
    """The link that lets the next browser in, and the path and the cookie of those that are in.

    A browser sends a cookie to every port of its host, and so to the servers of other users. It sends ours to requests
    below a path that nobody can guess, and the link does not name that path.
    """

    def __init__(self) -> None:
        self.prefix: Final = f"/{secrets.token_urlsafe(PREFIX_BYTES)}"
        """All pages are below it. It is as secret as the cookie."""
        self._cookie: Final = secrets.token_urlsafe(TOKEN_BYTES)
        self._token = ""

    def new_token(self) -> str:
        """Return the token of a new link; the one before does not work any more."""
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        return self._token

    def is_token(self, value: bytes) -> bool:
        """Return whether ``value`` is the token of a link that was not used yet."""
        return hmac.compare_digest(value, self._token.encode()) and bool(self._token)

    def use_token(self) -> None:
        """Let the link work no more."""
        self._token = ""

    def is_below(self, path: bytes) -> bool:
        """Return whether a path, as it was sent, is below ours."""
        below = f"{self.prefix}/".encode()
        return hmac.compare_digest(path[: len(below)], below)

    def set_cookie(self) -> bytes:
        """Return the value of the header `Set-Cookie` that lets a browser in; it forgets it when it ends."""
        return f"{COOKIE_NAME}={self._cookie}; HttpOnly; SameSite=Strict; Path={self.prefix}/".encode()

    def has_cookie(self, headers: list[bytes]) -> bool:
        """Return whether our cookie is in one of the ``Cookie`` headers.

        A page from another port can put a second cookie of this name beside ours, so that any of them may be right.
        """
        wanted = self._cookie.encode()
        pairs = [pair.strip().partition(b"=") for header in headers for pair in header.split(b";")]
        found = [hmac.compare_digest(value, wanted) for name, _, value in pairs if name == COOKIE_NAME.encode()]
        return any(found)
