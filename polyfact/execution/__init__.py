"""The same shards on any number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

__all__ = ["Progress", "Shard", "quiet", "run_shards", "shards"]

T = TypeVar("T")
U = TypeVar("U")

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, how many are done, how many there are; 0 when that is not known)."""


def quiet(what: str, done: int, total: int) -> None:
    """The progress of someone who does not want to know."""


@dataclass(frozen=True)
class Shard:
    """One part of a stage's records: part ``index`` of ``count``."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise ValueError(f"shard {self.index} of {self.count}")

    def of(self, records: Iterable[T]) -> Iterator[T]:
        """The records of this shard, in order: every ``count``-th, from ``index`` on. Holds one record at a time."""
        return islice(iter(records), self.index, None, self.count)


def shards(count: int) -> list[Shard]:
    """All shards of ``count``."""
    return [Shard(index, count) for index in range(count)]


def run_shards(
    run: Callable[[Iterable[T], Shard], Iterator[U]], records: Callable[[], Iterable[T]], count: int = 1
) -> Iterator[U]:
    """Every shard's results, shard by shard, lazily.

    run: the stage, ``run(records, shard) -> iterator``. records: gives a fresh iterable for each shard, so that memory
    stays flat however long the file is.
    """
    for shard in shards(count):
        yield from run(records(), shard)
