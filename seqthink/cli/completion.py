"""`seqthink completion`: prints the shell script that enables Tab completion."""

from seqthink.cli.common import CommandParser, output

SHELLS = ("bash", "zsh", "fish")


def run(arguments: list[str]) -> int:
    """Print the script for a shell."""
    parser = CommandParser(
        "completion",
        "Print a script that lets Tab complete commands, options, sessions and files.",
        'eval "$(seqthink completion bash)"  # in ~/.bashrc',
        reads_journals=False,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")
    options = parser.parse_args(arguments)
    from argcomplete.shell_integration import shellcode

    with output() as out:
        out.write(shellcode(["seqthink"], shell=options.shell))
    return 0
