"""Entry point: finds the command and imports that command's module only.

``seqthink serve`` must answer its first request within a tenth of a second, so imports are kept to what is needed.
"""

import os
import sys

from seqthink import __version__
from seqthink.cli import COMMAND_GROUPS, COMMANDS, module_name
from seqthink.core.errors import SeqthinkError, UsageError

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
