"""Kilo."""

from collections.abc import Mapping

from typing_extensions import override

from tests.conformance.clients.programs.opencode import OpenCode
from tests.conformance.clients.programs.program import Setting


class Kilo(OpenCode):
    """A descendant of OpenCode: its settings, commands and tables under names of its own."""

    name = "kilo"

    @override
    def environ(self, setting: Setting) -> Mapping[str, str]:
        inherited = dict(super().environ(setting))
        return inherited | {name.replace("OPENCODE", "KILO"): value for name, value in inherited.items()}
