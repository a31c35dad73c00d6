"""What a model has to do to be ranked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from polyfact.schemas import CandidateSet, Item

__all__ = ["CandidateScores", "Scorer"]


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """The scores of one item's candidates, in the order of its candidate set.

    scores: natural-log probability of each surface after the prompt, in nats.
    tokens: how many tokens each was scored on; empty for a model that has none.
    flags: what happened on the way.
    """

    scores: tuple[float, ...]
    tokens: tuple[int, ...] = ()
    flags: tuple[str, ...] = ()


class Scorer(Protocol):
    """A model that gives every candidate of an item a score; a higher one is better.

    name: how runs call it. info: what identifies it, for the run record; ``info["revision"]`` changes when the model does.
    """

    @property
    def name(self) -> str: ...
    @property
    def info(self) -> Mapping[str, Any]: ...
    def score(self, item: Item, candidates: CandidateSet) -> CandidateScores: ...
