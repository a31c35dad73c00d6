"""Causal language models through transformers: a folder or a hub id. Safetensors only, no foreign code."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from polyfact.errors import DataError, MissingExtra, PolyfactError, UsageError
from polyfact.evaluators.engines import smollm2
from polyfact.evaluators.engines._protocol import Scores
from polyfact.evaluators.ranking import (
    CandidateTrie,
    Check,
    Split,
    bos_policy,
    cached_agrees,
    cached_scores,
    naive_scores,
    packed_scores,
    prefix_ids,
    score_together,
    selfcheck,
    split,
    split_apart,
)
from polyfact.evaluators.tasks import Scoring
from polyfact.execution import Progress, quiet
from polyfact.schemas import CandidateSet, Item

__all__ = ["HfScorer", "silenced"]

Method = Literal["packed", "cached", "naive"]
SAMPLE = "The capital of Italy is Rome, and the official languages of Switzerland are German, French and Italian."
BATCH_TOKENS = {"cpu": 2048, "cuda": 65536}
"""Tokens forwarded together, by device. Fixed, so that a run that is resumed makes the same batches."""
CHECKED_TOKENS = {"cpu": 256, "cuda": 1100}
"""The longest prompt that the self-check may try, by device: plain scores need the logits of all its tokens."""


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Without the library's bars and hints: errors come as exceptions."""
    from transformers import utils

    logging: Any = utils.logging
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(before)
        logging.enable_progress_bar()


