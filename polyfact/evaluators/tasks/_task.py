"""What a ranking task declares. Everything here changes a number and lands in the run's record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["RankingTask", "Scoring"]


@dataclass(frozen=True)
class Scoring:
    """How a candidate gets its score, and how a ranking comes of the scores.

    bos: "tokenizer", as the tokenizer itself would begin, or "none". temperature: of the softmax. ties: "expected" takes
    the mean over the orders of tied candidates, "listed" puts them in the order of their text. joined: prompt and
    candidate are tokenised together. cut: characters left out at the end of each candidate.
    """

    normalise: str = "sum"
    bos: Literal["tokenizer", "none"] = "tokenizer"
    temperature: float = 1.0
    ties: Literal["expected", "listed"] = "expected"
    joined: bool = True
    cut: int = 0


@dataclass(frozen=True)
class RankingTask:
    """A task that ranks candidates.

    aligned_forms: form of one language → the form of the others that it is compared with. top: n of the
    inference bias. no_bias: languages without an inference bias of their own (English belongs to too many
    countries). max_aligned_share: a language whose associated entities exceed this share of the candidates
    has no bias.
    """

    name: str
    aligned_forms: Mapping[str, str] = field(default_factory=dict)
    top: tuple[int, ...] = (1, 3, 5, 10, 20)
    no_bias: tuple[str, ...] = ("en",)
    max_aligned_share: float = 0.5
    scoring: Scoring = Scoring()
    resamples: int = 2000

    def aligned(self, form: str) -> str:
        """The form that ``form`` is compared with across languages."""
        return self.aligned_forms.get(form, form)

    def declared(self) -> dict[str, Any]:
        """The declaration as plain values."""
        plain = asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}
