"""Names of sessions that are not kept any more, taken out of the index by an administrator."""

from collections.abc import Sequence
from typing import Final

from seqthink.sources.fleet.layout import Layout, name_of_member
from seqthink.sources.fleet.redis.replies import checked
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.translation import is_list
from seqthink.sources.fleet.redis.wire import Asking

_PAGE: Final = 1000
_MAX_PAGES: Final = 10_000
_PAGE_BYTES: Final = 1 << 20


def tidy(router: Router, layout: Layout) -> int:
    """Remove the members of the index that name no session, or one without a card; return how many.

    Raises:
        SeqthinkError: As `Router.run`.
    """
    return sum(_tidy_bucket(router, layout, key) for key in layout.indexes)


def _tidy_bucket(router: Router, layout: Layout, key: str) -> int:
    removed = start = 0
    for _ in range(_MAX_PAGES):
        page = _page(router, key, start)
        stale = _stale(router, layout, page)
        if stale:
            reply = checked(router.run([Keyed(key, ("ZREM", key, *stale))], Asking())[0])
            removed += reply if isinstance(reply, int) else 0
        start += len(page) - len(stale)
        if len(page) < _PAGE:
            break
    return removed


def _page(router: Router, key: str, start: int) -> list[bytes]:
    words = ("ZRANGE", key, start, start + _PAGE - 1)
    reply = checked(router.run([Keyed(key, words)], Asking(_PAGE_BYTES))[0])
    return [item for item in reply if isinstance(item, bytes)] if is_list(reply) else []


def _stale(router: Router, layout: Layout, members: Sequence[bytes]) -> list[bytes]:
    names = [(spelled, name_of_member(spelled)) for spelled in members]
    cards = {spelled: layout.card(name) for spelled, name in names if name}
    asks = [Keyed(key, ("EXISTS", key)) for key in cards.values()]
    replies = router.run(asks, Asking())
    kept = {spelled for spelled, reply in zip(cards, replies, strict=True) if checked(reply) == 1}
    return [spelled for spelled in members if spelled not in kept]
