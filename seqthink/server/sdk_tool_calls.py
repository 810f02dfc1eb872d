"""A call of a tool on the SDK's lane: recorded, and worked on where its answer needs the client or an audit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp_types.version import is_version_at_least

from seqthink.dialogue.channel import Context
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.elicitation import can_elicit
from seqthink.dialogue.protocol_versions import LOG_LEVEL, STATELESS_VERSION
from seqthink.server.agents import identify_caller
from seqthink.server.calls import Answer, Call
from seqthink.server.limit_question import ABANDONED_AFTER_SECONDS, LimitQuestions
from seqthink.server.protocol import includes_warnings, warning_params
from seqthink.server.recorder import ThoughtRecorder
from seqthink.server.tools import TOOL_NAMES

if TYPE_CHECKING:
    from seqthink.server.audit_hook import AuditHook

Result = dict[str, Any]


class ToolCallHandler:
    """Answers the calls of one server."""

    def __init__(self, thinking: ThoughtRecorder, clients: ClientSessions) -> None:
        self._thinking = thinking
        self._clients = clients
        self._going_on = LimitQuestions()
        self._auditing = _auditing(thinking)

    async def handle(self, context: Context, params: types.CallToolRequestParams) -> Result:
        """Return the result of a call, or of one that is repeated with answers."""
        repeated = await self._clients.resume(context, params)
        if repeated is not None:
            return repeated
        call = _call(context, params, self._clients.log_level)
        answer = self._thinking.record(call)
        limits = self._thinking.limit_of(call.agent.id)
        chain = limits.chain_number
        await _warn(context, answer)
        auditing = self._auditing if await self._holds_code(params, answer) else None
        if not answer.asks_user and auditing is None:
            return _result(context, answer)

        async def work(dialogue: Dialogue) -> Result:
            decided = answer
            if decided.asks_user:
                patience = (
                    ABANDONED_AFTER_SECONDS
                    if is_version_at_least(context.protocol_version, STATELESS_VERSION)
                    else None
                )
                decided = await self._going_on.ask(dialogue, limits, chain, decided, patience)
            if auditing is not None:
                decided = await auditing.add_audit(decided, params.arguments or {}, dialogue)
            return _result(context, decided)

        return await self._clients.answer(context, params, answer.seq, work)

    async def _holds_code(self, params: types.CallToolRequestParams, answer: Answer) -> bool:
        """Return whether a thought was accepted that is to be audited."""
        if self._auditing is None or answer.is_error or params.name not in TOOL_NAMES:
            return False
        return await self._auditing.needs_audit(params.arguments or {})


def _auditing(thinking: ThoughtRecorder) -> "AuditHook | None":
    if thinking.audit_options is None:
        return None
    from seqthink.server.audit_hook import AuditHook

    return AuditHook(thinking.audit_options, thinking.write, lambda: thinking.session)


async def _warn(context: Context, answer: Answer) -> None:
    """Send what the client's log is to be told before the answer, if anything."""
    if answer.warning:
        told = types.LoggingMessageNotificationParams.model_validate(warning_params(answer.warning))
        await context.session.send_notification(types.LoggingMessageNotification(params=told), context.request_id)


def _result(context: Context, answer: Answer) -> Result:
    marks = {"resultType": "complete"} if is_version_at_least(context.protocol_version, STATELESS_VERSION) else {}
    return answer.result() | marks


def _call(context: Context, params: types.CallToolRequestParams, log_level: str) -> Call:
    client = context.session.client_params
    meta: Mapping[str, Any] = context.meta or {}
    agent, call = identify_caller(meta)
    is_asked_once = is_version_at_least(context.protocol_version, STATELESS_VERSION)
    return Call(
        tool=params.name,
        arguments=params.arguments or {},
        agent=agent,
        id=call,
        client=client and {"name": client.client_info.name, "version": client.client_info.version},
        protocol_version=context.protocol_version,
        wants_warnings=includes_warnings(meta.get(LOG_LEVEL) if is_asked_once else log_level),
        can_elicit=can_elicit(context.session.client_capabilities),
    )
