"""The command line: one module per command. Each imports only what its command needs."""

from keyword import iskeyword


def module_name(command: str) -> str:
    """Return the name of a command's module in this package: its own, but for a word that Python keeps for itself."""
    return f"{command}_" if iskeyword(command) else command
