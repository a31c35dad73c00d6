"""The metrics: pure functions from plain values to plain values.

No numpy, no torch, no input or output. Every function answers for one item with a `Scored`; `mean` sums them
up.
"""

from polyfact.evaluators.metrics.chance import (
    chance_average_precision,
    chance_precision_at,
    chance_reciprocal_rank,
)
from polyfact.evaluators.metrics.exact_match import (
    UNSCORABLE,
    ListMatch,
    exact_match,
    fuzzy_match,
    match_any,
    match_list,
    similarity,
)
from polyfact.evaluators.metrics.inference_bias import Bias, bias, lift
from polyfact.evaluators.metrics.numbers import Quantity, final_number, numbers_equal, parse_quantity
from polyfact.evaluators.metrics.precision import (
    average_precision,
    precision_at,
    r_precision,
    reciprocal_rank,
)
from polyfact.evaluators.metrics.ranking import (
    Candidate,
    Ranking,
    in_listed_order,
    normalised_score,
    prefix_pairs,
    rank,
    top_n,
)
from polyfact.evaluators.metrics.scored import Mean, Scored, corrected, mean

__all__ = [
    "UNSCORABLE",
    "Bias",
    "Candidate",
    "ListMatch",
    "Mean",
    "Quantity",
    "Ranking",
    "Scored",
    "average_precision",
    "bias",
    "chance_average_precision",
    "chance_precision_at",
    "chance_reciprocal_rank",
    "corrected",
    "exact_match",
    "final_number",
    "fuzzy_match",
    "in_listed_order",
    "lift",
    "match_any",
    "match_list",
    "mean",
    "normalised_score",
    "numbers_equal",
    "parse_quantity",
    "precision_at",
    "prefix_pairs",
    "r_precision",
    "rank",
    "reciprocal_rank",
    "similarity",
    "top_n",
]
