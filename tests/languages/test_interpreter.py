import re
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact import languages
from polyfact.errors import UsageError
from polyfact.languages import KINDS, Noun
from polyfact.languages._patterns import MAX_TEXT, bounded

HEAD = 'code = "xx"\nname = "Xx"\nenglish_name = "Ex"\nscript = "Latn"\n'
PLURAL = """
[forms.plural]
exceptions = { Q1 = "mice", "ox" = "oxen" }
rules = [["([^aeiou])y$", "\\\\1ies"], ["$", "'s", "number"], ["$", "s", "common", "proper"]]
examples = [["cat", "common", "cats"]]
"""
ALL = [languages.load(code) for code in languages.available()]
odd = st.one_of(st.text(max_size=250), st.text(alphabet="aeıiğkştAİO'’ -()́ा्क", max_size=40))


def write(folder: Path, text: str, name: str = "xx.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def load(folder: Path, text: str) -> languages.Language:
    return languages.load_file(write(folder, text))


def error(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(folder, text)
    return str(caught.value)


def test_order_exceptions_by_id_then_surface_then_first_fitting_rule(tmp_path):
    xx = load(tmp_path, HEAD + PLURAL)
    assert xx.form("plural", "mouse", entity="Q1", kind="common")[:2] == ("mice", False)
    assert xx.form("plural", "ox", entity="Q2", kind="common")[:2] == ("oxen", False)
    assert xx.form("plural", "city", entity=None, kind="language")[:2] == ("cities", False)
    assert xx.form("plural", "7", entity=None, kind="number")[:2] == ("7's", False)
    assert xx.form("plural", "cat", entity=None, kind="symbol") is None


def test_apostrophe_is_kept_for_the_kinds_named(tmp_path):
    text = HEAD + '[forms.g]\napostrophe = ["proper"]\nrules = [["$", "\'s"]]\nexamples = [["a", "proper", "a\'s"]]'
    xx = load(tmp_path, text)
    assert xx.form("g", "Ann", entity=None, kind="proper").text == "Ann's"
    assert xx.form("g", "cat", entity=None, kind="common").text == "cats"


def test_letters_are_named_once_and_used_in_patterns(tmp_path):
    letters = '[letters]\nvowel = "aeiou"\n'
    xx = load(tmp_path, HEAD + letters + PLURAL.replace("[^aeiou]", "[^<vowel>]"))
    assert xx.form("plural", "city", entity=None, kind="common").text == "cities"
    assert xx.form("plural", "day", entity=None, kind="common").text == "days"
    assert 'did you mean "vowel"' in error(tmp_path, HEAD + letters + PLURAL.replace("[^aeiou]", "[^<vowels>]"))


def test_base_table_and_review_are_carried_along(tmp_path):
    text = (
        HEAD
        + """
[forms.definite]
table = { Q1 = "il", "Italia" = "l'" }
rules = [["^", "", "common"]]
review_entries = ["Q1"]
examples = [["Italia", "proper", "l'Italia"]]
[forms.of]
base = "definite"
rules = [["^il ", "del "], ["^l'", "dell'"]]
examples = [["Canada", "proper", "del Canada", "Q1"], ["ferro", "common", ""]]
"""
    )
    xx = load(tmp_path, text)
    assert languages.check_examples(xx) == []
    assert xx.form("of", "Canada", entity="Q1", kind="proper") == ("del Canada", True, True)
    assert xx.form("of", "Italia", entity=None, kind="proper")[:2] == ("dell'Italia", False)
    assert xx.form("of", "Cuba", entity=None, kind="proper") is None


@pytest.mark.parametrize(
    ("code", "template", "expected"),
    [
        ("en", "The capital of {subject|the} is", "The capital of is"),
        ("en", "What is the capital of {subject|the}?", "What is the capital of?"),
        ("en", "In {subject|the}, people pay with the", "In, people pay with the"),
        ("tr", "{subject|genitive} başkenti şudur:", "Başkenti şudur:"),
        ("hi", "{subject|oblique} की राजधानी क्या है?", "की राजधानी क्या है?"),
    ],
)
def test_a_template_without_names_closes_its_gaps(code, template, expected):
    assert languages.load(code).without_names(template) == expected


def test_render_fills_slots_and_says_what_is_missing(tmp_path):
    xx = load(tmp_path, HEAD.replace("script", "sentence_case = true\nscript") + PLURAL)
    slots = {"subject": Noun("city", None, "common"), "object": Noun("H", None, "symbol")}
    assert xx.render("{subject|plural} of {object}", slots)[:2] == ("Cities of H", False)
    assert xx.render("{subject|plural} of {object}", slots, sentence=False).text == "cities of H"
    assert xx.render("{subject} {object|plural}", slots) is None


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{subjekt}", 'did you mean "subject"'),
        ("{subject|plurals}", 'did you mean "plural"'),
        ("{subject", "stray brace"),
        ("a } b", "stray brace"),
        ("{}", "no slot"),
    ],
)
def test_a_faulty_template_is_an_error_with_a_hint(tmp_path, template, message):
    xx = load(tmp_path, HEAD + PLURAL)
    with pytest.raises(UsageError, match=re.escape(message)):
        xx.render(template, {"subject": Noun("cat", None, "common")})


@pytest.mark.parametrize(("text", "expected"), [("«ciao»", "«Ciao»"), ("3 cats", "3 cats"), ("", ""), ("ǆep", "ǅep")])
def test_the_first_letter_is_raised_unless_a_digit_leads(text, expected):
    assert languages.load("en").capitalise(text) == expected


