"""Turkish forms, as a native reader would check them: values, not shapes."""

import pytest
from babel import Locale

from polyfact import languages
from polyfact.languages import Noun


@pytest.fixture(scope="module")
def tr():
    return languages.load("tr")


def text(language, form, label, kind):
    found = language.form(form, label, entity=None, kind=kind)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("form", "label", "kind", "expected"),
    [
        ("genitive", "Kanada", "proper", "Kanada'nın"),
        ("genitive", "Fransa", "proper", "Fransa'nın"),
        ("genitive", "Irak", "proper", "Irak'ın"),
        ("genitive", "Türkiye", "proper", "Türkiye'nin"),
        ("genitive", "Birleşik Arap Emirlikleri", "proper", "Birleşik Arap Emirlikleri'nin"),
        ("genitive", "Birleşik Krallık", "proper", "Birleşik Krallık'ın"),
        ("genitive", "Senegal", "proper", "Senegal'in"),
        ("genitive", "Nepal", "proper", "Nepal'in"),
        ("genitive", "Seul", "proper", "Seul'ün"),
        ("genitive", "Portekiz", "proper", "Portekiz'in"),
        ("genitive", "hidrojen", "common", "hidrojenin"),
        ("genitive", "kükürt", "common", "kükürdün"),
        ("genitive", "arsenik", "common", "arseniğin"),
        ("genitive", "azot", "common", "azotun"),
        ("locative", "Amerika Birleşik Devletleri", "proper", "Amerika Birleşik Devletleri'nde"),
        ("locative", "Solomon Adaları", "proper", "Solomon Adaları'nda"),
        ("locative", "Orta Afrika Cumhuriyeti", "proper", "Orta Afrika Cumhuriyeti'nde"),
        ("locative", "Türkiye", "proper", "Türkiye'de"),
        ("locative", "Irak", "proper", "Irak'ta"),
        ("copula", "Fransızca", "language", "Fransızcadır"),
        ("copula", "İngilizce", "language", "İngilizcedir"),
        ("copula", "Fiji Hintçesi", "language", "Fiji Hintçesidir"),
        ("copula", "Azerbaycan dili", "language", "Azerbaycan dilidir"),
        ("copula", "Tok Pisin", "language", "Tok Pisin'dir"),
        ("copula", "Paris", "proper", "Paris'tir"),
        ("copula", "Münih", "proper", "Münih'tir"),
        ("copula", "Ankara", "proper", "Ankara'dır"),
        ("copula", "hidrojen", "common", "hidrojendir"),
        ("copula", "Fe", "symbol", "Fe'dir"),
        ("copula", "Na", "symbol", "Na'dır"),
    ],
)
def test_forms(tr, form, label, kind, expected):
    assert text(tr, form, label, kind) == expected


@pytest.mark.parametrize(
    ("number", "suffix"),
    [
        *zip(range(10), ["dır", "dir", "dir", "tür", "tür", "tir", "dır", "dir", "dir", "dur"], strict=True),
        *zip(range(10, 100, 10), ["dur", "dir", "dur", "tır", "dir", "tır", "tir", "dir", "dır"], strict=True),
        *[(13, "tür"), (46, "dır"), (99, "dur"), (100, "dür"), (206, "dır"), (340, "tır"), (1000, "dir")],
        *[("10.000", "dir"), (2000000, "dur"), ("3.000.000.000", "dır"), (1005, "tir"), ("0,5", "tir")],
    ],
)
def test_a_numeral_takes_the_suffix_of_its_last_spoken_word(tr, number, suffix):
    assert text(tr, "copula", str(number), "number") == f"{number}'{suffix}"


@pytest.mark.parametrize("label", ["12a", "१२", "on iki", "-"])
def test_what_is_no_numeral_has_no_numeral_form(tr, label):
    assert text(tr, "copula", label, "number") is None


@pytest.mark.parametrize("label", ["ağaç", "kitap", "renk", "top"])
def test_softening_that_depends_on_the_word_is_not_guessed(tr, label):
    assert text(tr, "genitive", label, "common") is None


@pytest.mark.parametrize("label", ["東京", "Москва", "Makao (Çin)", "—", "St. John’s"])
def test_a_name_that_the_rules_cannot_read_has_no_form(tr, label):
    for form in ("genitive", "locative", "copula"):
        assert text(tr, form, label, "proper") is None


def test_every_cldr_territory_has_every_form_with_one_apostrophe_before_the_suffix(tr):
    for label in Locale("tr").territories.values():
        if label[0].isdigit():
            continue
        for form in ("genitive", "locative", "copula"):
            found = text(tr, form, label, "proper")
            assert found is not None, label
            stem, _, suffix = found.rpartition("'")
            assert stem == label.removesuffix(" (Burma)")
            assert suffix.isalpha()
            assert suffix.lower() == suffix


def test_possessive_compounds_take_the_pronominal_n_and_nothing_else_does(tr):
    endings = (
        "Adası",
        "Adaları",
        "Birliği",
        "Bölgesi",
        "Bölgeleri",
        "Cumhuriyeti",
        "Devletleri",
        "Emirlikleri",
    )
    endings += ("Ginesi", "Guyanası", "Hollandası", "Polinezyası", "Samoası", "Toprakları")
    for label in Locale("tr").territories.values():
        found = text(tr, "locative", label, "proper")
        if found and found.startswith(label):
            assert found[len(label) :].startswith("'n") == (" " in label and label.endswith(endings)), label


def test_language_names_lose_the_apostrophe_by_their_ending(tr):
    for label in Locale("tr").languages.values():
        found = text(tr, "copula", label, "language")
        derived = label.endswith(("ca", "ce", "ça", "çe", "cası", "cesi", "çası", "çesi", "dili", "Dili", "lehçesi"))
        assert found is None or ("'" in found.removeprefix(label)) != derived, label


@pytest.mark.parametrize(("small", "capital"), [("ısı", "ISI"), ("istanbul", "İSTANBUL"), ("çığ", "ÇIĞ")])
def test_case_is_turkish(tr, small, capital):
    assert tr.upper(small) == capital
    assert tr.lower(capital) == small


def test_a_sentence_begins_with_a_dotted_capital(tr):
    assert tr.render("{subject|genitive} simgesi", {"subject": Noun("iyot", None, "common")})[:2] == (
        "İyodun simgesi",
        True,
    )
    assert tr.render("{subject|genitive} simgesi", {"subject": Noun("ısı", None, "proper")}).text == "Isı'nın simgesi"


def test_every_form_waits_for_a_native_speaker(tr):
    assert all(form.review for form in tr.forms.values())
