"""Prompts that go through a model together. Plain token ids; what the model does is a function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from polyfact.evaluators.ranking._tokens import Split
from polyfact.evaluators.ranking._trie import CandidateTrie

__all__ = ["Forward", "batches", "score_together"]

Forward = Callable[[Sequence[Sequence[int]], CandidateTrie], list[list[float]]]
"""Scores of the candidates of a trie after each of several prompts."""


def batches(lengths: Sequence[int], nodes: int, limit: int) -> list[range]:
    """Runs of prompts of so many tokens, with ``nodes`` more after each, whose padded tokens are at most ``limit``.

    In the order given, whatever the lengths: what is scored together depends on nothing else. A prompt that is longer
    than the limit is a run of its own.

    >>> batches([3, 5, 4, 20], nodes=2, limit=14)
    [range(0, 2), range(2, 3), range(3, 4)]
    """
    runs, first, width = [], 0, 0
    for place, length in enumerate(lengths):
        width = max(width, length)
        if place > first and (place + 1 - first) * (width + nodes) > limit:
            runs.append(range(first, place))
            first, width = place, length
    return [*runs, range(first, len(lengths))] if lengths else runs


_trie_of = functools.lru_cache(maxsize=256)(CandidateTrie.of)


def score_together(parts: Sequence[Split], forward: Forward, limit: int) -> list[list[float] | Exception]:
    """The scores after each prompt, or why it has none; prompts with the same continuations share batches.

    limit: tokens of a batch, with their padding.
    """
    groups: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for place, part in enumerate(parts):
        groups.setdefault(tuple(map(tuple, part.continuations)), []).append(place)
    found: dict[int, list[float] | Exception] = {}
    for continuations, places in groups.items():
        trie = _trie_of(continuations)
        contexts = [parts[place].context for place in places]
        for run in batches(list(map(len, contexts)), len(trie.internal), limit):
            scores = _halved([contexts[number] for number in run], trie, forward)
            found.update(zip((places[number] for number in run), scores, strict=True))
    return [found[place] for place in range(len(parts))]


def _halved(contexts: Sequence[Sequence[int]], trie: CandidateTrie, forward: Forward) -> list[list[float] | Exception]:
    """Scores of a batch; one that fails, for want of memory say, is tried in halves until single prompts are left."""
    try:
        return [*forward(contexts, trie)]
    except Exception as error:
        if len(contexts) == 1:
            return [error.with_traceback(None)]  # its frames hold the tensors that there was no room for
    middle = len(contexts) // 2
    return [*_halved(contexts[:middle], trie, forward), *_halved(contexts[middle:], trie, forward)]
