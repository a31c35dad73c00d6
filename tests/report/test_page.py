"""The page in a real browser: made from runs as an evaluation leaves them, and from real runs of the reference models."""

import datetime
import json

import pytest

from polyfact import builders, evaluators, report
from polyfact._template import recipe
from polyfact.schemas import Metrics, RunRecord
from polyfact.workspace import create
from tests.support.metrics_fixture import run, store, write_run
from tests.support.needs import needs

pytestmark = needs("chromium")

REFERENCES = {"oracle": 1.0, "random": 0.0, "empty": 0.0}
NAMES = ("Qwen/Qwen2.5-3B", "tiny-lm", "google/gemma-3-4b", "an-organisation/" + "a-very-long-model-name-" * 6)


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    """The page of one model and the three reference models."""
    folder = tmp_path_factory.mktemp("one")
    references = [write_run(folder, name, engine="reference", strength=how) for name, how in REFERENCES.items()]
    return report.write([write_run(folder), *references], folder / "index.html")


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """The page of five runs, two of them of one model."""
    folder = tmp_path_factory.mktemp("five")
    runs = [write_run(folder, name, strength=0.3 + 0.1 * place) for place, name in enumerate(NAMES)]
    return report.write([*runs, write_run(folder, "tiny-lm", seed=1)], folder / "index.html")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The page of real runs: a benchmark is built, and the reference models rank its candidates."""
    folder = tmp_path_factory.mktemp("real") / "b"
    create(folder, recipe("small", max_subjects=12, as_of=datetime.date(2026, 11, 30)))
    builders.build(folder)
    runs = [evaluators.run_folder(evaluators.evaluate(folder, model), folder, None) for model in REFERENCES]
    return report.write(runs, folder / "report" / "index.html")


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("which", ["one", "five", "real"])
def test_page_is_quiet_self_contained_and_fits(which, visit, width, scheme, request):
    page, complaints, requests = visit(request.getfixturevalue(which), width, scheme)
    assert (complaints, requests) == ([], [])
    assert fits(page)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 20, 25)"
    assert dark == (scheme == "dark")
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert fits(page)


def test_the_first_screen_tells_the_result(one, visit):
    page, _, _ = visit(one)
    lead = page.locator(".lead").inner_text()
    assert lead.startswith("tiny-lm ranks the right answers at MAP .426 (.404 to .448); a random ranking gets .072.")
    assert "above chance in English, Hindi, Italian and Turkish" in lead
    heat = page.locator(".heat:visible")
    assert heat.count() == 1
    assert heat.bounding_box()["y"] + 200 < 900
    assert "✓ oracle 1.000 must be 1" in page.locator(".sanity").inner_text()


def test_a_cell_holds_value_interval_chance_and_n(one, visit):
    page, _, _ = visit(one)
    cell = page.locator(".heat:visible tbody tr", has_text="English").locator("td").nth(1)
    assert cell.inner_text().split() == [".715", ".638–.791", "chance", ".046", "n", "96"]
    assert "corrected .701" in cell.get_attribute("title")
    undefined = page.locator(".heat:visible tbody tr", has_text="Hindi").locator("td").nth(2)
    assert undefined.inner_text().split() == ["—", "scoring", "failed"]


def test_choices_show_another_measure_target_form_and_n(one, visit):
    page, complaints, _ = visit(one)
    shown = page.locator(".heat:visible")
    page.select_option("[data-field=measure]", "map_corrected")
    assert shown.locator("tbody td").nth(1).inner_text().split()[0] == ".337"
    page.select_option("[data-field=target]", "count")
    page.select_option("[data-field=form]", "completion_suffixed")
    assert shown.locator("tbody th").all_inner_texts() == ["Turkish Türkçe 4.4 tokens".replace(" ", "\n", 2)]
    assert page.locator(".bias:visible h3").inner_text() == "Among the first 10"
    page.select_option("[data-field=n]", "3")
    assert page.locator(".bias:visible h3").all_inner_texts() == ["Among the first 3"]
    assert complaints == []


def test_bias_says_why_where_it_is_undefined(one, visit):
    page, _, _ = visit(one)
    line = page.locator(".bias:visible tbody").first.locator("tr").nth(1).inner_text()
    assert "Hindi" in line
    assert "—" in line
    assert "no candidate belongs to the language's region" in line
    assert line.split("\t")[-2] == "as FIB⁻"
    assert page.locator(".bias:visible .remark").inner_text() == "Left out by the task: English."
    label = page.locator(".bias:visible tbody").last.locator("svg").last.get_attribute("aria-label")
    assert label == "lift +.141, 95 % interval +.091 to +.191, chance .000, n = 186"


def test_subjects_are_marked_by_signs_and_choices_narrow_them(one, visit):
    page, _, _ = visit(one)
    card = page.locator(".card", has_text="Bulgaristan")
    assert card.locator("li").first.inner_text().split() == ["1", "Türkçe", "◆", "own", "region", "−2.47"]
    assert card.locator("li").nth(1).inner_text().split() == ["2", "Bulgarca", "✓", "right", "−4.57"]
    assert card.locator("h4").get_attribute("lang") == "tr"
    page.select_option(".choices[data-choices=group] [data-field=language]", "hi")
    assert page.locator(".card:visible h4").all_inner_texts() == ["नेपाल की आधिकारिक भाषा है"]


def test_rows_are_sorted_and_filtered(one, visit):
    page, complaints, _ = visit(one)
    page.locator("#every summary").click()
    page.fill("#filter", "map_corrected tiny-lm hi chemical")
    assert page.locator("#count").inner_text().startswith("3 of ")
    page.fill("#filter", "")
    values = page.locator("#all tbody td:nth-child(9)")
    sorts = []
    for _ in range(2):
        page.locator("#all thead button", has_text="value").press("Enter")
        while page.locator("#further").is_visible():
            page.locator("#further").click()
        sorts.append([text.replace("−", "-") for text in values.all_inner_texts()])
    up, down = sorts
    assert len(up) == len(down) > 1000
    for texts, reverse in ((up, False), (down, True)):
        numbers = [float(text) for text in texts if text != "—"]
        assert numbers == sorted(numbers, reverse=reverse)
        assert set(texts[len(numbers) :]) == {"—"}
    assert page.locator("[aria-sort=descending]").inner_text().startswith("value")
    assert complaints == []


def test_theme_and_keyboard(one, visit):
    page, _, _ = visit(one)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "theme"
    page.keyboard.press("Enter")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 20, 25)"
    assert page.locator("#theme").inner_text() == "Light"


def test_without_a_script_everything_can_be_read(one, visit):
    page, complaints, _ = visit(one, java_script_enabled=False)
    assert complaints == []
    assert page.locator(".heat:visible").count() == 16
    assert page.locator(".bias:visible").count() == 5
    assert page.locator("select:visible").count() == 0


def test_five_runs_side_by_side(five, visit):
    page, _, _ = visit(five)
    names = page.locator(".board h3").all_inner_texts()
    assert len(names) == len(set(names)) == 5
    boxes = [heat.bounding_box() for heat in page.locator(".heat:visible").all()]
    assert len(boxes) == 5
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"]
    assert "ranks the right answers best of 5" in page.locator(".lead").inner_text()


def test_text_can_be_read_on_its_ground(one, visit, contrasts):
    """Contrast of at least 4.5 (WCAG 2.2 AA) in light and dark, cells and all other text."""
    for scheme in ("light", "dark"):
        page, _, _ = visit(one, scheme=scheme)
        ratios = contrasts(page)
        assert len(ratios) > 200
        assert {text: ratio for text, ratio in ratios if ratio < 4.5} == {}


EVIL = '<img src=x onerror=alert(1)> a"><script>document.title="owned"</script></script><b>\u2028'


def poisoned(value, keep=("run", "metric", "pooling")):
    """Every string of a record, but for what makes it one, with markup in it."""
    if isinstance(value, dict):
        return {key: inner if key in keep else poisoned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner) for inner in value]
    return EVIL + value if isinstance(value, str) else value


def test_what_data_says_is_text_and_nothing_else(visit, tmp_path):
    record, metrics = run()
    addresses = {EVIL: "javascript:alert(1)", "card": "https://example.org/?a=1&b=<i>", "data": "data:text/html,1"}
    hostile = RunRecord.model_validate(poisoned(record.model_dump()) | {"environment": addresses})
    folder = store(tmp_path, hostile, Metrics.model_validate(poisoned(json.loads(metrics.model_dump_json()))))
    page_file = report.write([folder], tmp_path / "index.html", title=EVIL)
    source = page_file.read_text(encoding="utf-8")
    assert "<img" not in source
    assert source.count("<script") == 2
    page, complaints, requests = visit(page_file)
    assert (complaints, requests) == ([], [])
    assert page.evaluate("document.querySelectorAll('img, i[src], [onerror], .board b b, h1 *').length") == 0
    assert page.title() == EVIL
    assert EVIL in page.locator("h1").text_content()
    assert EVIL in page.locator(".card h4").first.text_content()
    links = [a.get_attribute("href") for a in page.locator("main section a").all()]
    assert links == ["https://example.org/?a=1&b=<i>"]
    assert "javascript:alert(1)" in page.locator(".record").text_content()


def test_markup_that_slipped_in_would_not_run(one, visit, tmp_path):
    """The policy stands behind the escaping: a second script and a picture are refused by the browser."""
    text = one.read_text(encoding="utf-8")
    slipped = '<script>document.title = "owned"</script><img src="https://example.org/x.png"></body>'
    page_file = tmp_path / "slipped.html"
    page_file.write_text(text.replace("</body>", slipped), encoding="utf-8")
    page, complaints, _ = visit(page_file)
    assert page.title() == "Benchmark report"
    assert len(complaints) == 2
    assert all("Content Security Policy" in complaint for complaint in complaints)
