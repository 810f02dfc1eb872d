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
from seqthink.server.agents import caller
from seqthink.server.calls import Answer, Call
from seqthink.server.going_on import GIVEN_UP, GoingOn
from seqthink.server.protocol import hears_warnings, warning
from seqthink.server.thinking import Thinking
from seqthink.server.tools import ALIASES

if TYPE_CHECKING:
    from seqthink.server.auditing import Auditing

Result = dict[str, Any]


class Caller:
    """Answers the calls of one server."""

    def __init__(self, thinking: Thinking, clients: ClientSessions) -> None:
        self._thinking = thinking
        self._clients = clients
        self._going_on = GoingOn()
        self._auditing = _auditing(thinking)

    async def call(self, context: Context, params: types.CallToolRequestParams) -> Result:
        """Return the result of a call, or of one that is repeated with answers."""
        repeated = await self._clients.resume(context, params)
        if repeated is not None:
            return repeated
        call = _call(context, params, self._clients.log_level)
        answer = self._thinking.record(call)
        limits = self._thinking.limits(call.agent.id)
        chain = limits.chain
        await _warn(context, answer)
        auditing = self._auditing if await self._holds_code(params, answer) else None
        if not answer.asks and auditing is None:
            return _result(context, answer)

        async def work(dialogue: Dialogue) -> Result:
            decided = answer
            if decided.asks:
                patience = GIVEN_UP if is_version_at_least(context.protocol_version, STATELESS_VERSION) else None
                decided = await self._going_on.ask(dialogue, limits, chain, decided, patience)
            if auditing is not None:
                decided = await auditing.audited(decided, params.arguments or {}, dialogue)
            return _result(context, decided)

        return await self._clients.answer(context, params, answer.seq, work)

    async def _holds_code(self, params: types.CallToolRequestParams, answer: Answer) -> bool:
        """Return whether a thought was accepted that is to be audited."""
        if self._auditing is None or answer.is_error or params.name not in ALIASES:
            return False
        return await self._auditing.wants(params.arguments or {})


def _auditing(thinking: Thinking) -> "Auditing | None":
    if thinking.audits is None:
        return None
    from seqthink.server.auditing import Auditing

    return Auditing(thinking.audits, thinking.write, lambda: thinking.session)


async def _warn(context: Context, answer: Answer) -> None:
    """Send what the client's log is to be told before the answer, if anything."""
    if answer.warning:
        told = types.LoggingMessageNotificationParams.model_validate(warning(answer.warning))
        await context.session.send_notification(types.LoggingMessageNotification(params=told), context.request_id)


def _result(context: Context, answer: Answer) -> Result:
    marks = {"resultType": "complete"} if is_version_at_least(context.protocol_version, STATELESS_VERSION) else {}
    return answer.result() | marks


def _call(context: Context, params: types.CallToolRequestParams, log_level: str) -> Call:
    client = context.session.client_params
    meta: Mapping[str, Any] = context.meta or {}
    agent, call = caller(meta)
    is_asked_once = is_version_at_least(context.protocol_version, STATELESS_VERSION)
    return Call(
        tool=params.name,
        arguments=params.arguments or {},
        agent=agent,
        id=call,
        client=client and {"name": client.client_info.name, "version": client.client_info.version},
        protocol=context.protocol_version,
        hears_warnings=hears_warnings(meta.get(LOG_LEVEL) if is_asked_once else log_level),
        can_ask=can_elicit(context.session.client_capabilities),
    )
