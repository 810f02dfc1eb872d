"""`seqthink why`: finds the thought behind a line of code, a function or a commit."""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from seqthink.cli.common import (
    CommandParser,
    decoder_for,
    drawing_signs,
    drawing_width,
    is_terminal,
    output,
    print_stderr,
    shell_command,
)
from seqthink.cli.option_values import folder_path, journal_folder, require_folder, since
from seqthink.cli.preferences import preferences_of
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.sources.transcripts.registry import JOURNAL

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.cli.overview.repository_git import OpenRepository
    from seqthink.cli.overview.why_page import SessionWords
    from seqthink.cli.overview.why_sessions import SearchedSessions
    from seqthink.library.why.answers import LineAnswer
    from seqthink.library.why.asked_lines import AskedFile
    from seqthink.library.why.attribution import Attribution, Commit

NOTHING_FOUND = 1
"""Exit status when nothing was found."""
BAD_REQUEST = 2
MAX_DEFINITIONS = 20
_PAGER = "less"


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "why",
        "seqthink why shop/db.py:41",
        "seqthink why shop/db.py:41-60 -p",
        "seqthink why HEAD~1 --open",
        notes="Each answer says how sure it is: `same text`, `same lines`, `only the same file`, `only the same "
        "minutes`. The first run reads all sessions; later ones read what has changed. Exit status 1: nothing found.",
    )
    parser.add_argument(
        "asked",
        metavar="FILE[:LINE[-LINE]]|COMMIT|FUNCTION",
        help="a file, lines of it, a commit, or the name of a function",
    )
    parser.add_argument("-p", "--pager", action="store_true", help="show all of each text, in $PAGER on a terminal")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for editors")
    parser.add_argument("--open", action="store_true", help="open the viewer at the thought behind the surest answer")
    parser.add_argument(
        "--repo", type=folder_path, metavar="D", help="look in this folder (default: the working folder)"
    )
    parser.add_argument(
        "--since", type=since, metavar="AGE|DATE", help="only edits since then: 12h, 7d, 8w, 2026-11-20"
    )
    parser.add_sources("search")
    parser.add_drawing()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Print where lines come from; return 1 if that is not known of any of them."""
    options = make_parser().parse_args(arguments)
    with ExitStack() as stack:
        answer = _Question(options, stack).answer()
    if isinstance(answer, int):
        return answer
    from seqthink.cli import replay  # only for --open

    return replay.run(answer)


class _Searched(NamedTuple):
    """What was found, and what it was found with."""

    answers: "list[LineAnswer]"
    commits: "dict[str, Commit]"
    texts: dict[int, str]
    """The text of the line that an answer is about, if it is only one."""


class _Question:
    """One question and its answer."""

    def __init__(self, options: argparse.Namespace, stack: ExitStack) -> None:
        self._options, self._stack = options, stack
        self._folder = _existing_folder(options.repo)
        self._now = datetime.now(UTC)  # noqa: TID251 - the edge reads the clock

    def answer(self) -> int | list[str]:
        """Print the answer, and return the exit status, or how `seqthink replay` opens it."""
        from seqthink.library.why.asked_lines import ask_commit, ask_file, existing_file
        from seqthink.library.why.questions import place_in

        asked = self._options.asked
        path, place = existing_file(self._folder, asked), None
        if path is None and (place := place_in(asked)) is not None:
            path = existing_file(self._folder, place.path)
            if path is None:
                raise UsageError(f"why: {one_line(place.path)}: no such file in {self._folder}")
        repository = self._repository_of(path.parent if path is not None else self._folder)
        if path is not None:
            first, last = (place.first, place.last) if place is not None else (0, 0)
            return self._answered(repository, [ask_file(repository, path, first, last, print_stderr)])
        if repository is None:
            raise UsageError(f"why: {one_line(asked)}: no such file; a commit or a function needs a git repository")
        commit = repository.lines.commit(asked)
        if commit is not None and not self._names_function(repository, asked):
            return self._answered(repository, ask_commit(repository, commit))
        return self._function(repository, asked)

    def _repository_of(self, folder: Path) -> "OpenRepository | None":
        if not system.HAS_POSIX_FILES:  # what keeps it from running a repository's programs needs them
            print_stderr("git is not asked: only on Linux and macOS it can be isolated")
            return None
        from seqthink.cli.overview.repository_git import open_repository

        repository, problem = self._stack.enter_context(open_repository(folder))
        if problem:
            print_stderr(f"git is not asked: {problem}")
        return repository

    def _names_function(self, repository: "OpenRepository", asked: str) -> bool:
        """Return whether what is also a branch or tag is rather meant as a name."""
        from seqthink.library.why.questions import looks_like_a_commit, name_in

        name = name_in(asked)
        return name is not None and not looks_like_a_commit(asked) and bool(repository.lines.definitions(name))

    def _function(self, repository: "OpenRepository", asked: str) -> int | list[str]:
        from seqthink.library.why.asked_lines import ask_file, function_lines
        from seqthink.library.why.questions import name_in

        name = name_in(asked)
        if name is None:
            raise UsageError(f"why: {one_line(asked)} is not a file here, a commit or the name of a function")
        found = function_lines(repository, repository.lines.definitions(name))
        if not found:
            print_stderr(f"{one_line(asked)}: no file, no commit, and no definition of it in {repository.top}")
            return NOTHING_FOUND
        if len(found) > 1:
            print_stderr(f"{name} is defined in several places; name one of them:")
            for path, first, last in found[:MAX_DEFINITIONS]:
                shown = path.relative_to(self._folder) if path.is_relative_to(self._folder) else path
                print(f"  {shell_command('why', one_line(f'{shown}:{first}-{last}'))}", file=sys.stderr)
            if len(found) > MAX_DEFINITIONS:
                print_stderr(f"and {len(found) - MAX_DEFINITIONS} more")
            return BAD_REQUEST
        path, first, last = found[0]
        return self._answered(repository, [ask_file(repository, path, first, last, print_stderr)])

    # The answer

    def _answered(self, repository: "OpenRepository | None", files: "Sequence[AskedFile]") -> int | list[str]:
        from seqthink.cli.overview.why_sessions import SearchedSessions
        from seqthink.library.why.answers import best
        from seqthink.library.why.attribution import Level

        sources, journals = preferences_of(self._options).sources, journal_folder(self._options)
        if JOURNAL in sources:
            require_folder(journals)
        sessions = SearchedSessions(self._stack, sources, journals)
        searched = self._search(repository, files, sessions)
        words = {
            place: self._words(sessions, answer)
            for place, answer in enumerate(searched.answers)
            if answer.session is not None
        }
        is_found = any(answer.level is not Level.NOTHING for answer in searched.answers)
        surest = best(searched.answers) if self._options.open else None
        if surest is not None and surest.behind is not None:
            link = words[searched.answers.index(surest)].link
            return [link, *(["--native"] if surest.behind.needs_native else []), *self._folder_options()]
        if self._options.open:
            print_stderr("there is no thought to open")
        self._print(searched, words, sessions, is_found=is_found)
        return 0 if is_found else NOTHING_FOUND

    def _search(
        self, repository: "OpenRepository | None", files: "Sequence[AskedFile]", sessions: "SearchedSessions"
    ) -> _Searched:
        from seqthink.core.times import microseconds_of
        from seqthink.library.why.answers import call_of, grouped
        from seqthink.library.why.asked_lines import Attributing

        earliest = microseconds_of(self._options.since.time(self._now)) if self._options.since else 0
        attributing = Attributing(repository, sessions.index, files, microseconds_of(self._now), earliest)
        found: list[tuple[str, list[Attribution]]] = [(file.path, attributing.attribute(file)) for file in files]
        calls = [call for _, each in found for one in each if (call := call_of(one)) is not None]
        sessions.prepare(calls, decoder_for(self._options))
        answers = [answer for path, each in found for answer in grouped(path, each, sessions.behind)]
        by_number = {(path, one.line.number): one.line.text for path, each in found for one in each}
        texts = {
            place: by_number[answer.path, answer.numbers[0]]
            for place, answer in enumerate(answers)
            if len(answer.numbers) == 1 and not self._options.redact
        }
        if not self._options.redact:
            return _Searched(answers, attributing.commits, texts)
        from seqthink.cli.overview.why_redaction import redacted_answer, redacted_commit

        commits = {name: redacted_commit(commit) for name, commit in attributing.commits.items()}
        return _Searched(list(map(redacted_answer, answers)), commits, texts)

    def _words(self, sessions: "SearchedSessions", answer: "LineAnswer") -> "SessionWords":
        from seqthink.cli.overview.why_page import SessionWords
        from seqthink.cli.overview.why_sessions import source_label
        from seqthink.journal.links import link_text
        from seqthink.library.why.session_reading import about_of

        assert answer.session is not None
        session, behind = sessions.session(answer.session), answer.behind
        about, source = about_of(session), session.key.source
        reference = sessions.reference(answer.session)
        link = link_text(reference, behind.seq) if behind is not None and behind.seq else reference
        native = ["--native"] if behind is not None and behind.needs_native else []
        client = about.client if source == JOURNAL else f"{source_label(source)} {about.client}".strip()
        command = shell_command("replay", link, *native, *self._folder_options()) if behind is not None else ""
        title = about.title
        if self._options.redact:
            from seqthink.core.redaction import redact_text

            client, title = redact_text(client), redact_text(title)
        return SessionWords(str(one_line(client)), title, link, command, source)

    def _folder_options(self) -> list[str]:
        folder = self._options.journal_dir
        return ["--journal-dir", str(folder.absolute())] if folder is not None else []

    def _print(
        self,
        searched: _Searched,
        words: "dict[int, SessionWords]",
        sessions: "SearchedSessions",
        *,
        is_found: bool,
    ) -> None:
        from seqthink.cli.overview.why_page import AnswerPage, as_json

        if self._options.json:
            asked = self._options.asked
            if self._options.redact:
                from seqthink.core.redaction import redact_text

                asked = redact_text(asked)
            text = as_json(asked, searched.answers, searched.commits, words, self._searched(sessions))
            with output() as out:
                print(text, file=out)
            return
        uses_pager = self._options.pager and is_terminal()
        page = AnswerPage(
            searched.commits,
            words,
            zone=datetime.now().astimezone().tzinfo or UTC,  # noqa: TID251 - the edge knows the time zone
            cells=drawing_width(self._options),
            is_long=self._options.pager,
            is_coloured=is_terminal() and not uses_pager and not os.environ.get("NO_COLOR"),
            separator=drawing_signs(self._options).separator,
        )
        lines = list(page.blocks(searched.answers, searched.texts))
        if uses_pager and _paged(lines):
            return
        with output() as out:
            out.writelines(f"{line}\n" for line in lines)
        if not is_found:
            print_stderr(self._searched_words(sessions))

    def _searched(self, sessions: "SearchedSessions") -> dict[str, Any]:
        reading = sessions.reading
        return {"sessions": sessions.counts, "unread": reading.unread, "unreadable": reading.unreadable}

    def _searched_words(self, sessions: "SearchedSessions") -> str:
        from seqthink.cli.overview.why_sessions import source_label
        from seqthink.drawing.describe.units import count

        each = ", ".join(f"{number:,} of {source_label(source)}" for source, number in sessions.counts.items())
        period = f" since {self._options.since.time(self._now):%Y-%m-%d}" if self._options.since else ""
        return f"searched {count(sessions.reading.sessions, 'session')}{period}{f': {each}' if each else ''}"


def _existing_folder(folder: Path | None) -> Path:
    """Return the folder in which files are named.

    Raises:
        UsageError: it is not one.
    """
    try:
        path = (folder or Path()).resolve()
        if path.is_dir():
            return path
    except (OSError, ValueError, RuntimeError):
        pass
    raise UsageError(f"why: {one_line(str(folder))} is not a folder")


def _paged(lines: Sequence[str]) -> bool:
    """Show lines in the user's pager; return False if it does not start."""
    try:
        pager = shlex.split(os.environ.get("PAGER", "")) or [_PAGER]
    except ValueError as error:
        print_stderr(f"PAGER is not a command: {str(error).lower()}")
        return False
    try:
        subprocess.run(
            pager, input="\n".join(lines) + "\n", encoding="utf-8", errors="replace", check=False,
            env={**os.environ, "LESS": os.environ.get("LESS", "FRX")},
        )  # fmt: skip
    except OSError as error:
        print_stderr(f"{one_line(pager[0])} does not start: {error.strerror or error}")
        return False
    return True
