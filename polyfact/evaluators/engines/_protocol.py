"""What an engine does for a ranking task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from polyfact.schemas import CandidateSet, Item

__all__ = ["BatchScorer", "Scorer", "Scores"]


class Scores(NamedTuple):
    """Scores of every candidate of one prompt, in the order of its set.

    values: natural-log probabilities, in nats. tokens: how many tokens each was scored on. flags: what
    happened. prompt_tokens: how many tokens come before the candidates.
    """

    values: list[float]
    tokens: list[int]
    flags: list[str]
    prompt_tokens: int = 0


class Scorer(Protocol):
    """A model that gives each candidate of a prompt a score; higher is better.

    name: how runs call it. reads_prompt: False for a reference model, whose scores say nothing about a prompt.
    """

    name: str
    reads_prompt: bool

    def info(self) -> dict[str, Any]:
        """What the model is: everything that changes a score, for the run's record."""
        ...

    def score(self, item: Item, candidates: CandidateSet) -> Scores:
        """Score every candidate after the item's question. Raises PolyfactError where that cannot be done."""
        ...


@runtime_checkable
class BatchScorer(Scorer, Protocol):
    """A scorer for which many prompts of one candidate set are cheaper together than one by one."""

    def score_many(self, items: Sequence[Item], candidates: CandidateSet) -> list[Scores | Exception]:
        """`score` for each item, or the error of one that could not be scored: the others have their scores all the same.

        An item's scores do not depend on which others there are, but for rounding.
        """
        ...
