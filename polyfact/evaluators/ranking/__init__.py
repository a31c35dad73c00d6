"""Scoring a set of candidates after one prompt."""

from polyfact.evaluators.ranking._modes import (
    Batch,
    Returned,
    log_probabilities,
    right_padded,
    statement,
    terminated,
)
from polyfact.evaluators.ranking._scoring import cached_scores, naive_scores
from polyfact.evaluators.ranking._tokens import Split, bos_policy, end_ids, prefix_ids, split, with_bos

__all__ = [
    "Batch",
    "Returned",
    "Split",
    "bos_policy",
    "cached_scores",
    "end_ids",
    "log_probabilities",
    "naive_scores",
    "prefix_ids",
    "right_padded",
    "split",
    "statement",
    "terminated",
    "with_bos",
]
