"""The line on standard error that says how far a command is: rewritten on a terminal, and a line each time elsewhere."""

from __future__ import annotations

import sys


class StatusLine:
    """Shows texts one after the other, unless `quiet`, or nobody could see them."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet or sys.stderr is None
        self.on_terminal = not self.quiet and sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Show a text that the next one replaces; where there is no terminal, it stays."""
        if not self.quiet:
            before, after = ("\r\x1b[K", "") if self.on_terminal else ("", "\n")
            print(before + text, end=after, file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Show a text that stays."""
        self.clear()
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Erase the text that is there, on a terminal."""
        if self.on_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
