import pytest
from babel import Locale

from polyfact import languages

WITH_ARTICLE = {
    "AE", "AX", "BQ", "BS", "CC", "CD", "CF", "CG", "CK", "DO", "EU", "EZ", "FK",
    "FO", "GB", "GM", "IC", "IM", "IO", "KM", "KY", "MH", "MP", "MV", "NL", "PH",
    "PN", "PS", "SB", "SC", "TC", "TF", "UM", "UN", "US", "VG", "VI",
}  # fmt: skip


@pytest.fixture(scope="module")
def en():
    return languages.load("en")


def the(language, label, kind="proper"):
    return language.form("the", label, entity=None, kind=kind).text


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Netherlands", "the Netherlands"),
        ("United States", "the United States"),
        ("United Arab Emirates", "the United Arab Emirates"),
        ("Central African Republic", "the Central African Republic"),
        ("Isle of Man", "the Isle of Man"),
        ("Gambia", "the Gambia"),
        ("The Bahamas", "the Bahamas"),
        ("The Hague", "The Hague"),
        ("Vatican City", "Vatican City"),
        ("Czechia", "Czechia"),
        ("Ascension Island", "Ascension Island"),
        ("Antigua & Barbuda", "Antigua and Barbuda"),
        ("Turks & Caicos Islands", "the Turks and Caicos Islands"),
        ("St. Vincent & Grenadines", "St. Vincent and the Grenadines"),
        ("Democratic Republic of the Congo", "the Democratic Republic of the Congo"),
        ("Republic of Ireland", "the Republic of Ireland"),
    ],
)
def test_the_article(en, label, expected):
    assert the(en, label) == expected


def test_exactly_these_territories_of_cldr_take_the_article(en):
    territories = {code: label for code, label in Locale("en").territories.items() if code.isalpha()}
    assert {code for code, label in territories.items() if the(en, label).startswith("the ")} == WITH_ARTICLE


@pytest.mark.parametrize("kind", ["common", "language"])
@pytest.mark.parametrize("label", ["hydrogen", "Dutch", "States & Islands"])
def test_elements_and_languages_stay_as_they_are(en, label, kind):
    assert the(en, label, kind) == label


def test_a_sentence_begins_with_a_capital(en):
    noun = languages.Noun("Netherlands", None, "proper")
    assert en.render("{subject|the} has many canals", {"subject": noun}).text == "The Netherlands has many canals"
    assert en.render("{subject|the}", {"subject": noun}, sentence=False).text == "the Netherlands"
