"""What each layer of a model may attend to, and whether the packed forward can say so with a mask of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Layers", "layers_of"]

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
SPANS = {SLIDING: "sliding_window", CHUNKED: "attention_chunk_size"}

# Families that do not list their layers: in each all layers are alike, and see everything or the sliding window.
UNIFORM = frozenset(
    """
    apertus cohere gemma glm4 gpt2 gpt_neox gptj granite helium hunyuan_v1_dense llama ministral3 mistral mixtral nemotron
    olmo olmo2 opt phi phi3 qwen3_moe stablelm starcoder2
    """.split()  # noqa: SIM905
)
# Frequencies of these depend on the longest position of the batch, once it is past the trained length.
ADAPTIVE_ROPE = frozenset({"dynamic", "longrope"})


@dataclass(frozen=True)
class Layers:
    """The kinds of layers of a model.

    spans: of each kind that is there, how many positions a token sees back (itself too), or how long a chunk is; None
    where it sees all. additive: masks are numbers to add instead of truth values. steady: positions from which the
    frequencies of the position encoding change with what else is in the batch; None for never.
    """

    spans: dict[str, int | None]
    additive: bool
    steady: int | None = None

    @property
    def span(self) -> int | None:
        """The longest prompt and candidate that every layer still sees whole; None for any."""
        return min((span for span in self.spans.values() if span is not None), default=None)

    def near(self, kind: str, positions: Any) -> Any | None:
        """Which tokens are in reach, [B, L, L], of tokens at ``positions`` [B, L]; None where all are.

        In positions and not in slots: the nodes of a tree stand side by side, but at the places of their depths.
        """
        span = self.spans[kind]
        if span is None:
            return None
        if kind == CHUNKED:
            chunk = positions // span
            return chunk[:, :, None] == chunk[:, None, :]
        return positions[:, :, None] - positions[:, None, :] < span


def layers_of(model: Any) -> Layers:
    """The layers of a transformers model. Raises ValueError, with the reason, for one whose masks are not known."""
    config = model.config.get_text_config()
    attention = model.config._attn_implementation
    if attention not in ("sdpa", "eager"):
        raise ValueError(f"attention {attention}")
    kinds = set(getattr(config, "layer_types", None) or ())
    if not kinds:
        if config.model_type not in UNIFORM:
            raise ValueError(f"family {config.model_type}")
        kinds = {SLIDING if getattr(config, "sliding_window", None) else FULL}
    unknown = sorted(kinds - {FULL, SLIDING, CHUNKED})
    if unknown:
        raise ValueError(f"layers {', '.join(unknown)}")
    spans = {kind: getattr(config, SPANS[kind], None) if kind in SPANS else None for kind in sorted(kinds)}
    for kind, span in spans.items():
        if kind in SPANS and not span:
            raise ValueError(f"layers {kind} without {SPANS[kind]}")
    return Layers(spans, attention == "eager", _steady(config))


def _steady(config: Any) -> int | None:
    """From how many positions on the frequencies of a model change with its input."""
    rope = getattr(config, "rope_parameters", None) or {}
    each = [rope, *(value for value in rope.values() if isinstance(value, dict))]
    if not any(one.get("rope_type") in ADAPTIVE_ROPE for one in each):
        return None
    trained = [one.get("original_max_position_embeddings") for one in each]
    trained += [getattr(config, name, None) for name in ("original_max_position_embeddings", "max_position_embeddings")]
    return min(filter(None, trained), default=0)
