"""fiber-2025-12 against the published script's arithmetic, written out plainly."""

import pytest

from polyfact.evaluators import evaluate, run_folder
from polyfact.evaluators._data import load
from polyfact.evaluators._scores import read_scores, shard_path
from polyfact.evaluators.metrics import Candidate, average_precision, in_listed_order, rank
from polyfact.evaluators.tasks import find_task
from polyfact.schemas import Metrics, read_json
from tests.support.benchmark import write_benchmark

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.support import tiny_models  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_benchmark(tmp_path_factory.mktemp("benchmark"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_models.save(tmp_path_factory.mktemp("models") / "tiny", bos=True)


def published(tokenizer, model, prompt, surface):
    """The script: no special tokens, the last character cut off, one forward a token, logits divided by 0.1."""
    context = tokenizer(prompt, add_special_tokens=False).input_ids
    score = 0.0
    for token in tokenizer((" " + surface)[:-1], add_special_tokens=False).input_ids:
        with torch.inference_mode():
            logits = model(torch.tensor([context])).logits[0, -1].float()
        score += (logits / 0.1).log_softmax(-1)[token].item()
        context = [*context, token]
    return score


def test_scores_are_those_of_the_published_script(data, folder, tmp_path):
    run = evaluate(data, str(folder), task="fiber-2025-12", out=tmp_path, topics=["capitals"], languages=["en"])
    rows = list(read_scores(shard_path(run_folder(run, data, tmp_path), 0)))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    benchmark = load(data)
    items = {item.id: item for item in benchmark.items}
    assert len(rows) == 7
    for row in rows:
        surfaces = [candidate.surface for candidate in benchmark.sets[row.candidates].candidates]
        expected = [published(tokenizer, model, items[row.item_id].question, surface) for surface in surfaces]
        assert row.scores == pytest.approx(expected, abs=1e-3)
        assert "no-bos" in row.flags
    assert run.model_info["bos"] == "left out"
    assert run.scoring["temperature"] == 0.1


def test_the_dated_task_is_another_run_with_other_numbers(data, folder, tmp_path):
    runs = [evaluate(data, str(folder), task=task, out=tmp_path) for task in ("fiber", "fiber-2025-12")]
    assert runs[0].run != runs[1].run
    found = [Metrics.model_validate(read_json(run_folder(run, data, tmp_path) / "metrics.json")) for run in runs]
    assert found[0].n_errors == found[1].n_errors == 0
    values = [[row.value for row in each.rows if row.metric == "map"] for each in found]
    assert values[0] != values[1]


def test_one_letter_is_cut_to_a_space_and_ties_go_by_text(data, folder, tmp_path):
    run = evaluate(data, str(folder), task="fiber-2025-12", out=tmp_path, topics=["official-languages"], languages=["en"])
    rows = [row for row in read_scores(shard_path(run_folder(run, data, tmp_path), 0)) if row.target == "count"]
    assert rows
    assert all(len(set(row.scores)) == 1 for row in rows), "every count is one digit, and the digit is cut off"
    candidates = [Candidate(text, (text,)) for text in ("1", "2", "3")]
    ranking = in_listed_order(rank(candidates, [-1.0, -1.0, -1.0]))
    assert [average_precision(ranking, {text}).value for text in ("1", "2", "3")] == [1.0, 1 / 2, 1 / 3]


def test_the_plain_task_stays_what_it_was():
    scoring = find_task("fiber").scoring
    assert (scoring.bos, scoring.temperature, scoring.ties, scoring.joined, scoring.cut) == (
        "tokenizer",
        1.0,
        "expected",
        True,
        0,
    )
