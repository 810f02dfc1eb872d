"""Prompts on the SDK path: listed and filled in as the fast path does it."""

from collections.abc import Mapping
from typing import Any, cast

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least

from seqthink.dialogue.channel import Context
from seqthink.dialogue.protocol_versions import STATELESS_VERSION
from seqthink.server.prompts.prompt_requests import InvalidPromptRequestError, get_prompt
from seqthink.server.prompts.thinking_prompts import prompt_definitions

_LISTED = types.ListPromptsResult.model_validate({"prompts": prompt_definitions()})


async def list_prompts(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    """Return all prompts, in one page."""
    return _LISTED


async def answer_prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    """Return the prompt that was asked for.

    Raises:
        MCPError: there is no such prompt, or a required argument is missing.
    """
    result = get_checked_prompt({"name": params.name, "arguments": params.arguments})
    if is_version_at_least(context.protocol_version, STATELESS_VERSION):
        result["resultType"] = "complete"
    return cast("types.GetPromptResult", result)  # a plain dict saves validation and dump


def get_checked_prompt(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of `prompts/get`.

    Raises:
        MCPError: the request is invalid; the SDK itself would refuse some of these requests without a reason.
    """
    try:
        return get_prompt(params)
    except InvalidPromptRequestError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from error
