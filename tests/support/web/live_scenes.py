"""The scenes of the live page and of an exported one that everybody must be able to read and to use."""

from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from seqthink.library.live_session import load_journal
from seqthink.share.export.html import html
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.exports import add_attachments
from tests.support.journals.wall_sessions import busy_wall
from tests.support.screens.browser import Page
from tests.support.web.command import RunningWeb
from tests.support.web.live_site import LiveSite, live_site, serving

REVISION_SEQ, MANY_SEQ = 3, 4
"""In the session `many`: a revision, and the thought to which everything is attached."""

_MARKDOWN = """# A heading

Words, **strong** and *soft* ones, `code` and [a link](https://example.org/x), ~~gone~~.

> A quotation

1. one
2. two

| name | count |
| - | -: |
| a | 1 |

```python
def answer(x: int) -> str:  # a remark
    return "text" * 42
```

```diff
-old
+new
```"""


class LiveScenes:
    """Opens a page by the name of its scene.

    Args:
        site: a server with the sessions, and a browser.
        nothing: a server without a session.
        exported: an exported file.
    """

    def __init__(self, site: LiveSite, nothing: RunningWeb, exported: Path) -> None:
        self._site = site
        self._nothing = nothing
        self._exported = exported
        self.page = site.page

    @property
    def base(self) -> str:
        """The address of the server that has sessions."""
        return self._site.web.base

    def open(self, name: str, *, dark: bool = False, media: str = "") -> Page:
        """Open a scene, and wait until everything that belongs to it is there."""
        self._site.leave()
        SCENES[name](self)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.page.call("Emulation.setEmulatedMedia", media=media, features=[scheme, calm])
        self.page.until("document.getAnimations().length === 0")
        return self.page

    # The scenes

    def list(self) -> None:
        """Show the groups of the list."""
        self._visit(f"{self.base}/", "!!document.querySelector('.one .warn')")

    def hits(self) -> None:
        """Filter the list, with hits in the texts below."""
        self.list()
        self.type("#find", "pool")
        self.page.until("document.querySelectorAll('.hit-text mark').length > 1")

    def no_hits(self) -> None:
        """Filter the list by words that are nowhere."""
        self.list()
        self.type("#find", "nowhere at all")
        self.page.until("document.querySelector('#sessions').textContent.includes('Nothing matches')")

    def empty(self) -> None:
        """Show the list without a session."""
        if not self._nothing.prefix:
            self._nothing.let_in(self.page)
        self._visit(f"{self._nothing.base}/", "!!document.querySelector('.start')")

    def tree(self) -> None:
        """Show a session that has ended."""
        self._session("shop")
        self.page.until("!document.querySelector('#chart').hidden && !!document.querySelector('#marks span')")

    def many(self) -> None:
        """Show a thought with Markdown of all kinds, to which everything is attached."""
        self._session(f"many#e{MANY_SEQ}")
        self.page.until("document.querySelectorAll('#thought .card').length > 4")
        self.page.ask("document.querySelectorAll('#thought details').forEach((one) => { one.open = true; })")

    def live(self) -> None:
        """Show a session that goes on."""
        self._session("wall2")

    def timeline(self) -> None:
        """Show a session in the order of arrival."""
        self.tree()
        self.page.click("#timeline")
        self.page.until("document.querySelector('#timeline').ariaPressed === 'true'")

    def diff(self) -> None:
        """Show what a revision changed."""
        self._session(f"many#e{REVISION_SEQ}")
        self.page.until("!document.querySelector('#diff').hidden")
        self.page.click("#diff")
        self.page.until("!!document.querySelector('#thought :is(ins, del)')")

    def found(self) -> None:
        """Show hits in a session."""
        self.tree()
        self.type("#find", "pool")
        self.page.until("!!document.querySelector('.slot.hit') && document.querySelector('#found').textContent !== ''")

    def help(self) -> None:
        """Show keys and signs."""
        self.tree()
        self.page.click("#help")
        self.page.until("document.querySelector('dialog')?.open === true")

    def narrow(self) -> None:
        """Show rows on a small screen."""
        self._session("shop", width=390)

    def reading(self) -> None:
        """Read a thought on a small screen."""
        self._session("shop", width=390)
        self.page.click("#rows [role=treeitem]:not([aria-expanded])")
        self.page.until("document.body.classList.contains('reading')")

    def banner(self) -> None:
        """Show a session whose server stopped with an error."""
        self._session("many")
        self.page.until("!document.querySelector('#banner').hidden")

    def replay(self) -> None:
        """Show a session as it was at its middle."""
        self.tree()
        self.page.press("5")
        self.page.until("document.querySelector('#position').textContent.includes(' of ')")
        # all that follows the position: the estimate had not changed yet
        self.page.until("document.querySelector('#chart').hidden")
        self.page.until("document.querySelector('#thought').textContent.includes('What runs')")

    def refused(self) -> None:
        """Show the page in place of a session that there is not."""
        self._visit(f"{self.base}/s/nothing", "!!document.querySelector('h1')")

    def outside(self) -> None:
        """Show a refusal of the door: here, of a name that is not the server's."""
        self._visit(f"{self.base}/s/shop".replace("127.0.0.1", "localhost"), "!!document.querySelector('h1')")

    def exported(self) -> None:
        """Show an exported file."""
        self._visit(self._exported.as_uri(), "!document.querySelector('#tools').hidden")

    def type(self, selector: str, words: str) -> None:
        """Type words into a field, as a reader does."""
        self.page.ask(f"document.querySelector('{selector}').focus()")
        self.page.call("Input.insertText", text=words)

    def _session(self, key: str, width: int = 1280) -> None:
        self._visit(f"{self.base}/s/{key}", "document.querySelectorAll('#rows [role=treeitem]').length > 0", width)
        self.page.until("!!document.querySelector('#thought .item')")
        self.page.until("document.querySelectorAll('#rows .wait').length === 0")

    def _visit(self, url: str, condition: str, width: int = 1280) -> None:
        self.page.visit(url, width)
        self.page.until(condition)


