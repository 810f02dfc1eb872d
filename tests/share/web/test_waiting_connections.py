"""Which of the connections that wait is closed when another one needs its place."""

from typing import Any, cast

from seqthink.share.web.connections import BoundedConnection, WaitingConnections


class Connection:
    """A connection that notes whether it was closed."""

    def __init__(self) -> None:
        self.transport = self
        self.is_closed = False

    def abort(self) -> None:
        self.is_closed = True


def test_the_one_that_has_waited_longest_makes_room() -> None:
    waiting = WaitingConnections()
    first, second, third = (Connection() for _ in range(3))
    for connection in (first, second, third, first):  # the first one was answering meanwhile
        waiting.add(cast("BoundedConnection", cast("Any", connection)))

    assert waiting.close_oldest()
    assert [connection.is_closed for connection in (first, second, third)] == [False, True, False]


def test_one_that_is_answering_makes_no_room() -> None:
    waiting, connection = WaitingConnections(), Connection()
    known = cast("BoundedConnection", cast("Any", connection))
    waiting.add(known)
    waiting.discard(known)

    assert not waiting.close_oldest()
    assert not connection.is_closed
