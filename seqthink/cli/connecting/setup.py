"""`seqthink setup`: connects every client on this machine, in one dialogue."""

import argparse
import os
from typing import NamedTuple

from seqthink.cli.common import CommandParser, folder_options, shell_command
from seqthink.cli.connecting.dialogue import ConsentDialogue
from seqthink.cli.connecting.writing import (
    carry_out,
    launch_for,
    listed,
    nothing_to_do,
    show,
    warn,
    what_next,
)
from seqthink.cli.connecting.writing_options import add_writing_options, client_named, wish_of
from seqthink.connect.client_files.found import clients_found
from seqthink.connect.client_files.planning import Plan, Request, make_plan
from seqthink.connect.client_files.replacing import FileChangedError
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS, McpClient
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.text import one_line

_MAX_ROUNDS = 5
"""How often a plan is made again because its file has just been written by another program."""


class Prospect(NamedTuple):
    """One client, and what is to become of its file."""

    request: Request
    plan: Plan | None
    error: str = ""
    """Why there is no plan."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "setup",
        "seqthink setup",
        "seqthink setup --dry-run",
        "seqthink setup --remove",
        notes="It finds the clients, shows every change to their files, asks once, and writes.",
    )
    parser.add_argument(
        "clients", nargs="*", metavar="CLIENT", help=f"{', '.join(CLIENTS)} (default: all clients found)"
    )
    add_writing_options(parser)
    return parser


def run(arguments: list[str]) -> int:
    """Connect the clients. Exit with 1 if one of them could not be, or if --dry-run shows a change."""
    chosen = make_parser().parse_args(arguments)
    wish, launch = wish_of("setup", chosen), launch_for("setup", "user", chosen, [])
    named = dict.fromkeys(client_named("setup", name).name for name in chosen.clients)
    clients = [CLIENTS[name] for name in named] or clients_found(os.environ)
    if not clients:
        raise SeqthinkError(
            f"none of these clients was found: {', '.join(client.title for client in CLIENTS.values())}; "
            "name yours (`seqthink setup cursor`), or see `seqthink config --list`"
        )
    dialogue = ConsentDialogue()
    if not (chosen.yes or chosen.dry_run):
        dialogue.check_can_ask("setup")
    prospects = [_prospect(client, launch, wish) for client in clients]
    _show_all(dialogue, prospects, wish)
    failed = any(prospect.plan is None for prospect in prospects)
    planned = [prospect for prospect in prospects if prospect.plan is not None and prospect.plan.changes]
    if chosen.dry_run:
        return int(failed or bool(planned))
    agreed = planned if chosen.yes else _agreed(dialogue, planned)
    written = [prospect.request.client for prospect in agreed if _write(dialogue, prospect, is_agreed=chosen.yes)]
    _say_end(dialogue, chosen, written, wish, is_declined=bool(planned) and not agreed)
    if planned:
        _say_failed(dialogue, prospects)
    return int(failed or len(written) < len(planned))


def _prospect(client: McpClient, launch: Launch, wish: Wish) -> Prospect:
    request = Request(client, launch, "user", wish)
    try:
        return Prospect(request, make_plan(request, os.environ))
    except UsageError as error:
        return Prospect(request, None, str(error))


def _show_all(dialogue: ConsentDialogue, prospects: list[Prospect], wish: Wish) -> None:
    """Print the changes, and below them, where they are still on the screen at the question, a table of all clients."""
    for prospect in prospects:
        if prospect.plan is not None and prospect.plan.changes:
            show(dialogue, prospect.plan)
            dialogue.say("")
    for prospect in prospects:
        if prospect.plan is not None:
            warn(prospect.plan, wish)
    dialogue.say_table([_row(prospect, wish) for prospect in prospects])
    dialogue.say("")


def _row(prospect: Prospect, wish: Wish) -> tuple[str, str, str, str]:
    title, plan = prospect.request.client.title, prospect.plan
    if plan is None:
        return "failed", title, prospect.error, ""
    if not plan.changes:
        return "done", title, plan.place.shown, nothing_to_do(plan, wish)
    return "change", title, plan.place.shown, _intention(plan)


def _intention(plan: Plan) -> str:
    if plan.new is None:
        return "to be deleted: nothing but seqthink is in it"
    if not plan.file.exists:
        return "to be created"
    return "to be changed"


def _agreed(dialogue: ConsentDialogue, planned: list[Prospect]) -> list[Prospect]:
    """Ask which of the planned changes to make."""
    if not planned:
        return []
    if len(planned) == 1:
        return planned if dialogue.ask("Write this? [y/N]", "y") == "y" else []
    answer = dialogue.ask(f"Write these {len(planned)} files? [y]es, [N]o, [o]ne by one", "yo")
    if answer == "o":
        return [prospect for prospect in planned if dialogue.ask(f"{_file_of(prospect)}? [y/N]", "y") == "y"]
    return planned if answer == "y" else []


def _file_of(prospect: Prospect) -> str:
    plan = prospect.plan
    return f"{prospect.request.client.title}, {one_line(plan.place.shown)}" if plan else prospect.request.client.title


def _write(dialogue: ConsentDialogue, prospect: Prospect, *, is_agreed: bool) -> bool:
    """Write one client's file, and return whether it is as it should be now; the reason why not is printed.

    A file that was written since is planned again if ``is_agreed``; else the user has seen another change than that.
    """
    if prospect.plan is None:
        return False
    for left in reversed(range(_MAX_ROUNDS)):
        try:
            carry_out(dialogue, prospect.plan, prospect.request, again=is_agreed)
        except SeqthinkError as error:
            if not (left and is_agreed and isinstance(error, FileChangedError)):
                dialogue.say_result("failed", f"{prospect.request.client.title}: {error}")
                return False
        else:
            return True
    return False


def _say_end(
    dialogue: ConsentDialogue, chosen: argparse.Namespace, written: list[McpClient], wish: Wish, *, is_declined: bool
) -> None:
    if is_declined:
        dialogue.say("Nothing was written.")
    if written:
        watch = shell_command("watch", *folder_options(chosen.journal_dir))
        dialogue.say_wrapped("", *what_next(written, wish, watch))


def _say_failed(dialogue: ConsentDialogue, prospects: list[Prospect]) -> None:
    """Remind of the clients without a plan; their reasons are in the table."""
    titles = [prospect.request.client.title for prospect in prospects if prospect.plan is None]
    if titles:
        dialogue.say_wrapped("", f"Not done, for the reason above: {listed(titles)}.")
