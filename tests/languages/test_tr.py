"""Turkish forms, as a native reader would check them: values, not shapes."""

import re

import pytest
from babel import Locale

from polyfact import languages, topics
from polyfact.languages import Noun
from tests.support.names import labels

RENAMED = {
    "Myanmar (Burma)": "Myanmar",
    "Kongo - Brazavil": "Kongo Cumhuriyeti",
    "Kongo - Kinşasa": "Demokratik Kongo Cumhuriyeti",
}


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
        ("copula", "O", "symbol", "O'dur"),
        ("copula", ".tr", "symbol", ".tr'dir"),
        ("copula", ".ma", "symbol", ".ma'dır"),
        ("copula", ".eu", "symbol", ".eu'dur"),
        ("copula", ".iq", "symbol", ".iq'dür"),
        ("copula", ".mx", "symbol", ".mx'tir"),
        ("copula", "Euro", "common", "Euro'dur"),
        ("copula", "Türk lirası", "common", "Türk lirasıdır"),
        ("copula", "İsviçre frangı", "common", "İsviçre frangıdır"),
        ("copula", "Rus rublesi", "common", "Rus rublesidir"),
        ("copula", "İsveç kronu", "common", "İsveç kronudur"),
        ("copula", "Peru solü", "common", "Peru solüdür"),
        ("locative", "Kanada doları", "common", "Kanada dolarında"),
        ("copula", "Birleşik Krallık", "proper", "Birleşik Krallık'tır"),
        ("copula", "Amerika Birleşik Devletleri", "proper", "Amerika Birleşik Devletleri'dir"),
        ("copula", "Mauritius", "proper", "Mauritius'tur"),
        ("genitive", "Kongo - Brazavil", "proper", "Kongo Cumhuriyeti'nin"),
        ("locative", "Kongo - Kinşasa", "proper", "Demokratik Kongo Cumhuriyeti'nde"),
        ("nominative", "Kongo - Kinşasa", "proper", "Demokratik Kongo Cumhuriyeti"),
        ("nominative", "Myanmar (Burma)", "proper", "Myanmar"),
        ("nominative", "Fransız Guyanası", "proper", "Fransız Guyanası"),
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


@pytest.mark.parametrize(
    ("offset", "suffix"),
    [
        *[("+00:00", "dır"), ("-01:00", "dir"), ("+02:00", "dir"), ("+03:00", "tür"), ("-04:00", "tür")],
        *[("+05:00", "tir"), ("-06:00", "dır"), ("+07:00", "dir"), ("+08:00", "dir"), ("-09:00", "dur")],
        *[("+10:00", "dur"), ("-11:00", "dir"), ("+12:00", "dir"), ("+13:00", "tür"), ("+14:00", "tür")],
        *[("-03:30", "dur"), ("+05:30", "dur"), ("+05:45", "tir"), ("+12:45", "tir")],
    ],
)
def test_an_offset_from_utc_is_read_by_the_hour_or_by_the_minutes(tr, offset, suffix):
    assert text(tr, "copula", f"UTC{offset}", "symbol") == f"UTC{offset}'{suffix}"


@pytest.mark.parametrize("label", ["UTC+3", "UTC+15:00", "UTC+05:20", ".tr.", ".com.tr", "2Fe"])
def test_a_symbol_that_the_rules_cannot_read_has_no_form(tr, label):
    assert [text(tr, form, label, "symbol") for form in ("genitive", "locative", "copula")] == [None] * 3


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
            assert stem == RENAMED.get(label, label)
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


def test_a_currency_takes_its_copula_without_an_apostrophe_and_harmonises_with_its_last_vowel(tr):
    names = [label for term, label in labels("tr").items() if "currency-" in term and label != "Euro"]
    assert len(names) > 130
    harmony = {"ı": "dır", "i": "dir", "u": "dur", "ü": "dür"}
    for name in names:
        assert text(tr, "copula", name, "common") == name + harmony[name[-1]]


def test_each_form_of_every_topic_has_three_paraphrases_and_the_suffixed_ones_follow_the_others(tr):
    for name in topics.available():
        forms = topics.with_languages(topics.load(name), [tr]).wording["tr"].forms
        assert {len(paraphrases) for paraphrases in forms.values()} == {3}
        for form in ("completion", "completion_count"):
            suffixed = forms.get(form.replace("completion", "completion_suffixed"), [])
            assert len(suffixed) == len(forms.get(form, []))
            for plain, joined in zip(forms.get(form, []), suffixed, strict=True):
                for which in ("one", "many", "neutral"):
                    sentence = getattr(plain, which)
                    assert sentence is None or re.sub(r"( şudur| şunlardır)?:$", "", sentence) == getattr(joined, which)


def test_no_name_ends_in_what_counts_as_a_suffix(tr):
    suffixes = tr.file.normalise.suffixes
    assert len(set(suffixes)) == len(suffixes) == 36
    names = [*labels("tr").values(), *labels("en").values(), *labels("it").values()]
    names += [*Locale("tr").territories.values(), "Xi'an", "N'Djamena", "Côte d'Ivoire", "Sana'a", "Hawai'i", "Ma'in"]
    for name in names:
        assert not re.search(rf"['’ʻʼ]({'|'.join(suffixes)})$", name), name


def test_the_copula_and_the_genitive_of_a_vowel_count_as_suffixes(tr):
    for form, label, kind in [
        *[("copula", label, "proper") for label in ("Ankara", "Paris", "Seul", "Irak", "Üsküp", "Oslo", "Tunus")],
        *[("copula", str(number), "number") for number in range(10)],
        *[("genitive", label, "proper") for label in ("Kanada", "Türkiye", "Togo", "Bakü")],
        *[("locative", label, "proper") for label in ("Kanada", "Türkiye", "Irak", "Fas", "Norveç", "Man Adası")],
    ]:
        assert text(tr, form, label, kind).rpartition("'")[2] in tr.file.normalise.suffixes
    assert tr.file.normalise.conjunctions == ["ve", "ile"]


def test_every_form_waits_for_a_native_speaker(tr):
    assert all(form.review for form in tr.forms.values())
