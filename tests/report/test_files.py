"""From the files of runs to the page and the summary, without a browser."""

import html

import pytest

from polyfact import report
from polyfact.errors import DataError, UsageError
from polyfact.report._colour import DARK, LIGHT, contrast, ramp
from polyfact.report._words import language_name, link, notes, number, reason, signed
from polyfact.schemas import MetricRow, Metrics, read_json
from tests.support.metrics_fixture import run, store, write_run


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return [write_run(folder), write_run(folder, "oracle", engine="reference", strength=1.0)]


def text_of(runs, tmp_path):
    return report.write(runs, tmp_path / "index.html").read_text(encoding="utf-8")


def test_undefined_is_a_dash_with_its_reason_never_nan(folders, tmp_path):
    text = text_of(folders, tmp_path)
    undefined = {row.reason for row in Metrics.model_validate(read_json(folders[0] / "metrics.json")).rows if row.reason}
    assert len(undefined) == 4
    for why in undefined:
        assert html.escape(why) in text
    assert ">nan<" not in text.lower()
    assert ">None<" not in text


def test_the_page_is_the_same_every_time_and_brings_all_it_needs(folders, tmp_path):
    first, second = (report.write(folders, tmp_path / name).read_bytes() for name in ("a.html", "b.html"))
    assert first == second
    for loaded in (b"src=", b"@import", b"url(", b" style="):
        assert loaded not in first
    assert first.count(b"<link") == 1


def test_summary_holds_the_numbers_of_the_metrics(folders):
    tiny, oracle = report.summary(folders)
    row = report.read_run(folders[0]).find("map", target="entities")
    numbers = {"map": row.value, "low": row.low, "high": row.high, "prior": None, "chance": row.chance}
    assert tiny == {"model": "tiny-lm", **numbers, "n": 1152}
    assert (oracle["model"], oracle["map"]) == ("oracle", 1.0)


def test_summary_of_counts_alone_and_of_nothing(tmp_path):
    record, metrics = run()
    rows = [row for row in metrics.rows if row.target == "count"]
    counts = store(tmp_path / "counts", record, metrics.model_copy(update={"rows": rows}))
    nothing = store(tmp_path / "nothing", record, metrics.model_copy(update={"rows": [], "biased_subjects": []}))
    assert report.summary([counts])[0]["chance"] == 0.52
    assert report.summary([nothing])[0] == {
        "model": "tiny-lm",
        **dict.fromkeys(("map", "low", "high", "prior", "chance")),
        "n": 0,
    }
    assert "No question of these runs has a score." in text_of([nothing], tmp_path)


def test_a_reference_model_that_misses_theory_is_shown(tmp_path):
    good = write_run(tmp_path)
    wrong = write_run(tmp_path, "oracle", engine="reference", strength=0.5)
    assert "✗ oracle" in text_of([good, wrong], tmp_path)


def test_reference_models_alone_are_the_models(tmp_path):
    text = text_of([write_run(tmp_path, "random", engine="reference", strength=0.0)], tmp_path)
    assert "<strong>random</strong>" in text
    assert 'class="sanity"' not in text


def test_runs_on_different_data_are_not_compared_in_silence(tmp_path):
    record, metrics = run("other")
    other = store(tmp_path, record.model_copy(update={"identity": {"data": "ffff"}}), metrics)
    same, warned = text_of([write_run(tmp_path)], tmp_path), text_of([write_run(tmp_path), other], tmp_path)
    assert "different data" in warned
    assert "different data" not in same


def test_bad_input_is_one_clear_error(tmp_path):
    with pytest.raises(UsageError, match="no runs to report"):
        report.write([], tmp_path / "index.html")
    (tmp_path / "run.json").write_text("{}")
    (tmp_path / "metrics.json").write_text("{}")
    with pytest.raises(DataError, match="not a run: run: Field required"):
        report.write([tmp_path], tmp_path / "index.html")
    record, metrics = run()
    torn = store(tmp_path, record, metrics.model_copy(update={"run": "0123"}))
    with pytest.raises(DataError, match="of two runs"):
        report.write([torn], tmp_path / "index.html")


def test_numbers_as_they_are_read():
    values = (0.40631, -0.0186, 1.0, 0.99996, -0.0001, 0.0, 4.21, None)
    assert [number(v) for v in values] == [".406", "−.019", "1.000", "1.000", ".000", ".000", "4.210", "—"]
    assert [signed(v) for v in (0.1, -0.1, 0.0001, None)] == ["+.100", "−.100", ".000", "—"]


def test_reasons_and_notes_in_words():
    row = MetricRow(metric="fib@10", reason="all-aligned-are-true+n>=surface_size")
    assert reason(row) == "all such answers are right; n reaches all candidates"
    assert reason(MetricRow(metric="x", reason="some-new-reason")) == "some new reason"
    flags = ["parallel-subset", "errors:3", "undefined:no-other-language:2", "interval:all-equal", "cells:9"]
    assert notes(MetricRow(metric="map", value=1.0, flags=flags)) == [
        "over the questions that all languages have",
        "3 not scored",
        "2 left out: asked in no other language",
        "all values are equal: the interval is an exact bound",
    ]


def test_languages_by_name_and_unknown_ones_by_code():
    assert language_name("hi")[:3] == ("hi", "Hindi", "हिन्दी")
    assert language_name("xx-Test") == ("xx-Test", "xx-Test", "", "auto")


ADDRESSES = ["javascript:alert(1)", "data:text/html,1", "//example.org", "http:///x", "https://a b", "C:\\x"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_http_addresses_are_links(address):
    assert "<a" not in link(address)
    assert link("https://example.org/a?b=1&c=2").startswith('<a href="https://example.org/a?b=1&amp;c=2"')


@pytest.mark.parametrize("stops", [LIGHT, DARK])
def test_the_ramp_is_ordered_in_grey_and_its_text_can_be_read(stops):
    pairs = ramp(stops)
    greys = [contrast(ground, (0, 0, 0)) for ground, _ in pairs]
    assert greys in (sorted(greys), sorted(greys, reverse=True))
    assert len(set(greys)) == len(greys)
    assert min(contrast(ground, ink) for ground, ink in pairs) >= 4.5
