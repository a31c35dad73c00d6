"""What is known beforehand: a perfect model scores 1 in every cell, a random one scores chance."""

import math
import statistics
from collections import defaultdict

import pytest

from polyfact.evaluators import evaluate, metrics, run_folder
from polyfact.evaluators._data import load
from polyfact.evaluators.engines import Reference
from polyfact.schemas import Candidate, CandidateSet, Item, Metrics, read_json, read_jsonl, write_jsonl
from tests.support.benchmark import write_benchmark

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

SEEDS = 200


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_benchmark(tmp_path_factory.mktemp("benchmark"))


def measured(data, model, out, **options):
    run = evaluate(data, model, out=out, **options)
    return Metrics.model_validate(read_json(run_folder(run, data, out) / "metrics.json"))


def test_oracle_is_perfect_in_every_cell_and_pool(data, tmp_path):
    found = measured(data, "oracle", tmp_path)
    accuracy = [row for row in found.rows if row.metric in ("map", "map_corrected", "p@1", "mrr", "r_precision")]
    assert {row.value for row in accuracy} == {1.0}
    cells = {(r.topic, r.language, r.form, r.target) for r in accuracy if None not in (r.topic, r.language, r.form)}
    items = load(data).items
    assert cells == {(item.topic, item.language, item.form, item.target) for item in items}
    assert (found.n_items, found.n_errors) == (len(items), 0)
    for row in accuracy:
        assert row.chance is not None
        assert row.chance < 1
        assert row.n > 0
        assert row.low is not None
        assert row.low < row.high == 1, "where all are right the interval still says how much that proves"


def test_a_folder_named_data_in_a_workspace_is_its_owners(tmp_path):
    folder = write_benchmark(tmp_path / "workspace")
    (folder / "data").mkdir()
    (folder / "data" / "notes.jsonl").write_text('{"note": "not an item"}\n', encoding="utf-8")
    assert evaluate(folder, "oracle").data["items"] == len(load(folder).items) > 0


def test_empty_scores_exactly_chance(data, tmp_path):
    found = measured(data, "empty", tmp_path)
    assert found.ties == found.n_items
    assert found.biased_subjects == []
    for row in found.rows:
        if row.metric in ("map", "p@1", "mrr") or (row.metric.startswith("fib") and row.value is not None):
            assert row.value == pytest.approx(row.chance, abs=1e-12), row
        if row.metric.startswith("lift@") and row.value is not None:
            assert row.value == pytest.approx(row.chance, abs=1e-12), row


def test_what_a_killed_run_left_unfinished_is_taken_away(data, tmp_path):
    folder = run_folder(evaluate(data, "oracle", out=tmp_path), data, tmp_path)
    for name in ("scores-00000", "prior"):
        (folder / f".{name}.parquet.abc.part").write_bytes(b"cut off")
    evaluate(data, "oracle", out=tmp_path)
    assert not list(folder.glob(".*"))


def test_random_is_chance_in_every_cell(data):
    benchmark = load(data)
    candidates = {
        name: [metrics.Candidate(c.surface, tuple(c.ids)) for c in each.candidates]
        for name, each in benchmark.sets.items()
    }
    drawn = defaultdict(list)
    for seed in range(SEEDS):
        model = Reference("random", seed)
        for item in benchmark.items:
            scores = model.score(item, benchmark.sets[item.candidates]).values
            ranking = metrics.rank(candidates[item.candidates], scores)
            gold = set(item.expected_ids)
            for name, scored in (
                ("map", metrics.average_precision(ranking, gold)),
                ("p@1", metrics.precision_at(ranking, gold, 1)),
                ("mrr", metrics.reciprocal_rank(ranking, gold)),
            ):
                drawn[name, item.topic, item.language, item.form, item.target].append((scored.value, scored.chance))
    assert len(drawn) == 3 * len({(i.topic, i.language, i.form, i.target) for i in benchmark.items})
    for cell, values in drawn.items():
        difference = [value - chance for value, chance in values]
        error = statistics.stdev(difference) / math.sqrt(len(difference))
        assert abs(statistics.fmean(difference)) < 4 * error, cell


def test_random_is_repeatable_and_independent_of_other_items(data):
    benchmark = load(data)
    item = benchmark.items[3]
    candidates = benchmark.sets[item.candidates]
    assert Reference("random", 5).score(item, candidates) == Reference("random", 5).score(item, candidates)
    assert Reference("random", 5).score(item, candidates) != Reference("random", 6).score(item, candidates)
    other = benchmark.items[4]
    assert Reference("random", 5).score(item, candidates) != Reference("random", 5).score(other, candidates)


def test_a_file_edited_by_hand_is_other_data(tmp_path):
    folder = write_benchmark(tmp_path / "edited")
    run = evaluate(folder, "oracle")
    items, sets = read_jsonl(folder / "items.jsonl", Item), read_jsonl(folder / "candidates.jsonl", CandidateSet)
    write_jsonl(folder / "items.jsonl", [item.model_copy(update={"question": f"{item.question}?"}) for item in items])
    asked_otherwise = evaluate(folder, "oracle")
    write_jsonl(folder / "items.jsonl", items)
    more = Candidate(surface="Atlantis", ids=["local:atlantis"])
    write_jsonl(
        folder / "candidates.jsonl",
        [row.model_copy(update={"candidates": [*row.candidates, more]}) for row in sets],
    )
    assert len({run.run, asked_otherwise.run, evaluate(folder, "oracle").run}) == 3
