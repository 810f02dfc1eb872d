"""The command line: one module per command. Each imports only what its command needs."""

from keyword import iskeyword

_ROOMS = {
    "connecting": ("config", "doctor", "setup"),
    "fleet": ("fetch", "ship"),
    "overview": ("find", "sessions", "stats", "status", "web"),
    "upkeep": ("check", "delete", "import", "prune", "settings"),
}
"""The folders within this package, and the commands whose modules they hold."""


def module_name(command: str) -> str:
    """Return the name of a command's module in this package: its own, but for a word that Python keeps for itself."""
    room = next((f"{room}." for room, commands in _ROOMS.items() if command in commands), "")
    return f"{room}{command}_" if iskeyword(command) else room + command
