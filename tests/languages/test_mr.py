"""Marathi forms and wording: the stem before a postposition, what endings agree with, real labels."""

import re
import unicodedata

import pytest
from babel import Locale

from polyfact import languages, topics
from polyfact.languages import Noun
from tests.support.names import sentences, templates, worded

TERRITORIES = {
    code: unicodedata.normalize("NFC", label)
    for code, label in Locale("mr").territories.items()
    if len(code) == 2 and code not in ("XA", "XB", "ZZ")
}
# Every name that changes, but for those in बेट and बेटे.
CHANGED = {
    "BA": "बोस्निया आणि हर्जेगोविना",
    "CD": "काँगोच्या लोकशाही प्रजासत्ताका",
    "CF": "केंद्रीय अफ्रिकी प्रजासत्ताका",
    "CG": "काँगोच्या प्रजासत्ताका",
    "DO": "डोमिनिकन प्रजासत्ताका",
    "EU": "युरोपीय संघा",
    "HK": "हाँगकाँग",
    "IN": "भारता",
    "IO": "ब्रिटिश हिंद महासागर प्रदेशा",
    "LK": "श्रीलंके",
    "MM": "म्यानमार",
    "MO": "मकाओ",
    "PS": "पॅलेस्टिनियन प्रदेशां",
    "TF": "फ्रेंच दाक्षिणात्य प्रदेशां",
    "UN": "संयुक्त राष्ट्रां",
    "ZA": "दक्षिण आफ्रिके",
}
# Native element names, and the stem of each; the other elements keep their name.
NATIVE = {
    "गंधक": "गंधका",
    "लोखंड": "लोखंडा",
    "तांबे": "तांब्या",
    "जस्त": "जस्ता",
    "कथील": "कथिला",
    "सोने": "सोन्या",
    "पारा": "पाऱ्या",
    "शिसे": "शिशा",
}
BORROWED = [
    "हायड्रोजन", "हेलियम", "लिथियम", "बेरिलियम", "बोरॉन", "कार्बन", "नायट्रोजन", "ऑक्सिजन", "फ्लोरिन", "निऑन",
    "सोडियम", "मॅग्नेशियम", "ॲल्युमिनियम", "सिलिकॉन", "फॉस्फरस", "क्लोरीन", "अरगॉन", "पोटॅशियम", "कॅल्शियम",
    "स्कॅन्डियम", "टायटॅनियम", "व्हॅनेडियम", "क्रोमियम", "मँगनीज", "कोबाल्ट", "निकेल", "गॅलियम", "जर्मेनियम",
    "आर्सेनिक", "सेलेनियम", "ब्रोमिन", "क्रिप्टॉन", "रुबिडियम", "स्ट्रॉन्शियम", "यट्रियम", "झिर्कोनियम",
    "नायोबियम", "मॉलिब्डेनम", "टेक्नेटियम", "रुथेनियम", "ऱ्होडियम", "पॅलेडियम", "चांदी", "कॅडमियम", "इंडियम",
    "अँटिमनी", "टेलुरियम", "आयोडिन", "झेनॉन", "सीझियम", "बेरियम", "लॅन्थॅनम", "सेरियम", "प्रासिओडायमियम",
    "निओडायमियम", "प्रोमेथियम", "समारियम", "युरोपियम", "गॅडोलिनियम", "टर्बियम", "डिस्प्रोसियम", "होल्मियम",
    "अर्बियम", "थुलियम", "यटर्बियम", "ल्युटेटियम", "हाफ्नियम", "टँटलम", "टंगस्टन", "ऱ्हेनियम", "ऑस्मियम",
    "इरिडियम", "प्लॅटिनम", "थॅलियम", "बिस्मथ", "पोलोनियम", "ॲस्टाटिन", "रेडॉन", "फ्रान्सियम", "रेडियम",
    "ॲक्टिनियम", "थोरियम", "प्रोटॅक्टिनियम", "युरेनियम", "नेपच्युनियम", "प्लुटोनियम", "अमेरिसियम", "क्युरियम",
    "बर्केलियम", "कॅलिफोर्नियम", "आइन्स्टाइनियम", "फर्मियम", "मेंडेलेव्हियम", "नोबेलियम", "लॉरेन्सियम",
    "रदरफोर्डियम", "डब्नियम", "सीबोर्गियम", "बोहरियम", "हासियम", "माइटनेरियम", "डार्मस्टॅटियम", "रॉन्टजेनियम",
    "कोपर्निसियम", "निहोनियम", "फ्लेरोव्हियम", "मॉस्कोव्हियम", "लिव्हरमोरियम", "टेनेसाइन", "ओगानेसन",
]  # fmt: skip


