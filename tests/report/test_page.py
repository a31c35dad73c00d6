"""The page in a real browser, made from real runs of the reference models."""

import datetime
import html

import pytest

from polyfact import builders, evaluators, report
from polyfact._template import recipe
from polyfact.errors import DataError, UsageError
from polyfact.schemas import Metrics, read_json, write_json
from polyfact.workspace import create
from tests.support.browser import chromium
from tests.support.needs import needs

MODELS = ("oracle", "random", "empty")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "b"
    create(folder, recipe("small", max_subjects=12, as_of=datetime.date(2026, 11, 30)))
    builders.build(folder)
    return [evaluators.run_folder(evaluators.evaluate(folder, model), folder, None) for model in MODELS]


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


def opened(browser, page_file, width=1280, scheme="light"):
    """The page, what it complained of, and what it asked for."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, complaints, requests = context.new_page(), [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page_file.as_uri())
    return page, complaints, [url for url in requests if not url.startswith(("file:", "data:"))]


@needs("chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_page_is_quiet_self_contained_and_fits(runs, browser, tmp_path, width, scheme):
    page, complaints, requests = opened(browser, report.write(runs, tmp_path / "index.html"), width, scheme)
    assert complaints == []
    assert requests == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("h1").inner_text() == "Benchmark report"
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 21, 26)"
    assert dark == (scheme == "dark")


@needs("chromium")
def test_choices_and_filter(runs, browser, tmp_path):
    page, complaints, _ = opened(browser, report.write(runs, tmp_path / "index.html"))
    assert page.locator(".heat:visible").count() == len(MODELS)
    page.select_option("[data-field=target]", "count")
    assert page.locator(".heat:visible").first.get_attribute("data-target") == "count"
    page.select_option("[data-field=n]", "3")
    assert {row.get_attribute("data-n") for row in page.locator(".biasline:visible").all()} == {"3"}
    page.locator("details summary").first.click()
    page.fill("#filter", "map_corrected capitals hi oracle")
    shown = page.locator("#all tbody tr:visible")
    assert shown.count() > 0
    assert all("map_corrected" in row and "hi" in row for row in shown.all_inner_texts())
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert complaints == []


@needs("chromium")
def test_text_in_cells_can_be_read(runs, browser, tmp_path):
    """Contrast of at least 4.5 between each coloured cell and its text (WCAG 2 AA)."""
    page, _, _ = opened(browser, report.write(runs, tmp_path / "index.html"))
    ratios = page.evaluate(
        """() => [...document.querySelectorAll(".cells td[style]")].map((cell) => {
          const light = (rgb) => { const [r, g, b] = rgb.match(/[\\d.]+/g).map((c) => (c /= 255) <= 0.04045
            ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const style = getComputedStyle(cell);
          if (style.backgroundColor === "rgba(0, 0, 0, 0)") return 21;
          const [a, b] = [light(style.backgroundColor), light(style.color)].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05); })"""
    )
    assert len(ratios) > 20
    assert min(ratios) >= 4.5


@needs("chromium")
def test_what_data_says_is_text_and_nothing_else(runs, browser, tmp_path):
    evil = '<img src=x onerror=alert(1)> a"><script>document.title="owned"</script>'
    hostile = []
    for number, run in enumerate(runs):
        folder = tmp_path / str(number)
        record, metrics = read_json(run / "run.json"), read_json(run / "metrics.json")
        record["model"], record["engine"], metrics["model"] = evil, "hf", evil
        for row in metrics["rows"]:
            row["topic"] = row["topic"] and evil
        write_json(folder / "run.json", record)
        write_json(folder / "metrics.json", metrics)
        hostile.append(folder)
    page_file = report.write(hostile, tmp_path / "index.html", title=evil)
    assert "<img" not in page_file.read_text(encoding="utf-8")
    page, complaints, requests = opened(browser, page_file)
    assert (complaints, requests) == ([], [])
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    assert page.title() == evil.strip()
    assert evil in page.locator("tbody th").first.inner_text()


@needs("chromium")
def test_five_runs_side_by_side(runs, browser, tmp_path):
    page, complaints, _ = opened(browser, report.write([*runs, *runs[:2]], tmp_path / "index.html"), 375)
    assert complaints == []
    assert page.locator(".heat:visible").count() == 5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_undefined_is_a_dash_with_its_reason_never_nan(runs, tmp_path):
    text = report.write(runs, tmp_path / "index.html").read_text(encoding="utf-8")
    undefined = [row for row in Metrics.model_validate(read_json(runs[0] / "metrics.json")).rows if row.value is None]
    assert undefined
    assert all(html.escape(row.reason) in text for row in undefined if row.reason)
    assert ">nan<" not in text.lower()
    assert ">None<" not in text


def test_the_page_is_the_same_every_time(runs, tmp_path):
    first, second = (report.write(runs, tmp_path / name).read_bytes() for name in ("a.html", "b.html"))
    assert first == second


def test_summary_holds_the_numbers_of_the_metrics(runs):
    oracle = report.summary(runs)[0]
    assert (oracle["model"], oracle["map"]) == ("oracle", 1.0)
    assert 0 < oracle["chance"] < 0.5
    assert oracle["low"] < 1.0


def test_bad_input_is_one_clear_error(tmp_path):
    with pytest.raises(UsageError, match="no runs to report"):
        report.write([], tmp_path / "index.html")
    (tmp_path / "run.json").write_text("{}")
    (tmp_path / "metrics.json").write_text("{}")
    with pytest.raises(DataError, match="not a run"):
        report.write([tmp_path], tmp_path / "index.html")
