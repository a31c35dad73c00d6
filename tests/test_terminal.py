"""What the command line shows of names that it did not choose."""

import io
import sys

from polyfact._terminal import progress


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def test_brackets_in_a_name_are_text_and_no_markup(monkeypatch):
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "100")
    with progress() as report:
        report("scoring with [/a]", 1, 2)
    assert "scoring with [/a]" in shown.getvalue()