@pytest.fixture(scope="module")
def mr():
    return languages.load("mr")


def stem(language, label, kind="proper"):
    found = language.form("oblique", label, entity=None, kind=kind)
    return None if found is None else found.text


def test_names_of_countries_that_change_and_all_others_that_stay(mr):
    changed = {code: stem(mr, label) for code, label in TERRITORIES.items() if stem(mr, label) != label}
    islands = {code: text for code, text in changed.items() if re.search("बेटा$|बेटां$", text)}
    assert {code: text for code, text in changed.items() if code not in islands} == CHANGED
    assert islands["SB"] == "सोलोमन बेटां"
    assert islands["MH"] == "मार्शल बेटां"
    assert islands["CX"] == "ख्रिसमस बेटा"
    for code, text in islands.items():
        ending = {"बेट": "बेटा", "बेटे": "बेटां"}[TERRITORIES[code].split(" ")[-1]]
        assert text.split(" ")[-1] == ending


@pytest.mark.parametrize(
    ("label", "of"),
    [
        ("भारत", "भारताची"),
        ("श्रीलंका", "श्रीलंकेची"),
        ("अमेरिका", "अमेरिकेची"),
        ("कॅनडा", "कॅनडाची"),
        ("फ्रान्स", "फ्रान्सची"),
        ("इटली", "इटलीची"),
        ("जपान", "जपानची"),
        ("नेपाळ", "नेपाळची"),
        ("थायलंड", "थायलंडची"),
        ("मेक्सिको", "मेक्सिकोची"),
        ("तुर्किये", "तुर्कियेची"),
        ("टुवालु", "टुवालुची"),
        ("सोलोमन बेटे", "सोलोमन बेटांची"),
        ("डोमिनिकन प्रजासत्ताक", "डोमिनिकन प्रजासत्ताकाची"),
        ("संयुक्त अरब अमिराती", "संयुक्त अरब अमिरातीची"),
        ("सेंट व्हिन्सेंट आणि ग्रेनडाइन्स", "सेंट व्हिन्सेंट आणि ग्रेनडाइन्सची"),
    ],
)
def test_a_postposition_joins_the_stem(mr, label, of):
    assert mr.render("{subject|oblique}ची", {"subject": Noun(label, None, "proper")}).text == of


def test_all_elements_have_a_stem(mr):
    assert len(BORROWED) + len(NATIVE) == 118
    assert {label: stem(mr, label, "common") for label in NATIVE} == NATIVE
    assert {label: stem(mr, label, "common") for label in BORROWED} == {label: label for label in BORROWED}


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("महाराष्ट्र", "proper"),
        ("पुणे", "proper"),
        ("गोवा", "proper"),
        ("नियम", "common"),
        ("अधिनियम", "common"),
        ("पाणी", "common"),
    ],
)
def test_nothing_is_guessed(mr, label, kind):
    assert stem(mr, label, kind) is None


