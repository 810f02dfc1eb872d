"""The command line: one module per command. Each imports only what its command needs."""

from keyword import iskeyword

COMMAND_GROUPS = {
    "for your agent": {
        "serve": "run the MCP server, which records every thought",
        "tap": "record the thoughts that pass through another MCP server",
        "setup": "connect the MCP clients on this machine to seqthink",
        "config": "print or write the configuration of one MCP client",
        "doctor": "check clients, server, journals and terminal, and name fixes",
    },
    "to watch": {
        "watch": "watch a session live, as a tree of its thoughts",
        "beside": "open the viewer in a split of your terminal",
        "web": "watch the sessions in a browser",
        "replay": "play back a saved session",
        "demo": "watch a scripted agent think",
    },
    "for pipes and other programs": {
        "show": "print the tree of a session as plain text",
        "sessions": "list the sessions, newest first",
        "status": "print one line about all sessions, for tmux and scripts",
        "diff": "compare two sessions: what both thought, where they part",
        "label": "name, tag and pin a session, comment on its thoughts",
        "find": "find words in the texts of all sessions, newest first",
        "why": "find the thought behind a line or a commit",
        "stats": "print counts per session: thoughts, estimates, pace, silences",
        "export": "write a session as a page, picture, recording or data",
    },
    "many machines, one screen": {
        "ship": "send this machine's journals to Redis or Valkey",
        "fetch": "copy a session from another machine",
    },
    "to maintain journals": {
        "import": "keep sessions of other programs as journals",
        "check": "find damaged lines in journals",
        "delete": "delete one session and everything that belongs to it",
        "prune": "delete old journals",
    },
    "for yourself": {
        "settings": "print all settings, with values and where they come from",
        "completion": "print a script for Tab completion",
    },
}
"""What each command is for, in at most ten words: the list of commands and each help page begin with them."""
COMMANDS = {name: summary for group in COMMAND_GROUPS.values() for name, summary in group.items()}
_ROOMS = {
    "connecting": ("config", "doctor", "setup"),
    "fleet": ("fetch", "ship"),
    "overview": ("diff", "find", "label", "sessions", "stats", "status", "web", "why"),
    "upkeep": ("check", "delete", "import", "prune", "settings"),
}
"""The folders within this package, and the commands whose modules they hold."""


def module_name(command: str) -> str:
    """Return the name of a command's module in this package: its own, but for a word that Python keeps for itself."""
    room = next((f"{room}." for room, commands in _ROOMS.items() if command in commands), "")
    return f"{room}{command}_" if iskeyword(command) else room + command
