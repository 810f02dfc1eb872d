"""Which texts name a branch: its id as a word of its own, and no ordinary prose."""

import pytest

from seqthink.chain.returns.naming import MAX_ID_CHARS, BranchName


@pytest.mark.parametrize(
    ("branch_id", "text"),
    [
        ("cron-job", "cron-job"),
        ("cron-job", "starved by the report job on branch\ncron-job. So:"),
        ("cron-job", "Cron-job's pool"),
        ("cron-job", "(cron-job): yes"),
        ("cron-job", "**cron-job**, then"),
        ("cron-job", "「cron-job」"),
        ("cron-job", "分支cron-job是对的"),
        ("cron-job", "cron-jobs, and then cron-job"),
        ("feature/pool.v2", "take feature/pool.v2."),
        ("useCache", "with useCache we save"),
        ("_draft", "see _draft"),
        ("v2", "v2 it is"),
        ("Approach", "the `Approach`"),
        ("the", "the `the` branch"),
        ("a", '"a" was right'),
        ("a", "what ‘a’ found"),
        ("A", "Option A wins"),
        ("1", "option 1"),
        ("1", "branch: 1"),
        ("1", "'1'"),
        ("main", "on branch main"),
        ("main", "the main branch"),
        ("DNS", "the DNS path is closed"),
        ("test", "Approach test"),
        ("缓存", "分支“缓存”"),
        ("Option B", "so option  B it is"),
        ("use redis", "the branch use\nredis"),
        ("use redis", "`use redis`"),
        ("(x", "branch (x"),
        ("a.*b", "`a.*b`"),
        ("[", "branch ["),
        ("\\d+", "branch \\d+"),
    ],
)
def test_a_text_names_a_branch(branch_id: str, text: str) -> None:
    assert BranchName(branch_id).is_named_in(text)


@pytest.mark.parametrize(
    ("branch_id", "text"),
    [
        ("cron-job", "cron-jobs"),
        ("cron-job", "the cron job"),
        ("cron-job", "CRON-JOB"),
        ("cron-job", "cron-job-2"),
        ("cron-job", "my-cron-job"),
        ("cron-job", "jobs/cron-job"),
        ("cron-job", "cron-job.py"),
        ("cron-job", "cron-job/run"),
        ("cron-job", "café-cron-job"),
        ("cron-job", "cron-jobé"),
        ("the", "the path of the branch, the option"),
        ("the", "we approach the cache"),
        ("a", "a branch, a path"),
        ("a", "an option a user has"),
        ("A", "A branch opens. A better one: A"),
        ("i", "which approach I took"),
        ("1", "thought 1, 1 option, 10, 1.5, branch 1.5"),
        ("1", "option 12"),
        ("main", "the main cause is in main.py"),
        ("main", "branch maintenance"),
        ("DNS", "DNS is fine"),
        ("test", "we test it, and the tests of the branch"),
        ("another", "another branch"),
        ("e.g.", "e.g. a branch"),
        ("and/or", "and/or so"),
        ("3.5", "it took 3.5 s"),
        ("2024-01-01", "since 2024-01-01"),
        ("the pool", "the pool is idle"),
        ("the path", "the path is long"),
        ("a.*b", "branch axxb"),
        ("don", "I don't, branch `don"),
        ("", "branch "),
        (" \n", "branch \n"),
        ("x" * (MAX_ID_CHARS + 1), "`" + "x" * (MAX_ID_CHARS + 1) + "`"),
    ],
)
def test_a_text_does_not_name_a_branch(branch_id: str, text: str) -> None:
    assert not BranchName(branch_id).is_named_in(text)