@pytest.mark.parametrize(
    ("topic", "form", "paraphrase", "which", "label", "expected"),
    [
        ("capitals", "question", 1, "one", "भारत", "भारताची राजधानी कोणती आहे?"),
        ("capitals", "completion", 1, "one", "श्रीलंका", "श्रीलंकेच्या राजधानीचे नाव आहे"),
        ("official-languages", "completion", 1, "many", "कॅनडा", "कॅनडाच्या अधिकृत भाषांची नावे आहेत"),
        ("official-languages", "question", 2, "one", "सोलोमन बेटे", "सोलोमन बेटांमध्ये कोणत्या भाषेला अधिकृत दर्जा आहे?"),
        ("chemical-symbols", "question", 1, "one", "सोने", "सोन्याची रासायनिक संज्ञा कोणती आहे?"),
        ("chemical-symbols", "question", 2, "one", "सोने", "सोने या मूलद्रव्याची संज्ञा काय आहे?"),
        ("chemical-symbols", "completion", 3, "one", "लोखंड", "आवर्तसारणीत लोखंडासाठी वापरले जाणारे चिन्ह आहे"),
        ("atomic-numbers", "question", 1, "one", "पारा", "पाऱ्याचा अणुक्रमांक किती आहे?"),
        ("atomic-numbers", "question", 3, "one", "हायड्रोजन", "हायड्रोजनच्या अणूमध्ये किती प्रोटॉन असतात?"),
        ("neighbours", "completion", 1, "one", "कॅनडा", "कॅनडाचा शेजारी देश म्हणजे"),
        ("neighbours", "completion", 1, "many", "भारत", "भारताचे शेजारी देश म्हणजे"),
        ("neighbours", "question_count", 2, "one", "म्यानमार (बर्मा)", "म्यानमारची भूसीमा किती देशांना लागून आहे?"),
        ("time-zones", "question", 1, "one", "काँगो - किंशासा", "काँगोच्या लोकशाही प्रजासत्ताकाचे वेळक्षेत्र कोणते आहे?"),
        ("cctld", "question", 3, "one", "जपान", "जपानसाठी कोणता आंतरजाल प्रत्यय राखलेला आहे?"),
        ("currencies", "question", 1, "one", "फ्रान्स", "फ्रान्सचे चलन कोणते आहे?"),
        ("currencies", "question", 1, "many", "पनामा", "पनामाची चलने कोणती आहेत?"),
    ],
)
def test_sentences(mr, topic, form, paraphrase, which, label, expected):
    template = getattr(worded(topic).wording["mr"].forms[form][paraphrase - 1], which)
    noun = Noun(label, None, topics.load(topic).subject.kind)
    assert mr.render(template, {"subject": noun})[:2] == (expected, "|" in template)


@pytest.mark.parametrize("name", topics.available())
def test_each_form_has_three_paraphrases_and_counts_where_answers_are_many(mr, name):
    forms = worded(name).wording["mr"].forms
    counts = {"completion_count", "question_count"} if topics.load(name).answers == "many" else set()
    assert set(forms) == {"completion", "question"} | counts
    assert {len(paraphrases) for paraphrases in forms.values()} == {3}
    assert worded(name).wording["mr"].review


@pytest.mark.parametrize(
    ("possessed", "ending"),
    [
        ("राजधानी ", "ची"),
        ("राजधानी(?:चे|चा)", "च्या"),
        ("अधिकृत भाषा कोणती", "ची"),
        ("अधिकृत भाषा (?:कोणत्या|किती)|अधिकृत भाषे|अधिकृत भाषां", "च्या"),
        ("(?:रासायनिक )?संज्ञा", "ची"),
        ("(?:अणु)?क्रमांक", "चा"),
        ("अणूमध्ये", "च्या"),
        ("शेजारी देश कोणता", "चा"),
        ("(?:किती )?शेजारी देश (?:आहेत|कोणते)", "चे"),
        ("शेजारी देशां|शेजारील|सीमेवर", "च्या"),
        ("भूसीमा", "ची"),
        ("वेळक्षेत्र (?:म्हणजे|कोणते|किंवा)", "चे"),
        ("(?:किती )?वेळक्षेत्रे", "ची"),
        ("प्रमाणवेळ (?:म्हणजे|कोणती)", "ची"),
        ("प्रमाणवेळा", "च्या"),
        ("(?:देश-संकेतांक )?उच्चस्तरीय डोमेन", "चे"),
        ("चलन (?:कोणते|किंवा)", "चे"),
        ("(?:किती अधिकृत )?चलने", "ची"),
        ("(?:अधिकृत )?चलना", "च्या"),
        ("नाव (?:आहे|काय)", "चे"),
        ("नावे", "ची"),
        ("संख्या", "ची"),
    ],
)
def test_endings_agree_with_what_is_possessed(mr, possessed, ending):
    found = {
        match
        for name in topics.available()
        for _, wording in sentences(name, "mr")
        for template in templates(wording)
        for match in re.findall(rf"(चा|ची|चे|च्या) (?:{possessed})", template)
    }
    assert found == {ending}


def test_numbers_have_devanagari_digits_and_joiners_are_kept(mr):
    assert mr.number("118") == "११८"
    assert mr.file.normalise.joiners == "keep"
    assert mr.file.normalise.conjunctions == ["आणि", "व"]


def test_the_form_waits_for_a_native_speaker(mr):
    assert mr.form("oblique", "कॅनडा", entity="Q16", kind="proper").review