SCENES: Mapping[str, Callable[[LiveScenes], None]] = {
    "thought with everything": LiveScenes.many,
    "tree": LiveScenes.tree,
    "list, filtered with hits": LiveScenes.hits,
    "changes": LiveScenes.diff,
    "help": LiveScenes.help,
    "list": LiveScenes.list,
    "list, empty": LiveScenes.empty,
    "list, nothing found": LiveScenes.no_hits,
    "tree that goes on": LiveScenes.live,
    "timeline": LiveScenes.timeline,
    "search": LiveScenes.found,
    "rows at 390 pixels": LiveScenes.narrow,
    "reading at 390 pixels": LiveScenes.reading,
    "banner": LiveScenes.banner,
    "replay": LiveScenes.replay,
    "no such session": LiveScenes.refused,
    "refused at the door": LiveScenes.outside,
    "exported file": LiveScenes.exported,
}


@contextmanager
def live_scenes(folder: Path) -> Generator[LiveScenes]:
    """Start what the scenes need, and end it."""
    (folder / "nothing").mkdir()
    with ExitStack() as stack:
        site = stack.enter_context(live_site(folder))
        site.session("shop", shop_api(), is_live=False)
        site.session("many", many_things(), is_live=False)
        for number, (builder, is_live) in enumerate(busy_wall()):
            site.session(f"wall{number}", builder, is_live=is_live)
        exported = folder / "exported.html"
        texts = load_journal(site.folder / "many.jsonl")
        exported.write_text("".join(html(texts)), "utf-8")
        yield LiveScenes(site, stack.enter_context(serving(folder / "nothing")), exported)


def many_things() -> JournalBuilder:
    """Return a session with everything that a page shows, which stopped with an error."""
    builder = JournalBuilder().session(title="Many things").thought("The pool releases all of its connections", 1, 9)
    builder.thought("The pool releases none of its connections", 2, 9, revises=1)
    builder.thought(_MARKDOWN, 3, 9, toolUseId="tool")
    add_attachments(builder, "some words")
    builder.rejected(arguments={"thoughtNumber": 0})
    for number in range(6):
        name: dict[str, Any] = {"branch": f"branch {number}", "from_": 3}
        builder.thought(f"On branch {number}", 1, 2, **name).thought("and on", 2, 2, branch=f"branch {number}")
    builder.thought("Another estimate", 4, 5)
    builder.thought("The end", 5, 5, next=False).thought("A second chain", 1, 2)
    return builder.end("error", error="the disk is full")
