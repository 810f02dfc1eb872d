"""The GIF of a recording: what agg is given, and what is made of its answer."""

import json
from pathlib import Path

import pytest

from seqthink.core.errors import UsageError
from seqthink.share.recordings.gif import gif
from tests.support.screens.recordings import small_recording

DRAWS = """#!/bin/sh
printf '%s\\n' "$@" > "$0.arguments"
for last; do before="$cast"; cast="$last"; done
cp "$before" "$0.cast"
printf 'GIF89a' > "$cast"
"""


@pytest.fixture
def agg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where a program called agg is looked for first."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path / "agg"


def install(program: Path, script: str) -> None:
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)


def test_agg_draws_the_cast_and_cuts_no_pause_again(agg: Path) -> None:
    install(agg, DRAWS)
    picture = b"".join(gif(small_recording()))
    options = agg.with_name("agg.arguments").read_text("utf-8").splitlines()[:-2]

    assert picture == b"GIF89a"
    assert options == ["--idle-time-limit", "6.500", "--last-frame-duration", "4"]
    assert json.loads(agg.with_name("agg.cast").read_text("utf-8").splitlines()[0])["version"] == 2


def test_without_agg_the_user_learns_where_it_is_and_what_to_choose_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(UsageError, match=r"agg, which is not on PATH; install it .*, or choose --format cast"):
        next(gif(small_recording()))


def test_what_agg_says_when_it_fails_is_passed_on_as_one_safe_line(agg: Path) -> None:
    install(agg, "#!/bin/sh\nprintf 'no font\\n\\033[31mhere' >&2\nexit 3\n")

    with pytest.raises(UsageError) as caught:
        next(gif(small_recording()))

    assert str(caught.value).startswith("agg drew no GIF: it ended with status 3: no font")
    assert str(caught.value).isprintable()
