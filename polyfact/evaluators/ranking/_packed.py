"""All candidates of a prompt in one forward: the prompt, and after it the internal nodes of the candidates' tree.

A node sees the prompt, its ancestors and itself, and stands at the position of its depth; so its hidden state is the
one it has in the text of each candidate that goes through it. Leaves are not forwarded: nothing depends on them.
Prompts that share a tree go together, padded at their left. Only the hidden states whose children are candidates'
tokens are projected on the vocabulary, some at a time: logits of all tokens are never there together.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from polyfact.evaluators.ranking._layers import Layers, layers_of
from polyfact.evaluators.ranking._scoring import fine
from polyfact.evaluators.ranking._trie import ROOT, CandidateTrie, Pack

__all__ = ["NODES_AT_ONCE", "packed_scores"]

NODES_AT_ONCE = 1024
"""Attention costs the square of what is forwarded together; a larger tree takes several forwards."""
LOGITS_AT_ONCE = 2**25
"""Logits that are there together: 128 MB."""


def packed_scores(
    model: Any,
    contexts: Sequence[Sequence[int]],
    trie: CandidateTrie,
    *,
    nodes_at_once: int = NODES_AT_ONCE,
    temperature: float = 1.0,
) -> list[list[float]]:
    """Σ log P of each candidate of ``trie`` after each of ``contexts`` (token ids, at least one), in nats.

    model: of transformers. Logits and log-sum-exp in fp32 (fp64 for a model in fp64), sums in fp64.
    Raises ValueError for a model with layers whose masks are not known.
    """
    import torch

    layers = layers_of(model)
    with torch.inference_mode():
        found = torch.zeros(len(contexts), len(trie.nodes), dtype=torch.float64)
        for tensors in _tensors(trie, nodes_at_once):
            hidden = _hidden(model, layers, contexts, tensors)
            found[:, tensors.children] = _log_probabilities(model, hidden, tensors, temperature)
        for level in trie.levels:
            found[:, level] += found[:, [trie.nodes[number].parent for number in level]]
        scores: list[list[float]] = found[:, trie.ends].tolist()
    return scores


class _Tensors(NamedTuple):
    """A pack for a model. I nodes, R of them with their children, or the root, scored here; C children.

    ids, depths: [I]. sees: [I, I], which nodes are ancestors of a node or itself. rows: [R], slots of the scored nodes,
    counted from the root's. children, parents, tokens: [C], number of a child, place of its parent in rows, its token.
    """

    ids: Any
    depths: Any
    sees: Any
    rows: Any
    children: Any
    parents: Any
    tokens: Any


@functools.lru_cache(maxsize=64)
def _tensors(trie: CandidateTrie, nodes_at_once: int) -> list[_Tensors]:
    return [_pack_tensors(trie, pack) for pack in trie.packs(nodes_at_once)]


def _pack_tensors(trie: CandidateTrie, pack: Pack) -> _Tensors:
    import torch

    slot = {ROOT: 0, **{number: place for place, number in enumerate(pack.nodes, 1)}}
    sees = torch.eye(len(pack.nodes), dtype=torch.bool)
    for number in pack.nodes:
        above = trie.nodes[number].parent
        if above != ROOT:
            sees[slot[number] - 1] |= sees[slot[above] - 1]
    below = [(child, place) for place, number in enumerate(pack.own) for child in trie.children[number]]
    return _Tensors(
        torch.tensor([trie.nodes[number].token for number in pack.nodes], dtype=torch.long),
        torch.tensor([trie.nodes[number].depth for number in pack.nodes], dtype=torch.long),
        sees,
        torch.tensor([slot[number] for number in pack.own]),
        torch.tensor([child for child, _ in below]),
        torch.tensor([place for _, place in below]),
        torch.tensor([trie.nodes[child].token for child, _ in below]),
    )


def _hidden(model: Any, layers: Layers, contexts: Sequence[Sequence[int]], tensors: _Tensors) -> Any:
    """The hidden states of the scored nodes after each context, [B, R, hidden]."""
    import torch

    count, width, size = len(contexts), max(map(len, contexts)), len(tensors.ids)
    lengths = torch.tensor([[len(context)] for context in contexts])
    ids = torch.zeros(count, width + size, dtype=torch.long)
    for row, context in zip(ids, contexts, strict=True):
        row[width - len(context) : width] = torch.tensor(context)
    ids[:, width:] = tensors.ids
    places = torch.arange(width) - width + lengths
    positions = torch.cat([places.clamp(min=0), lengths - 1 + tensors.depths], 1).to(model.device)
    real = torch.cat([places >= 0, torch.ones(count, size, dtype=torch.bool)], 1)
    states = _decoder(model)(
        input_ids=ids.to(model.device),
        attention_mask=_masks(model, layers, positions, _visible(real, tensors.sees).to(model.device)),
        position_ids=positions,
        use_cache=False,
    ).last_hidden_state
    return states[:, (tensors.rows + width - 1).to(states.device)]


def _decoder(model: Any) -> Any:
    """The model without its output layer."""
    decoder = model.get_decoder()
    return model.model if decoder is model else decoder


def _visible(real: Any, sees: Any) -> Any:
    """What each token may see in a layer that sees everything, [B, L, L]. real: [B, L], False for padding.

    Padding sees itself, since a softmax over nothing is not a number.
    """
    import torch

    length, size = real.shape[1], len(sees)
    shape = torch.ones(length, length, dtype=torch.bool).tril()
    shape[length - size :, length - size :] = sees
    return (shape & real[:, None, :]) | torch.eye(length, dtype=torch.bool)


def _masks(model: Any, layers: Layers, positions: Any, visible: Any) -> Any:
    """A 4-D mask, or one for each kind of layers where there are several."""
    import torch

    masks = {}
    for kind in layers.spans:
        near = layers.near(kind, positions)
        allowed = (visible if near is None else visible & near)[:, None]
        if layers.additive:
            nothing = torch.zeros(allowed.shape, dtype=model.dtype, device=allowed.device)
            allowed = nothing.masked_fill(~allowed, torch.finfo(model.dtype).min)
        masks[kind] = allowed
    return masks if len(masks) > 1 else next(iter(masks.values()))


def _log_probabilities(model: Any, hidden: Any, tensors: _Tensors, temperature: float) -> Any:
    """Log P of each child after its parent, [B, C]."""
    import torch

    config, head = model.config.get_text_config(), model.get_output_embeddings()
    step = max(1, LOGITS_AT_ONCE // (len(hidden) * config.vocab_size))
    parts = []
    for start in range(0, hidden.shape[1], step):
        logits = fine(_scaled(config, fine(head(hidden[:, start : start + step]))), temperature)
        here = (tensors.parents >= start) & (tensors.parents < start + step)
        rows = (tensors.parents[here] - start).to(logits.device)
        parts.append(logits[:, rows, tensors.tokens[here].to(logits.device)] - logits.logsumexp(-1)[:, rows])
    return torch.cat(parts, 1).double().cpu()


def _scaled(config: Any, logits: Any) -> Any:
    """What some families do with the logits after their output layer."""
    factor = (getattr(config, "logit_scale", None) or 1) / (getattr(config, "logits_scaling", None) or 1)
    cap = getattr(config, "final_logit_softcapping", None)
    if factor != 1:
        logits = logits * factor
    return logits if cap is None else (logits / cap).tanh() * cap