class HfScorer:
    """A transformers model that scores candidates.

    model: a folder, a hub id, or "smollm2". dtype: of the weights; scores are fp32 either way. method: "packed" is one
    forward for all candidates of many prompts; where the model's layers or a comparison at load do not allow that it is
    "cached", and where they do not allow that either "naive". "cached" forwards each prompt once, then its candidates;
    "naive" is the plain loop over candidates.
    batch_tokens: tokens forwarded together; by default fixed for each kind of device. scoring: as the task declares it.

    path: the method that is used. check: what the comparison found; None where there was none. forwarded: how many
    tokens, padding too, went through the model for scores since it was loaded.
    Raises UsageError for a model that is not there, MissingExtra without torch and transformers.
    """

    reads_prompt = True

    def __init__(
        self,
        model: str,
        *,
        dtype: str = "float32",
        method: Method = "packed",
        batch_tokens: int | None = None,
        scoring: Scoring = Scoring(),  # noqa: B008
        progress: Progress = quiet,
    ) -> None:
        # Idle threads sleep instead of spinning: beside other jobs spinning makes this tens of times slower.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as error:
            raise MissingExtra("local", error.name or "transformers") from error
        place = _place(model, progress)
        progress(f"loading {model}", 0, 1)
        try:
            with silenced():
                self.tokenizer: Any = AutoTokenizer.from_pretrained(place, trust_remote_code=False)
                self.model: Any = AutoModelForCausalLM.from_pretrained(
                    place, dtype=getattr(torch, dtype), trust_remote_code=False, use_safetensors=True
                )
                self.model.eval()
        except PolyfactError:
            raise
        except Exception as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise UsageError(
                f'cannot load the model "{model}": {reason[:200]}', fix="check the path or the hub id"
            ) from error
        if torch.cuda.is_available():
            self.model = self.model.to("cuda")
        # A folder is known by its own name: where it lies is nobody's business and changes no score.
        self.name = Path(place).resolve().name if Path(model).expanduser().is_dir() else model
        self._dtype, self._place = dtype, place
        self._scoring = scoring
        self._prefix = prefix_ids(self.tokenizer) if scoring.bos == "tokenizer" else []
        device = self.model.device.type
        self.batch_tokens = batch_tokens or BATCH_TOKENS.get(device, BATCH_TOKENS["cpu"])
        self.check: Check | None = None
        if method == "packed":
            method = self._checked(CHECKED_TOKENS.get(device, CHECKED_TOKENS["cpu"]))
        self.path: Method = method
        self.forwarded = 0
        self.model.get_input_embeddings().register_forward_hook(self._count)

    def _checked(self, longest: int) -> Method:
        """The fastest method that gives this model's plain scores."""
        sample = [*self._prefix, *self.tokenizer(SAMPLE, add_special_tokens=False).input_ids]
        self.check = selfcheck(self.model, sample, longest=longest)
        if self.check.refused is None:
            return "packed"
        return "cached" if cached_agrees(self.model, sample) else "naive"

    def _count(self, _module: Any, inputs: tuple[Any, ...], _output: Any) -> None:
        self.forwarded += inputs[0].numel()

    def info(self) -> dict[str, Any]:
        """Everything about the model that changes a score, its family and size, and how it was run.

        device, batch_tokens and check change nothing but rounding, and differ between machines.
        """
        config = self.model.config
        return {
            "name": self.name,
            "revision": getattr(config, "_commit_hash", None) or _fingerprint(self._place),
            "family": config.model_type,
            "architecture": type(self.model).__name__,
            "parameters": sum(parameter.numel() for parameter in self.model.parameters()),
            "quantisation": smollm2.GGUF if self.name == "smollm2" else None,
            "dtype": self._dtype,
            "attention": config._attn_implementation,
            "tokenizer": type(self.tokenizer).__name__,
            "tokenizer_hash": _tokenizer_hash(self.tokenizer),
            "bos": bos_policy(self.tokenizer) if self._scoring.bos == "tokenizer" else "left out",
            "path": self.path,
            "check": self.check._asdict() if self.check else None,
            "batch_tokens": self.batch_tokens if self.path == "packed" else None,
            "device": self.model.device.type,
        }

    def score(self, item: Item, candidates: CandidateSet) -> Scores:
        """Score the candidates after the item's question; see `polyfact.evaluators.ranking`."""
        [scores] = self.score_many([item], candidates)
        if isinstance(scores, Exception):
            raise scores
        return scores

    def score_many(self, items: Sequence[Item], candidates: CandidateSet) -> list[Scores | Exception]:
        """Score the candidates after the question of each item, in batches; an item's error stands in its place."""
        found: dict[int, Scores | Exception] = {}
        packed: dict[int, Split] = {}
        for place, item in enumerate(items):
            try:
                parts = self._split(item, candidates)
                if self._in_reach(parts):
                    packed[place] = parts
                else:
                    found[place] = self._alone(parts)
            except Exception as error:
                found[place] = error
        together = score_together([_not_empty(parts) for parts in packed.values()], self._forward, self.batch_tokens)
        for (place, parts), values in zip(packed.items(), together, strict=True):
            found[place] = values if isinstance(values, Exception) else self._scores(parts, values)
        return [found[place] for place in range(len(items))]

    def _forward(self, contexts: Sequence[Sequence[int]], trie: CandidateTrie) -> list[list[float]]:
        return packed_scores(self.model, contexts, trie, temperature=self._scoring.temperature)

    def _split(self, item: Item, candidates: CandidateSet) -> Split:
        surfaces = [candidate.surface for candidate in candidates.candidates]
        if self._scoring.joined:
            parts = split(self.tokenizer, item.question, candidates.separator, surfaces, self._prefix)
        else:
            parts = split_apart(self.tokenizer, item.question, candidates.separator, surfaces, cut=self._scoring.cut)
        if not parts.context:
            raise DataError("nothing to condition on: the prompt has no token of its own and the tokenizer adds none")
        limit = getattr(self.model.config.get_text_config(), "max_position_embeddings", None)
        if limit is not None and _tokens(parts) > limit:
            raise DataError(f"{_tokens(parts)} tokens, the model takes {limit}")
        return parts

    def _in_reach(self, parts: Split) -> bool:
        reach = self.check.reach if self.check else None
        return self.path == "packed" and (reach is None or _tokens(parts) <= reach)

    def _alone(self, parts: Split) -> Scores:
        """One prompt without packing; flagged where the others of the run are packed."""
        method = naive_scores if self.path == "naive" else cached_scores
        values = method(self.model, _not_empty(parts), temperature=self._scoring.temperature)
        return self._scores(parts, values, ["cached-path"] if self.path == "packed" else [])

    def _scores(self, parts: Split, values: list[float], flags: Sequence[str] = ()) -> Scores:
        flags = [*parts.flags, *flags, *([] if self._prefix else ["no-bos"])]
        scored = iter(values)
        values = [next(scored) if tokens else 0.0 for tokens in parts.continuations]
        return Scores(values, [len(tokens) for tokens in parts.continuations], flags, len(parts.context))


def _not_empty(parts: Split) -> Split:
    """Without the candidates of which nothing is left to score: the sum over nothing is 0."""
    return replace(parts, continuations=[tokens for tokens in parts.continuations if tokens])


def _tokens(parts: Split) -> int:
    """How many tokens the prompt and its longest candidate have."""
    return len(parts.context) + max(map(len, parts.continuations))


def _place(model: str, progress: Progress) -> str:
    if model == "smollm2":
        return str(smollm2.ensure(progress))
    path = Path(model)
    looks_local = model.startswith((".", "/", "~")) or model.count("/") > 1 or os.sep * 2 in model
    if path.expanduser().is_dir():
        return str(path.expanduser())
    if looks_local:
        raise UsageError(
            f'no model at "{model}"',
            fix="give a model's folder, a hub id (org/name), smollm2 or a reference model",
        )
    return model


def _fingerprint(place: str) -> str | None:
    """The SHA-256 over a folder's configuration and weights."""
    folder = Path(place)
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("config.json"), *folder.glob("*.safetensors")]):
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def _tokenizer_hash(tokenizer: Any) -> str:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    text = backend.to_str() if backend is not None else json.dumps(tokenizer.get_vocab(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
