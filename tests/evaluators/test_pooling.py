"""What the rows of a run pool, and the inference bias in them, worked out by hand."""

from dataclasses import replace

import pytest

from polyfact.evaluators import _aggregate, _bias
from polyfact.evaluators._data import Benchmark
from polyfact.evaluators.tasks import find_task
from polyfact.schemas import CandidateSet, Item, MetricRow, ScoreRow
from tests.support.benchmark import items_and_sets

pytest.importorskip("scipy")

TASK = find_task("fiber")


def run(scores: dict[str, dict[str, float]], associations: dict[tuple[str, str], list[str]] | None = None):
    """Items by id with the scores of their surfaces; other surfaces score -9."""
    items, sets = items_and_sets()
    by_id: dict[str, Item] = {item.id: item for item in items}
    by_set: dict[str, CandidateSet] = {each.id: each for each in sets}
    associated = {key: frozenset(ids) for key, ids in (associations or {}).items()}
    benchmark = Benchmark([by_id[name] for name in sorted(scores)], by_set, associated)
    rows = []
    for item in benchmark.items:
        surfaces = [candidate.surface for candidate in by_set[item.candidates].candidates]
        assert set(scores[item.id]) <= set(surfaces)
        rows.append(
            ScoreRow.of(
                item,
                scores=[scores[item.id].get(surface, -9.0 - at) for at, surface in enumerate(surfaces)],
                tokens=[2] * len(surfaces),
            )
        )
    return benchmark, _aggregate.judge(benchmark, rows)


def find(rows: list[MetricRow], metric: str, **place: str | None) -> MetricRow:
    wanted = {
        "topic": None,
        "language": None,
        "form": None,
        "target": "entities",
        "pooling": "micro",
        **place,
    }
    [row] = [r for r in rows if r.metric == metric and all(getattr(r, key) == value for key, value in wanted.items())]
    return row


def capital(subject: str, language: str, form: str = "completion") -> str:
    return f"capitals/{subject}/{form}/entities/{language}"


def test_a_mean_over_languages_uses_the_questions_that_all_of_them_have():
    benchmark, judged = run(
        {
            capital("Q38", "en"): {"Rome": -1.0},
            capital("Q38", "it"): {"Parigi": -1.0, "Roma": -2.0},
            capital("Q28", "en"): {"Paris": -1.0, "Rome": -2.0, "Madrid": -3.0, "Budapest": -4.0},
        }
    )
    assert len(benchmark.items) == 3
    rows = list(_aggregate.rows(judged, TASK, 0))
    cell = {"topic": "capitals", "form": "completion"}
    english = find(rows, "map", language="en", **cell)
    assert (english.value, english.n, english.n_clusters) == ((1 + 1 / 4) / 2, 2, 2)
    assert english.flags == ["interval:few-clusters"]
    everywhere = find(rows, "map")
    assert (everywhere.value, everywhere.n) == ((1 + 1 / 2) / 2, 2)
    assert "parallel-subset" in everywhere.flags
    assert "unequal-coverage" in find(rows, "map", language="en").flags


def test_what_happened_in_scoring_is_said_of_the_means_that_it_is_in():
    _, judged = run({capital("Q38", "en"): {"Rome": -1.0}, capital("Q38", "it"): {"Roma": -1.0}})
    merged = replace(judged[0], row=judged[0].row.model_copy(update={"flags": ["boundary-merge"]}))
    rows = list(_aggregate.rows([merged, judged[1]], TASK, 0))
    assert merged.item.language == "en"
    assert "boundary-merge" in find(rows, "map", language="en").flags
    assert "boundary-merge" in find(rows, "map").flags
    assert "boundary-merge" not in find(rows, "map", language="it").flags


