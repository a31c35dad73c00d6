"""Whether the fast scores of a loaded model are its plain ones, before any of them is believed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from polyfact.evaluators.ranking._layers import layers_of
from polyfact.evaluators.ranking._modes import right_padded
from polyfact.evaluators.ranking._packed import packed_scores
from polyfact.evaluators.ranking._scoring import cached_scores, fine, naive_scores
from polyfact.evaluators.ranking._tokens import Split
from polyfact.evaluators.ranking._trie import CandidateTrie

__all__ = ["Check", "cached_agrees", "selfcheck"]

TOLERANCE = 1e-3
"""Nats between packed and plain scores that rounding explains in fp32."""
HALF_TOLERANCE = 0.5
"""The same in half precision, where the plain scores do not move with the batch at all; else SPREADS times as much."""
SPREADS = 3


class Check(NamedTuple):
    """What was found. difference: the largest between a packed and a plain score, in nats; None where there was none.

    spread: in half precision, the largest difference between plain scores one by one and in one padded batch; else None.
    reach: the longest prompt and candidate, in tokens, that packed scores are good for; None for any. refused: why
    packed scoring is not to be used; None where it is.
    """

    difference: float | None = None
    spread: float | None = None
    reach: int | None = None
    refused: str | None = None


def selfcheck(model: Any, ids: Sequence[int], *, longest: int = 256) -> Check:
    """Compare packed with plain scores after prompts of several lengths, at least one of them padded.

    ids: tokens of ordinary text. longest: tokens of the longest prompt that may be tried. Layers that see
    part of the text only are tried on a prompt that they cannot see whole; where it would be longer than ``longest``,
    the reach ends with what they see whole, in which their masks are the plain ones.
    """
    try:
        layers = layers_of(model)
    except ValueError as error:
        return Check(refused=str(error))
    ids = _enough(ids)
    contexts = [ids[:3], ids[2:11]]
    past = 0 if layers.span is None else layers.span + 2
    if past > len(contexts[1]) and past <= longest:
        contexts.append((ids * (past // len(ids) + 1))[:past])
    try:
        difference, spread = _compare(model, contexts, ids)
    except Exception as error:
        return Check(refused=f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
    if not math.isfinite(difference):
        return Check(refused="scores that are not numbers")
    allowed = _allowed(spread)
    refused = None if difference <= allowed else f"{difference:.3g} nats from the plain scores, {allowed:.3g} allowed"
    ends = [layers.span if past > longest else None, layers.steady]
    return Check(difference, spread, min((end for end in ends if end is not None), default=None), refused)


def cached_agrees(model: Any, ids: Sequence[int]) -> bool:
    """Whether the cached scores after one prompt are the plain ones: not every cache can be given to many rows."""
    ids = _enough(ids)
    parts = Split(ids[2:11], _candidates(ids), [])
    try:
        plain = naive_scores(model, parts)
        return _largest([plain], [cached_scores(model, parts)]) <= _allowed(_spread(model, [parts.context], [plain], ids))
    except Exception:
        return False


def _enough(ids: Sequence[int]) -> list[int]:
    """At least 12 different tokens: those given, or any."""
    return list(ids) if len(set(ids)) >= 12 else list(range(12))


def _candidates(ids: Sequence[int]) -> list[list[int]]:
    """Candidates that branch at several depths, one of them the beginning of others."""
    a, b, c, d, e = list(dict.fromkeys(ids))[4:9]
    return [[a], [a, b], [a, b, c, d, e], [a, b, d, e], [a, c, e], [b], [b, a, c, d], [c, e, a]]


def _allowed(spread: float | None) -> float:
    return TOLERANCE if spread is None else max(HALF_TOLERANCE, SPREADS * spread)


def _compare(model: Any, contexts: Sequence[list[int]], ids: Sequence[int]) -> tuple[float, float | None]:
    """The largest difference of packed scores, and the spread of the plain ones in half precision."""
    candidates = _candidates(ids)
    plain = [naive_scores(model, Split(context, candidates, [])) for context in contexts]
    packed = packed_scores(model, contexts, CandidateTrie.of(candidates))
    return _largest(plain, packed), _spread(model, contexts, plain, ids)


def _spread(model: Any, contexts: Sequence[list[int]], plain: Sequence[list[float]], ids: Sequence[int]) -> float | None:
    """In half precision, how far the plain scores move in a padded batch."""
    if model.dtype.itemsize >= 4:
        return None
    return _largest(plain, [_padded_scores(model, context, _candidates(ids)) for context in contexts])


def _largest(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    pairs = [(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True)]
    differences = [abs(a - b) for a, b in pairs]
    return max(differences, key=lambda value: (value != value, value))  # what is not a number is the largest


def _padded_scores(model: Any, context: list[int], candidates: list[list[int]]) -> list[float]:
    """The plain scores in one batch, padded at the right."""
    import torch

    batch = right_padded([context + tokens for tokens in candidates])
    ids = torch.tensor(batch.ids, device=model.device)
    mask = torch.tensor(batch.attention_mask, device=model.device)
    with torch.inference_mode():
        logp = fine(model(input_ids=ids, attention_mask=mask, use_cache=False).logits).log_softmax(-1)
    return [
        logp[row, range(len(context) - 1, len(context) + len(tokens) - 1), tokens].double().sum().item()
        for row, tokens in enumerate(candidates)
    ]
