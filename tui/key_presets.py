"""Keys for people who are used to another program: what differs from the viewer's own, by preset and command.

Each key comes first that its program has for this; what had the key before gets another. A command that is not named
here keeps its own keys.
"""

from collections.abc import Mapping
from typing import Final

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "less": {
        "page-down": "space f ctrl+f pgdn",
        "page-up": "b ctrl+b pgup",
        "half-page-down": "d ctrl+d",
        "half-page-up": "u ctrl+u",
        "first": "g <",
        "last": "G >",
        "follow": "F",
        "mark": "m",
        "editor": "v e",
        "play": "p",
        "diff": "D",
        "compare": "C",
        "raw": "M",
        "shown": "V",
        "find-texts": "A",
        "slower": "-",
        "faster": "+",
    },
    "vim": {
        "mark": "m",
        "raw": "M",
        "previous-mark": "{ [ (",
        "next-mark": "} ] )",
        "start": "^ home",
        "now": "$ end",
    },
}
"""Keys as people name them, parted by blanks."""
