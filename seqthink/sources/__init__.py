"""Sessions that others write: transcripts of other clients, and journals of other machines.

What ``__all__`` names is the interface for packages that bring a source (docs/sources/adding-a-source.md). Each name is
loaded when it is first used: a description must cost nothing until its sessions are read.
"""

TYPE_CHECKING = False  # as in `seqthink`
if TYPE_CHECKING:
    from seqthink.sources.transcripts.budget import Budget
    from seqthink.sources.transcripts.counts import ReadCounts
    from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription
    from seqthink.sources.transcripts.facts import (
        AgentStarted,
        Compacted,
        ContextUsed,
        Fact,
        FileEdit,
        Prompt,
        Reasoning,
        Remark,
        Result,
        Resumed,
        Rewound,
        SessionDescribed,
        ToolCall,
        TurnEnded,
    )
    from seqthink.sources.transcripts.files.damaged_lines import whole_records
    from seqthink.sources.transcripts.files.json_lines import (
        bounded_id,
        decode_object,
        microseconds_of_number,
        microseconds_of_text,
    )
    from seqthink.sources.transcripts.files.jsonl_feed import (
        JsonlFeed,
        LineReader,
        OneFile,
        SessionFiles,
        TranscriptFile,
    )
    from seqthink.sources.transcripts.files.listing import ListedFile, list_files, list_folders
    from seqthink.sources.transcripts.files.tail import open_own_file, read_head
    from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession, SessionFeed, Source

_TRANSCRIPTS = "seqthink.sources.transcripts"
_FACTS = f"{_TRANSCRIPTS}.facts"
_JSON_LINES = f"{_TRANSCRIPTS}.files.json_lines"
_JSONL_FEED = f"{_TRANSCRIPTS}.files.jsonl_feed"
_LISTING = f"{_TRANSCRIPTS}.files.listing"
_SOURCE = f"{_TRANSCRIPTS}.source"
_MODULES = {
    "AgentStarted": _FACTS,
    "Budget": f"{_TRANSCRIPTS}.budget",
    "ClientProcess": _SOURCE,
    "Compacted": _FACTS,
    "ContextUsed": _FACTS,
    "Fact": _FACTS,
    "FactBatch": _SOURCE,
    "FileEdit": _FACTS,
    "FoundSession": _SOURCE,
    "JsonlFeed": _JSONL_FEED,
    "LineReader": _JSONL_FEED,
    "ListedFile": _LISTING,
    "OneFile": _JSONL_FEED,
    "Prompt": _FACTS,
    "ReadCounts": f"{_TRANSCRIPTS}.counts",
    "ReadingTerms": f"{_TRANSCRIPTS}.description",
    "Reasoning": _FACTS,
    "Remark": _FACTS,
    "Result": _FACTS,
    "Resumed": _FACTS,
    "Rewound": _FACTS,
    "SessionDescribed": _FACTS,
    "SessionFeed": _SOURCE,
    "SessionFiles": _JSONL_FEED,
    "Source": _SOURCE,
    "SourceDescription": f"{_TRANSCRIPTS}.description",
    "ToolCall": _FACTS,
    "TranscriptFile": _JSONL_FEED,
    "TurnEnded": _FACTS,
    "bounded_id": _JSON_LINES,
    "decode_object": _JSON_LINES,
    "list_files": _LISTING,
    "list_folders": _LISTING,
    "microseconds_of_number": _JSON_LINES,
    "microseconds_of_text": _JSON_LINES,
    "open_own_file": f"{_TRANSCRIPTS}.files.tail",
    "read_head": f"{_TRANSCRIPTS}.files.tail",
    "whole_records": f"{_TRANSCRIPTS}.files.damaged_lines",
}
__all__ = [
    "AgentStarted",
    "Budget",
    "ClientProcess",
    "Compacted",
    "ContextUsed",
    "Fact",
    "FactBatch",
    "FileEdit",
    "FoundSession",
    "JsonlFeed",
    "LineReader",
    "ListedFile",
    "OneFile",
    "Prompt",
    "ReadCounts",
    "ReadingTerms",
    "Reasoning",
    "Remark",
    "Result",
    "Resumed",
    "Rewound",
    "SessionDescribed",
    "SessionFeed",
    "SessionFiles",
    "Source",
    "SourceDescription",
    "ToolCall",
    "TranscriptFile",
    "TurnEnded",
    "bounded_id",
    "decode_object",
    "list_files",
    "list_folders",
    "microseconds_of_number",
    "microseconds_of_text",
    "open_own_file",
    "read_head",
    "whole_records",
]


if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        module = _MODULES.get(name)
        if module is None:
            raise AttributeError(f"module 'seqthink.sources' has no attribute {name!r}")
        import importlib  # noqa: PLC0415 - not needed until a source is loaded

        value = globals()[name] = getattr(importlib.import_module(module), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
