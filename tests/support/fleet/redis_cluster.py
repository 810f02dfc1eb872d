"""A real cluster of three nodes for a test, without replicas."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import cast

import redis

from tests.support.fleet.redis_server import RedisServer, free_port

_BUS = 10_000
"""A node's own port for the others lies so far above its port."""
_SLOTS = 16384
_NODES = 3
_READY_SECONDS = 60


class RedisCluster:
    """Three engines that share the slots."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes: list[RedisServer] = []

    @property
    def url(self) -> str:
        """The address for seqthink: two of the nodes, which know the third."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:2])

    def start(self) -> None:
        """Start the nodes, give each its slots, and wait until all of them see the whole cluster."""
        for number in range(_NODES):
            port = free_port(_BUS)
            more = ["--cluster-enabled", "yes", "--cluster-node-timeout", "5000", "--cluster-config-file", "nodes.conf"]
            self.nodes.append(RedisServer(self._folder / str(number), more=more, port=port).start())
        for number, node in enumerate(self.nodes):
            first, end = _SLOTS * number // _NODES, _SLOTS * (number + 1) // _NODES
            _command(node, "CLUSTER", "ADDSLOTS", *range(first, end))
            _command(node, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in self.nodes[1:]:
            _command(self.nodes[0], "CLUSTER", "MEET", "127.0.0.1", node.port)
        self.wait()

    def wait(self) -> None:
        """Wait until all nodes see the whole cluster."""
        end = time.monotonic() + _READY_SECONDS
        pause = Event()
        while not all(_is_whole(node) for node in self.nodes):
            assert time.monotonic() < end, "the cluster does not come together"
            pause.wait(0.05)

    def move(self, slot: int, to: RedisServer) -> None:
        """Give an empty slot to another node; only that node and its old one learn it at once."""
        identity = _command(to, "CLUSTER", "MYID")
        for node in (to, *(node for node in self.nodes if node is not to)):
            _command(node, "CLUSTER", "SETSLOT", slot, "NODE", identity)

    def stop(self) -> None:
        """End all nodes."""
        for node in self.nodes:
            node.kill()


def _command(node: RedisServer, *words: object) -> object:
    client = node.client()
    try:
        return cast("object", client.execute_command(*words))  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    finally:
        client.close()


def _is_whole(node: RedisServer) -> bool:
    try:
        state = _command(node, "CLUSTER", "INFO")
    except redis.RedisError:
        return False
    lines = state.split(b"\r\n") if isinstance(state, bytes) else []
    return b"cluster_state:ok" in lines and b"cluster_known_nodes:%d" % _NODES in lines


@contextmanager
def running_cluster(folder: Path) -> Generator[RedisCluster]:
    """Give a running cluster."""
    cluster = RedisCluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