def test_check_examples_reports_what_came_out(tmp_path):
    xx = load(tmp_path, HEAD + PLURAL.replace('"cats"', '"catz"'))
    assert languages.check_examples(xx) == [("plural", "cat", "common", "catz", "cats")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[forms", 'seperator = " "\n[forms'), 'unknown key seperator (did you mean "separator"?)'),
        (("rules =", "ruls ="), 'unknown key forms.plural.ruls (did you mean "rules"?)'),
        (('"common", "proper"]]', '"comon"]]'), '"comon" is not a kind of noun (did you mean "common"?)'),
        (('"([^aeiou])y$"', '"([aeiou"'), "rule 1: pattern"),
        (('"\\\\1ies"', '"\\\\2ies"'), "rule 1: replacement"),
        (('[["cat", "common", "cats"]]', "[]"), "has no examples"),
        (("exceptions =", 'base = "plurel"\nexceptions ='), 'no form "plurel" (did you mean "plural"?)'),
        (("exceptions =", 'base = "plural"\nexceptions ='), "a form cannot start from itself"),
        (('"([^aeiou])y$"', '"([^<vowl>])y$"'), "no letters <vowl> (none are defined)"),
        (('"Latn"', '"latin"'), "script"),
        (('"Latn"', '"Latn'), "line 4"),
    ],
)
def test_a_faulty_file_is_an_error_that_names_the_place(tmp_path, change, message):
    text = HEAD + PLURAL
    assert change[0] in text
    found = error(tmp_path, text.replace(*change))
    assert message in found
    assert "xx.toml" in found


def test_the_file_is_named_after_its_code(tmp_path):
    with pytest.raises(UsageError, match=r"yy\.toml.*name the file xx\.toml"):
        languages.load_file(write(tmp_path, HEAD + PLURAL, "yy.toml"))


def test_unknown_and_doubly_defined_codes(tmp_path):
    with pytest.raises(UsageError, match="nn"):
        languages.load("nn")
    write(tmp_path, HEAD + PLURAL)
    assert languages.load("xx", [tmp_path]).english_name == "Ex"
    assert "xx" in languages.available([tmp_path])
    write(tmp_path, HEAD.replace("xx", "en"), "en.toml")
    with pytest.raises(UsageError, match="en is defined twice"):
        languages.load("xx", [tmp_path])


def test_sha256_changes_with_the_file(tmp_path):
    before = load(tmp_path, HEAD + PLURAL).sha256
    assert load(tmp_path, HEAD + PLURAL).sha256 == before
    assert load(tmp_path, HEAD + PLURAL + "# one more\n").sha256 != before


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "(ab|a){2,9}",
        "(?:a?){30}",
        "a?" * 30 + "a" * 30,
        "a*" * 3 + "b",
        "(a|ab)" * 20 + "c",
        "(a)\\1",
    ]
    + ["x" * 1001, "(" * 500, "((a*)b)*c"],
)
def test_patterns_that_could_hang_are_refused(pattern):
    with pytest.raises(ValueError, match="refused|too long|longer|unterminated|nested"):
        bounded(pattern, "")


@pytest.mark.parametrize("pattern", ["[aı][^aeo]*$", "^(.*) & (.*)$", "(?:a|b)+$", "(?<=[fs])$", "0{3}$"])
def test_allowed_patterns_end_quickly_on_the_longest_text(pattern):
    compiled = bounded(pattern, "\\g<0>")
    begin = time.perf_counter()
    compiled.search("a" * MAX_TEXT)
    assert time.perf_counter() - begin < 1


@pytest.mark.parametrize("language", ALL, ids=lambda language: language.code)
@given(label=odd, kind=st.sampled_from(KINDS), entity=st.sampled_from([None, "Q16", "local:x"]))
def test_odd_labels_never_raise_and_every_form_is_nfc(language, label, kind, entity):
    for name in language.forms:
        form = language.form(name, label, entity=entity, kind=kind)
        if form is not None:
            assert form.text == unicodedata.normalize("NFC", form.text)
            assert form.text
    rendered = language.render("{subject}", {"subject": Noun(label, entity, kind)})
    assert rendered.text == unicodedata.normalize("NFC", rendered.text)


@pytest.mark.parametrize("language", ALL, ids=lambda language: language.code)
@given(label=odd, kind=st.sampled_from(KINDS))
def test_a_label_in_another_normal_form_gives_the_same_form(language, label, kind):
    composed, apart = (unicodedata.normalize(form, label) for form in ("NFC", "NFD"))
    for name in language.forms:
        if len(apart) <= MAX_TEXT:
            assert language.form(name, apart, entity=None, kind=kind) == language.form(
                name, composed, entity=None, kind=kind
            )


@pytest.mark.parametrize(
    ("code", "text", "ok"),
    [
        ("hi", "हिन्दी", True),
        ("hi", "नई दिल्ली", True),
        ("hi", "हिन्दी Delhi", False),
        ("hi", "ગુજરાત", False),
        ("tr", "Kwakʼwala dili", True),
        ("tr", "São Tomé", True),
        ("tr", "Мoskova", False),
        ("en", "42", True),
    ],
)
def test_script_ok(code, text, ok):
    assert languages.load(code).script_ok(text) is ok


def test_scripts_of_gives_shares_of_letters():
    assert languages.scripts_of("रम ab 12") == {"Deva": 0.5, "Latn": 0.5}
    assert languages.scripts_of("ｆ") == {"Latn": 1.0}
