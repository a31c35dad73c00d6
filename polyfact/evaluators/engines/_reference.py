"""Models whose results are known beforehand: what a benchmark and a metric are tested with."""

from __future__ import annotations

import hashlib
import random
from typing import Any

from polyfact.evaluators.engines._protocol import Scores
from polyfact.schemas import CandidateSet, Item

__all__ = ["REFERENCE", "Reference"]

REFERENCE = ("oracle", "random", "empty")


class Reference:
    """oracle ranks the gold first; random gives surfaces independent scores; empty ties them all."""

    reads_prompt = False

    def __init__(self, name: str, seed: int = 0) -> None:
        if name not in REFERENCE:
            raise ValueError(name)
        self.name, self.seed = name, seed

    def info(self) -> dict[str, Any]:
        """Name and seed."""
        return {
            "name": self.name,
            "family": "reference",
            "seed": self.seed if self.name == "random" else None,
        }

    def score(self, item: Item, candidates: CandidateSet) -> Scores:
        """The scores of this reference, in (-inf, 0]; no tokens, for it has no tokenizer."""
        size = len(candidates.candidates)
        if self.name == "oracle":
            gold = set(item.expected_ids)
            values = [-1.0 if gold.intersection(candidate.ids) else -2.0 for candidate in candidates.candidates]
        elif self.name == "random":
            digest = hashlib.sha256(f"{self.seed}\0{item.id}".encode()).digest()
            draw = random.Random(int.from_bytes(digest, "big"))
            values = [-draw.random() for _ in range(size)]
        else:
            values = [-1.0] * size
        return Scores(values, [], [])
