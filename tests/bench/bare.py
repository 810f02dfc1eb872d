"""The least that a Textual app can be: what the viewer's start and its answers to keys are compared with."""

from textual.app import App, ComposeResult
from textual.widgets import Static
from typing_extensions import override


class Bare(App[None]):
    """One line of text, which tells how many keys came."""

    keys = 0

    @override
    def compose(self) -> ComposeResult:
        yield Static("the bare app")

    def on_key(self) -> None:
        """Show that a key came."""
        self.keys += 1
        self.query_one(Static).update(f"echo{self.keys}.")


if __name__ == "__main__":
    Bare().run()
