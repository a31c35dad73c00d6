"""Packed scores are the plain ones, in every family, whatever goes through the model beside them."""

import random

import pytest

from polyfact.evaluators.ranking import (
    CandidateTrie,
    Split,
    end_ids,
    naive_scores,
    packed_scores,
    split,
    terminated,
)

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from polyfact.evaluators.ranking import _layers, _packed  # noqa: E402
from tests.support import tiny_models  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

DRAW = random.Random(3)
CONTEXTS = [[DRAW.randrange(400) for _ in range(length)] for length in (9, 1, 14, 30, 2)]
CANDIDATES = [[DRAW.randrange(6) for _ in range(DRAW.choice([1, 1, 2, 3, 5]))] for _ in range(40)]
DEEP = [[*range(20, 20 + end)] for end in (1, 8, 12, 18)] + [[*range(20, 30), 3, 4, 5]]
SETS = {
    "many": CANDIDATES,
    "one of one token": [[8]],
    "one of several": [[8, 9, 10]],
    "prefixes": [[1], [1, 0], [1, 0, 0]],
    "deep": DEEP,
}


@pytest.fixture(scope="module", params=tiny_models.FAMILIES)
def model(request):
    return tiny_models.model(request.param)


def plain(model, contexts, candidates):
    return [naive_scores(model, Split(context, candidates, [])) for context in contexts]


def flat(scores):
    return [value for row in scores for value in row]


@pytest.mark.parametrize("name", SETS)
def test_packed_scores_are_the_plain_ones_after_unequal_prompts(model, name):
    packed = packed_scores(model, CONTEXTS, CandidateTrie.of(SETS[name]))
    assert flat(packed) == pytest.approx(flat(plain(model, CONTEXTS, SETS[name])), abs=1e-4)


def test_s07_the_batch_does_not_change_a_score(model):
    trie = CandidateTrie.of(CANDIDATES)
    together = packed_scores(model, CONTEXTS, trie)
    for size in (1, 2, 3):
        batched = [packed_scores(model, CONTEXTS[start : start + size], trie) for start in range(0, 5, size)]
        assert flat(flat(batched)) == pytest.approx(flat(together), abs=1e-5)


def test_a_tree_that_is_forwarded_in_parts_gives_the_same(model):
    for candidates in (CANDIDATES, DEEP):
        trie = CandidateTrie.of(candidates)
        whole = packed_scores(model, CONTEXTS[:2], trie)
        assert flat(packed_scores(model, CONTEXTS[:2], trie, nodes_at_once=3)) == pytest.approx(flat(whole), abs=1e-5)


def test_logits_some_rows_at_a_time_give_the_same(model, monkeypatch):
    trie = CandidateTrie.of(CANDIDATES)
    whole = packed_scores(model, CONTEXTS, trie)
    seen = []
    head = model.get_output_embeddings()
    handle = head.register_forward_hook(lambda module, inputs, output: seen.append(output.numel()))
    monkeypatch.setattr(_packed, "LOGITS_AT_ONCE", 5 * 400 * 2)
    try:
        assert flat(packed_scores(model, CONTEXTS, trie)) == pytest.approx(flat(whole), abs=1e-5)
    finally:
        handle.remove()
    assert max(seen) <= 5 * 400 * 2
    assert sum(seen) == 5 * 400 * (len(trie.internal) + 1)


def test_only_the_prompt_and_inner_nodes_are_forwarded():
    model = tiny_models.model()
    forwarded = []
    model.get_input_embeddings().register_forward_hook(lambda m, inputs, o: forwarded.append(tuple(inputs[0].shape)))
    packed_scores(model, CONTEXTS, CandidateTrie.of([[1, 2, 3], [1, 2, 4], [1], [5], [6, 7]]))
    assert forwarded == [(5, 30 + 3)]  # inner nodes: 1, 1 2 and 6


@pytest.mark.parametrize("kind", ["llama", "gemma3", "gpt2"])
def test_the_end_of_an_answer_can_be_scored_too(kind):
    tokenizer, model = tiny_models.tokenizer(), tiny_models.model(kind)
    parts = split(tokenizer, "The number is", " ", ["1", "10", "Rome and Paris"], [])
    ends = end_ids(tokenizer)

    def packed(each):
        return packed_scores(model, [each.context], CandidateTrie.of(each.continuations))[0]

    assert terminated(parts, ends, packed) == pytest.approx(
        terminated(parts, ends, lambda each: naive_scores(model, each)), abs=1e-4
    )


def test_eager_masks_are_added():
    model = tiny_models.model("gemma3")
    model.set_attn_implementation("eager")
    assert _layers.layers_of(model).additive
    packed = packed_scores(model, CONTEXTS, CandidateTrie.of(CANDIDATES))
    assert flat(packed) == pytest.approx(flat(plain(model, CONTEXTS, CANDIDATES)), abs=1e-4)


def test_one_mask_for_all_layers_would_be_wrong(monkeypatch):
    model = tiny_models.model("gemma3")
    monkeypatch.setattr(_layers.Layers, "near", lambda self, kind, positions: None)
    wrong = packed_scores(model, CONTEXTS, CandidateTrie.of(CANDIDATES))
    worst = max(abs(a - b) for a, b in zip(flat(wrong), flat(plain(model, CONTEXTS, CANDIDATES)), strict=True))
    assert worst > 0.1


def test_scores_of_a_model_in_bfloat16_are_float32():
    model = tiny_models.model().to(torch.bfloat16)
    [scores] = packed_scores(model, [[1, 5, 9]], CandidateTrie.of([[5], [6], [7, 8], [7, 9]]))
    assert torch.tensor(scores, dtype=torch.float64).to(torch.bfloat16).double().tolist() != scores
    assert scores == pytest.approx(naive_scores(model, Split([1, 5, 9], [[5], [6], [7, 8], [7, 9]], [])), abs=0.5)


def test_a_model_in_float64_is_scored_in_float64():
    model = tiny_models.model().double()
    packed = packed_scores(model, CONTEXTS, CandidateTrie.of(CANDIDATES))
    assert flat(packed) == pytest.approx(flat(plain(model, CONTEXTS, CANDIDATES)), abs=1e-10)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"layer_types": ["full_attention", "linear_attention"]}, "layers linear_attention"),
        ({"layer_types": ["full_attention", "conv"]}, "layers conv"),
        ({"layer_types": ["sliding_attention"], "sliding_window": None}, "without sliding_window"),
        ({"model_type": "newest"}, "family newest"),
        ({"_attn_implementation_internal": "flash_attention_2"}, "attention flash_attention_2"),
    ],
)
def test_layers_that_are_not_known_are_refused(change, reason):
    model = tiny_models.model("mistral")
    for name, value in change.items():
        setattr(model.config, name, value)
    with pytest.raises(ValueError, match=reason):
        packed_scores(model, CONTEXTS, CandidateTrie.of(CANDIDATES))
