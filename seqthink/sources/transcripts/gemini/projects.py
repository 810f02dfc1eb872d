"""Which working folder a project's folder of Gemini CLI belongs to; no file of a session says so."""

import hashlib
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.json_fields import object_in

_MAX_REGISTRY_BYTES: Final = 4 << 20
_MAX_PATH_BYTES: Final = 4_096


def working_folder(client_folder: Path, project: str) -> str | None:
    """Return the working folder of ``tmp/PROJECT``; None if nothing says which it is.

    Since February 2026 a file in the project's folder and a registry say it. Before, the name was a hash of the path,
    which is found again if the registry has the path under a newer name.
    """
    marker = _head(client_folder / "tmp" / project / ".project_root", _MAX_PATH_BYTES)
    path = marker.decode("utf-8", "replace").strip()
    if path:
        return path
    registry = decode_object(_head(client_folder / "projects.json", _MAX_REGISTRY_BYTES)) or {}
    for known, name in object_in(registry, "projects").items():
        if project in {name, hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()}:
            return known
    return None


def _head(path: Path, size: int) -> bytes:
    try:
        return read_head(path, size)
    except OSError:
        return b""
