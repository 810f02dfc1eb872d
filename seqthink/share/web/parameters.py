"""What a request says, as values: a hostile one is refused in a sentence, never guessed at."""

import re
from collections.abc import Sequence

from starlette.requests import Request

from seqthink.chain.native.switchable_fold import Shown
from seqthink.share.web.json_answers import RefusedRequestError
from seqthink.share.web.live.asked_sessions import AskedSessions

BY_NEED, BY_REPOSITORY = "need", "repository"
"""By what the list of sessions may be grouped."""
MAX_QUERY_CHARS = 1000
"""Length of words to look for."""
MAX_FOLDED = 10_000
"""How many branches and chains a reader may have folded, ranges counted as one."""
_MAX_DIGITS = 15
_NUMBER = re.compile(rf"-?[0-9]{{1,{_MAX_DIGITS}}}", re.ASCII)
_AGE = re.compile(r"([0-9]{1,5})([hdw])", re.ASCII)
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}
_FOLD = re.compile(rf"(c?)([0-9]{{1,{_MAX_DIGITS}}})(?:-([0-9]{{1,{_MAX_DIGITS}}}))?", re.ASCII)


class Folds(tuple[tuple[range, ...], tuple[range, ...]]):
    """What a reader has folded: ranges of branches, and ranges of chains. Equal folds are equal values."""

    __slots__ = ()

    @property
    def lanes(self) -> tuple[range, ...]:
        """The folded branches, by their ordinals."""
        return self[0]

    @property
    def chains(self) -> tuple[range, ...]:
        """The folded chains, by their ordinals."""
        return self[1]


NO_FOLDS = Folds(((), ()))


def text_of(request: Request, name: str) -> str:
    """Return a parameter that is given once at most; "" if it is not.

    Raises:
        RefusedRequestError: it is given more than once.
    """
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise RefusedRequestError(400, f"{name} is given more than once")
    return given[0] if given else ""


def number_of(request: Request, name: str, default: int | None = None) -> int | None:
    """Return a parameter that is a whole number, at least 0.

    Raises:
        RefusedRequestError: it is none.
    """
    text = text_of(request, name)
    if not text:
        return default
    if _NUMBER.fullmatch(text) is None:
        raise RefusedRequestError(400, f"{name} must be a whole number of at most {_MAX_DIGITS} digits")
    return max(0, int(text))


def switch_of(request: Request, name: str) -> bool | None:
    """Return a parameter that is 0 or 1 as a truth; None if it is not given.

    Raises:
        RefusedRequestError: it is something else.
    """
    text = text_of(request, name)
    if text not in {"", "0", "1"}:
        raise RefusedRequestError(400, f"{name} must be 0 or 1")
    return text == "1" if text else None


def shown_of(request: Request) -> Shown | None:
    """Return what of a transcript the reader wants to be shown; None if the request does not say it.

    Raises:
        RefusedRequestError: there is no such choice.
    """
    text = text_of(request, "shown")
    if text and text not in {*Shown}:
        raise RefusedRequestError(400, f"shown must be {', '.join(Shown)}")
    return Shown(text) if text else None


def words_of(request: Request) -> str:
    """Return the words to look for.

    Raises:
        RefusedRequestError: there are too many.
    """
    text = text_of(request, "q")
    if len(text) > MAX_QUERY_CHARS:
        raise RefusedRequestError(400, f"q may have {MAX_QUERY_CHARS} characters at most")
    return text


def asked_of(request: Request) -> AskedSessions:
    """Return which sessions the reader asks for.

    Raises:
        RefusedRequestError: a parameter is too long, or has a value that is not allowed.
    """
    repository, by = text_of(request, "repo"), text_of(request, "by")
    if len(repository) > MAX_QUERY_CHARS:
        raise RefusedRequestError(400, f"repo may have {MAX_QUERY_CHARS} characters at most")
    if by not in {"", BY_NEED, BY_REPOSITORY}:
        raise RefusedRequestError(400, f"by must be {BY_NEED} or {BY_REPOSITORY}")
    return AskedSessions(words_of(request), repository, by_repository=by == BY_REPOSITORY)


def age_of(request: Request, name: str) -> int | None:
    """Return an age such as ``12h``, ``7d`` or ``8w`` in microseconds; None if it is not given.

    Raises:
        RefusedRequestError: it is none.
    """
    text = text_of(request, name)
    if not text:
        return None
    found = _AGE.fullmatch(text)
    if found is None:
        raise RefusedRequestError(400, f"{name} must be an age such as 12h, 7d or 8w")
    return int(found[1]) * _HOURS[found[2]] * 3_600_000_000


def folds_of(request: Request) -> Folds:
    """Return what the reader has folded: ``3,5-9,c0``, branches 3 and 5 to 9 and the chain 0.

    Raises:
        RefusedRequestError: it says something else, or too much.
    """
    text = text_of(request, "fold")
    if not text:
        return NO_FOLDS
    parts = text.split(",")
    if len(parts) > MAX_FOLDED:
        raise RefusedRequestError(400, f"fold may name {MAX_FOLDED:,} at most")
    lanes: list[tuple[int, int]] = []
    chains: list[tuple[int, int]] = []
    for part in parts:
        found = _FOLD.fullmatch(part)
        if found is None:
            raise RefusedRequestError(
                400, "fold must be numbers of branches, and of chains with a c, with commas: 3,5-9,c0"
            )
        first = int(found[2])
        (chains if found[1] else lanes).append((first, int(found[3]) if found[3] else first))
    return Folds((_merged(lanes), _merged(chains)))


def _merged(parts: Sequence[tuple[int, int]]) -> tuple[range, ...]:
    """Return the ranges that hold the same numbers, ascending and apart from each other."""
    merged: list[range] = []
    for first, last in sorted(parts):
        if merged and first <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, last + 1))
        elif last >= first:
            merged.append(range(first, last + 1))
    return tuple(merged)
