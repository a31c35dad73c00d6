"""Scores of candidates; case ids are those of the shared case file."""

import pytest

from polyfact.evaluators.ranking import Split, cached_scores, naive_scores, split

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.support import tiny_models  # noqa: E402

FAMILIES = ("llama", "mistral", "gemma3", "gpt2")
SURFACES = [
    "Rome",
    "Rome and Paris",
    "Rome and Paris and Berlin",
    "Rome and Pari",
    "a",
    "The official languages of Alpland are French",
    "नई दिल्ली",
]


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("bos", [False, True])
def test_cached_scores_are_the_plain_ones(family, bos):
    tokenizer = tiny_models.tokenizer(bos=bos)
    model = tiny_models.model(family)
    for prompt in ("The capital of Italy is", "I", "Almanya ülkesinin başkent"):
        parts = split(tokenizer, prompt, " ", SURFACES, [0] if bos else [])
        assert cached_scores(model, parts) == pytest.approx(naive_scores(model, parts), abs=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_s07_neighbours_do_not_change_a_score(family):
    tokenizer, model = tiny_models.tokenizer(), tiny_models.model(family)
    prompt = "The capital of Italy is the city of"
    together = cached_scores(model, split(tokenizer, prompt, " ", SURFACES, []))
    alone = [cached_scores(model, split(tokenizer, prompt, " ", [surface], []))[0] for surface in SURFACES]
    assert together == pytest.approx(alone, abs=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_s08_tokens_that_are_also_padding_count_as_tokens(family):
    model = tiny_models.model(family)
    parts = Split([1, 5, 9, 0, 7], [[1, 5], [0, 0, 0, 1], [0], [6, 0, 1, 1, 1, 0, 8], [0, 0, 3]], [])
    assert cached_scores(model, parts) == pytest.approx(naive_scores(model, parts), abs=1e-5)


def test_s05_a_token_is_predicted_by_the_one_before_it():
    def p(log: float) -> float:
        return float(torch.tensor(log).exp())

    # The case names more mass after 2 and 3 than a distribution has (e^-0.2 + e^-6 fits, e^-0.3 + e^-7 fits):
    # used as it is.
    after = {
        1: {2: p(-0.1), 3: p(-5)},
        2: {3: p(-0.2), 4: p(-6)},
        3: {4: p(-0.3), 3: p(-7)},
        4: {4: p(-9), 5: p(-0.4)},
    }
    assert naive_scores(tiny_models.Bigram(6, after), Split([1, 2], [[3, 4]], [])) == pytest.approx([-0.5], abs=1e-5)


def test_s17_no_temperature_touches_a_score():
    # 0 "is", 1 " A1", 2 "A2", 3 " B", 4 the rest
    after = {0: {1: 0.5, 3: 0.35, 4: 0.15 - 1e-9}, 1: {2: 0.6, 4: 0.4 - 1e-9}}
    scores = naive_scores(tiny_models.Bigram(5, after), Split([0], [[1, 2], [3]], []))
    assert scores == pytest.approx([-1.2039728043259361, -1.0498221244986778], abs=1e-5)


def test_scores_are_float32_even_for_a_model_in_bfloat16():
    model = tiny_models.model().to(torch.bfloat16)
    parts = Split([1, 5, 9], [[5], [6], [7, 8], [7, 9]], [])
    scores = cached_scores(model, parts)
    coarse = torch.tensor(scores, dtype=torch.float64).to(torch.bfloat16).double().tolist()
    assert scores != coarse
    logits = model(torch.tensor([[1, 5, 9]])).logits[0, -1].float().log_softmax(-1)
    assert scores[0] == pytest.approx(logits[5].item(), abs=0.05)
