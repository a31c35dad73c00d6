"""Language models that are a table, and a tokenizer that takes the longest piece: what a case spells out.

They stand in for a model and a tokenizer of transformers where polyfact's own functions ask for one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any


class NoCache:
    """The cache of a model that needs none: only the last token matters."""

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Nothing is kept for any row."""


class Table:
    """A bigram model in fp64. following: for each token id, the probability of what may come next.

    What is left of a row's probability is shared by all other tokens; a row that is not given is uniform. Raises
    ValueError for a row of more than 1, which no model can give.
    """

    def __init__(self, size: int, following: Mapping[int, Mapping[int, float]]) -> None:
        import torch

        self.device = torch.device("cpu")
        self.rows = torch.full((size, size), -math.log(size), dtype=torch.float64)
        for token, probabilities in following.items():
            total, others = math.fsum(probabilities.values()), size - len(probabilities)
            if total > 1 + 1e-9 or (not others and total < 1 - 1e-9):
                raise ValueError(f"the probabilities after token {token} add up to {total}")
            rest = max(0.0, 1 - total) / others if others else 0.0
            row = [probabilities.get(each, rest) for each in range(size)]
            self.rows[token] = torch.tensor([math.log(p) if p > 1e-12 else -1e4 for p in row], dtype=torch.float64)

    def __call__(self, input_ids: Any, logits_to_keep: int = 0, **_: Any) -> Any:
        return SimpleNamespace(logits=self.rows[input_ids][:, -logits_to_keep:], past_key_values=NoCache())


class Vocabulary:
    """Token ids for the pieces that a case names, in the order in which they are met."""

    def __init__(self, pieces: Iterable[str] = ()) -> None:
        self.pieces = list(dict.fromkeys(pieces))

    def id(self, piece: str) -> int:
        """The id of a piece; a new one is added."""
        if piece not in self.pieces:
            self.pieces.append(piece)
        return self.pieces.index(piece)

    def table(self, bigram: Mapping[str, Mapping[str, float]]) -> Table:
        """The bigram model over these pieces and one more, which takes what no piece gets."""
        following = {self.id(a): {self.id(b): p for b, p in row.items()} for a, row in bigram.items()}
        return Table(len(self.pieces) + 1, following)


class Greedy:
    """A tokenizer that takes the longest piece of its vocabulary each time; no special tokens unless ``bos_id``.

    Called as polyfact calls a tokenizer of transformers. Raises ValueError for text that no piece begins.
    """

    eos_token_id = None

    def __init__(self, vocabulary: Sequence[str], *, bos_id: int | None = None) -> None:
        self.vocabulary, self.bos_token_id = list(vocabulary), bos_id
        self._longest = sorted(vocabulary, key=len, reverse=True)

    def __call__(self, text: str | list[str], *, add_special_tokens: bool = True, **_: Any) -> Any:
        texts = [text] if isinstance(text, str) else text
        start = [self.bos_token_id] if add_special_tokens and self.bos_token_id is not None else []
        ids = [[*start, *self._encode(each)] for each in texts]
        return SimpleNamespace(input_ids=ids[0] if isinstance(text, str) else ids)

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = []
        while text:
            piece = next((each for each in self._longest if text.startswith(each)), None)
            if piece is None:
                raise ValueError(f"no piece begins {text!r}")
            ids.append(self.vocabulary.index(piece))
            text = text[len(piece) :]
        return ids

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """The pieces of token ids."""
        return [self.vocabulary[each] for each in ids]


class Fixed:
    """A tokenizer that knows one text and its ids, and puts a BOS before it or not."""

    def __init__(self, ids: Sequence[int], *, bos_id: int | None, adds_bos: bool) -> None:
        self._ids, self.bos_token_id, self._adds = list(ids), bos_id, adds_bos

    def __call__(self, text: str | list[str], *, add_special_tokens: bool = True, **_: Any) -> Any:
        plain = [ord(character) + 1000 for character in "a"] if text in ("a", ["a"]) else self._ids
        start = [self.bos_token_id] if add_special_tokens and self._adds else []
        ids = [*start, *plain]
        return SimpleNamespace(input_ids=ids if isinstance(text, str) else [ids])
