"""Every row of every run in the page, as data that a script draws and nothing can run."""

import json

from polyfact import report
from polyfact.report._words import number
from polyfact.schemas import MetricRow, Metrics, RunRecord, read_json
from tests.report.part_rows import write_whole_run
from tests.support.metrics_fixture import run, store
from tests.support.needs import needs

pytestmark = needs("chromium")


def test_every_number_is_picked_by_part_and_shown_in_steps(whole, folder, visit):
    page, _, _ = visit(whole)
    found = Metrics.model_validate(read_json(folder / "metrics.json")).rows
    page.locator("#every summary").click()
    assert page.locator("#all tbody tr").count() == 200
    assert page.locator("#count").inner_text() == f"{len(found)} of {len(found)} rows, 200 shown"
    page.locator("#further").click()
    assert page.locator("#all tbody tr").count() == 400
    page.select_option("#pick-split_by", label="entity_count")
    page.fill("#filter", "hi")
    texts = [line.split("\t") for line in page.locator("#all tbody tr").all_inner_texts()]
    wanted = [row for row in found if row.split_by == "entity_count" and row.language == "hi"]
    assert [text[:13] for text in texts] == [whole_line(row) for row in wanted]
    page.fill("#filter", "tr errors:4")
    assert page.locator("#all tbody td").last.inner_text() == "scoring-failed errors:4"


def whole_line(row):
    numbers = [number(value) for value in (row.value, row.low, row.high, row.chance, row.ceiling)]
    return ["tiny-lm", row.metric, "all", row.language, "all", row.target, row.split_by, row.split, *numbers]


EVIL = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>\'"&\u2028'


def test_hostile_parts_are_text(visit, tmp_path):
    record, _ = run()
    folder = write_whole_run(tmp_path)
    whole = Metrics.model_validate(read_json(folder / "metrics.json"))
    hostile = []
    for row in whole.rows:
        values = row.model_dump()
        for field in ("topic", "language", "form", "target", "split", "reason"):
            values[field] = values[field] and EVIL + values[field]
        hostile.append(MetricRow(**values | {"flags": [f"undefined:{EVIL}:3", EVIL]}))
    record = RunRecord.model_validate(record.model_dump() | {"model": EVIL, "run": whole.run})
    hostile = whole.model_copy(update={"rows": hostile, "model": EVIL})
    page_file = report.write([store(tmp_path / "hostile", record, hostile), folder], tmp_path / "index.html")
    source = page_file.read_text(encoding="utf-8")
    assert "<img" not in source
    assert source.count("<script") == source.count("</script") == 2
    page, complaints, requests = visit(page_file)
    assert (complaints, requests) == ([], [])
    assert page.title() == "Benchmark report"
    assert page.evaluate("document.querySelectorAll('img, [onerror]').length") == 0
    page.locator("#every summary").click()
    page.fill("#filter", "owned entity_count")
    assert EVIL in page.locator("#all tbody td").nth(7).text_content()
    for part in (".gains", ".matrix", ".wording", ".notes"):
        assert EVIL[:40] in "".join(page.locator(part).all_text_contents())


def test_the_rows_cannot_be_run(whole, visit, tmp_path):
    """The data block stays data: as a script it would be refused, for the policy does not name it."""
    source = whole.read_text(encoding="utf-8")
    turned = tmp_path / "turned.html"
    start = '<script type="application/json" id="embedded">'
    assert source.count(start) == 1
    turned.write_text(source.replace(start, '<script id="embedded">document.title = "owned";'), encoding="utf-8")
    page, complaints, _ = visit(turned)
    assert page.title() == "Benchmark report"
    assert any("Content Security Policy" in complaint for complaint in complaints)


def test_five_large_runs_stay_small(many):
    """Every row of a run costs less than 90 characters; the page grows with its rows, not with cells of tables."""
    source = many.read_text(encoding="utf-8")
    block = source.split('id="embedded">')[1].split("</script>")[0]
    rows = json.loads(block)["rows"]
    assert len(rows) > 3500
    assert len(block) < 90 * len(rows)
    assert len(source) < 3_000_000
