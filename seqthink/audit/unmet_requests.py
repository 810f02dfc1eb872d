"""Says what a thought's configuration asked for and could not be done, one sentence each. Pure."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from seqthink.audit.config import ParsedConfig

_LOOP_SETTINGS = ("maxCycles", "candidates")


class AuditOutcome(Struct, frozen=True, kw_only=True):
    """What an audit could do, and what came of it."""

    has_workspace: bool
    can_sample: bool
    asks_models: bool = False
    """Whether the client's model was asked for anything."""
    is_judged: bool = True
    """Whether some judge gave a review."""
    has_ended: bool = True
    """Whether it was not cut off by its time limit, which is said elsewhere."""
    passes: bool = False
    """Whether the code passed as it came."""
    has_better_code: bool = False
    """Whether there is a proposed diff."""
    better_code_passes: bool = False
    rounds: int = 0
    tool_diff_count: int = 0
    """Most diffs that tools proposed in one round."""
    missing_tools: Mapping[str, str] = {}
    """Tools that are not installed, with their language."""
    tool_problems: tuple[str, ...] = ()
    """Why tools could not help, or their diffs were dropped."""


def unmet_requests(parsed: ParsedConfig, outcome: AuditOutcome) -> list[str]:
    """Return a sentence for each setting of the thought that had not the effect that it asks for."""
    asked = parsed.given_settings
    sentences = list[str]()
    if not outcome.has_workspace and "scope" in asked:
        sentences.append(f'scope "{parsed.config.scope}" was not looked at: there is no workspace.')
    if "paths" in asked and parsed.config.scope != "paths":
        sentences.append(f'paths were not looked at: the scope is "{parsed.config.scope}".')
    if not outcome.has_ended:
        return [*sentences, *_unfinished(parsed, outcome)]
    if "task" in asked and not outcome.asks_models:
        sentences.append("task had no effect: it is for models, and none was asked.")
    if not outcome.passes:
        sentences += _of_the_loop(parsed, outcome)
    if parsed.config.applyFixes and not outcome.has_better_code:
        sentences.append(f"applyFixes: there was nothing to apply, since {_why_nothing_is_better(outcome)}.")
    elif parsed.config.applyFixes and not outcome.has_workspace:
        sentences.append("applyFixes: the proposed diff was not applied, since there is no workspace.")
    return sentences


def _unfinished(parsed: ParsedConfig, outcome: AuditOutcome) -> Iterator[str]:
    wanted = [] if outcome.better_code_passes else _loop_settings(parsed)
    wanted += ["applyFixes"] if parsed.config.applyFixes else []
    if wanted:
        yield f"Not finished in time: {', '.join(wanted)}."


def _loop_settings(parsed: ParsedConfig) -> list[str]:
    """Return the settings that ask for more than one round or diff."""
    return [name for name in _LOOP_SETTINGS if name in parsed.given_settings and getattr(parsed.config, name) > 1]


def _why_nothing_is_better(outcome: AuditOutcome) -> str:
    if not outcome.is_judged:
        return "nothing was judged"
    return "the code passes" if outcome.passes else "nothing better was proposed"


def _of_the_loop(parsed: ParsedConfig, outcome: AuditOutcome) -> Iterator[str]:
    config = parsed.config
    wanted = _loop_settings(parsed)
    if not wanted and not config.applyFixes:
        return
    for tool, language in outcome.missing_tools.items():
        yield f"{tool} is not installed, which could repair {language}."
    yield from (f"{problem}." for problem in outcome.tool_problems)
    if outcome.rounds == 0:
        if wanted:
            yield f"{' and '.join(wanted)} had no effect: {_why_nothing_is_proposed(outcome)}."
        return
    if "candidates" in wanted and not outcome.can_sample and outcome.tool_diff_count < config.candidates:
        diffs = "1 diff" if outcome.tool_diff_count == 1 else f"{outcome.tool_diff_count} different diffs"
        yield f"candidates: {config.candidates} were asked for; tools proposed {diffs}, and no model can be asked."
    if "maxCycles" in wanted and outcome.rounds < config.maxCycles and not outcome.better_code_passes:
        yield f"maxCycles: after round {outcome.rounds} of {config.maxCycles} nothing further was proposed."


def _why_nothing_is_proposed(outcome: AuditOutcome) -> str:
    if not outcome.is_judged:
        return "nothing was judged"
    no_tool = "no tool here could repair what was found"
    return no_tool if outcome.can_sample else f"{no_tool}, and the client's model cannot be asked"
