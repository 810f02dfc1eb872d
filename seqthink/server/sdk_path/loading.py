"""Loads the SDK path, in the order in which a first call finds most of it ready."""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from seqthink.server.sdk_path.lean_import import defer_packages, without_optional_packages
from seqthink.server.setup import ServerSetup

if TYPE_CHECKING:  # loads the SDK
    from seqthink.server.sdk_path.sdk_server import Preparation


def prepare(setup: ServerSetup) -> "Preparation":
    """Return what `Preparation.serve` needs.

    With audits on, what finds code in a thought comes first: without code there is no need for the SDK. Then a judge is
    started: it loads what it needs in its own process, meanwhile.
    """
    workers = None
    if setup.audit_options is not None:
        import_module("seqthink.audit.code.blocks")
        from seqthink.audit.judges.worker_pool import WorkerPool  # noqa: PLC0415 - with audits only

        workers = WorkerPool()
        workers.start_worker()
    defer_packages()
    with suppress(ModuleNotFoundError), without_optional_packages():  # an SDK that cannot do without is loaded whole
        import_module("seqthink.server.sdk_path.sdk_server")
    from seqthink.server.sdk_path import sdk_server  # noqa: PLC0415 - after its packages are deferred

    return sdk_server.prepare(setup, workers)
