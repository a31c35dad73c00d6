"""Scoring a set of candidates after one prompt."""

from polyfact.evaluators.ranking._scoring import cached_scores, naive_scores
from polyfact.evaluators.ranking._tokens import Split, bos_policy, prefix_ids, split

__all__ = ["Split", "bos_policy", "cached_scores", "naive_scores", "prefix_ids", "split"]
