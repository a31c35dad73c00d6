"""Italian forms, as a native reader would check them: values, not shapes."""

import pytest
from babel import Locale

from polyfact import kb, languages
from polyfact.languages import Noun

TERRITORIES = {code: label for code, label in Locale("it").territories.items() if code not in ("XA", "XB", "ZZ")}


@pytest.fixture(scope="module")
def it():
    return languages.load("it")


def text(language, form, label, kind="proper"):
    found = language.form(form, label, entity=None, kind=kind)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("label", "of", "place", "has"),
    [
        ("Canada", "del Canada", "in Canada", "ha il Canada"),
        ("Francia", "della Francia", "in Francia", "ha la Francia"),
        ("Italia", "dell'Italia", "in Italia", "ha l'Italia"),
        ("Honduras", "dell'Honduras", "in Honduras", "ha l'Honduras"),
        ("Yemen", "dello Yemen", "in Yemen", "ha lo Yemen"),
        ("Sri Lanka", "dello Sri Lanka", "in Sri Lanka", "ha lo Sri Lanka"),
        ("Stati Uniti", "degli Stati Uniti", "negli Stati Uniti", "hanno gli Stati Uniti"),
        (
            "Emirati Arabi Uniti",
            "degli Emirati Arabi Uniti",
            "negli Emirati Arabi Uniti",
            "hanno gli Emirati Arabi Uniti",
        ),
        ("Bahamas", "delle Bahamas", "nelle Bahamas", "hanno le Bahamas"),
        ("Isole Salomone", "delle Isole Salomone", "nelle Isole Salomone", "hanno le Isole Salomone"),
        ("Paesi Bassi", "dei Paesi Bassi", "nei Paesi Bassi", "hanno i Paesi Bassi"),
        ("Regno Unito", "del Regno Unito", "nel Regno Unito", "ha il Regno Unito"),
        (
            "Città del Vaticano",
            "della Città del Vaticano",
            "nella Città del Vaticano",
            "ha la Città del Vaticano",
        ),
        ("Costa d’Avorio", "della Costa d’Avorio", "in Costa d’Avorio", "ha la Costa d’Avorio"),
        ("Corea del Nord", "della Corea del Nord", "in Corea del Nord", "ha la Corea del Nord"),
        ("Cuba", "di Cuba", "a Cuba", "ha Cuba"),
        ("Israele", "di Israele", "in Israele", "ha Israele"),
        ("Haiti", "di Haiti", "ad Haiti", "ha Haiti"),
        ("San Marino", "di San Marino", "a San Marino", "ha San Marino"),
        ("Trinidad e Tobago", "di Trinidad e Tobago", "a Trinidad e Tobago", "ha Trinidad e Tobago"),
    ],
)
def test_countries(it, label, of, place, has):
    assert (text(it, "of", label), text(it, "in", label), text(it, "has", label)) == (of, place, has)


@pytest.mark.parametrize(
    ("label", "of"),
    [
        ("Congo - Kinshasa", "della Repubblica Democratica del Congo"),
        ("Congo-Brazzaville", "della Repubblica del Congo"),
        ("Myanmar (Birmania)", "del Myanmar"),
        ("Isole Cocos (Keeling)", "delle Isole Cocos"),
        ("RAS di Hong Kong", "di Hong Kong"),
    ],
)
def test_names_that_cldr_writes_for_lists_are_written_for_sentences(it, label, of):
    assert text(it, "of", label) == of


@pytest.mark.parametrize(
    ("label", "of"),
    [
        ("zinco", "dello zinco"),
        ("zolfo", "dello zolfo"),
        ("zirconio", "dello zirconio"),
        ("xeno", "dello xeno"),
        ("stagno", "dello stagno"),
        ("stronzio", "dello stronzio"),
        ("iodio", "dello iodio"),
        ("oro", "dell'oro"),
        ("argento", "dell'argento"),
        ("idrogeno", "dell'idrogeno"),
        ("ittrio", "dell'ittrio"),
        ("uranio", "dell'uranio"),
        ("selenio", "del selenio"),
        ("silicio", "del silicio"),
        ("ferro", "del ferro"),
        ("piombo", "del piombo"),
        ("mercurio", "del mercurio"),
        ("rame", "del rame"),
        ("manganese", "del manganese"),
        ("nichel", "del nichel"),
        ("kripton", "del kripton"),
    ],
)
def test_elements(it, label, of):
    assert text(it, "of", label, "common") == of


def test_every_element_of_the_knowledge_base_has_the_article(it):
    names = [name for identity, name in labels("it").items() if "element-" in identity]
    assert len(names) == 118
    forms = {name: text(it, "definite", name, "common") for name in names}
    assert [name for name, form in forms.items() if form is None] == []
    assert sum(form.startswith("l'") for form in forms.values()) == sum(
        name[0] in "aeouh" or (name[0] == "i" and name != "iodio") for name in names
    )


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("inglese", "l'inglese"),
        ("hindi", "l'hindi"),
        ("urdu", "l'urdu"),
        ("spagnolo", "lo spagnolo"),
        ("swahili", "lo swahili"),
        ("sloveno", "lo sloveno"),
        ("samoano", "il samoano"),
        ("tedesco", "il tedesco"),
        ("hindi figiano", "l'hindi figiano"),
        ("nessun contenuto linguistico", None),
    ],
)
def test_languages(it, label, expected):
    assert text(it, "definite", label, "language") == expected


@pytest.mark.parametrize("form", ["definite", "of", "in", "has"])
def test_every_territory_of_cldr_has_every_form(it, form):
    assert len(TERRITORIES) > 280
    assert [label for label in TERRITORIES.values() if text(it, form, label) is None] == []


def test_article_and_name_agree_in_elision(it):
    for label in TERRITORIES.values():
        definite = text(it, "definite", label)
        if definite.startswith("l'"):
            assert definite[2] in "AEIOUH", definite
        if definite.startswith(("il ", "lo ", "la ", "i ")):
            assert definite.split(" ")[1][0] not in "AEIOU", definite


@pytest.mark.parametrize(
    ("label", "kind"), [("Atlantide", "proper"), ("Parigi", "proper"), ("acqua", "common"), ("3", "number")]
)
def test_nothing_is_guessed(it, label, kind):
    assert [text(it, form, label, kind) for form in ("definite", "of", "in", "has")] == [None] * 4


def test_every_form_waits_for_a_native_speaker(it):
    assert all(form.review for form in it.forms.values())
    assert it.render("la capitale {subject|of} è", {"subject": Noun("Canada", "Q16", "proper")})[:2] == (
        "La capitale del Canada è",
        True,
    )


def labels(code):
    found = {}
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    query = f'SELECT ?s ?l WHERE {{ ?s <{label}> ?l FILTER(lang(?l) = "{code}") }}'
    for row in kb.load().query(query):
        found[row["s"].value] = row["l"].value
    return found
