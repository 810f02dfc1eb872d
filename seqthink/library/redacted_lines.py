"""Journals read without the secrets in their texts."""

from typing import Final

from seqthink.core.redaction import redact_event, redact_pieces
from seqthink.journal.decode import LineDecoder

decode_redacted: Final = LineDecoder(redact_event, redact_pieces)
"""Decodes lines into events whose secrets are replaced by their kinds."""
