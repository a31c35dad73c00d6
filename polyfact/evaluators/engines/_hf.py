"""Causal language models through transformers: a folder or a hub id. Safetensors only, no foreign code."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polyfact.errors import DataError, MissingExtra, PolyfactError, UsageError
from polyfact.evaluators.engines import smollm2
from polyfact.evaluators.engines._protocol import Scores
from polyfact.evaluators.ranking import bos_policy, cached_scores, naive_scores, prefix_ids, split
from polyfact.execution import Progress, quiet
from polyfact.schemas import CandidateSet, Item

__all__ = ["HfScorer", "silenced"]


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

    model: a folder, a hub id, or "smollm2". dtype: of the weights; scores are fp32 either way. naive: use the
    plain per-candidate loop instead of the cached one.
    Raises UsageError for a model that is not there, MissingExtra without torch and transformers.
    """

    reads_prompt = True

    def __init__(self, model: str, *, dtype: str = "float32", naive: bool = False, progress: Progress = quiet) -> None:
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
        self._prefix = prefix_ids(self.tokenizer)
        self._score = naive_scores if naive else cached_scores

    def info(self) -> dict[str, Any]:
        """Everything about the model that changes a score, and its family and size."""
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
            "bos": bos_policy(self.tokenizer),
            "device": self.model.device.type,
        }

    def score(self, item: Item, candidates: CandidateSet) -> Scores:
        """Score the candidates after the item's question; see `polyfact.evaluators.ranking`."""
        surfaces = [candidate.surface for candidate in candidates.candidates]
        parts = split(self.tokenizer, item.question, candidates.separator, surfaces, self._prefix)
        if not parts.context:
            raise DataError("nothing to condition on: the prompt has no token of its own and the tokenizer adds none")
        longest = len(parts.context) + max(map(len, parts.continuations))
        limit = getattr(self.model.config, "max_position_embeddings", None)
        if limit is not None and longest > limit:
            raise DataError(f"{longest} tokens, the model takes {limit}")
        flags = [*parts.flags, *([] if self._prefix else ["no-bos"])]
        return Scores(
            self._score(self.model, parts), [len(tokens) for tokens in parts.continuations], flags, len(parts.context)
        )


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
