"""An MCP server for the tap's tests: it answers as the thoughts that it is sent say. Standard library only.

A thought `refuse` is refused, `fail` gets a JSON-RPC error, `ignore` no answer, `exit 3` ends the process at once;
`body {…}` is answered with that object, any other as the reference server does. `hold` is answered after the next call.
"""

import json
import os
import sys
from typing import Any

Message = dict[str, Any]


def _text(body: Any, **more: Any) -> Message:  # noqa: ANN401 - any JSON
    return {"content": [{"type": "text", "text": json.dumps(body) if isinstance(body, dict) else body}], **more}


def _answer(arguments: Message) -> Message | None:
    """Return `result` or `error` of the answer, or None for no answer."""
    thought = str(arguments.get("thought"))
    if thought.startswith("exit "):
        os._exit(int(thought.removeprefix("exit ")))
    if thought == "ignore":
        return None
    if thought == "fail":
        return {"error": {"code": -32602, "message": "no such thought"}}
    if thought == "refuse":
        return {"result": _text({"error": "I refuse", "status": "failed"}, isError=True)}
    if thought.startswith("body "):
        return {"result": _text(json.loads(thought.removeprefix("body ")))}
    number, total = arguments.get("thoughtNumber"), arguments.get("totalThoughts")
    if isinstance(number, int) and isinstance(total, int):
        total = max(number, total)
    return {"result": _text({"thoughtNumber": number, "totalThoughts": total})}


def _send(message: Message) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until stdin ends."""
    held: list[Message] = []
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message.get("method") == "initialize":
            info = {"name": "scripted", "version": "7"}
            _send({"id": message["id"], "result": {"protocolVersion": "2025-03-26", "serverInfo": info}})
        elif message.get("method") == "tools/call":
            arguments: Message = message["params"].get("arguments") or {}
            answer = _answer(arguments)
            if answer is None:
                continue
            if arguments.get("thought") == "hold":
                held.append({"id": message["id"], **answer})
                continue
            _send({"id": message["id"], **answer})
            while held:
                _send(held.pop())


if __name__ == "__main__":
    main()
