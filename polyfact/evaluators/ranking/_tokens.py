"""Where a prompt ends and its candidates begin, in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Split", "bos_policy", "end_ids", "prefix_ids", "shared", "split", "split_apart", "with_bos"]

BOUNDARY_MERGE = "boundary-merge"
SEPARATE = "separate-encoding"


@dataclass(frozen=True)
class Split:
    """A prompt's context and, for each candidate, the tokens that are scored after it.

    flags: boundary-merge where the tokens of some candidate reach into the prompt; then every candidate is
    scored from the last place where all of them agree. separate-encoding beside it where prompt and candidates
    are encoded apart: for a single candidate, since what is scored is then that candidate and nothing else; and
    where they agree nowhere and the tokenizer has no BOS, since nothing would be left to condition on.
    """

    context: list[int]
    continuations: list[list[int]]
    flags: list[str]


def prefix_ids(tokenizer: Any) -> list[int]:
    """The special tokens that the tokenizer itself puts before a text (a BOS, or nothing)."""
    plain = _encode(tokenizer, ["a"])[0]
    dressed = tokenizer("a").input_ids
    for start in range(len(dressed) - len(plain) + 1):
        if dressed[start : start + len(plain)] == plain:
            return list(dressed[:start])
    return []


def bos_policy(tokenizer: Any) -> str:
    """How a text begins: "added" by the tokenizer's own default, or "absent"."""
    return "added" if prefix_ids(tokenizer) else "absent"


def with_bos(tokenizer: Any, ids: Sequence[int], *, needed: bool = False) -> list[int]:
    """``ids`` with what the tokenizer itself puts before a text, once: not again where a chat template has put it.

    needed: the model was trained with a BOS that its tokenizer does not add.
    """
    start = prefix_ids(tokenizer)
    bos = getattr(tokenizer, "bos_token_id", None)
    if not start and needed and bos is not None:
        start = [bos]
    return list(ids) if list(ids[: len(start)]) == start else [*start, *ids]


def end_ids(tokenizer: Any, ends: Sequence[str] = (".", "\n")) -> list[int]:
    """The tokens with which an answer ends: the end token of the tokenizer, and each of ``ends`` that is one token."""
    found = [getattr(tokenizer, "eos_token_id", None)]
    found += [ids[0] for ids in _encode(tokenizer, list(ends)) if len(ids) == 1]
    return sorted({identity for identity in found if identity is not None})


def split_apart(tokenizer: Any, prompt: str, separator: str, surfaces: Sequence[str], *, cut: int = 0) -> Split:
    """Tokens of ``prompt`` and of each candidate on its own, without ``cut`` characters at its end; it may have none."""
    texts = [separator + surface for surface in surfaces]
    context, *continuations = _encode(tokenizer, [prompt, *(text[: len(text) - cut] for text in texts)])
    return Split(context, continuations, [SEPARATE])


def split(tokenizer: Any, prompt: str, separator: str, surfaces: Sequence[str], prefix: Sequence[int]) -> Split:
    """Tokens of ``prompt`` and of each candidate after it.

    White space at the end of the prompt moves to the candidate: tokenizers attach it to the word that
    follows. Text that looks like a control token is encoded as plain characters.
    """
    bare = prompt.rstrip()
    joint = prompt[len(bare) :] or separator
    first, *encoded = _encode(tokenizer, [bare, *(bare + joint + surface for surface in surfaces)])
    base = [*prefix, *first]
    whole = [[*prefix, *ids] for ids in encoded]
    fork = min([len(base), *(shared(base, ids) for ids in whole)])
    fork = min([fork, *(len(ids) - 1 for ids in whole)])
    alone = len(surfaces) == 1 and 0 < fork < len(base)
    if (fork <= 0 and base) or alone:
        apart = _encode(tokenizer, [joint + surface for surface in surfaces])
        if all(apart):
            return Split(base, apart, [BOUNDARY_MERGE, SEPARATE])
    flags = [BOUNDARY_MERGE] if fork < len(base) else []
    return Split(base[: max(fork, 0)], [ids[max(fork, 0) :] for ids in whole], flags)


def shared(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two texts begin with in common."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))


def _encode(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    ids: list[list[int]] = tokenizer(texts, add_special_tokens=False, split_special_tokens=True).input_ids
    return ids