def test_macro_weighs_cells_alike_and_has_an_interval():
    _, judged = run(
        {
            capital("Q38", "en"): {"Rome": -1.0},
            capital("Q142", "en"): {"Paris": -1.0},
            capital("Q29", "en"): {"Madrid": -1.0},
            "official-languages/local:dyke/completion/entities/en": {"French": -1.0, "Dutch": -2.0},
        }
    )
    row = find(list(_aggregate.rows(judged, TASK, 0)), "map", pooling="macro")
    assert (row.value, row.n, row.n_clusters) == ((1 + 1 / 2) / 2, 4, 4)
    assert row.low is not None
    assert row.high is not None
    assert 0 <= row.low < row.value < row.high <= 1
    assert "cells:2" in row.flags
    assert find(list(_aggregate.rows(judged, TASK, 0)), "map").value == pytest.approx(3.5 / 4)


def test_bias_lift_and_subjects_by_hand():
    italian = {"Roma": -1.0, "Parigi": -2.0}
    benchmark, judged = run(
        {
            capital("Q142", "it"): italian,
            capital("Q142", "en"): {"Paris": -1.0, "Berlin": -2.0, "Rome": -3.0},
            capital("Q142", "tr"): {"Paris": -1.0, "Ankara": -2.0, "Roma": -3.0},
            capital("Q142", "tr", "completion_suffixed"): {"Ankara'dır": -1.0, "Paris'dır": -2.0},
        },
        {("capitals", "it"): ["Q38/capital"], ("capitals", "tr"): ["Q43/capital"]},
    )
    found = _bias.biases(judged, benchmark, TASK)
    rows = list(_bias.bias_rows(found, judged, TASK, 0))
    place = {"topic": "capitals", "language": "it", "form": "completion"}
    assert find(rows, "fib@1", **place).value == 1.0
    assert find(rows, "fib_minus@1", **place).value == 1.0
    # Without Paris, English ranks Berlin first and Turkish Ankara: Rome is first in neither.
    assert find(rows, "lift@1", **place).value == 1.0
    suffixed = {"topic": "capitals", "language": "tr", "form": "completion_suffixed"}
    assert find(rows, "fib@1", **suffixed).value == 1.0
    assert find(rows, "lift@1", **suffixed).value == 1.0
    english = find(rows, "fib@1", topic="capitals", language="en", form="completion")
    assert (english.value, english.reason) == (None, "language-left-out")
    withheld = find(rows, "fib@10", **place)
    assert (withheld.value, withheld.reason) == (None, "n>=surface_size")
    assert withheld.flags


def test_a_language_without_associated_entities_is_null_with_the_reason():
    benchmark, judged = run({capital("Q142", "it"): {}, capital("Q142", "tr"): {}}, {("capitals", "it"): ["Q38/capital"]})
    rows = list(_bias.bias_rows(_bias.biases(judged, benchmark, TASK), judged, TASK, 0))
    row = find(rows, "fib@3", topic="capitals", language="tr", form="completion")
    assert (row.value, row.reason, row.n) == (None, "no-associations", 0)


def test_tokens_by_language():
    _, judged = run({capital("Q142", "it"): {}})
    row = find(list(_aggregate.rows(judged, TASK, 0)), "tokens_per_candidate", language="it", target=None)
    assert (row.value, row.n) == (2.0, 1)


def test_the_most_biased_subjects_come_with_their_ranking():
    scores = {
        f"official-languages/{subject}/completion/entities/{language}": {}
        for subject in ("local:dyke", "local:lake")
        for language in ("en", "it")
    }
    scores["official-languages/local:dyke/completion/entities/it"] = {"italiano": -1.0, "olandese": -2.0}
    scores["official-languages/local:lake/completion/entities/it"] = {"olandese": -1.0}
    benchmark, judged = run(scores, {("official-languages", "it"): ["local:italian"]})
    narrow = replace(TASK, top=(1, 10))
    found = _bias.biases(judged, benchmark, narrow)
    [shown] = _bias.biased_subjects(found, benchmark, narrow)
    identity = "official-languages/local:dyke/completion/entities/it"
    assert (shown.item_id, shown.n, shown.bias, shown.lift) == (identity, 1, 1.0, 1.0), "10 places hold everything"
    first, second = shown.ranking[:2]
    assert (first.rank, first.surface, first.gold, first.aligned, first.score) == (1, "italiano", False, True, -1.0)
    assert (second.rank, second.surface, second.gold, second.aligned) == (2, "olandese", True, False)
