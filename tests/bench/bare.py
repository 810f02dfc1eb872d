"""A minimal Textual app, as a baseline for the viewer's start and its answers to keys."""

from textual.app import App, ComposeResult
from textual.widgets import Static
from typing_extensions import override


class Bare(App[None]):
    """Shows one line of text with the number of keys pressed."""

    keys = 0

    @override
    def compose(self) -> ComposeResult:
        yield Static("the bare app")

    def on_key(self) -> None:
        """Count a key."""
        self.keys += 1
        self.query_one(Static).update(f"echo{self.keys}.")


if __name__ == "__main__":
    Bare().run()
