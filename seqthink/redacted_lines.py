"""Journals read without the secrets in their texts."""

from typing import Final

from seqthink.journal.decode import LineDecoder
from seqthink.redaction import redact_event, redact_pieces

decode_redacted: Final = LineDecoder(redact_event, redact_pieces)
"""Decodes lines into events whose secrets are replaced by their kinds."""
