"""The links of docs/releasing.md that install the server in VS Code and Cursor: web addresses, which open the editor.

A page on GitHub drops addresses of other schemes than http, so both lead through the vendor's own page.
"""

import json
from base64 import b64encode
from urllib.parse import urlencode

from seqthink.connect.clients.launch import SERVER_NAME, Launch
from seqthink.connect.clients.snippets import plain_entry


def vscode_link(launch: Launch) -> str:
    """Return the address at which VS Code asks whether to install ``launch``."""
    query = urlencode({"name": SERVER_NAME, "config": _compact(launch)})
    return f"https://insiders.vscode.dev/redirect/mcp/install?{query}"


def cursor_link(launch: Launch) -> str:
    """Return the address at which Cursor asks whether to install ``launch``: its entry is in base64."""
    query = urlencode({"name": SERVER_NAME, "config": b64encode(_compact(launch).encode()).decode()})
    return f"https://cursor.com/en/install-mcp?{query}"


def _compact(launch: Launch) -> str:
    return json.dumps(plain_entry(launch), separators=(",", ":"))
