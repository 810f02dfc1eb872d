"""Who is let in: a link that works once becomes a cookie that works until the server ends.

Both are random and live in memory only. Neither follows from the other, so that who has seen the link, in a list of
processes or a terminal's history, has nothing once it was opened.
"""

import hmac
import secrets
from typing import Final

TOKEN_BYTES: Final = 32
TOKEN_NAME: Final = "t"


class Links:
    """The link that lets the next browser in, and the cookie of those that are in.

    Args:
        port: the server's port. It is part of the cookie's name, because a browser sends its cookies to every port of
            a host.
    """

    def __init__(self, port: int) -> None:
        self.cookie_name: Final = f"seqthink-{port}"
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

    def set_cookie(self) -> bytes:
        """Return the value of the header `Set-Cookie` that lets a browser in; it forgets it when it ends."""
        return f"{self.cookie_name}={self._cookie}; HttpOnly; SameSite=Strict; Path=/".encode()

    def has_cookie(self, headers: list[bytes]) -> bool | None:
        """Return whether our cookie is in one of the ``Cookie`` headers; None if none has its name.

        A page from another port can put a second cookie of this name beside ours, so that any of them may be right.
        """
        wanted, own = self._cookie.encode(), self.cookie_name.encode()
        pairs = [pair.strip().partition(b"=") for header in headers for pair in header.split(b";")]
        found = [hmac.compare_digest(value, wanted) for name, _, value in pairs if name == own]
        return any(found) if found else None
