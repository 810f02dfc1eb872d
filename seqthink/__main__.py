"""Entry point: finds the command and imports that command's module only.

``seqthink serve`` must answer its first request within a tenth of a second, so imports are kept to what is needed.
"""

import os
import sys

from seqthink import __version__
from seqthink.cli import module_name
from seqthink.core.errors import SeqthinkError, UsageError

COMMAND_GROUPS = {
    "for your agent": {
        "serve": "the MCP server: answers over stdio and keeps a journal",
        "tap": "any other MCP server, with a journal of the thoughts that pass",
        "setup": "connects the MCP clients on this machine, in one dialogue",
        "config": "the configuration of one MCP client: shown, or written",
        "doctor": "what is wrong with your set-up, and the fix for it",
    },
    "to watch": {
        "watch": "the live tree of the running session",
        "beside": "the same in a split of tmux, zellij, kitty and others",
        "web": "the same in a browser on this machine",
        "replay": "a saved session, played back from any thought",
        "demo": "a scripted agent thinks while you watch",
    },
    "for pipes and other programs": {
        "show": "the tree of a session as plain text",
        "sessions": "the list of sessions, newest first",
        "status": "one line about all sessions, for tmux and scripts",
        "find": "words in the texts of all sessions, newest first",
        "stats": "what sessions count: estimates, pace, silences, clients",
        "export": "a session as Markdown, HTML, SVG, JSON, cast or GIF",
    },
    "many machines, one screen": {
        "ship": "send this machine's journals to Redis or Valkey, for others",
    },
    "to maintain journals": {
        "fetch": "keep a copy of a session of another machine",
        "import": "keep sessions of Claude Code, Codex, Gemini CLI and OpenCode",
        "check": "find damaged lines in journals, write clean copies",
        "delete": "delete one session with all that belongs to it",
        "prune": "delete old journals that no server is using",
    },
    "for yourself": {
        "settings": "all settings, what is in force and why",
        "completion": "a script for Tab completion",
    },
}
COMMANDS = {name: summary for group in COMMAND_GROUPS.values() for name, summary in group.items()}

_MAIN_OPTIONS = """
options:
  -h, --help  this page; `seqthink COMMAND --help` for one command
  --version   the version

Journals are in $SEQTHINK_HOME/sessions, else in `sessions` in your platform's
state folder for seqthink.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status: 0 success, 1 failure, 2 wrong usage, 130 interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if "_ARGCOMPLETE" in os.environ:
            from seqthink.cli.completion import complete  # only when a shell asks

            complete(COMMANDS)
        return _dispatch(arguments)
    except UsageError as error:
        _print_error(str(error))
        return 2
    except SeqthinkError as error:
        _print_error(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has exited (`seqthink show | head`): discard the rest, also what is flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        # A bug. Its traceback could show thoughts, so it is printed only on request.
        from seqthink.core.system import is_on  # imported only for an error

        if is_on(os.environ, "SEQTHINK_DEBUG", _print_error):
            raise
        _print_error(f"unexpected error ({type(error).__name__}: {error}); SEQTHINK_DEBUG=1 shows the traceback")
        return 1


def _dispatch(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        import importlib  # not for the help page

        return importlib.import_module(f"seqthink.cli.{module_name(name)}").run(arguments[1:])
    if name in {"--version", "version"}:
        _print_page(f"seqthink {__version__}\n")
        return 0
    if name == "help" and arguments[1:]:
        return _dispatch([arguments[1], "--help"])
    if name in {"", "-h", "--help", "help"}:
        _print_page(_help())
        return 0 if name else 2
    from seqthink.cli.option_values import nearest  # imported only for an error

    if name.startswith("-"):
        near = nearest(name, ("--version", "--help"))
        hint = f"did you mean {near}?" if near else "options follow a command; see `seqthink --help`"
        raise UsageError(f"unknown option {name[:40]}; {hint}")
    near = nearest(name, [*COMMANDS, "help"])
    hint = f"did you mean {near}?" if near else f"choose from: {', '.join(COMMANDS)}"
    raise UsageError(f"unknown command {name[:40]!r}; {hint}")


def _print_page(text: str) -> None:
    from seqthink.cli.standard_output import output  # not for `serve`

    with output() as out:
        out.write(text)


def _help() -> str:
    width = max(map(len, COMMANDS))
    page = "usage: seqthink COMMAND [options]\n"
    for title, group in COMMAND_GROUPS.items():
        page += f"\n{title}:\n" + "".join(f"  {name:<{width}}  {summary}\n" for name, summary in group.items())
    return page + _MAIN_OPTIONS


def _print_error(message: str) -> None:
    from seqthink.core.text import one_line  # imported only for an error

    print(f"seqthink: {one_line(message)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
