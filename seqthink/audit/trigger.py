"""Decides whether a thought is audited. Pure."""

from seqthink.audit.code.blocks import CONFIG_LANGUAGE, code_blocks, fenced_blocks


def should_audit(thought: str) -> bool:
    """Return whether ``thought`` contains code, a diff or an audit configuration.

    Prose about code is not enough, nor are lists with dashes or plus signs: it takes whole lines of a program, or the
    beginning of a diff (docs/audit.md, "When a thought is audited").
    """
    return any(fence.language == CONFIG_LANGUAGE for fence in fenced_blocks(thought)) or bool(code_blocks(thought))
