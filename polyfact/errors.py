"""What can go wrong by a user's hand: one small hierarchy, caught once, in the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["DataError", "MissingExtra", "PolyfactError", "UsageError", "nearest"]


class PolyfactError(Exception):
    """A failure that has an explanation.

    what: the fact, one sentence. where: the file, key path or line. fix: what the reader can do.
    """

    exit_code = 3

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(": ".join(part for part in (where, what) if part) + (f" ({fix})" if fix else ""))


class UsageError(PolyfactError):
    """The command, the recipe or an option is wrong; nothing was started."""

    exit_code = 2


class DataError(PolyfactError):
    """A file does not hold what it should."""


class MissingExtra(PolyfactError):
    """A part of polyfact was asked for whose packages are not installed."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"{package} is not installed", fix=f'run: pip install "polyfact[{extra}]"')
        self.extra, self.package = extra, package


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint naming the known word closest to ``word``, or the known words; empty if there are none.

    >>> nearest("langages", ["languages", "topics"])
    'did you mean "languages"?'
    >>> nearest("zzz", ["en", "it"])
    'known: en, it'
    """
    options = sorted(known)
    close = difflib.get_close_matches(word, options, n=1)
    if close:
        return f'did you mean "{close[0]}"?'
    return f"known: {', '.join(options)}" if options else ""
