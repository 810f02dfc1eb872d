"""When a thought begins another problem (docs/journal.md, "Chains"): one rule for the fold and the server's limit.

Standard library only: the server applies it between a call and its answer, and knows little of earlier thoughts.
"""

from collections.abc import Callable


def begins_problem(
    *, is_on_branch: bool, names_fork: bool, has_trunk: bool, branch_has_first: Callable[[], bool | None]
) -> bool:
    """Return whether a thought numbered 1, neither a revision nor a retry, begins another problem of its agent.

    Args:
        is_on_branch: whether it names a branch, or a thought that it branches from.
        names_fork: whether it names a thought that it branches from.
        has_trunk: whether the agent's current problem has thoughts on no branch.
        branch_has_first: returns whether the thought's branch has a thought numbered 1; None: there is no such branch.
    """
    if has_trunk or not is_on_branch:
        return has_trunk and not is_on_branch
    known = branch_has_first()
    return known if known is not None else not names_fork
