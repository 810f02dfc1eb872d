"""Serves handshake versions and stateless versions of MCP on one connection, decided for each request.

A request with the `_meta` of a stateless version (2026-07-28) is served on its own. Any other belongs to the connection
that `initialize` opens. The SDK's own loop decides once per connection and then refuses the other kind, which breaks
clients that send `initialize` after a successful `server/discover`.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

import mcp_types as types
from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.lowlevel.server import Server
from mcp.server.runner import ServerRunner, serve_one
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext

from seqthink.core.arguments import InvalidArguments, read_arguments
from seqthink.dialogue.input_responses import wrap_malformed
from seqthink.server.sdk_path.sdk_prompts import get_checked_prompt
from seqthink.server.sdk_path.sdk_tool_calls import ARGUMENTS_TEXT
from seqthink.server.wire.protocol import Handshake, is_stateless

Params = Mapping[str, Any]
RefuseCall = Callable[[str, Any, object], str]
"""Journals a call whose arguments are not an object (tool, arguments, `_meta`), and returns the error."""


_SERVED_BEFORE_INITIALIZE = frozenset({"tools/call", "tools/list", "prompts/list", "prompts/get", "logging/setLevel"})


class VersionRouter:
    """Passes each request to the SDK in the way its version needs."""

    def __init__(
        self,
        server: Server[Any],
        dispatcher: JSONRPCDispatcher[TransportContext],
        handshake: Handshake,
        refuse_call: RefuseCall,
    ) -> None:
        self._server = server
        self._refuse_call = refuse_call
        self._connection = _restore_connection(dispatcher, handshake)
        self._outbound = NotifyOnlyOutbound(dispatcher)
        self._runner = ServerRunner(server, self._connection, {})

    async def on_request(
        self, context: DispatchContext[TransportContext], method: str, params: Params | None
    ) -> dict[str, Any]:
        """Return the result of a request."""
        if method == "tools/call":
            params = _with_readable_answers(self._with_arguments(params or {}))
        if method == "prompts/get":
            get_checked_prompt(params or {})
        if method != "initialize" and is_stateless(params):
            return await self._serve_stateless(context, method, params)
        if method != "initialize" and self._server.get_request_handler(method) is None:
            # The SDK would validate the parameters before it notices that the method is unknown.
            raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=method)
        if method in _SERVED_BEFORE_INITIALIZE:
            # The reference server too answers tool requests before `initialize`.
            self._connection.initialized.set()
        return await self._runner.on_request(context, method, params)

    async def on_notify(self, context: DispatchContext[TransportContext], method: str, params: Params | None) -> None:
        """Handle a notification."""
        await self._runner.on_notify(context, method, params)

    async def _serve_stateless(
        self, context: DispatchContext[TransportContext], method: str, params: Params | None
    ) -> dict[str, Any]:
        route = classify_inbound_request({"method": method, "params": params})
        if isinstance(route, InboundLadderRejection):
            raise MCPError(code=route.code, message=route.message, data=route.data)
        connection = Connection.from_envelope(
            route.protocol_version, route.client_info, route.client_capabilities, outbound=self._outbound
        )
        return await serve_one(self._server, context, method, params, connection=connection, lifespan_state={})

    def _with_arguments(self, params: Params) -> Params:
        """Return the parameters of a call with its arguments as an object, which is all that the SDK takes.

        Raises:
            MCPError: the name is not a string, or there is no such object. The SDK would refuse without a reason, and
                nothing would be journaled.
        """
        name = params.get("name")
        if not isinstance(name, str):
            raise MCPError(code=types.INVALID_PARAMS, message="Invalid params: `name` must be a string")
        arguments = params.get("arguments", {})
        given = read_arguments(arguments)
        if isinstance(given, InvalidArguments):
            error = self._refuse_call(name, arguments, params.get("_meta"))
            raise MCPError(code=types.INVALID_PARAMS, message=error)
        ARGUMENTS_TEXT.set(arguments if given.is_from_text else None)
        return {**params, "arguments": given.fields} if given.is_from_text else params


def _with_readable_answers(params: Params) -> Params:
    answers = params.get("inputResponses")
    if answers is None:
        return params
    if not isinstance(answers, dict):
        raise MCPError(code=types.INVALID_PARAMS, message="Invalid params: `inputResponses` must be an object")
    return {**params, "inputResponses": wrap_malformed(cast("dict[str, Any]", answers))}


def _restore_connection(dispatcher: JSONRPCDispatcher[TransportContext], handshake: Handshake) -> Connection:
    """Return an SDK connection in the state of ``handshake``."""
    connection = Connection.for_loop(dispatcher)
    if handshake.params is not None:
        connection.client_params = types.InitializeRequestParams.model_validate(handshake.params, by_name=False)
        connection.protocol_version = handshake.protocol_version
    if handshake.is_initialized:
        connection.initialized.set()
    return connection
