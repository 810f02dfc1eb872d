"""The places of this machine that the user's sources name: the folder of journals, and other programs' sessions."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.core import system
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.place import Place
from seqthink.sources.transcripts.budget import budget_of
from seqthink.sources.transcripts.registry import JOURNAL, transcript_names

if TYPE_CHECKING:
    from seqthink.library.places.transcripts import TranscriptPlace
    from seqthink.sources.transcripts.budget import Budget


def places_of_this_machine(
    folder: Path,
    sources: frozenset[str],
    budget: "Budget | None" = None,
    *,
    has_named: bool = False,
    viewer_folder: Path | None = None,
) -> list[Place]:
    """Return the places of ``sources``, whose names are those of `seqthink.sources.transcripts.registry`.

    Args:
        folder: where journals are.
        sources: whose sessions are wanted.
        budget: how much reading transcripts may cost; None for what the environment says.
        has_named: whether the user names a session, which may be another program's: then there is a place to adopt it.
        viewer_folder: where a viewer keeps the newest sessions of other programs, to begin with.
    """
    places: list[Place] = [FolderPlace(folder)] if JOURNAL in sources else []
    if has_named or sources & frozenset(transcript_names()):
        places.append(transcript_place(sources, budget, viewer_folder))
    return places


def transcript_place(
    sources: frozenset[str], budget: "Budget | None" = None, viewer_folder: Path | None = None
) -> "TranscriptPlace":
    """Return the sessions of those other programs that are among ``sources``; it may be none of them.

    Without a ``budget``, reading them may cost what the environment says.
    """
    from seqthink.library.places.transcripts import TranscriptPlace  # noqa: PLC0415 - takes time to load

    clients = sources & frozenset(transcript_names())
    return TranscriptPlace(
        clients,
        os.environ,
        system.home_folder(),
        lambda: time.time_ns() // 1000,
        budget or budget_of(os.environ),
        viewer_folder,
    )
