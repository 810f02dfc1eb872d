"""A cluster: a node for each slot of keys. An origin's keys share a slot, so a shipper speaks to one node.

redis-py's own cluster client asks every node for its commands, and reads replies without bounds. What is needed here
is little: the map of slots, and to follow a key that moves.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from redis.crc import key_slot

from seqthink.sources.fleet.address import Endpoint, is_host
from seqthink.sources.fleet.failures import EngineUnavailableError, NonsenseReplyError
from seqthink.sources.fleet.redis.replies import checked
from seqthink.sources.fleet.redis.router import Keyed, at
from seqthink.sources.fleet.redis.translation import code_of, is_list
from seqthink.sources.fleet.redis.wire import Asking, Opened, Wire

_SLOTS: Final = 16384
_MAP_BYTES: Final = 8 << 20
_ATTEMPTS: Final = 5
_ELSEWHERE: Final = re.compile(r"(?:MOVED|ASK) ([0-9]{1,5}) (.{0,260}):([0-9]{1,5})")


class ClusterEngine:
    """The nodes of a cluster, a `Router`."""

    def __init__(self, make: Callable[[Endpoint | None], Opened], seeds: Sequence[Endpoint]) -> None:
        self._make = make
        self._seeds = tuple(seeds)
        self._wires: dict[Endpoint, Wire] = {}
        self._nodes: list[Endpoint | None] = []
        """The node of each slot; empty while that is not known."""
        self._is_closed = False

    def run(self, commands: Sequence[Keyed], asking: Asking) -> list[object]:
        """Return the replies to commands, each from its key's node (see `Router`)."""
        replies: list[object] = [None] * len(commands)
        open_ones = list(range(len(commands)))
        for attempt in range(_ATTEMPTS):
            try:
                self._ask(commands, open_ones, replies, asking)
            except EngineUnavailableError:
                self._nodes = []
                if attempt or self._is_closed:
                    raise
                continue
            open_ones = [index for index in open_ones if code_of(replies[index]) in {"MOVED", "ASK"}]
            if not open_ones:
                return replies
            open_ones = [index for index in open_ones if self._is_open(commands[index], index, replies, asking)]
            if not open_ones:
                return replies
        return replies

    def share_call(self, keys: Sequence[str]) -> bool:
        """Whether all keys are in one slot."""
        return len({key_slot(key.encode()) for key in keys}) <= 1

    def close(self) -> None:
        """End all calls, now and for ever."""
        self._is_closed = True
        for wire in list(self._wires.values()):
            wire.interrupt()

    def _ask(self, commands: Sequence[Keyed], wanted: Sequence[int], replies: list[object], asking: Asking) -> None:
        """Put the replies of the wanted commands to their places."""
        by_node: dict[Endpoint, list[int]] = {}
        for index in wanted:
            by_node.setdefault(self._node_of(commands[index].key), []).append(index)
        for node, indexes in by_node.items():
            found = self._wire(node).exchange([commands[index].words for index in indexes], asking)
            for index, reply in zip(indexes, found, strict=True):
                replies[index] = reply

    def _is_open(self, command: Keyed, index: int, replies: list[object], asking: Asking) -> bool:
        """Learn where a key is instead; whether its command must be given once more."""
        reply = replies[index]
        found = _ELSEWHERE.match(str(reply))
        if not found or not int(found[1]) < _SLOTS:
            raise NonsenseReplyError("the engine says that a key is elsewhere, but not where")
        asked = self._node_of(command.key)
        node = _endpoint(found[2] or asked.host, int(found[3]))
        if code_of(reply) == "ASK":
            replies[index] = self._wire(node).exchange([("ASKING",), command.words], asking)[1]
            return code_of(replies[index]) in {"MOVED", "ASK"}
        self._nodes = self._nodes or [None] * _SLOTS
        self._nodes[int(found[1])] = node
        return True

    def _node_of(self, key: str) -> Endpoint:
        if not self._nodes:
            self._nodes = self._map()
        node = self._nodes[key_slot(key.encode())]
        if node is None:
            self._nodes = []
            raise EngineUnavailableError("the engine's cluster has no node for some keys")
        return node

    def _wire(self, node: Endpoint) -> Wire:
        if self._is_closed:
            raise EngineUnavailableError("the connection was closed")
        wire = self._wires.get(node)
        if wire is None:
            wire = self._wires[node] = Wire(at(self._make, node), frozenset({"cluster"}))
        return wire

    def _map(self) -> list[Endpoint | None]:
        """Return the node of each slot, from the first node that answers."""
        failure = EngineUnavailableError("no node of the engine's cluster can be reached")
        for node in dict.fromkeys((*self._seeds, *self._wires)):
            try:
                reply = self._wire(node).exchange([("CLUSTER", "SLOTS")], Asking(_MAP_BYTES))[0]
                return _nodes(checked(reply), node)
            except EngineUnavailableError as error:
                failure = error
        raise failure


def _nodes(reply: object, asked: Endpoint) -> list[Endpoint | None]:
    nodes: list[Endpoint | None] = [None] * _SLOTS
    for part in reply[:_SLOTS] if is_list(reply) else ():
        if not is_list(part) or len(part) < 3 or not is_list(part[2]) or len(part[2]) < 2:
            continue
        first, last, (host, port, *_) = part[0], part[1], part[2]
        if not isinstance(first, int) or not isinstance(last, int) or not isinstance(port, int):
            continue
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else ""
        node = _endpoint(name or asked.host, port)
        if 0 <= first <= last < _SLOTS:
            nodes[first : last + 1] = [node] * (last + 1 - first)
    return nodes


def _endpoint(host: str, port: int) -> Endpoint:
    if not is_host(host) or not 0 < port <= 65535:
        raise NonsenseReplyError("the engine names a node that is not a host")
    return Endpoint(host, port)
