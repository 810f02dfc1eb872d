"""What goes wrong with Redis, in our errors and in sentences for people."""

import re
import socket
import ssl
from typing import Final, TypeGuard

from redis.exceptions import InvalidResponse, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from seqthink.core.errors import SeqthinkError
from seqthink.core.text import one_line
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError, NonsenseReplyError

_PASSING: Final = {
    "LOADING": "the engine is still loading its data",
    "READONLY": "the engine is a replica now, and takes no writes",
    "CLUSTERDOWN": "the engine's cluster is down",
    "MASTERDOWN": "the engine has lost its primary",
    "TRYAGAIN": "the engine is moving these keys to another node",
    "BUSY": "the engine is busy with a script",
    "OOM": "the engine's memory is full: raise its `maxmemory`, or keep less with `--keep` and `--keep-lines`",
    "MISCONF": "the engine cannot write to its disk, and takes no writes",
    "NOREPLICAS": "the engine has too few replicas, and takes no writes",
    "MOVED": "the engine is moving its keys between nodes",
    "ASK": "the engine is moving these keys to another node",
    "NOSCRIPT": "the engine forgot a script",
    "UNBLOCKED": "the engine ended a waiting call",
}
_REFUSED: Final = {
    "WRONGPASS": "the engine refuses the user or the password: see SEQTHINK_FLEET_USER and SEQTHINK_FLEET_PASSWORD",
    "NOAUTH": "the engine wants a password: set SEQTHINK_FLEET_USER and SEQTHINK_FLEET_PASSWORD",
    "NOPERM": "the engine's user lacks a permission: give it what `seqthink ship --acl` prints for its role",
    "DENIED": "the engine runs in protected mode: give it a password, or let it listen only where it is safe",
    "CROSSSLOT": "the engine is a cluster: its address begins with redis+cluster:// or rediss+cluster://",
}
SINGLE: Final = "the engine is neither a cluster nor a Sentinel: its address begins with redis:// or rediss://"
"""What to do about an address of several engines where there is one."""
_OLD: Final = "the engine is too old: it must be Redis 6.2 or newer, Valkey, or a program like them"
_NO_PASSWORD: Final = "the engine has no password, but one is set: unset SEQTHINK_FLEET_PASSWORD"
_BY_TEXT: Final = (
    ("max number of clients", "the engine has too many connections", False),
    ("unknown command", _OLD, True),
    ("unknown subcommand", _OLD, True),
    ("AUTH <password> called without", _NO_PASSWORD, True),
    ("Client sent AUTH", _NO_PASSWORD, True),
    ("invalid password", _REFUSED["WRONGPASS"], True),
    ("wrong number of arguments for 'auth'", _OLD, True),
    ("DB index is out of range", "the engine has no such database: see the number in its address", True),
    ("SELECT is not allowed in cluster", "the engine is a cluster: its address begins with redis+cluster://", True),
    ("cluster support disabled", SINGLE, True),
)
_NO_TLS: Final = "the engine does not speak TLS there: its address begins with redis://"
_NO_HANDSHAKE: Final = (
    "the engine does not answer in TLS in time; an engine without TLS has an address that begins with redis://"
)
_TLS: Final = (
    ("WRONG_VERSION_NUMBER", _NO_TLS),
    ("HTTP_REQUEST", _NO_TLS),
    ("RECORD_LAYER_FAILURE", _NO_TLS),
    ("CERTIFICATE_OR_CRL", "the file of SEQTHINK_FLEET_CA holds no certificate"),
    ("ALERT", "the engine refuses this TLS connection; it may want a client's certificate"),
)
_CODE_IN_SCRIPT: Final = re.compile(r"\b(" + "|".join([*_PASSING, *_REFUSED, "WRONGTYPE"]) + r")\b")


def is_list(reply: object) -> TypeGuard[list[object]]:
    """Whether a reply is a list."""
    return isinstance(reply, list)


def code_of(reply: object) -> str:
    """Return the code of an error reply, such as ``NOSCRIPT``; empty for other replies."""
    if not isinstance(reply, ResponseError):
        return ""
    text = str(reply)
    code = text.partition(" ")[0]
    if code == "ERR" and "running script" in text:
        found = _CODE_IN_SCRIPT.search(text)
        return found[1] if found else code
    return code


def failure_of(error: BaseException) -> SeqthinkError:
    """Return the error that says what went wrong."""
    if isinstance(error, SeqthinkError):
        return error
    if isinstance(error, ResponseError):
        return _of_reply(error)
    chain = _chain(error)
    for link in chain:
        found = _of_cause(link)
        if found:
            return found
    if any(isinstance(link, TimeoutError) and "handshake" in str(link) for link in chain):
        return EngineUnavailableError(_NO_HANDSHAKE)
    if any(isinstance(link, TimeoutError | RedisTimeoutError) for link in chain):
        return EngineUnavailableError("the engine does not answer in time")
    return _of_network(chain)


def _of_reply(error: ResponseError) -> SeqthinkError:
    code, text = code_of(error), str(error)
    if code in _PASSING:
        return EngineUnavailableError(_PASSING[code])
    if code in _REFUSED:
        return EngineRefusedError(_REFUSED[code])
    for part, sentence, refused in _BY_TEXT:
        if part in text:
            return EngineRefusedError(sentence) if refused else EngineUnavailableError(sentence)
    return NonsenseReplyError(f"the engine answered with an error: {one_line(text[:200])}")


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and len(chain) < 10:
        chain.append(link)
        link = link.__cause__ or link.__context__
    return chain


def _of_cause(error: BaseException) -> SeqthinkError | None:
    match error:
        case SeqthinkError():
            return error
        case ResponseError():
            return _of_reply(error)
        case InvalidResponse():
            return NonsenseReplyError("the engine answered something that is not Redis's protocol")
        case ssl.SSLError():
            return _of_tls(error)
        case socket.gaierror():
            return EngineUnavailableError("the engine's host is not found")
        case _:
            return None


def _of_tls(error: ssl.SSLError) -> SeqthinkError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return EngineRefusedError(
            f"the engine's certificate is not accepted ({one_line(error.verify_message[:100])}): "
            "see SEQTHINK_FLEET_CA, and the host in the address"
        )
    reason = error.reason or str(error)
    if isinstance(error, ssl.SSLEOFError) or "EOF" in reason:
        return EngineUnavailableError("the engine closed the connection")
    for part, sentence in _TLS:
        if part in reason:
            return EngineRefusedError(sentence)
    return EngineRefusedError(f"the engine cannot be spoken to with TLS: {one_line(reason[:100])}")


def _of_network(chain: list[BaseException]) -> SeqthinkError:
    for link in reversed(chain):
        if isinstance(link, OSError) and not isinstance(link, RedisError) and link.strerror:
            return EngineUnavailableError(f"the engine cannot be reached: {one_line(link.strerror[:100])}")
    return EngineUnavailableError("the engine closed the connection")
