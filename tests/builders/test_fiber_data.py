"""The published files of FIBER, where they are there: every row, the known faults, and models with known results."""

import math
import statistics
from collections import Counter, defaultdict

import pytest

import polyfact
from polyfact.evaluators import metrics
from polyfact.evaluators._data import load
from polyfact.evaluators.engines import Reference
from polyfact.schemas import Association, Item, read_json, read_jsonl
from tests.support import shared
from tests.support.needs import needs

pytest.importorskip("pyoxigraph")
pytestmark = needs("shared")

TABLE_2 = {
    # topic: (subjects, entries in English and Italian, in Turkish, in all)
    "atomic-numbers": (30, 60, 90, 210),
    "cctld": (62, 124, 186, 434),
    "founding-locations": (234, 468, 702, 1638),
    "original-langs-of-books": (214, 428, 642, 1498),
    "capital-cities": (58, 116, 174, 406),
    "chemical-symbols": (30, 60, 90, 210),
    "locations-of-sites": (239, 478, 717, 1673),
    "product-maker": (148, 296, 444, 1036),
    "car-brands": (40, 160, 200, 520),
    "countries-timezones": (125, 500, 625, 1625),
    "polyglot-celebs": (71, 284, 355, 923),
    "countries-heritages": (85, 340, 425, 1105),
    "top-500-universities": (32, 128, 160, 416),
    "countries-neighbors": (78, 312, 390, 1014),
    "countries-official-languages": (97, 388, 485, 1261),
    "mobile-network-operators": (24, 96, 120, 312),
}
SMALL = ("chemical-symbols", "mobile-network-operators")
SEEDS = 30


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    source = shared.folder() / "data" / "fiber"
    return polyfact.import_dataset("fiber", source, tmp_path_factory.mktemp("fiber") / "data")


@pytest.fixture(scope="module")
def items(report):
    return read_jsonl(report.folder / "items.jsonl", Item)


@pytest.fixture(scope="module")
def small(report):
    return load(report.folder).only(None, list(SMALL), None)


def test_rows_are_those_of_table_2(report, items):
    assert (report.rows, report.items, len(items), len(report.cells)) == (14_281, 14_281, 14_281, 160)
    assert (report.rejected, report.ignored) == ({}, [])
    found = Counter((item.topic, item.language) for item in items)
    subjects = {topic: len({item.subject_id for item in items if item.topic == topic}) for topic in TABLE_2}
    for topic, (n, latin, turkish, total) in TABLE_2.items():
        assert [found[topic, language] for language in ("en", "it", "tr")] == [latin, latin, turkish]
        assert (subjects[topic], latin + latin + turkish) == (n, total)
    classes = Counter((item.domain, item.language) for item in items)
    assert classes == {
        ("single-entity", "en"): 2030,
        ("single-entity", "it"): 2030,
        ("single-entity", "tr"): 3045,
        ("multi-entity", "en"): 2208,
        ("multi-entity", "it"): 2208,
        ("multi-entity", "tr"): 2760,
    }


def test_every_question_stands_in_three_languages_with_the_same_answers(items):
    questions = defaultdict(lambda: defaultdict(set))
    for item in items:
        form = item.form.removesuffix("_suffixed")
        questions[item.topic, item.subject_id, form, item.target][item.language].add(tuple(item.expected_ids))
    assert len(questions) == 4238, "the paper's total of English entries"
    for languages in questions.values():
        assert set(languages) == {"en", "it", "tr"}
        assert len(set.union(*languages.values())) == 1


def test_the_known_faults_are_counted(report):
    found = {defect.kind: defect.n for defect in report.defects}
    assert found["file-with-byte-order-mark"] == 32
    assert (found["file-with-count-as-number"], found["file-with-count-as-text"]) == (39, 65)
    assert (found["file-with-key-en_sub"], found["file-with-key-sub_en"]) == (40, 8)
    assert found["newline-in-answer"] == 20
    assert found["subject-twice-with-another-answer"] == 5 * 7
    assert "row-twice" not in found
    assert found["subject-is-not-that-of-the-english-row"] == 2 * 25, "Italian subjects of capitals are out of step"
    worded = next(defect for defect in report.defects if defect.kind == "question-worded-as-in-another-topic")
    assert all(" tr completion count: " in example for example in worded.examples)
    assert {example.split()[0] for example in worded.examples} == {"countries-timezones", "polyglot-celebs"}
    assert sum(cell.without_template for cell in report.cells) == found["subject-not-in-the-question"] == 3


def test_associations_of_the_paper_s_languages(report):
    rows = {(r.topic, r.language): r.labels for r in read_jsonl(report.folder / "associations.jsonl", Association)}
    assert rows["capital-cities", "it"] == ["Roma"]
    assert "Ankara" in rows["capital-cities", "tr"]
    assert rows["countries-neighbors", "tr"] == ["Türkiye"]
    assert rows["countries-official-languages", "it"] == rows["polyglot-celebs", "it"] == ["Italiano"]
    assert rows["original-langs-of-books", "tr"] == ["Türkçe"]
    assert rows["cctld", "it"] == [".it"]
    assert rows["countries-timezones", "it"] == ["UTC+01:00"]
    linked = {"capital-cities", "cctld", "countries-neighbors", "countries-official-languages", "countries-timezones"}
    assert {topic for topic, _ in rows} == linked | {"original-langs-of-books", "polyglot-celebs"}


def test_oracle_is_perfect_in_every_cell(report, small, tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("scipy")
    from polyfact.evaluators import evaluate, run_folder
    from polyfact.schemas import Metrics

    record = evaluate(report.folder, "oracle", topics=SMALL, out=tmp_path)
    found = Metrics.model_validate(read_json(run_folder(record, report.folder, tmp_path) / "metrics.json"))
    accuracy = [row for row in found.rows if row.metric in ("map", "p@1") and None not in (row.topic, row.form)]
    cells = {(item.topic, item.language, item.form, item.target) for item in small.items}
    assert {(r.topic, r.language, r.form, r.target) for r in accuracy} == cells
    assert len(cells) == 7 + 13
    assert {row.value for row in accuracy} == {1.0}
    assert (found.n_items, found.n_errors) == (len(small.items), 0)


def test_random_is_chance_in_every_cell(small):
    candidates = {
        name: [metrics.Candidate(each.surface, tuple(each.ids)) for each in found.candidates]
        for name, found in small.sets.items()
    }
    drawn = defaultdict(list)
    for seed in range(SEEDS):
        model = Reference("random", seed)
        for item in small.items:
            ranking = metrics.rank(candidates[item.candidates], model.score(item, small.sets[item.candidates]).values)
            gold = set(item.expected_ids)
            for name, scored in (
                ("map", metrics.average_precision(ranking, gold)),
                ("p@1", metrics.precision_at(ranking, gold, 1)),
            ):
                drawn[name, item.candidates].append(scored.value - scored.chance)
    assert len(drawn) == 2 * 20
    for cell, differences in drawn.items():
        error = statistics.stdev(differences) / math.sqrt(len(differences))
        assert abs(statistics.fmean(differences)) < 4 * error, cell
