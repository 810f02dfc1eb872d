"""What is not shown of a session's journal and its transcripts, in words: damaged lines, those of newer versions."""

from seqthink.chain.session import Session
from seqthink.drawing.describe.units import count


def corrupt_lines(session: Session) -> int:
    """Return how many lines of the journal itself could not be read."""
    return session.corrupt_count - session.native.skipped_records.corrupt


def unread_phrases(session: Session) -> list[str]:
    """Return a phrase for each kind of line, and of a transcript's record, that is left out."""
    lines, newer_lines = corrupt_lines(session), _newer_lines(session)
    corrupt, unknown = session.native.skipped_records
    phrases = {
        f"{count(lines, 'line')} could not be read": lines,
        f"{count(corrupt, 'record')} of the transcript could not be read": corrupt,
        f"{count(newer_lines, 'line')} of a newer version left out": newer_lines,
        f"{count(unknown, 'record')} of a newer client left out": unknown,
    }
    return [phrase for phrase, number in phrases.items() if number]


def unread_sentences(session: Session) -> list[str]:
    """Return the same as sentences, without those about damaged lines: a command names each of them."""
    lines = _newer_lines(session)
    corrupt, unknown = session.native.skipped_records
    sentences = {
        f"{count(corrupt, 'record')} of the transcript could not be read": corrupt,
        f"{count(lines, 'line')} that a newer version wrote {_were(lines)} skipped": lines,
        f"{count(unknown, 'record')} that a newer client wrote {_were(unknown)} skipped": unknown,
    }
    return [sentence for sentence, number in sentences.items() if number]


def short_unread(session: Session) -> list[str]:
    """Return the same for a status line: ``2 lines corrupt``."""
    noun = "record" if session.native.skipped_records.corrupt and not corrupt_lines(session) else "line"
    corrupt = [f"{count(session.corrupt_count, noun)} corrupt"] if session.corrupt_count else []
    noun = "line" if _newer_lines(session) else "record"
    return corrupt + ([f"{count(session.unknown_count, noun)} unknown"] if session.unknown_count else [])


def _newer_lines(session: Session) -> int:
    return session.unknown_count - session.native.skipped_records.unknown


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
