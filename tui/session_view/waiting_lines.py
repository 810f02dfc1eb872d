"""What the screen shows before there is a session on it: what is waited for, and how a client is connected."""

from pathlib import Path

from seqthink.core.text import one_line
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.drawing.text.wrap import wrap
from seqthink.library.places.place import short_path
from tui.session_view.status_bars import name_of_transcript
from tui.session_view.view_state import ViewState
from tui.settings import Settings

_STARTING_SENTENCE = "The agent is starting: its first thought shows up here."
_NO_SOURCE_SENTENCE = "Nothing is looked for, since --sources says none. Name a session, or other sources."


def waiting_lines(view_state: ViewState, settings: Settings, width: int, height: int) -> list[Spans]:
    """Return the lines of a screen of ``height`` rows without a session; [] while one is being opened."""
    path = view_state.feed.path
    if name_of_transcript(view_state, settings) or not view_state.feed.is_empty:
        return []
    sentence, left_out = _sentence(path, settings), _left_out(settings)
    if sentence:
        lines: list[Spans] = [[], *([Span(f" {line}", Role.MUTED)] for line in wrap(sentence, width - 2)), []]
        if left_out and path is None:
            lines += [*([Span(f" {line}", Role.WARN)] for line in wrap(left_out, width - 2)), []]
        return [*lines, [Span(" q", Role.ACCENT), Span(" quit", Role.MUTED)]]
    from seqthink.drawing.panels.welcome_screen import welcome_lines  # noqa: PLC0415 - not needed with a session
    from tui.state.connect_choices import CONNECT_CHOICES, connect_command  # noqa: PLC0415 - the same

    return welcome_lines(
        cells=width,
        rows=height,
        choices=CONNECT_CHOICES,
        chosen=view_state.connect_index,
        command=connect_command(settings.connect, view_state.connect_index),
        folder=short_path(settings.folder),
        places=[(label, short_path(folder)) for label, folder in settings.catalog.clients],
        newest_session=view_state.folder.last_session,
        signs=settings.signs,
        status_message="" if view_state.status_message == left_out else view_state.status_message,
        left_out=left_out,
    )


def _left_out(settings: Settings) -> str:
    """Return what of other programs' sessions cannot be read, or is not listed yet, in words."""
    catalog = settings.catalog
    return one_line("; ".join(catalog.left_out_of_programs) or ("" if catalog.is_listed else catalog.unlisted))


def _sentence(path: Path | None, settings: Settings) -> str:
    """Return what is waited for, where that is not the first session of all; else ""."""
    catalog = settings.catalog
    session, place = catalog.session(path), catalog.place_of(path)
    if path is not None and place.report.is_reached:
        name = short_path(path) if place.is_local else session.name or one_line(path.stem)
        machine = f" on {session.machine}" if session.machine else ""
        return f"No thought in {name}{machine} yet: the first one shows up here."
    if settings.demo is not None:
        return _STARTING_SENTENCE
    return catalog.waiting_sentence if catalog.places else _NO_SOURCE_SENTENCE
