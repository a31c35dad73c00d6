"""What the command line shows: progress, tables, one clear line for an error."""

from __future__ import annotations

import contextlib
import re
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from typing import Any

from polyfact.errors import PolyfactError
from polyfact.execution import Progress

__all__ = ["explain", "fail_line", "print_json", "progress", "table"]


@contextlib.contextmanager
def progress(*, silent: bool = False) -> Iterator[Progress]:
    """A bar on a terminal, a plain line now and then elsewhere, nothing when ``silent``; always on standard error."""
    if silent:
        yield lambda what, done, total: None
    elif sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _Lines()


@contextlib.contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("", total=None)

        def report(what: str, done: int, total: int) -> None:
            bars.update(task, description=what, completed=done, total=total or None)

        yield report


class _Lines:
    """Progress for a log file: a line for each new step, then at most one every five seconds."""

    def __init__(self) -> None:
        self._what, self._last = "", 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self._what or now - self._last > 5:
            self._what, self._last = what, now
            print(f"  {what}" + (f" ({done}/{total})" if total > 1 else ""), file=sys.stderr, flush=True)


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Plain aligned columns; numbers to the right.

    >>> print(table(["model", "MAP"], [["a", 0.5], ["bb", None]]))
    model    MAP
    a      0.500
    bb         -
    """
    cells = [[_cell(value) for value in row] for row in rows]
    numeric = [any(isinstance(row[i], (int, float)) for row in rows) for i in range(len(headers))]
    widths = [max(len(line[i]) for line in [list(headers), *cells]) for i in range(len(headers))]
    lines = []
    for line in [list(headers), *cells]:
        padded = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(line, widths, numeric, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def print_json(value: Any) -> None:
    """One JSON object on standard output; what is not a finite number is null."""
    from polyfact.schemas import dump_json

    print(dump_json(value))


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def fail_line(error: BaseException) -> str:
    """One line: what, where, what to do. Control characters and secrets are taken out."""
    from polyfact.schemas import redact

    if isinstance(error, PolyfactError):
        text = str(error)
    else:
        text = f"{type(error).__name__}: {error} (this is a fault of polyfact; run again with --debug for the details)"
    return _CONTROL.sub(" ", " ".join(redact(text).split()))


def explain(error: BaseException, *, debug: bool = False) -> None:
    """The error on standard error; with ``debug`` its traceback before it, without secrets as well."""
    from polyfact.schemas import redact

    if debug:
        print(redact("".join(traceback.format_exception(error))), file=sys.stderr, end="")
    print(f"polyfact: {fail_line(error)}", file=sys.stderr)
