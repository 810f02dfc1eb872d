"""A program that serves a scene of the viewer as pages: `python -m tests.support.web.scene_server live-wide`."""

import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from seqthink.share.web.app import make_app
from seqthink.share.web.live.keys import key_of
from seqthink.share.web.serving import ServingOptions, listening_socket, serve_pages
from seqthink.share.web.settings import WebSettings
from tests.support.screens.scenes import SCENES, sessions_of


def main(name: str) -> int:
    """Serve until a signal. The link leads to the session of the scene."""
    with (
        tempfile.TemporaryDirectory() as home,
        sessions_of(SCENES[name], Path(home)) as (path, settings),
        listening_socket("127.0.0.1", 0) as listener,
    ):
        pages = WebSettings(
            catalog=settings.catalog, clock=settings.clock, zone=settings.zone, viewer_folder=settings.viewer_folder
        )
        first = f"/s/{quote(key_of(settings.catalog, path), safe='~')}" if path is not None else "/"
        return serve_pages(
            make_app(pages),
            listener,
            ServingOptions(path=first),
            lambda url: print(url, flush=True),  # noqa: T201 - the only line on stdout
            lambda sentence: print(sentence, file=sys.stderr, flush=True),  # noqa: T201 - as the command does
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
