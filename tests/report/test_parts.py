"""What the page shows of the parts of a run, in a real browser: every number is one of a row."""

import pytest

from polyfact import report
from polyfact.report._words import number, signed
from tests.report.part_rows import COUNTS, SOURCES, WORDINGS, write_whole_run
from tests.support.metrics_fixture import write_run
from tests.support.needs import needs

pytestmark = needs("chromium")

ENGLISH = {"en": "English", "hi": "Hindi", "it": "Italian", "tr": "Turkish"}


@pytest.fixture(scope="module")
def rows(folder):
    return report.read_run(folder)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """The page of a model with all rows and one of an older version."""
    folder = tmp_path_factory.mktemp("mixed")
    return report.write([write_whole_run(folder), write_run(folder, "older")], folder / "index.html")


def ends(row):
    return f"{number(row.low)}–{number(row.high)}"


def line_of(page, section, name):
    return page.locator(f"{section}:visible tbody tr:visible", has_text=name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("which", ["whole", "many", "mixed"])
def test_pages_are_quiet_self_contained_and_fit(which, visit, width, scheme, request):
    page, complaints, requests = visit(request.getfixturevalue(which), width, scheme)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    page.locator("#all tbody tr").first.wait_for()
    for select in page.locator("[data-field=model]:has(option[value='*'])").all():
        select.select_option("*")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (complaints, requests) == ([], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_its_ground(whole, visit, contrasts, scheme):
    page, _, _ = visit(whole, scheme=scheme)
    page.locator("#every summary").click()
    ratios = contrasts(page)
    assert len(ratios) > 500
    assert {text: ratio for text, ratio in ratios if ratio < 4.5} == {}


def test_with_and_without_the_subject_by_language_and_topic(whole, rows, visit):
    page, _, _ = visit(whole)
    for by, names in (("language", ENGLISH), ("topic", {"capitals": "Capitals"})):
        page.select_option("[data-choices=gains] [data-field=by]", by)
        for value, name in names.items():
            where = {by: value, "target": "entities"}
            plain, prior, gain = (rows.find(metric, **where) for metric in ("map", "map_prior", "map_over_prior"))
            cells = line_of(page, ".gains", name).locator("td").all_inner_texts()
            letter = " b" if value == "it" else ""
            assert cells[0].split() == [number(plain.value), ends(plain)]
            assert cells[2].split() == [number(prior.value), ends(prior)]
            assert cells[3] == number(plain.chance)
            added = f"{signed(gain.value)}{letter} {signed(gain.low)} to {signed(gain.high)}"
            assert " ".join(cells[4].split()) == added
            assert cells[6].split()[0] == f"{prior.n:,}"
    page.select_option("[data-choices=gains] [data-field=by]", "language")
    pooled = line_of(page, ".gains", "All languages").locator("td").last
    assert pooled.inner_text() == "1,152 a"
    assert page.locator(".gains:visible .notes span").all_inner_texts() == [
        "a over the questions that all languages have",
        "b all values are equal: the interval is an exact bound",
    ]


def test_with_and_without_the_subject_is_drawn_where_it_is(whole, rows, visit):
    page, _, _ = visit(whole)
    plot = line_of(page, ".gains", "Turkish").locator("svg").first
    places = {"circle.dot": ("map", "value"), "circle.ring": ("map_prior", "value"), "line.chance": ("map", "chance")}
    for part, (metric, field) in places.items():
        value = getattr(rows.find(metric, language="tr", target="entities"), field)
        drawn = plot.locator(part).get_attribute("cx" if part.startswith("circle") else "x1")
        assert drawn == f"{100 * value:.2f}%"


def test_the_sentence_says_what_the_subject_adds(whole, rows, visit):
    page, _, _ = visit(whole)
    said = " ".join(page.locator("#knowledge").locator("xpath=../..").locator(".say").inner_text().split())
    prior, gain = (rows.find(metric, target="entities") for metric in ("map_prior", "map_over_prior"))
    assert f"Asked with the subject left out, tiny-lm ranks at MAP {number(prior.value)}" in said
    assert f"(chance {number(prior.chance)})" in said
    assert f"Naming the subject adds {signed(gain.value)} ({signed(gain.low)} to {signed(gain.high)})" in said
    assert "holds 0 in Hindi" in said


@pytest.mark.parametrize("by", ["form", "entity_count", "label_source"])
def test_each_part_has_value_interval_chance_and_n(by, whole, rows, visit):
    page, _, _ = visit(whole)
    table = page.get_by_role("region", name=f"tiny-lm: MAP by {by.replace('_', ' ')}", exact=True)
    heads = table.locator("thead tr").last.locator("th").all_inner_texts()
    if by == "entity_count":
        assert heads == ["1 right", "2", "6+", "10"]
        columns = [("entities", name) for name in ("1", "2", "6+", "10")]
        assert set(COUNTS) == {name for _, name in columns}
    elif by == "label_source":
        own = ["the language's own", "one for all languages", "translated by machine"]
        assert heads == own * 2
        columns = [(target, name) for target in ("entities", "count") for name in ("native", "mul", "mt")]
        assert set(SOURCES) == {name for _, name in columns}
    else:
        assert heads == ["completion", "completion suffixed", "question"] * 2
        columns = [(t, f) for t in ("entities", "count") for f in ("completion", "completion_suffixed", "question")]
    for language, name in ENGLISH.items():
        cells = table.locator("tbody tr", has_text=name).locator("td").all()
        assert len(cells) == len(columns)
        for cell, (target, part) in zip(cells, columns, strict=True):
            split = {"form": part} if by == "form" else {"split_by": by, "split": part}
            row = rows.find("map", language=language, target=target, **split)
            said = cell.inner_text().split()
            if row is None or row.value is None:
                assert said == ["—", *("scoring failed" if row else "no such questions").split()]
                continue
            assert said[:6] == [number(row.value), ends(row), "chance", number(row.chance), "n", f"{row.n:,}"]
            drawn = cell.locator("line.chance").get_attribute("y1")
            assert drawn == f"{6 + 54 * (1 - row.chance):.1f}"
            assert cell.locator("circle.dot").get_attribute("cy") == f"{6 + 54 * (1 - row.value):.1f}"


def test_wordings_stand_by_spread_and_each_has_its_dot(whole, rows, visit):
    page, _, _ = visit(whole)
    table = page.locator(".wording:visible")
    assert table.locator("tbody tr:visible").count() == 8
    page.get_by_role("button", name="Show 16 more").click()
    lines = table.locator("tbody tr:visible")
    assert lines.count() == 24
    spreads = [line.locator("td").first.inner_text() for line in lines.all()]
    found = [row for row in rows.metrics.rows if row.metric == "wording_spread" and row.pooling == "micro"]
    wanted = sorted((row.value for row in found if row.value is not None), reverse=True)
    assert spreads == [number(value) for value in wanted] + ["— its wordings ask about no common subject"] * 2
    first = max((row for row in found if row.value is not None), key=lambda row: row.value)
    where = {"topic": first.topic, "language": first.language, "form": first.form, "target": "entities"}
    parts = [rows.find("map", split_by="paraphrase", split=name, **where) for name in WORDINGS]
    mean = rows.find("map", **where)
    cells = lines.first.locator("td").all_inner_texts()
    assert cells[1] == number(mean.high - mean.low)
    assert cells[3].split() == [number(mean.value), ends(mean)]
    assert [cell.split() for cell in cells[4:7]] == [[number(row.value), ends(row)] for row in parts]
    assert cells[7:] == [number(mean.chance), "20"]
    dots = lines.first.locator("circle.ring")
    assert [dot.get_attribute("cx") for dot in dots.all()] == [f"{100 * row.value:.2f}%" for row in parts]
    said = " ".join(table.locator(".say").inner_text().split())
    for language, name in ENGLISH.items():
        mean_spread = rows.find("wording_spread", language=language, target="entities", pooling="macro")
        assert f"{name} {number(mean_spread.value)} over 6 cells" in said
    wider = sum(
        r.value > m.high - m.low for r in found if r.value is not None and (m := cell_of(rows, r)).value is not None
    )
    assert f"exceeds the width of the interval in {wider} of 22 cells" in said


def cell_of(rows, row):
    return rows.find("map", topic=row.topic, language=row.language, form=row.form, target=row.target)


def test_tokens_by_language(whole, visit):
    page, _, _ = visit(whole)
    table = page.get_by_role("region", name="Tokens by language")
    cells = table.locator("tbody tr", has_text="Hindi").locator("td").all_inner_texts()
    assert [cell.split() for cell in cells] == [["9.8"], ["37.5", "36.5–38.5"], ["321"]]


def test_one_of_five_models_is_chosen_where_they_do_not_fit(many, visit):
    page, complaints, _ = visit(many)
    assert page.locator(".matrix:visible").count() == 3
    assert page.locator(".wording:visible").count() == 1
    assert page.locator(".gains:visible .line:visible").count() == 25
    for section in ("forms", "wordings", "knowledge"):
        select = page.locator(f"section[aria-labelledby={section}] [data-field=model]")
        assert len(select.locator("option").all_inner_texts()) == 6
        select.select_option(label="tiny-lm")
    assert page.locator("section[aria-labelledby=forms] .matrix:visible h4").all_inner_texts() == ["tiny-lm"] * 2
    assert page.locator(".wording:visible h3").inner_text().startswith("tiny-lm ")
    assert page.locator(".gains:visible .line:visible").count() == 5
    assert page.locator(".gains:visible .line:visible .model:visible").count() == 0
    page.locator("section[aria-labelledby=forms] [data-field=model]").select_option("*")
    assert page.locator("section[aria-labelledby=forms] .matrix:visible").count() == 10
    assert complaints == []


def test_a_phone_starts_with_one_model(many, visit):
    page, _, _ = visit(many, 390)
    assert page.locator(".gains:visible .line:visible").count() == 5
    names = page.locator("section[aria-labelledby=names] table.small .model:visible")
    assert names.count() == 21
    assert min(name.bounding_box()["width"] for name in names.all()) > 100


def test_runs_without_the_new_rows_say_so(mixed, visit, tmp_path):
    page, complaints, _ = visit(report.write([write_run(tmp_path, "older")], tmp_path / "index.html"))
    said = page.locator("section[aria-labelledby=rows] .remark").inner_text()
    assert "MAP without the subject (no prompt was scored without its subject)" in said
    assert "MAP by number of right answers, MAP by origin of names (computed by a version without it" in said
    assert page.locator("#knowledge, #wordings").count() == 0
    assert page.locator("nav a").count() == 7
    assert page.locator(".matrix:visible").count() == 1
    page, more, _ = visit(mixed)
    assert "Not asked without a subject: older." in page.locator("section[aria-labelledby=knowledge]").inner_text()
    assert page.get_by_text("Not in the metrics of older.").count() == 3
    assert page.locator("section[aria-labelledby=rows] .remark").count() == 0
    assert complaints == more == []


def test_reference_models_alone_need_no_subject(visit, tmp_path):
    runs = [write_run(tmp_path, name, engine="reference", strength=1.0) for name in ("oracle", "random")]
    page, complaints, _ = visit(report.write(runs, tmp_path / "index.html"))
    assert "reference models read no prompt" in page.locator("section[aria-labelledby=rows] .remark").inner_text()
    assert "no tokens are counted" in page.locator("table.small").inner_text()
    assert complaints == []


def test_every_link_of_the_page_leads_somewhere(whole, visit):
    page, _, _ = visit(whole)
    places = [link.get_attribute("href") for link in page.locator("nav a").all()]
    assert len(places) == 9
    assert all(page.locator(place).count() == 1 for place in places)
