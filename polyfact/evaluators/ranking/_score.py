"""log P(candidate | prompt) for all candidates of one prompt.

The score of a candidate c = t1 … tL after the prompt p is the sum over i of log P(ti | p, t<i), at temperature 1, with the
logarithm of the softmax in float32 or better whatever the model computes in, and the sum in float64.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from polyfact.evaluators.ranking._boundary import Tokenised

__all__ = ["naive", "score_candidates"]

ROWS = 64
"""Most rows of a batch."""

LOGITS = 1 << 26
"""Most numbers that a batch's logits hold (256 MiB in float32)."""


def score_candidates(model: Any, tokenised: Tokenised) -> list[float]:
    """The score of every candidate, in nats: the prompt goes through the model once, candidates after its KV cache.

    model: a causal language model of transformers in evaluation mode. A candidate's last token never goes through it, and
    candidates that differ in that token alone share a row. Rows are right-padded in batches of like length; the mask comes
    from lengths, so that neither the neighbours nor a pad token that is also a real one (EOS) can change a score.
    """
    import torch
    from transformers import DynamicCache

    with torch.inference_mode():
        cache = DynamicCache(config=model.config)
        keyword = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
        context = torch.tensor([tokenised.context], device=model.device)
        outputs = model(context, use_cache=True, logits_to_keep=1, **{keyword: cache})
        first = outputs.logits[0, -1].float().log_softmax(-1)
        starts = torch.tensor([ids[0] for ids in tokenised.continuations], device=model.device)
        totals = first[starts].double().cpu().tolist()
        rows: dict[tuple[int, ...], list[int]] = {}
        for index, ids in enumerate(tokenised.continuations):
            if len(ids) > 1:
                rows.setdefault(ids[:-1], []).append(index)
        for batch in _batches(sorted(rows, key=lambda row: (len(row), row)), first.shape[-1]):
            logits = _forward(model, batch, cache, keyword, len(tokenised.context))
            wanted = [
                (at, place, tokenised.continuations[index][place + 1], index)
                for at, row in enumerate(batch)
                for index in rows[row]
                for place in range(len(row))
            ]
            at, place, token = (torch.tensor(column, device=model.device) for column in list(zip(*wanted, strict=True))[:3])
            values = (logits[at, place, token] - logits.logsumexp(-1)[at, place]).double().cpu().tolist()
            for (_, _, _, index), value in zip(wanted, values, strict=True):
                totals[index] += value
    return totals


def _batches(rows: Sequence[tuple[int, ...]], vocabulary: int) -> Iterator[Sequence[tuple[int, ...]]]:
    """Rows of like length together, within the limits; ``rows`` come shortest first."""
    start = 0
    while start < len(rows):
        stop = start + 1
        while stop < len(rows) and stop - start < ROWS and (stop + 1 - start) * len(rows[stop]) * vocabulary <= LOGITS:
            stop += 1
        yield rows[start:stop]
        start = stop


def _forward(model: Any, batch: Sequence[tuple[int, ...]], cache: Any, keyword: str, given: int) -> Any:
    """Logits (row, position, vocabulary) in float32 of the rows of a batch after the cached prompt."""
    import torch

    longest = max(map(len, batch))
    ids = torch.tensor([[*row, *[0] * (longest - len(row))] for row in batch], device=model.device)
    mask = torch.tensor([[1] * (given + len(row)) + [0] * (longest - len(row)) for row in batch], device=model.device)
    positions = torch.arange(given, given + longest, device=model.device).expand(len(batch), -1)
    branch = copy.deepcopy(cache)
    branch.batch_repeat_interleave(len(batch))
    outputs = model(ids, attention_mask=mask, position_ids=positions, use_cache=True, **{keyword: branch})
    return outputs.logits.float()


def naive(model: Any, tokenised: Tokenised) -> list[float]:
    """The same scores by the definition: one forward pass over prompt and candidate for each candidate, no cache."""
    import torch

    totals = []
    with torch.inference_mode():
        for continuation in tokenised.continuations:
            ids = torch.tensor([[*tokenised.context, *continuation]], device=model.device)
            logs = model(ids, use_cache=False).logits[0].float().log_softmax(-1)
            places = range(len(tokenised.context) - 1, ids.shape[1] - 1)
            totals.append(sum(float(logs[at, token]) for at, token in zip(places, continuation, strict=True)))
    return totals
