"""How a loaded model is scored: packed where that is checked to be right, and what stands in its place."""

import math

import pytest

from polyfact.errors import DataError
from polyfact.evaluators import evaluate, run_folder
from polyfact.evaluators._data import load
from polyfact.evaluators._scores import read_scores
from polyfact.evaluators.engines import BatchScorer, Reference
from polyfact.evaluators.ranking import CandidateTrie, selfcheck
from polyfact.schemas import CandidateSet
from tests.support.benchmark import items_and_sets, write_benchmark

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from polyfact.evaluators.engines import _hf  # noqa: E402
from polyfact.evaluators.engines._hf import HfScorer  # noqa: E402
from polyfact.evaluators.ranking import _layers, _packed  # noqa: E402
from tests.support import tiny_models  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

IDS = [7, 33, 90, 41, 12, 77, 130, 200, 15, 16, 31, 250, 99]
SURFACES = ["Rome", "Rome and Paris", "Rome and Paris and Berlin", "R", "ome", "Ankara", "नई दिल्ली"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = {}

    def saved(kind="llama"):
        if kind not in made:
            made[kind] = tiny_models.save(tmp_path_factory.mktemp("models") / kind, kind=kind, bos=True)
        return str(made[kind])

    return saved


@pytest.fixture
def prompts():
    """Items of one candidate set, one of them cut within a word so that its tokens merge with the candidates'."""
    items, _ = items_and_sets()
    candidates = CandidateSet.of("capitals", "en", "completion", "entities", "", {s: {s} for s in SURFACES})
    chosen = [item for item in items if item.candidates.startswith("capitals/en/")]
    questions = [item.question + " " for item in chosen[:-1]] + ["The capital of Italy is R"]
    return [item.model_copy(update={"question": q}) for item, q in zip(chosen, questions, strict=True)], candidates


def values(found):
    return [value for scores in found for value in scores.values]


def refused(scorer):
    return scorer.info()["path"], scorer.info()["check"]["refused"]


@pytest.mark.parametrize("kind", tiny_models.FAMILIES)
def test_every_family_is_packed_and_gives_its_plain_scores(folder, prompts, kind):
    scorer, plain = HfScorer(folder(kind)), HfScorer(folder(kind), method="naive")
    assert refused(scorer) == ("packed", None)
    assert scorer.check.difference < 1e-4
    assert scorer.check.reach is None
    found = scorer.score_many(*prompts)
    expected = [plain.score(item, prompts[1]) for item in prompts[0]]
    assert values(found) == pytest.approx(values(expected), abs=1e-4)
    for one, other in zip(found, expected, strict=True):
        assert one[1:] == other[1:]
    assert [bool(scores.flags) for scores in found] == [False] * (len(found) - 1) + [True]
    assert plain.info()["check"] is None


def test_batches_change_nothing_but_the_forwarded_tokens(folder, prompts):
    whole, single, cached = HfScorer(folder()), HfScorer(folder(), batch_tokens=1), HfScorer(folder(), method="cached")
    found = whole.score_many(*prompts)
    for other in (single, cached):
        assert values(other.score_many(*prompts)) == pytest.approx(values(found), abs=1e-5)
    alone = [whole.score(item, prompts[1]) for item in prompts[0]]
    assert values(alone) == pytest.approx(values(found), abs=1e-5)


def test_forwarded_tokens_are_counted(folder, prompts):
    items, candidates = prompts
    parts = [HfScorer(folder(), method="naive")._split(item, candidates) for item in items]
    packed, cached, naive = (HfScorer(folder(), method=method) for method in ("packed", "cached", "naive"))
    assert packed.forwarded == 0, "the check at load does not count"
    for scorer in (packed, cached, naive):
        scorer.score_many(items, candidates)
    assert naive.forwarded == sum(len(p.context) + len(tokens) for p in parts for tokens in p.continuations)
    *alike, merged = parts
    inner = [len(CandidateTrie.of(p.continuations).internal) for p in parts]
    width = max(len(p.context) for p in alike) + inner[0]
    assert packed.forwarded == len(alike) * width + len(merged.context) + inner[-1]
    assert packed.forwarded < cached.forwarded < naive.forwarded


def test_an_item_that_cannot_be_scored_leaves_the_others(folder, prompts, monkeypatch):
    items, candidates = prompts
    scorer = HfScorer(folder())
    whole = scorer.score_many(items, candidates)
    bad = tuple(scorer._split(items[1], candidates).context)

    def failing(model, contexts, trie, **how):
        if bad in map(tuple, contexts):
            raise RuntimeError("out of everything")
        return _packed.packed_scores(model, contexts, trie, **how)

    monkeypatch.setattr(_hf, "packed_scores", failing)
    long = items[2].model_copy(update={"question": "long " * 300})
    found = scorer.score_many([*items[:2], long, *items[3:]], candidates)
    assert str(found[1]) == "out of everything"
    assert isinstance(found[2], DataError)
    kept = [place for place in range(len(items)) if place not in (1, 2)]
    assert values(found[p] for p in kept) == pytest.approx(values(whole[p] for p in kept), abs=1e-5)
    with pytest.raises(DataError, match="the model takes 256"):
        scorer.score(long, candidates)


def test_linear_attention_is_scored_by_the_plain_loop(folder, prompts):
    scorer = HfScorer(folder("qwen3_next"))
    assert refused(scorer) == ("naive", "layers linear_attention")
    assert all(map(math.isfinite, values(scorer.score_many(*prompts))))


def test_an_unknown_family_is_scored_with_the_cache(folder, prompts, monkeypatch):
    expected = values(HfScorer(folder()).score_many(*prompts))
    monkeypatch.setattr(_layers, "UNIFORM", frozenset())
    scorer = HfScorer(folder())
    assert refused(scorer) == ("cached", "family llama")
    assert values(scorer.score_many(*prompts)) == pytest.approx(expected, abs=1e-5)


def siblings_seen(real, sees):
    """The mask of ordinary text: a node sees what stands before it, whichever branch that is on."""
    length = real.shape[1]
    shape = torch.ones(length, length, dtype=torch.bool).tril()
    return (shape & real[:, None, :]) | torch.eye(length, dtype=torch.bool)


def padding_seen(real, sees):
    return VISIBLE(torch.ones_like(real), sees)


VISIBLE = _packed._visible


@pytest.mark.parametrize("broken", [siblings_seen, padding_seen])
@pytest.mark.parametrize("kind", tiny_models.FAMILIES)
def test_the_check_refuses_a_broken_mask(folder, monkeypatch, broken, kind):
    monkeypatch.setattr(_packed, "_visible", broken)
    scorer = HfScorer(folder(kind))
    assert scorer.path == "cached"
    assert "nats from the plain scores, 0.001 allowed" in scorer.check.refused
    assert scorer.check.difference > 0.01


@pytest.mark.parametrize("kind", ["mistral", "gemma3", "qwen2", "llama4"])
def test_the_check_refuses_windows_that_are_not_kept(folder, monkeypatch, kind):
    monkeypatch.setattr(_layers.Layers, "near", lambda self, kind, positions: None)
    assert HfScorer(folder(kind)).check.difference > 0.01


def test_a_window_longer_than_what_is_tried_ends_the_reach(folder, prompts, monkeypatch):
    items, candidates = prompts
    model = tiny_models.model("mistral")
    model.config.sliding_window = 24
    assert selfcheck(model, IDS, longest=26).reach is None
    assert selfcheck(model, IDS, longest=25).reach == 24
    monkeypatch.setitem(_hf.CHECKED_TOKENS, "cpu", 3)
    scorer = HfScorer(folder("mistral"))
    assert (scorer.path, scorer.check.reach) == ("packed", 4)
    found = scorer.score_many(items, candidates)
    assert all("cached-path" in scores.flags for scores in found)
    assert values(found) == pytest.approx(values(HfScorer(folder("mistral")).score_many(items, candidates)), abs=1e-5)


def test_frequencies_that_follow_the_input_end_the_reach():
    model = tiny_models.model()
    model.config.rope_parameters = {"rope_type": "dynamic", "factor": 2.0, "original_max_position_embeddings": 100}
    assert selfcheck(model, IDS).reach == 100


def test_half_precision_is_compared_with_its_own_spread(monkeypatch):
    model = tiny_models.model().to(torch.bfloat16)
    check = selfcheck(model, IDS)
    assert (check.refused, check.spread is None) == (None, False)
    assert 0 < check.difference < 0.5
    assert selfcheck(tiny_models.model(), IDS).spread is None
    monkeypatch.setattr(_packed, "_visible", siblings_seen)
    assert "nats from the plain scores, 0.5 allowed" in selfcheck(model, IDS).refused


def test_scores_that_are_not_numbers_are_refused():
    model = tiny_models.model()
    with torch.no_grad():
        model.lm_head.weight.fill_(float("nan"))
    assert selfcheck(model, IDS).refused == "scores that are not numbers"


def test_a_run_records_its_method_and_any_batch_ends_alike(folder, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    data = write_benchmark(tmp_path / "benchmark")
    runs = {}
    for tokens in (2048, 40):
        monkeypatch.setitem(_hf.BATCH_TOKENS, "cpu", tokens)
        run = evaluate(data, folder("gemma3"), out=tmp_path / str(tokens))
        assert (run.model_info["path"], run.model_info["batch_tokens"]) == ("packed", tokens)
        assert run.model_info["check"]["difference"] < 1e-4
        shards = sorted(run_folder(run, data, tmp_path / str(tokens)).glob("scores-*"))
        runs[run.run, tokens] = [row for shard in shards for row in read_scores(shard)]
    one, other = runs.values()
    assert len({run for run, _ in runs}) == 1
    assert [row.item_id for row in one] == sorted(item.id for item in load(data).items)
    for a, b in zip(one, other, strict=True):
        assert a.scores == pytest.approx(b.scores, abs=1e-5)


def test_only_engines_that_gain_by_it_take_batches(folder):
    assert isinstance(HfScorer(folder()), BatchScorer)
    assert not isinstance(Reference("oracle"), BatchScorer)
