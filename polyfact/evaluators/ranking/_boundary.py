"""Where the prompt ends and the candidate begins, in tokens.

Prompt and candidate are encoded as one text, as the model has seen text. Trained tokenizers attach a space to the word
after it, so white space at the end of a prompt belongs to the candidate. Where a token runs across the boundary for one
candidate, all candidates of that prompt are scored from the last token boundary that they share: their scores then
differ by nothing but the candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["TextEncoder", "Tokenised", "TokenizerEncoder", "tokenise"]


class TextEncoder(Protocol):
    """Text to token ids, without anything that the text does not hold.

    prefix: the ids that the tokenizer puts before every text (BOS, mostly one, or none).
    """

    @property
    def prefix(self) -> tuple[int, ...]: ...
    def encode(self, texts: Sequence[str]) -> list[list[int]]: ...


class TokenizerEncoder:
    """A transformers tokenizer as a `TextEncoder`.

    What looks like a special token inside a text is encoded as plain characters: an answer cannot end the turn.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        [bare] = self.encode(["a"])
        dressed = list(tokenizer("a", add_special_tokens=True)["input_ids"])
        starts = [at for at in range(len(dressed)) if dressed[at : at + len(bare)] == bare]
        self.prefix = tuple(dressed[: starts[0]]) if bare and starts else ()

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text."""
        encoded = self._tokenizer(
            list(texts), add_special_tokens=False, split_special_tokens=True, return_attention_mask=False, verbose=False
        )
        return [list(ids) for ids in encoded["input_ids"]]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """A prompt and its candidates in tokens.

    context: ids that are given; at least one. continuations: for each candidate the ids that are scored; at least one.
    flags: "boundary-merge" when a token ran across the boundary; "separate-encoding" beside it when nothing before that
    token could be given, and prompt and candidates were encoded apart; "trailing-space" when the prompt ended in one.
    """

    context: tuple[int, ...]
    continuations: tuple[tuple[int, ...], ...]
    flags: tuple[str, ...] = ()


def tokenise(encoder: TextEncoder, prompt: str, separator: str, surfaces: Sequence[str]) -> Tokenised:
    """The tokens of ``prompt`` + ``separator`` + each surface, split where all of them can be split.

    Raises ValueError when there is nothing to give (an empty prompt for a tokenizer without BOS) or nothing to score.
    """
    given = prompt.rstrip()
    moved = prompt[len(given) :]
    flags = ["trailing-space"] if moved else []
    tails = [moved + separator + surface for surface in surfaces]
    before, *joint = encoder.encode([given, *(given + tail for tail in tails)])
    fork = min((_common(before, ids) for ids in joint), default=len(before))
    if fork < len(before):
        flags.append("boundary-merge")
    if encoder.prefix or fork:
        context = [*encoder.prefix, *before[:fork]]
        continuations = [ids[fork:] for ids in joint]
    elif before:
        flags.append("separate-encoding")
        context, continuations = before, encoder.encode(tails)
    else:
        raise ValueError("an empty prompt cannot be scored: the tokenizer has no BOS token")
    for surface, ids in zip(surfaces, continuations, strict=True):
        if not ids:
            raise ValueError(f"candidate {surface!r} has no tokens of its own")
    return Tokenised(tuple(context), tuple(map(tuple, continuations)), tuple(sorted(flags)))


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """How many ids two sequences share at the start."""
    if first == second[: len(first)]:
        return len(first)
    return next(at for at, (a, b) in enumerate(zip([*first, None], [*second, None], strict=False)) if a != b)
