"""A browser for the pages, and pages of runs with all rows."""

import pytest

from polyfact import report
from tests.report.part_rows import write_whole_run
from tests.support.browser import chromium

NAMES = ("Qwen/Qwen2.5-3B", "tiny-lm", "google/gemma-3-4b", "an-organisation/" + "a-very-long-model-name-" * 6, "last")


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_whole_run(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def whole(folder):
    """The page of one model with all rows."""
    return report.write([folder], folder / "index.html")


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """The page of five models with all rows, one of them with a name that must wrap."""
    folder = tmp_path_factory.mktemp("five")
    runs = [write_whole_run(folder, name, strength=0.3 + 0.1 * place) for place, name in enumerate(NAMES)]
    return report.write(runs, folder / "index.html")


@pytest.fixture
def visit(browser):
    """Opens a page; gives it, what it complained of, and what it asked for."""
    contexts = []

    def opened(page_file, width=1280, scheme="light", **how):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **how))
        page, complaints, requests = contexts[-1].new_page(), [], []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(page_file.as_uri())
        return page, complaints, [url for url in requests if not url.startswith(("file:", "data:"))]

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def contrasts():
    """Gives, for all text that is shown on a page, its start and its contrast with what it stands on."""
    return lambda page: page.evaluate(CONTRASTS)


CONTRASTS = """() => {
  const parts = (rgb) => rgb.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => { const [r, g, b] = parts(rgb).map((c) => (c /= 255) <= 0.04045 ? c / 12.92
    : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (node) => { for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor; if (parts(colour)[3] !== 0) return colour; } };
  const shown = [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility() && !node.closest("svg")
    && [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
  return shown.map((node) => { const both = [light(ground(node)), light(getComputedStyle(node).color)];
    return [node.textContent.slice(0, 40), (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)]; });
}"""
