"""The least that a Textual app can be: what the viewer's start is compared with."""

from textual.app import App, ComposeResult
from textual.widgets import Static
from typing_extensions import override


class Bare(App[None]):
    """One line of text."""

    @override
    def compose(self) -> ComposeResult:
        yield Static("the bare app")


if __name__ == "__main__":
    Bare().run()
