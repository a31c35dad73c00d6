"""Notes on rows, each with a letter: said once below a table, pointed to from each of its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from polyfact.report._words import notes
from polyfact.schemas import MetricRow

__all__ = ["Marks", "marks_of"]


class Marks(NamedTuple):
    """The notes of a table, in the order in which its rows need them."""

    said: list[str]

    def of(self, row: MetricRow | None, beside: MetricRow | None = None) -> str:
        """The letters of a row's notes that the row beside it does not have, in order; "" without such notes."""
        found = set(notes(row) if row else []) - set(notes(beside) if beside else [])
        return " ".join(_letter(place) for place, note in enumerate(self.said) if note in found)

    def lines(self) -> list[tuple[str, str]]:
        """Letter and note."""
        return [(_letter(place), note) for place, note in enumerate(self.said)]


def marks_of(rows: Iterable[MetricRow | None]) -> Marks:
    """The notes of the rows of one table."""
    return Marks(list(dict.fromkeys(note for row in rows if row for note in notes(row))))


def _letter(place: int) -> str:
    """The letter of a place; two of them from the 27th on.

    >>> [_letter(place) for place in (0, 25, 26, 27)]
    ['a', 'z', 'aa', 'ab']
    """
    first, last = divmod(place, 26)
    return (_letter(first - 1) if first else "") + chr(ord("a") + last)
