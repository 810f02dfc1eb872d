"""Writing clients' files with the user's consent: what `config --write` and `setup` share."""

import argparse
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path

from seqthink.cli.common import folder_options, print_stderr, shell_command
from seqthink.cli.connecting.dialogue import EXAMPLE_PROMPT, ConsentDialogue
from seqthink.cli.connecting.launching import absolute, server_launch, shared_launch
from seqthink.cli.connecting.writing_options import wish_of
from seqthink.connect.client_files.applying import apply_plan, plan_and_apply
from seqthink.connect.client_files.claude_command import claude_commands
from seqthink.connect.client_files.difference import diff_lines
from seqthink.connect.client_files.planning import Plan, Request, make_plan
from seqthink.connect.client_files.replacing import FileChangedError
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import McpClient, Scope
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line

_MAX_ROUNDS = 5
"""How often a plan is made again because its file has just been written by another program."""


def launch_for(command: str, scope: Scope, chosen: argparse.Namespace, options: list[str]) -> Launch:
    """Return how clients are to start the server, by an entry in a file of ``scope``.

    Raises:
        UsageError: this program will not be there for long, or `serve` does not take ``options``.
    """
    words = [*(["--journal-dir", absolute(chosen.journal_dir)] if chosen.journal_dir else []), *options]
    launch = server_launch(words)
    if scope == "project":
        return shared_launch(words)
    if launch.is_temporary and not chosen.remove and not getattr(chosen, "force", False):
        raise UsageError(
            f"{command}: {launch.command} is a temporary installation, and the entry would outlive it; "
            "run `uv tool install seqthink` first"
        )
    return launch


def write_one(client: McpClient, chosen: argparse.Namespace, options: list[str]) -> int:
    """Show one client's change, ask, and write it. Return the exit status."""
    wish = wish_of("config", chosen)
    scope: Scope = chosen.scope or "user"
    request = Request(client, launch_for("config", scope, chosen, options), scope, wish)
    dialogue = ConsentDialogue()
    if not (chosen.yes or chosen.dry_run):
        dialogue.check_can_ask("config")
    for _ in range(_MAX_ROUNDS):
        plan = make_plan(request, os.environ)
        if not _is_agreed(dialogue, plan, chosen):
            return int(plan.changes)
        try:
            carry_out(dialogue, plan, request, again=chosen.yes)
        except FileChangedError as error:
            print_stderr(str(error))
            continue
        dialogue.say_wrapped(
            "", *what_next([client], wish, shell_command("watch", *folder_options(chosen.journal_dir)))
        )
        return 0
    raise UsageError(f"config: the file is written again and again by another program; close {client.title}, try again")


def _is_agreed(dialogue: ConsentDialogue, plan: Plan, chosen: argparse.Namespace) -> bool:
    """Show the change, if there is one, and return whether it is to be made."""
    wish = wish_of("config", chosen)
    warn(plan, wish)
    if not plan.changes:
        dialogue.say_result("done", f"{plan.client.title}: {plan.place.shown}: {nothing_to_do(plan, wish)}")
        return False
    show(dialogue, plan)
    if chosen.dry_run:
        return False
    dialogue.say("")
    if chosen.yes or dialogue.ask("Write this? [y/N]", "y") == "y":
        return True
    dialogue.say("Nothing was written.")
    return False


def warn(plan: Plan, wish: Wish) -> None:
    """Say on stderr what the user should know before it is written."""
    if plan.change.remaining and not wish.removes:
        names = ", ".join(plan.change.remaining)
        print_stderr(
            f"{plan.place.shown}: {names} is the reference server, whose tool has the same name; --replace takes it out"
        )
    if plan.plugin is not None and (wish.removes or plan.change.entry is not None):
        rest = "still starts seqthink" if wish.removes else "starts seqthink, too; keep one of the two"
        print_stderr(f"{plan.client.title}: the {plan.plugin.kind} {plan.plugin.name} {rest}: {plan.plugin.removal}")
    others = plan.file.names - 1
    if plan.changes and others > 0:
        names, them = (f"{others} more names", "them") if others > 1 else ("1 more name", "it")
        print_stderr(
            f"{plan.place.shown}: it has {names} (hard links), which will keep the old text; "
            f"link {them} again afterwards, or say no and edit the file by hand"
        )


def show(dialogue: ConsentDialogue, plan: Plan) -> None:
    """Print the change, and by which command another program is to make it."""
    dialogue.say_diff(diff_lines(plan))
    if plan.program:
        commands = [one_line(shlex.join(["claude", *command[1:]])) for command in claude_commands(plan)]
        dialogue.say("", f"{plan.client.title} writes this file itself:", *(f"  {line}" for line in commands))


def carry_out(dialogue: ConsentDialogue, plan: Plan, request: Request, *, again: bool) -> None:
    """Write a plan, and say what became of it.

    With ``again``, a file that was written since is planned once more, and what is written then is shown.

    Raises:
        FileChangedError: the file was written since the plan was made; it is as it is now.
        ClientFileError: as from `apply_plan`.
    """
    now = datetime.now(UTC)  # noqa: TID251 - the edge reads the clock
    try:
        backup = apply_plan(plan, os.environ, now)
    except FileChangedError:
        if not again:
            raise
        plan, backup = plan_and_apply(request, os.environ, now)
        if plan.changes:
            show(dialogue, plan)
    if plan.changes:
        dialogue.say_result("done", f"{plan.client.title}: {plan.place.shown}: {outcome(plan, backup)}")
    else:
        dialogue.say_result("done", f"{plan.client.title}: another program has already done it")


def nothing_to_do(plan: Plan, wish: Wish) -> str:
    """Return why nothing is written, in words."""
    if wish.removes:
        return "seqthink is not in it; nothing to remove"
    if plan.plugin is not None and plan.change.entry is None:
        return f"the {plan.plugin.kind} {plan.plugin.name} starts seqthink already; a second entry is not needed"
    return "it is all there; nothing to change"


def outcome(plan: Plan, backup: Path | None) -> str:
    """Return what was written, in words."""
    if plan.new is None:
        return "deleted, since nothing else was in it"
    if backup is not None:
        return f"written; a copy as it was: {backup.name}"
    return "as it was before" if plan.file.exists else "created"


def what_next(clients: list[McpClient], wish: Wish, watch: str) -> list[str]:
    """Return what the user has to do now."""
    hints = [f"{hint.replace(' it', f' {listed(titles)}', 1)}." for hint, titles in _by_hint(clients).items()]
    if wish.removes:
        return hints
    return [*hints, f"Then ask, for example: {EXAMPLE_PROMPT}", f"And watch: {watch}"]


def _by_hint(clients: list[McpClient]) -> dict[str, list[str]]:
    """Return the titles of the clients by what has to be done with them."""
    hints = dict.fromkeys(client.restart_hint for client in clients)
    return {hint: [client.title for client in clients if client.restart_hint == hint] for hint in hints}


def listed(titles: list[str]) -> str:
    """Return names as a part of a sentence."""
    return " and ".join(filter(None, [", ".join(titles[:-1]), titles[-1]]))
