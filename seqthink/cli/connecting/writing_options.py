"""The options and client names that `config --write` and `setup` share. Loads nothing that edits a file."""

import argparse

from seqthink.cli.common import CommandParser
from seqthink.cli.option_values import nearest
from seqthink.connect.clients.registry import CLIENTS, McpClient
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.registry import source_named


def add_writing_options(parser: CommandParser) -> None:
    """Add the options of whatever writes clients' files."""
    parser.add_argument("--dry-run", action="store_true", help="only show the changes; exit 1 if there are any")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.add_argument("--remove", action="store_true", help="remove our entry")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="also remove the reference server's entry, whose tool has the same name",
    )


def client_named(command: str, name: str | None) -> McpClient:
    """Return a client by its name.

    Raises:
        UsageError: there is none of this name.
    """
    client = _client_of(name) if name is not None else None
    if client is not None:
        return client
    known_clients = f"choose from: {', '.join(CLIENTS)}"
    if name is None:
        raise UsageError(f"{command}: which client? {known_clients}")
    near = nearest(name, CLIENTS, 0.6)  # `claud` for `claude-code`
    hint = f"did you mean {near}? " if near else ""
    raise UsageError(f"{command}: unknown client {name[:40]!r}; {hint}{known_clients}")


def _client_of(name: str) -> McpClient | None:
    """Return the client of a name, also by the one that `--sources` has for it; None if there is none."""
    source = source_named(name)
    return CLIENTS.get(name) or CLIENTS.get(source.mcp_client if source is not None else "")


def wish_of(command: str, chosen: argparse.Namespace) -> Wish:
    """Return what the options ask for.

    Raises:
        UsageError: they contradict each other.
    """
    if chosen.remove and chosen.replace:
        raise UsageError(f"{command}: --remove or --replace, not both")
    if chosen.dry_run and chosen.yes:
        raise UsageError(f"{command}: --dry-run or --yes, not both")
    return Wish(removes=chosen.remove, replaces=chosen.replace, forces=getattr(chosen, "force", False))
