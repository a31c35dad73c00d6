"""MAP by wording, origin of names and number of answers, and the prior, worked out by hand."""

import pytest

from polyfact.evaluators import _aggregate, _splits, evaluate, run_folder
from polyfact.evaluators._data import Benchmark, load
from polyfact.evaluators._scores import prior_path, read_scores
from polyfact.evaluators.tasks import find_task
from polyfact.schemas import CandidateSet, Item, MetricRow, Metrics, ScoreRow, UsedWording, read_json, write_jsonl
from tests.support.benchmark import items_and_sets, write_benchmark

pytest.importorskip("scipy")
torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.support import tiny_models  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

TASK = find_task("fiber")
CELL = ("capitals", "en", "completion", "entities")


def wordings() -> list[UsedWording]:
    """One template for each language, topic, form and target of the fixture."""
    items, _ = items_and_sets()
    keys = sorted({(item.topic, item.language, item.form, item.target) for item in items})
    return [
        UsedWording(
            id="/".join(key),
            topic=key[0],
            language=key[1],
            form=key[2],
            paraphrase=1,
            target=key[3],
            template="{subject}?",
            answer=None,
            empty=f"prompt of {key[1]}",
        )
        for key in keys
    ]


def named(item: Item, **changes: object) -> Item:
    """An item that names its wording; ``changes`` to the item or, label_source, to its provenance."""
    key = "/".join((item.topic, item.language, item.form, item.target))
    origin = {"wording_hash": key, "label_source": changes.pop("label_source", "native")}
    provenance = item.provenance.model_copy(update=origin)
    return item.model_copy(update={"provenance": provenance, **changes})


def capitals() -> tuple[dict[str, Item], CandidateSet]:
    items, sets = items_and_sets()
    chosen = {i.subject_id: named(i) for i in items if (i.topic, i.language, i.form, i.target) == CELL}
    return chosen, next(s for s in sets if s.id == next(iter(chosen.values())).candidates)


def scores(candidates: CandidateSet, first: list[str]) -> list[float]:
    """Scores that rank the surfaces of ``first`` in that order before all others."""
    order = {surface: -1.0 - at for at, surface in enumerate(first)}
    return [order.get(candidate.surface, -50.0 - at) for at, candidate in enumerate(candidates.candidates)]


def pick(rows: list[MetricRow], metric: str, **place: object) -> MetricRow:
    [row] = [row for row in rows if row.metric == metric and all(getattr(row, key) == v for key, v in place.items())]
    return row


def test_the_spread_over_wordings_uses_the_subjects_that_all_of_them_ask_about():
    chosen, candidates = capitals()
    italy, france = chosen["Q38"], chosen["Q142"]
    second = italy.model_copy(update={"id": "second", "paraphrase": 2})
    ranked = {italy.id: ["Rome"], france.id: ["Madrid", "Paris"], "second": ["Madrid", "Paris", "Berlin", "Rome"]}
    items = [italy, france, second]
    benchmark = Benchmark(items, {candidates.id: candidates}, {})
    judged = _aggregate.judge(benchmark, [ScoreRow.of(i, scores=scores(candidates, ranked[i.id])) for i in items])
    rows = list(_splits.rows(judged, TASK, 0))
    by_wording = {"topic": "capitals", "split_by": "paraphrase"}
    assert pick(rows, "map", split="1", **by_wording).value == (1 + 1 / 2) / 2
    assert pick(rows, "map", split="2", **by_wording).value == 1 / 4
    spread = pick(rows, "wording_spread", topic="capitals")
    assert (spread.value, spread.n, spread.n_clusters) == (1 - 1 / 4, 2, 1)
    mean = pick(rows, "wording_spread", topic=None, language="en")
    assert (mean.value, mean.pooling, mean.n) == (1 - 1 / 4, "macro", 1)


def test_one_wording_has_no_spread():
    chosen, candidates = capitals()
    benchmark = Benchmark(list(chosen.values()), {candidates.id: candidates}, {})
    judged = _aggregate.judge(benchmark, [ScoreRow.of(i, scores=scores(candidates, [])) for i in chosen.values()])
    assert {row.split_by for row in _splits.rows(judged, TASK, 0)} == {"label_source", "entity_count"}


