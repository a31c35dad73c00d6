"""Hindi forms and wording: which nouns change before a postposition, what particles agree with, real labels."""

import re
import unicodedata

import pytest
from babel import Locale

from polyfact import languages, topics
from polyfact.languages import Noun
from tests.support.names import sentences, templates, worded

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


@pytest.mark.parametrize(
    ("topic", "form", "paraphrase", "which", "label", "expected"),
    [
        ("capitals", "completion", 1, "one", "कनाडा", "कनाडा की राजधानी का नाम है"),
        ("capitals", "question", 3, "one", "मालदीव", "किस शहर को मालदीव की राजधानी का दर्जा प्राप्त है?"),
        ("official-languages", "completion", 1, "many", "कनाडा", "कनाडा की आधिकारिक भाषाओं के नाम हैं"),
        ("official-languages", "question", 1, "neutral", "क्यूबा", "क्यूबा की आधिकारिक भाषा या भाषाएँ कौन-सी हैं?"),
        ("chemical-symbols", "completion", 1, "one", "सोना", "सोने का रासायनिक प्रतीक है"),
        ("chemical-symbols", "completion", 2, "one", "सोना", "सोना नामक रासायनिक तत्व का प्रतीक है"),
        ("chemical-symbols", "question", 3, "one", "लोहा", "आवर्त सारणी में लोहे को किस प्रतीक से दर्शाया जाता है?"),
        ("atomic-numbers", "question", 1, "one", "तांबा", "तांबे की परमाणु संख्या क्या है?"),
        ("atomic-numbers", "question", 3, "one", "पारा", "पारे के परमाणु में कितने प्रोटॉन होते हैं?"),
        ("neighbours", "completion", 1, "one", "कनाडा", "कनाडा के पड़ोसी देश का नाम है"),
        ("neighbours", "completion", 1, "many", "भारत", "भारत के पड़ोसी देशों के नाम हैं"),
        ("neighbours", "question_count", 2, "one", "म्यांमार (बर्मा)", "म्यांमार की स्थलीय सीमा कितने देशों से लगती है?"),
        ("time-zones", "question", 1, "one", "कांगो - किंशासा", "कांगो लोकतांत्रिक गणराज्य का समय क्षेत्र कौन-सा है?"),
        ("cctld", "completion", 2, "one", "भारत", "इंटरनेट पर भारत का शीर्ष स्तरीय डोमेन है"),
        ("currencies", "question", 1, "many", "पनामा", "पनामा की मुद्राएँ कौन-सी हैं?"),
    ],
)
def test_sentences(hi, topic, form, paraphrase, which, label, expected):
    template = getattr(worded(topic).wording["hi"].forms[form][paraphrase - 1], which)
    assert hi.render(template, {"subject": Noun(label, None, topics.load(topic).subject.kind)}).text == expected


@pytest.mark.parametrize("name", topics.available())
def test_each_form_has_three_paraphrases_and_counts_where_answers_are_many(hi, name):
    forms = worded(name).wording["hi"].forms
    counts = {"completion_count", "question_count"} if topics.load(name).answers == "many" else set()
    assert set(forms) == {"completion", "question"} | counts
    assert {len(paraphrases) for paraphrases in forms.values()} == {3}


@pytest.mark.parametrize(
    ("possessed", "particle"),
    [
        ("राजधानी", "की"),
        ("(?:कितनी )?आधिकारिक भाषा(?:ओं|एँ)?", "की"),
        ("परमाणु संख्या", "की"),
        ("क्रमांक", "का"),
        ("परमाणु में", "के"),
        ("(?:रासायनिक )?प्रतीक", "का"),
        ("पड़ोसी देश कौन-सा", "का"),
        ("(?:कितने )?पड़ोसी देश(?:ों| का| हैं| कौन-से)", "के"),
        ("स्थलीय सीमा", "की"),
        ("समय क्षेत्र (?:है|कौन-सा)", "का"),
        ("(?:कितने )?समय क्षेत्र(?:ों| हैं| कौन-से)", "के"),
        ("मानक समय (?:है|क्या है)", "का"),
        ("मानक समय (?:हैं|क्या हैं)", "के"),
        ("(?:देश-कोड )?शीर्ष स्तरीय डोमेन", "का"),
        ("(?:कितनी )?(?:आधिकारिक )?मुद्रा(?:ओं|एँ)?", "की"),
        ("संख्या", "की"),
        ("नाम है$", "का"),
        ("नाम(?: हैं$|:$)", "के"),
    ],
)
def test_particles_agree_with_what_is_possessed(hi, possessed, particle):
    found = {
        match
        for name in topics.available()
        for _, wording in sentences(name, "hi")
        for template in templates(wording)
        for match in re.findall(rf" (का|की|के) {possessed}(?![ऀ-ॿ])", template)
    }
    assert found == {particle}


def test_lists_are_joined_by_the_words_for_and(hi):
    assert hi.file.normalise.conjunctions == ["और", "तथा", "एवं", "व"]
    assert hi.number("26") == "26"
