"""What a screen reader says while a session grows: politely, at most every ten seconds, and nothing is left out."""

from pathlib import Path

from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import Page
from tests.support.web.live_site import GrowingSession, live_site

# The page's clock goes on when the test says so.
CLOCK = """(() => {
  window.now = 0;
  performance.now = () => window.now;
})()"""
SPOKEN = "document.querySelector('#news').textContent"


def grow(page: Page, session: GrowingSession, count: int) -> None:
    """Add a thought, and wait until the page has it."""
    session.builder.thought(f"Thought {count}", count, 99)
    session.grow()
    page.until(f"document.querySelector('#position').textContent.startsWith('{count} thoughts')")


def test_news_is_counted_and_said_at_most_every_ten_seconds(tmp_path: Path) -> None:
    with live_site(tmp_path) as site:
        session = site.session("live", JournalBuilder().session().thought("Thought 1", 1, 99))
        site.page.call("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
        page = site.show(session)

        grow(page, session, 2)
        grow(page, session, 3)
        assert page.ask(SPOKEN) == ""

        page.ask("window.now = 10000")
        grow(page, session, 4)
        page.until(f"{SPOKEN} === '3 new thoughts'")
        page.ask("window.now = 19000")
        grow(page, session, 5)
        assert page.ask(SPOKEN) == "3 new thoughts"

        # nothing else comes: what was held back is said when its time has come
        page.ask("window.now = 20000")
        page.until(f"{SPOKEN} === '1 new thought'")
