"""The rows of `seqthink sessions` for a fleet: from what its machines say of their sessions, no lines are read."""

from msgspec.structs import replace

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.cli.overview.listed_rows import FleetRow, ListedRow, RowRepository, shown_of
from seqthink.core.labels import NO_LABELS, labels_of_text
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe.session import ListedSession, cleaned_place
from seqthink.sources.fleet.mirror.folder import FleetFolder


def fleet_rows(folder: FleetFolder, host: str | None, *, is_redacted: bool) -> list[ListedRow]:
    """Return the rows of all sessions, newest first.

    Args:
        folder: the sessions, as they were at the last look.
        host: only those of the machine with this name, or of this installation; None for all.
        is_redacted: whether secrets are removed from what is shown.
    """
    rows: list[ListedRow] = []
    for file in folder.listed:
        name, listed = folder.name_of(file.path), folder.summary_of(file.path, STUCK_SECONDS)
        if name is None or listed is None:
            continue
        place = FleetRow(folder.host_of(file.path), name.origin)
        if host is None or host in place:
            shown = _redacted(listed) if is_redacted else listed
            card = folder.card_of(file.path)
            labels = labels_of_text(card.labels) if card is not None else NO_LABELS
            labels = labels.cleaned(_clean) if is_redacted else labels
            where = RowRepository(shown.place.repository, shown.place.address, shown.place.branch)
            row = ListedRow(file, shown_of(shown), shown.newest, shown, place, labels=labels, repository=where)
            rows.append(row)
    return rows


def _redacted(listed: ListedSession) -> ListedSession:
    return replace(
        listed,
        name=_clean(listed.name),
        title=_clean(listed.title),
        newest=_clean(listed.newest),
        place=cleaned_place(listed.place, _clean),
        standing=listed.standing._replace(question=_clean(listed.standing.question)),
    )


def _clean(text: str) -> SafeText:
    """Return a text without secrets."""
    from seqthink.core.redaction import redact_text  # loads the library of secret patterns

    return one_line(redact_text(text))
