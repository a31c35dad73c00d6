"""Log-probabilities of candidates after a prompt, which goes through the model once.

Σ log P(token | prompt, tokens before), natural logarithm, temperature 1 unless another is asked for; log-softmax in
fp32 (in fp64 for a model in fp64) and sums in fp64 whatever the model's dtype. A candidate's last token is never
forwarded: nothing depends on it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from polyfact.evaluators.ranking._modes import right_padded
from polyfact.evaluators.ranking._tokens import Split

__all__ = ["cached_scores", "fine", "naive_scores"]

TOKENS_AT_ONCE = 512


def cached_scores(model: Any, split: Split, *, temperature: float = 1.0) -> list[float]:
    """The score of each continuation, in nats; the prompt is forwarded once and shared prefixes once."""
    import torch

    with torch.inference_mode():
        context = torch.tensor([split.context], device=model.device)
        start = model(input_ids=context, use_cache=True, logits_to_keep=1)
        first = fine(start.logits[0, -1], temperature).log_softmax(-1)
        totals = [first[tokens[0]].double().item() for tokens in split.continuations]
        rows = _maximal([tokens[:-1] for tokens in split.continuations])
        found: dict[tuple[int, ...], float] = {}
        for chunk in _chunks(rows):
            found |= _forward(model, start, chunk, split.continuations, temperature)
    return [
        total + sum(found[tuple(t[:end])] for end in range(2, len(t) + 1))
        for total, t in zip(totals, split.continuations, strict=True)
    ]


def _forward(
    model: Any,
    start: Any,
    rows: Sequence[tuple[int, ...]],
    continuations: Sequence[Sequence[int]],
    temperature: float,
) -> dict[tuple[int, ...], float]:
    """The logarithms of P of the last token of every continuation prefix that starts like one of the rows."""
    import torch

    # Right padding needs no mask: what comes after a token cannot change it.
    ids = torch.tensor(right_padded(rows).ids, device=model.device)
    keyword = "cache" if getattr(start, "cache", None) is not None else "past_key_values"
    cache = copy.deepcopy(getattr(start, keyword))
    cache.batch_repeat_interleave(len(rows))
    logits = model(input_ids=ids, use_cache=True, **{keyword: cache}).logits
    norms = fine(logits, temperature).logsumexp(-1)
    wanted: dict[tuple[int, ...], tuple[int, int, int]] = {}
    places = {row[:end]: (number, end - 1) for number, row in enumerate(rows) for end in range(1, len(row) + 1)}
    for tokens in continuations:
        for end in range(2, len(tokens) + 1):
            place = places.get(tuple(tokens[: end - 1]))
            if place is not None:
                wanted[tuple(tokens[:end])] = (*place, tokens[end - 1])
    if not wanted:
        return {}
    row, column, token = map(list, zip(*wanted.values(), strict=True))
    values = (fine(logits[row, column, token], temperature) - norms[row, column]).double().tolist()
    return dict(zip(wanted, values, strict=True))


def fine(logits: Any, temperature: float = 1.0) -> Any:
    """Logits in fp32, in fp64 where the model works in that, divided by the temperature."""
    exact = logits if logits.element_size() == 8 else logits.float()
    return exact if temperature == 1 else exact / temperature


def _maximal(rows: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The rows that are not a prefix of another, longest first: the others are computed along with them."""
    kept: list[tuple[int, ...]] = []
    covered: set[tuple[int, ...]] = set()
    for row in sorted({tuple(row) for row in rows if row}, key=lambda row: (-len(row), row)):
        if row not in covered:
            kept.append(row)
            covered.update(row[:end] for end in range(1, len(row) + 1))
    return kept


def _chunks(rows: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Rows of like length together, about TOKENS_AT_ONCE tokens each."""
    chunks: list[list[tuple[int, ...]]] = []
    for row in rows:
        if not chunks or (len(chunks[-1]) + 1) * len(chunks[-1][0]) > TOKENS_AT_ONCE:
            chunks.append([])
        chunks[-1].append(row)
    return chunks


def naive_scores(model: Any, split: Split, *, temperature: float = 1.0) -> list[float]:
    """The same scores by the plain loop: one forward for each candidate, prompt and all."""
    import torch

    scores = []
    with torch.inference_mode():
        for tokens in split.continuations:
            ids = torch.tensor([[*split.context, *tokens]], device=model.device)
            logp = fine(model(input_ids=ids, use_cache=False).logits[0], temperature).log_softmax(-1)
            at = torch.arange(len(split.context) - 1, ids.shape[1] - 1)
            scores.append(logp[at, ids[0, len(split.context) :]].double().sum().item())
    return scores
