"""What is scored of a prompt and its candidates, apart from how: plain numbers and token ids, no model.

The sum of a candidate's log-probabilities is the paper's score. It cannot rank a candidate below one that it begins
("1" and "10"), whatever the model believes; the terminated score adds the probability that the answer ends there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from polyfact.errors import DataError
from polyfact.evaluators.ranking._tokens import Split

__all__ = ["Batch", "Returned", "log_probabilities", "right_padded", "statement", "terminated"]

Returned = Literal["log-probability", "loss", "mean-loss"]
"""What a backend gives for a candidate: Σ log P, its negative, or its negative by token."""

ROUNDING = 1e-4
"""Nats that rounding may put above 0."""


class Batch(NamedTuple):
    """Rows of token ids made equally long, and which of them are tokens (1) and which padding (0)."""

    ids: list[list[int]]
    attention_mask: list[list[int]]


def right_padded(rows: Sequence[Sequence[int]], pad_id: int | None = None) -> Batch:
    """Pad rows at their right end, where padding cannot change what comes before it.

    The mask comes from the lengths and not from the ids: in a tokenizer whose pad token is its end token, an end token
    inside of a row is a token. pad_id: None for a tokenizer without one; any id does, since it is masked.

    >>> right_padded([[1, 9, 6], [1]], pad_id=9)
    Batch(ids=[[1, 9, 6], [1, 9, 9]], attention_mask=[[1, 1, 1], [1, 0, 0]])
    """
    width = max(map(len, rows), default=0)
    pad = 0 if pad_id is None else pad_id
    return Batch(
        [[*row, *([pad] * (width - len(row)))] for row in rows],
        [[1] * len(row) + [0] * (width - len(row)) for row in rows],
    )


def terminated(parts: Split, ends: Sequence[int], score: Callable[[Split], list[float]]) -> list[float]:
    """The score of each candidate with the end of the answer: Σ log P + log P(one of ``ends`` | prompt, candidate).

    ends: ids of the tokens with which an answer ends, each once; their probabilities are added up. score: gives Σ log P
    of every continuation, as `cached_scores` does with a model. In nats. Raises ValueError for no ends.
    """
    if not ends or len(set(ends)) < len(ends):
        raise ValueError("the tokens that end an answer must be named, each once")
    longer = [[*tokens, end] for tokens in parts.continuations for end in ends]
    scores = score(replace(parts, continuations=longer))
    return [_log_sum(scores[start : start + len(ends)]) for start in range(0, len(scores), len(ends))]


def _log_sum(values: Sequence[float]) -> float:
    """Log Σ exp, without overflow."""
    top = max(values)
    return top if math.isinf(top) else top + math.log(math.fsum(math.exp(value - top) for value in values))


def statement(ids: Sequence[int], answer: range, *, conditional: bool = True, prefix: Sequence[int] = ()) -> Split:
    """What is scored of one whole statement whose answer stands at the places ``answer`` of its token ids.

    conditional: the answer's tokens alone, given all before them; else every token of the statement, given the
    ``prefix`` (a BOS). Raises ValueError for an answer outside of the statement, and where nothing is left to condition
    on.
    """
    if answer.step != 1 or not 0 <= answer.start < answer.stop <= len(ids):
        raise ValueError(f"no answer at {answer} of {len(ids)} tokens")
    context = [*prefix, *ids[: answer.start]] if conditional else list(prefix)
    if not context:
        raise ValueError("the first token has no probability without a BOS before it")
    return Split(context, [list(ids[answer.start : answer.stop]) if conditional else list(ids)], [])


def log_probabilities(
    values: Sequence[float], returned: Returned = "log-probability", *, tokens: Sequence[int] = ()
) -> list[float]:
    """What a backend gave for each candidate as Σ log P, in nats: higher is better, 0 is the most.

    returned: what the backend gives. tokens: of each candidate, for a mean. Raises DataError for a log-probability above
    0: a loss that is taken for one ranks the candidates upside down.

    >>> log_probabilities([0.5, 3.0], "loss")
    [-0.5, -3.0]
    """
    if returned == "mean-loss":
        values = [value * count for value, count in zip(values, tokens, strict=True)]
    scores = [value if returned == "log-probability" else -value for value in values]
    above = [score for score in scores if score > ROUNDING]
    if above:
        raise DataError(
            f"a score of {above[0]:.4g} nats is no log-probability",
            fix="does the engine give a loss, or a probability? its adapter must say which",
        )
    return [min(score, 0.0) + 0.0 for score in scores]
