import pytest

from polyfact._template import recipe as template
from polyfact.errors import UsageError
from polyfact.workspace import create, read_recipe

GOOD = """\
name = "capitals"
licence = "CC0-1.0"
languages = ["en"]
as_of = 2026-11-30
[[topics]]
use = "capitals"
"""


def recipe_error(tmp_path, text):
    (tmp_path / "benchmark.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_recipe(tmp_path)
    return str(caught.value)


def test_template_is_a_good_recipe(tmp_path):
    import datetime

    space = create(tmp_path / "b", template("my-benchmark", as_of=datetime.date(2026, 11, 30)))
    assert space.recipe.languages == ["en", "it", "tr", "hi"]
    assert [topic.use for topic in space.recipe.topics] == ["capitals", "official-languages", "chemical-symbols"]


def test_second_init_is_refused_and_keeps_the_first(tmp_path):
    create(tmp_path, GOOD)
    with pytest.raises(UsageError, match="a benchmark is here already"):
        create(tmp_path, "")
    assert (tmp_path / "benchmark.toml").read_text() == GOOD


def test_bom_and_crlf_are_accepted(tmp_path):
    (tmp_path / "benchmark.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_recipe(tmp_path).name == "capitals"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("licence =", "licence"), "benchmark.toml, line 2: not valid TOML"),
        (GOOD + 'wordin = "natural"\n', 'unknown key topics.0.wordin (did you mean "wording"?)'),
        ("langages = 1\n" + GOOD, 'unknown key langages (did you mean "languages"?)'),
        (GOOD.replace("2026-11-30", '"2026-11-30"'), "as_of: input should be a valid date"),
        (GOOD.replace('licence = "CC0-1.0"\n', ""), "licence: missing"),
        (GOOD.replace('"capitals"\nlic', '"My Benchmark"\nlic'), "name: use lower-case letters, digits and hyphens"),
        (GOOD.replace('["en"]', '["en", "en"]'), "languages names en twice"),
        (GOOD.replace('["en"]', "[]"), "languages: list should have at least 1 item"),
        (GOOD + "max_subjects = 0\n", "topics.0.max_subjects: input should be greater than 0"),
        (GOOD + 'targets = ["entity"]\n', "topics.0.targets.0: input should be 'entities' or 'count'"),
    ],
)
def test_mistakes_name_the_line_or_the_key(tmp_path, text, message):
    assert message in recipe_error(tmp_path, text)


def test_folder_without_recipe_says_what_to_do(tmp_path):
    with pytest.raises(UsageError, match="run: polyfact init DIR"):
        read_recipe(tmp_path)
