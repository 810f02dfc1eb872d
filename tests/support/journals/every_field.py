"""A journal with a text in every field that a reader may see."""

from tests.support.journals.build import JournalBuilder


def journal_with(text: str) -> JournalBuilder:
    """Return a journal that has ``text`` wherever a client, an agent, a user or a judge puts words."""
    builder = JournalBuilder().session(title=f"title {text}", client=f"client {text}", cwd=f"/home/ana/{text}")
    builder.thought(f"first {text}", 1, 4)
    builder.thought(f"branched {text}", 2, 4, branch=f"branch {text}", from_=1, agent="a1")
    builder.thought(f"revised {text}", 2, 5, revises=1)
    revised = builder.seq
    builder.audit(revised, "fail", 40, summary=f"summary {text}", comments=[(f"path/{text}", 3, f"comment {text}")])
    builder.audit(revised, error=f"audit error {text}")
    said = [{"role": role, "content": {"type": "text", "text": f"{role} {text}"}} for role in ("user", "assistant")]
    builder.sample(revised, messages=said, model=f"model {text}", error=f"sample error {text}")
    builder.elicit(revised, content={f"key {text}": f"value {text}"}, messages=said)
    builder.context(f"item {text}", id=f"id {text}", tags=[f"tag-{text}"], of=revised)
    builder.context(f"stored {text}", id=f"other {text}", tags=[f"tag-{text}"])
    builder.note(f"note {text}", of=revised)
    builder.rejected(f"refused {text}", arguments={f"argument {text}": {"deep": [f"in {text}"]}})
    builder.event("agent", {"id": "a1", "name": f"agent {text}", "model": f"agent's model {text}"})
    builder.event("prompt", {"text": f"prompt {text}"})
    builder.event("reasoning", {"text": f"reasoning {text}", "model": f"native model {text}"})
    builder.event("remark", {"text": f"remark {text}"})
    builder.event("action", {"tool": f"tool {text}", "summary": f"done {text}"})
    builder.event("action", {"tool": f"tool {text}", "failed": True, "error": f"why {text}"})
    builder.event("turn", {"text": f"turn {text}"})
    builder.event("kind-of-tomorrow", {f"field {text}": f"unknown {text}"})
    builder.thought(f"last {text}", 3, 5, next=False)
    builder.asking(builder.seq, message=f"question {text}")
    return builder.end("error", error=f"end {text}")
