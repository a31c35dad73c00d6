"""Hindi forms: which nouns change before a postposition, and which do not."""

import unicodedata

import pytest
from babel import Locale

from polyfact import languages

KEPT = {"AU": "ऑस्ट्रेलिया", "CA": "कनाडा", "CU": "क्यूबा", "IN": "भारत", "KE": "केन्या", "MV": "मालदीव"}
RENAMED = {
    "CC": "कोकोस द्वीपसमूह",
    "CD": "कांगो लोकतांत्रिक गणराज्य",
    "CG": "कांगो गणराज्य",
    "HK": "हाँग काँग",
    "MM": "म्यांमार",
    "MO": "मकाऊ",
    "PS": "फ़िलिस्तीनी क्षेत्रों",
}


@pytest.fixture(scope="module")
def hi():
    return languages.load("hi")


def oblique(language, label, kind):
    found = language.form("oblique", label, entity=None, kind=kind)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("सोना", "सोने"),
        ("लोहा", "लोहे"),
        ("पारा", "पारे"),
        ("ताँबा", "ताँबे"),
        ("तांबा", "तांबे"),
        ("सीसा", "सीसे"),
        ("जस्ता", "जस्ते"),
        ("चाँदी", "चाँदी"),
        ("गंधक", "गंधक"),
        ("हाइड्रोजन", "हाइड्रोजन"),
        ("सोडियम", "सोडियम"),
    ],
)
def test_masculine_common_nouns_change_the_others_do_not(hi, label, expected):
    assert oblique(hi, label, "common") == expected


@pytest.mark.parametrize("label", ["हवा", "दवा", "कुआँ", "घोड़ा"])
def test_a_common_noun_in_a_that_is_not_listed_has_no_form(hi, label):
    assert oblique(hi, label, "common") is None


def test_names_of_countries_stay_as_they_are_but_for_notes_in_brackets(hi):
    territories = {c: label for c, label in Locale("hi").territories.items() if c not in ("XA", "XB", "ZZ")}
    changed = {
        c: oblique(hi, label, "proper")
        for c, label in territories.items()
        if oblique(hi, label, "proper") != unicodedata.normalize("NFC", label)
    }
    assert changed == {c: unicodedata.normalize("NFC", label) for c, label in RENAMED.items()}
    assert {c: oblique(hi, territories[c], "proper") for c in KEPT} == KEPT


def test_the_form_waits_for_a_native_speaker(hi):
    assert hi.form("oblique", "कनाडा", entity="Q16", kind="proper").review
