"""Scoring a set of candidates after one prompt."""

from polyfact.evaluators.ranking._modes import (
    Batch,
    Returned,
    log_probabilities,
    right_padded,
    statement,
    terminated,
)
from polyfact.evaluators.ranking._packed import packed_scores
from polyfact.evaluators.ranking._scoring import cached_scores, naive_scores
from polyfact.evaluators.ranking._selfcheck import Check, cached_agrees, selfcheck
from polyfact.evaluators.ranking._together import batches, score_together
from polyfact.evaluators.ranking._tokens import Split, bos_policy, end_ids, prefix_ids, split, split_apart, with_bos
from polyfact.evaluators.ranking._trie import CandidateTrie

__all__ = [
    "Batch",
    "CandidateTrie",
    "Check",
    "Returned",
    "Split",
    "batches",
    "bos_policy",
    "cached_agrees",
    "cached_scores",
    "end_ids",
    "log_probabilities",
    "naive_scores",
    "packed_scores",
    "prefix_ids",
    "right_padded",
    "score_together",
    "selfcheck",
    "split",
    "split_apart",
    "statement",
    "terminated",
    "with_bos",
]