def test_by_origin_of_names_and_number_of_answers():
    items, sets = items_and_sets()
    several = [named(i) for i in items if i.id.startswith("official-languages/") and i.id.endswith("/entities/en")]
    several[0] = named(several[0], label_source="mt")
    by_id = {each.id: each for each in sets}
    benchmark = Benchmark(several, by_id, {})
    rows = [ScoreRow.of(i, scores=scores(by_id[i.candidates], i.expected)) for i in several]
    found = list(_splits.rows(_aggregate.judge(benchmark, rows), TASK, 0))
    counts = {row.split: row.n for row in found if row.split_by == "entity_count"}
    assert counts == {"1": 1, "2": 1, "3": 2}
    assert {row.value for row in found if row.split_by == "entity_count"} == {1.0}
    chances = [pick(found, "map", split_by="entity_count", split=count).chance for count in ("1", "3")]
    assert chances[0] < chances[1]
    assert {row.split: row.n for row in found if row.split_by == "label_source"} == {"mt": 1, "native": 3}


@pytest.mark.parametrize(("count", "part"), [(1, "1"), (5, "5"), (6, "6+"), (11, "6+")])
def test_many_answers_are_counted_together(count, part):
    chosen, _ = capitals()
    ids = [str(number) for number in range(count)]
    item = chosen["Q38"].model_copy(update={"expected_ids": ids})
    assert _splits.part_of(item, "entity_count") == part


def test_the_prior_ranks_without_the_subject_and_what_the_subject_adds_is_paired():
    chosen, candidates = capitals()
    items = [chosen["Q38"], chosen["Q142"]]
    benchmark = Benchmark(items, {candidates.id: candidates}, {})
    rows = [ScoreRow.of(i, scores=scores(candidates, i.expected)) for i in items]
    prior = ScoreRow.of(items[0], scores=scores(candidates, ["Paris", "Rome"])).model_copy(
        update={"item_id": "capitals/en/completion/entities"}
    )
    judged = _aggregate.judge(benchmark, rows, [prior])
    found = list(_aggregate.rows(judged, TASK, 0))
    place = {"topic": "capitals", "language": "en", "form": "completion"}
    assert pick(found, "map_prior", **place).value == (1 + 1 / 2) / 2
    gain = pick(found, "map_over_prior", **place)
    assert (gain.value, gain.n) == ((0 + 1 / 2) / 2, 2)
    assert pick(found, "map_prior", **place).chance == pick(found, "map", **place, split_by=None, pooling="micro").chance
    without = list(_aggregate.rows(_aggregate.judge(benchmark, rows), TASK, 0))
    assert not [row for row in without if row.metric.startswith("map_prior")]


@pytest.fixture(scope="module")
def worded(tmp_path_factory):
    folder = write_benchmark(tmp_path_factory.mktemp("worded"))
    items, _ = items_and_sets()
    write_jsonl(folder / "items.jsonl", [named(item) for item in items])
    write_jsonl(folder / "wordings.jsonl", wordings())
    return folder


def test_a_real_model_is_asked_once_for_each_template_and_set(worded, tmp_path):
    model = str(tiny_models.save(tmp_path / "models" / "tiny"))
    folder = run_folder(evaluate(worded, model, out=tmp_path), worded, tmp_path)
    rows = list(read_scores(prior_path(folder)))
    assert sorted(row.item_id for row in rows) == sorted(wording.id for wording in wordings())
    assert all(row.scores and row.prompt_tokens > 0 for row in rows)
    measured = Metrics.model_validate(read_json(folder / "metrics.json"))
    assert {row.metric for row in measured.rows} >= {"map_prior", "map_over_prior", "tokens_per_prompt"}
    before = prior_path(folder).read_bytes()
    prior_path(folder).unlink()
    evaluate(worded, model, out=tmp_path)
    assert prior_path(folder).read_bytes() == before


def test_a_reference_model_reads_no_prompt_and_has_no_prior(worded, tmp_path):
    folder = run_folder(evaluate(worded, "oracle", out=tmp_path), worded, tmp_path)
    assert not prior_path(folder).exists()


def test_another_template_is_another_run(worded, tmp_path):
    first = evaluate(worded, "oracle", out=tmp_path)
    changed = [wording.model_copy(update={"empty": wording.empty + "."}) for wording in wordings()]
    try:
        write_jsonl(worded / "wordings.jsonl", changed)
        assert evaluate(worded, "oracle", out=tmp_path).run != first.run
        assert load(worded).wordings[changed[0].id].empty.endswith(".")
    finally:
        write_jsonl(worded / "wordings.jsonl", wordings())
