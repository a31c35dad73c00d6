"""The metrics: pure functions from plain values to plain values.

No numpy, no torch, no input or output. Every function answers for one item with a `Scored`; `mean` sums them
up.
"""

from polyfact.evaluators.metrics.chance import (
    chance_average_precision,
    chance_precision_at,
    chance_reciprocal_rank,
)
from polyfact.evaluators.metrics.inference_bias import Bias, bias, lift
from polyfact.evaluators.metrics.precision import (
    average_precision,
    precision_at,
    r_precision,
    reciprocal_rank,
)
from polyfact.evaluators.metrics.ranking import (
    Candidate,
    Ranking,
    normalised_score,
    prefix_pairs,
    rank,
    top_n,
)
from polyfact.evaluators.metrics.scored import Mean, Scored, corrected, mean

__all__ = [
    "Bias",
    "Candidate",
    "Mean",
    "Ranking",
    "Scored",
    "average_precision",
    "bias",
    "chance_average_precision",
    "chance_precision_at",
    "chance_reciprocal_rank",
    "corrected",
    "lift",
    "mean",
    "normalised_score",
    "precision_at",
    "prefix_pairs",
    "r_precision",
    "rank",
    "reciprocal_rank",
    "top_n",
]
