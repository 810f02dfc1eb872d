"""A real engine for a test: ``redis-server`` or ``valkey-server`` from PATH, on a free port, in a folder of its own."""

import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import redis

WITHOUT_ENGINE = "neither redis-server nor valkey-server is on PATH"
_START_SECONDS = 20
_PORTS = range(12_000, 22_000)


def engine_program() -> str | None:
    """Return the program of an engine; None if there is none."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


def free_port(beside: int = 0) -> int:
    """Return a port that is free now; with ``beside``, one whose sibling so far above it is free, too.

    It is none that systems give to outgoing connections: while a server that is killed and started again is away, one
    of those would be taken by any program that connects somewhere.
    """
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as one, socket.socket() as other, suppress(OSError):
            one.bind(("127.0.0.1", port))
            if beside:
                other.bind(("127.0.0.1", port + beside))
            return port


class RedisServer:
    """An engine that can be killed and started again on its port.

    ``aof``: it keeps what it acknowledged. ``acl``: lines of an ACL file. ``tls``: a folder with `ca.crt`, `server.crt`
    and `server.key`; the port then speaks TLS only. ``more``: further options, such as ``--maxmemory 10mb``.
    """

    def __init__(
        self,
        folder: Path,
        *,
        aof: bool = False,
        acl: str = "",
        tls: Path | None = None,
        more: Sequence[str] = (),
        port: int | None = None,
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.tls = tls
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        program = engine_program()
        assert program, WITHOUT_ENGINE
        self._command = [program, "--dir", str(folder), "--bind", "127.0.0.1", "--save", "", "--loglevel", "warning"]
        if tls:
            self._command += ["--port", "0", "--tls-port", str(self.port), "--tls-auth-clients", "no"]
            self._command += ["--tls-ca-cert-file", str(tls / "ca.crt"), "--tls-cert-file", str(tls / "server.crt")]
            self._command += ["--tls-key-file", str(tls / "server.key")]
        else:
            self._command += ["--port", str(self.port)]
        if aof:
            self._command += ["--appendonly", "yes", "--appendfsync", "everysec"]
        if acl:
            (folder / "users.acl").write_text(acl, encoding="ascii")
            self._command += ["--aclfile", str(folder / "users.acl")]
        self._command += more

    @property
    def url(self) -> str:
        """The address for seqthink, without database and tenant."""
        return f"redis{'s' if self.tls else ''}://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The engine's process."""
        assert self._process
        return self._process.pid

    def run_as_sentinel(self, configuration: Path) -> None:
        """Be a Sentinel when it starts."""
        port, bind = str(self.port), "127.0.0.1"
        self._command = [self._command[0], str(configuration), "--sentinel", "--port", port, "--bind", bind]
        self._command += ["--dir", str(self.folder)]

    def start(self) -> Self:
        """Start the engine, and return once it takes connections and has loaded its data."""
        assert self._process is None, "it runs"
        with (self.folder / "engine.log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + _START_SECONDS
        while not self._is_up():
            assert self._process.poll() is None, (self.folder / "engine.log").read_text(
                encoding="utf-8", errors="replace"
            )
            assert time.monotonic() < end, "the engine does not start"
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.01)
        return self

    def kill(self) -> None:
        """End the engine as a crash does."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def wipe(self) -> None:
        """Delete all that a killed engine had on its disk."""
        assert self._process is None, "it runs"
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)
        for file in [*self.folder.glob("*.rdb"), *self.folder.glob("*.aof")]:
            file.unlink()

    def client(self, user: str | None = None, password: str | None = None) -> redis.Redis:
        """Return a client of the engine, for what a test does to it; close it."""
        options: dict[str, object] = (
            {"ssl": True, "ssl_cert_reqs": "none", "ssl_check_hostname": False} if self.tls else {}
        )
        return redis.Redis(
            "127.0.0.1",
            self.port,
            username=user,
            password=password,
            protocol=2,
            socket_timeout=30,
            **options,  # pyright: ignore[reportArgumentType] - any of its options
        )

    def _is_up(self) -> bool:
        client = self.client()
        try:
            return client.ping() is True  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
        except redis.AuthenticationError:
            return True
        except redis.ResponseError as error:
            return not str(error).startswith("LOADING")
        except redis.RedisError:
            return False
        finally:
            client.close()


@contextmanager
def running_server(folder: Path, **options: object) -> Generator[RedisServer]:
    """Give a running engine; see `RedisServer` for the options."""
    server = RedisServer(folder, **options)  # pyright: ignore[reportArgumentType] - any of its options
    try:
        yield server.start()
    finally:
        server.kill()


@contextmanager
def running_sentinel(folder: Path, primary: RedisServer, service: str = "mymaster") -> Generator[RedisServer]:
    """Give a running Sentinel of an engine; it finds the engine's replicas by itself, and decides alone."""
    folder.mkdir(parents=True)
    lines = (
        f"sentinel monitor {service} 127.0.0.1 {primary.port} 1",
        f"sentinel down-after-milliseconds {service} 500",
        f"sentinel failover-timeout {service} 3000",
    )
    (folder / "sentinel.conf").write_text("\n".join(lines) + "\n", encoding="ascii")
    sentinel = RedisServer(folder)
    sentinel.run_as_sentinel(folder / "sentinel.conf")
    try:
        yield sentinel.start()
    finally:
        sentinel.kill()
