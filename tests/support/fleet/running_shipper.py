"""A shipper in a thread, on an engine in memory, and a wait for what it does."""

import random
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from typing_extensions import override

from seqthink.share.shipping.card_sender import CardOptions
from seqthink.share.shipping.line_redaction import as_it_stands
from seqthink.share.shipping.shipper import Clocks, ShipOptions, Shipper, clocks_of_system
from seqthink.share.shipping.waiting import Stop
from seqthink.sources.fleet.engine import OriginEngine

WAIT_SECONDS = 20.0


def shipper_for(engine: OriginEngine, folder: Path, reports: list[str], **options: Any) -> Shipper:  # noqa: ANN401 - as `ShipOptions` has them
    """Return a shipper that sends lines as they stand, unless ``cards`` says otherwise."""
    cards = options.pop("cards", CardOptions(as_it_stands))
    memory = options.pop("memory", None)
    clocks = options.pop("clocks", clocks_of_system(time.time, random.Random(1).random))
    return Shipper(engine, folder, ShipOptions(cards, **options), reports.append, clocks, memory)


class RememberedWaits(Stop):
    """A `Stop` that remembers for how long it was to be waited; only that moves its clock, so no test waits so long."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    @property
    def clocks(self) -> Clocks:
        """Clocks that only the waits move."""
        return clocks_of_system(time.time, random.Random(1).random)._replace(monotonic=lambda: sum(self.waits))

    @override
    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return super().wait(0.001)


@contextmanager
def running(shipper: Shipper, given: Stop | None = None) -> Generator[Stop]:
    """Run a shipper in a thread until the block ends; what it raises is raised here."""
    errors: list[BaseException] = []

    def run(stop: Stop) -> None:
        try:
            shipper.run(stop)
        except BaseException as error:  # noqa: BLE001 - raised again by the test
            errors.append(error)

    with given or Stop() as stop:
        thread = Thread(target=run, args=(stop,))
        thread.start()
        try:
            yield stop
        finally:
            stop.set()
            thread.join(WAIT_SECONDS)
    if errors:
        raise errors[0]


def wait_until(is_true: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    end, pause = time.monotonic() + WAIT_SECONDS, Event()
    while not is_true():
        assert time.monotonic() < end, "it did not come true"
        pause.wait(0.005)
