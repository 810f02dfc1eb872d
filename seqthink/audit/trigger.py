"""Whether a thought is one to audit: it holds code, a diff, or a configuration for the audit. Pure."""

from seqthink.audit.code.blocks import CONFIG_LANGUAGE, code_blocks, fenced_blocks


def should_audit(thought: str) -> bool:
    """Return whether ``thought`` holds something that an audit can judge, or asks for one (gan-audit.md, "Heuristics").

    Prose about code is not enough, nor are lists with dashes or plus signs: only whole lines of a program, or what a
    diff begins with.
    """
    return any(fence.language == CONFIG_LANGUAGE for fence in fenced_blocks(thought)) or bool(code_blocks(thought))
