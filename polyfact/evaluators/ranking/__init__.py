"""Scoring a set of candidates after one prompt."""

from polyfact.evaluators.ranking._boundary import Tokenised, TextEncoder, tokenise
from polyfact.evaluators.ranking._score import naive, score_candidates
from polyfact.evaluators.ranking._scorer import CandidateScores, Scorer

__all__ = [
    "CandidateScores",
    "Scorer",
    "TextEncoder",
    "Tokenised",
    "naive",
    "score_candidates",
    "tokenise",
]
