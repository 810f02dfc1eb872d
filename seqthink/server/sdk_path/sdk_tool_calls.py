"""Tool calls on the SDK path: recorded, then completed by questions to the user or by an audit where needed."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp_types.version import is_version_at_least

from seqthink.dialogue.channel import Context
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.elicitation import can_elicit
from seqthink.dialogue.protocol_versions import LOG_LEVEL_KEY, STATELESS_VERSION
from seqthink.server.recording.calls import Answer, Call
from seqthink.server.recording.recorder import ThoughtRecorder
from seqthink.server.sdk_path.limit_question import ABANDONED_AFTER_SECONDS, LimitQuestions
from seqthink.server.tools.agents import identify_caller
from seqthink.server.tools.thinking_tool import TOOL_NAMES
from seqthink.server.wire.protocol import includes_warnings, warning_params

if TYPE_CHECKING:  # loaded with audits only
    from seqthink.server.sdk_path.audit_hook import AuditHook

Result = dict[str, Any]

ARGUMENTS_TEXT: Final[ContextVar[str | None]] = ContextVar("ARGUMENTS_TEXT", default=None)
"""The arguments of the request being served, if the client sent them as a string: the SDK passes on objects only."""


class ToolCallHandler:
    """Answers the tool calls of one server."""

    def __init__(
        self, recorder: ThoughtRecorder, clients: ClientSessions, audit_hook: "AuditHook | None" = None
    ) -> None:
        self._recorder = recorder
        self._clients = clients
        self._limit_questions = LimitQuestions()
        self._audit_hook = audit_hook

    async def handle(self, context: Context, params: types.CallToolRequestParams) -> Result:
        """Return the result of a call, or of a call repeated with the answers to the server's questions."""
        repeated_result = await self._clients.resume(context, params)
        if repeated_result is not None:
            return repeated_result
        call = _make_call(context, params, self._clients.log_level)
        answer = self._recorder.record(call)
        limit = self._recorder.limit_of(call.agent.id)
        chain_number = limit.chain_number
        await _send_warning(context, answer)
        audit_hook = self._audit_hook if await self._needs_audit(params, answer) else None
        if not answer.asks_user and audit_hook is None:
            return _result(context, answer)

        thought: Mapping[str, Any] = answer.draft.fields if answer.draft else {}

        async def work(dialogue: Dialogue) -> Result:
            decided = answer
            if decided.asks_user:
                patience = (
                    ABANDONED_AFTER_SECONDS
                    if is_version_at_least(context.protocol_version, STATELESS_VERSION)
                    else None
                )
                decided = await self._limit_questions.ask(dialogue, limit, chain_number, decided, patience)
            if audit_hook is not None:
                decided = await audit_hook.add_audit(decided, thought, dialogue)
            return _result(context, decided)

        return await self._clients.answer(context, params, answer.seq, work)

    async def _needs_audit(self, params: types.CallToolRequestParams, answer: Answer) -> bool:
        """Return whether the call is an accepted thought that must be audited."""
        if self._audit_hook is None or answer.is_error or params.name not in TOOL_NAMES:
            return False
        return await self._audit_hook.needs_audit(params.arguments or {})


async def _send_warning(context: Context, answer: Answer) -> None:
    """Send the answer's warning to the client's log, if there is one."""
    if answer.warning:
        params = types.LoggingMessageNotificationParams.model_validate(warning_params(answer.warning))
        await context.session.send_notification(types.LoggingMessageNotification(params=params), context.request_id)


def _result(context: Context, answer: Answer) -> Result:
    extra = {"resultType": "complete"} if is_version_at_least(context.protocol_version, STATELESS_VERSION) else {}
    return answer.result() | extra


def _make_call(context: Context, params: types.CallToolRequestParams, log_level: str) -> Call:
    client = context.session.client_params
    meta: Mapping[str, Any] = context.meta or {}
    agent, call_id = identify_caller(meta)
    is_stateless = is_version_at_least(context.protocol_version, STATELESS_VERSION)
    return Call(
        tool=params.name,
        arguments=ARGUMENTS_TEXT.get() or params.arguments or {},
        agent=agent,
        id=call_id,
        client=client and {"name": client.client_info.name, "version": client.client_info.version},
        protocol_version=context.protocol_version,
        wants_warnings=includes_warnings(meta.get(LOG_LEVEL_KEY) if is_stateless else log_level),
        can_elicit=can_elicit(context.session.client_capabilities),
    )
