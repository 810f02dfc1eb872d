"""What on a machine shows that a client is installed: its program, or a file or folder that only it makes. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from seqthink.connect.clients.registry import McpClient


class ClientSigns(NamedTuple):
    """What to look for; one of it is enough."""

    programs: tuple[str, ...]
    """Programs on the PATH."""
    paths: tuple[str, ...]
    """Files and folders, ``~`` for the home folder."""


def signs_of(client: McpClient, platform: str, environ: Mapping[str, str]) -> ClientSigns:
    """Return what shows on a platform (`sys.platform`) that ``client`` is installed."""
    files = [file for file in client.config_files(platform, environ) if file.scope == "user"]
    own = [path for file in files for path in (file.path, _folder(file.path))]
    application = client.mac_application if platform == "darwin" else ""
    applications = [f"{root}/Applications/{application}.app" for root in ("", "~")] if application else []
    paths = [path for path in (*own, *client.paths, *applications) if path not in {"~", ""}]
    programs = tuple(filter(None, [client.program])) if client.programs is None else client.programs
    return ClientSigns(programs, tuple(paths))


def _folder(path: str) -> str:
    return path.rpartition("\\" if "\\" in path else "/")[0]
