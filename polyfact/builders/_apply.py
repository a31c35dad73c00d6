"""Drafts and verdicts become items, by one pure function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polyfact.schemas import Item

__all__ = ["apply"]


def apply(drafts: Iterable[Item]) -> Iterator[Item]:
    """The items that release, evaluation and report read. A draft without a verdict is an unreviewed item."""
    for item in drafts:
        yield item.sealed()
