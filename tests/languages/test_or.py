"""Odia forms and sentences: endings that are joined to the name, and what a final hasanta does before them."""

import re
import unicodedata

import pytest
from babel import Locale

from polyfact import languages, topics
from polyfact.languages import Noun
from tests.support.names import answers, labels, worded

TERRITORIES = {code: label for code, label in Locale("or").territories.items() if code not in ("XA", "XB", "ZZ")}
RENAMED = {
    "CC": "କୋକୋସ୍ ଦ୍ଵୀପପୁଞ୍ଜ",
    "CD": "କଙ୍ଗୋ ଗଣତାନ୍ତ୍ରିକ ସାଧାରଣତନ୍ତ୍ର",
    "CG": "କଙ୍ଗୋ ସାଧାରଣତନ୍ତ୍ର",
    "HK": "ହଂକଂ",
    "MO": "ମାକାଉ",
}
CASES = ("genitive", "locative", "ablative", "dative")
SENTENCES = [
    ("capitals", "completion", 1, "one", "Q16", "କାନାଡାର ରାଜଧାନୀ ହେଉଛି"),
    ("capitals", "completion", 3, "one", "Q155", "ଯେଉଁ ସହର ବ୍ରାଜିଲର ରାଜଧାନୀ, ତାହା ହେଉଛି"),
    ("capitals", "question", 1, "one", "Q796", "ଇରାକର ରାଜଧାନୀର ନାମ କ'ଣ?"),
    ("official-languages", "completion", 1, "many", "Q16", "କାନାଡାର ସରକାରୀ ଭାଷାଗୁଡ଼ିକ ହେଉଛି"),
    ("official-languages", "completion", 2, "neutral", "Q794", "ଇରାନରେ ସରକାରୀ ଭାଷାର ମାନ୍ୟତା ପାଇଛି"),
    ("official-languages", "question", 2, "many", "Q34", "କେଉଁ କେଉଁ ଭାଷା ସ୍ୱିଡେନରେ ସରକାରୀ ଭାଷାର ମାନ୍ୟତା ପାଇଛି?"),
    ("official-languages", "question_count", 1, "one", "Q668", "ଭାରତର କେତୋଟି ସରକାରୀ ଭାଷା ଅଛି?"),
    ("neighbours", "completion", 1, "many", "Q148", "ଚୀନ୍\u200c ସହିତ ସ୍ଥଳ ସୀମା ଥିବା ଦେଶଗୁଡ଼ିକ ହେଉଛି"),
    ("neighbours", "question", 3, "one", "Q148", "ଚୀନରୁ ସ୍ଥଳ ସୀମା ପାର ହେଲେ କେଉଁ ଦେଶ ପଡ଼େ?"),
    ("cctld", "completion", 2, "one", "Q39", "ଇଣ୍ଟରନେଟରେ ସ୍ୱିଜରଲ୍ୟାଣ୍ଡକୁ ଯେଉଁ ଶୀର୍ଷ ସ୍ତରୀୟ ଡୋମେନ ମିଳିଛି, ତାହା ହେଉଛି"),
    ("currencies", "question", 1, "one", "Q30", "ଯୁକ୍ତ ରାଷ୍ଟ୍ରର ମୁଦ୍ରାର ନାମ କ'ଣ?"),
    ("time-zones", "question", 3, "one", "Q974", "କଙ୍ଗୋ ଗଣତାନ୍ତ୍ରିକ ସାଧାରଣତନ୍ତ୍ରରେ କେଉଁ ସମୟ ମଣ୍ଡଳ ବ୍ୟବହୃତ ହୁଏ?"),
    ("chemical-symbols", "completion", 1, "one", "local:element-26", "ଲୁହାର ରାସାୟନିକ ପ୍ରତୀକ ହେଉଛି"),
    ("chemical-symbols", "question", 3, "one", "local:element-79", "ପର୍ଯ୍ୟାୟ ସାରଣୀରେ ସୁନାକୁ କେଉଁ ପ୍ରତୀକ ଦ୍ୱାରା ସୂଚିତ କରାଯାଏ?"),
    ("atomic-numbers", "question", 1, "one", "local:element-11", "ସୋଡ଼ିୟମର ପରମାଣୁ କ୍ରମାଙ୍କ କେତେ?"),
]


def nfc(text):
    return unicodedata.normalize("NFC", text)


@pytest.fixture(scope="module")
def odia():
    return languages.load("or")


def text(language, form, label, kind="proper"):
    found = language.form(form, label, entity=None, kind=kind)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("label", "genitive", "locative", "ablative", "dative"),
    [
        ("ଭାରତ", "ଭାରତର", "ଭାରତରେ", "ଭାରତରୁ", "ଭାରତକୁ"),
        ("କାନାଡା", "କାନାଡାର", "କାନାଡାରେ", "କାନାଡାରୁ", "କାନାଡାକୁ"),
        ("ଇଟାଲୀ", "ଇଟାଲୀର", "ଇଟାଲୀରେ", "ଇଟାଲୀରୁ", "ଇଟାଲୀକୁ"),
        ("ପାଲାଉ", "ପାଲାଉର", "ପାଲାଉରେ", "ପାଲାଉରୁ", "ପାଲାଉକୁ"),
        ("ଫ୍ରାନ୍ସ", "ଫ୍ରାନ୍ସର", "ଫ୍ରାନ୍ସରେ", "ଫ୍ରାନ୍ସରୁ", "ଫ୍ରାନ୍ସକୁ"),
        ("ଯୁକ୍ତରାଜ୍ୟ", "ଯୁକ୍ତରାଜ୍ୟର", "ଯୁକ୍ତରାଜ୍ୟରେ", "ଯୁକ୍ତରାଜ୍ୟରୁ", "ଯୁକ୍ତରାଜ୍ୟକୁ"),
        ("ଇରାକ୍", "ଇରାକର", "ଇରାକରେ", "ଇରାକରୁ", "ଇରାକକୁ"),
        ("ଚୀନ୍\u200c", "ଚୀନର", "ଚୀନରେ", "ଚୀନରୁ", "ଚୀନକୁ"),
        ("ଚୀନ୍\u200d", "ଚୀନର", "ଚୀନରେ", "ଚୀନରୁ", "ଚୀନକୁ"),
        ("ଇକ୍ୱେଡର୍\u200c", "ଇକ୍ୱେଡରର", "ଇକ୍ୱେଡରରେ", "ଇକ୍ୱେଡରରୁ", "ଇକ୍ୱେଡରକୁ"),
    ],
)
def test_endings_are_joined_and_a_final_hasanta_is_dropped(odia, label, genitive, locative, ablative, dative):
    assert [text(odia, case, label) for case in CASES] == [genitive, locative, ablative, dative]


def test_joiners_inside_a_name_stay(odia):
    label = "ଲିକ୍ଟନ୍\u200cଷ୍ଟାଇନ୍\u200c"
    assert text(odia, "name", label) == label
    assert text(odia, "genitive", label) == "ଲିକ୍ଟନ୍\u200cଷ୍ଟାଇନର"
    assert text(odia, "genitive", "ସୋଲୋମନ୍\u200c ଦ୍ୱୀପପୁଞ୍ଜ") == "ସୋଲୋମନ୍\u200c ଦ୍ୱୀପପୁଞ୍ଜର"


@pytest.mark.parametrize(
    ("label", "kind", "expected"),
    [
        ("ଲୁହା", "common", "ଲୁହାର"),
        ("ସୋଡ଼ିୟମ", "common", "ସୋଡ଼ିୟମର"),
        ("ଗନ୍ଧକ", "common", "ଗନ୍ଧକର"),
        ("କାର୍ବନ୍", "common", "କାର୍ବନର"),
        ("ୟୁରେନିୟମ", "common", "ୟୁରେନିୟମର"),
        ("ଫରାସୀ", "language", "ଫରାସୀର"),
    ],
)
def test_other_nouns_take_the_same_endings(odia, label, kind, expected):
    assert text(odia, "genitive", label, kind) == nfc(expected)


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Fe", "symbol"),
        ("UTC+05:30", "symbol"),
        ("3", "number"),
        ("Canada", "proper"),
        ("कनाडा", "proper"),
        ("ଜର୍ଜିଆ (ଦେଶ)", "proper"),
        ("ଭାରତ ", "proper"),
        ("ଭାରତ\u200c", "proper"),
        ("\u0b3eଭାରତ", "proper"),
    ],
)
def test_nothing_is_guessed(odia, label, kind):
    assert [text(odia, form, label, kind) for form in ("name", *CASES)] == [None] * 5


def test_names_that_cldr_writes_for_lists_are_written_for_sentences(odia):
    assert len(TERRITORIES) > 280
    changed = {c: text(odia, "name", label) for c, label in TERRITORIES.items()}
    changed = {c: name for c, name in changed.items() if name != nfc(TERRITORIES[c])}
    assert changed == {c: nfc(label) for c, label in RENAMED.items()}
    assert text(odia, "name", "ସାଓ ତୋମେ & ପ୍ରିସିପ୍ ଡୋବ୍ରା", "common") == "ସାଓ ତୋମେ ଏବଂ ପ୍ରିସିପ୍ ଡୋବ୍ରା"


@pytest.mark.parametrize(("case", "ending"), [("genitive", "ର"), ("locative", "ରେ"), ("ablative", "ରୁ"), ("dative", "କୁ")])
def test_every_territory_of_cldr_has_every_case(odia, case, ending):
    for code, label in TERRITORIES.items():
        form = text(odia, case, label)
        stem = nfc(RENAMED.get(code, label)).rstrip("\u200c\u200d").rstrip("\u0b4d")
        assert form == stem + ending


@pytest.mark.parametrize(("name", "form", "paraphrase", "which", "entity", "expected"), SENTENCES)
def test_sentences(odia, name, form, paraphrase, which, entity, expected):
    topic = worded(name)
    template = getattr(topic.wording["or"].forms[form][paraphrase - 1], which)
    noun = Noun(labels("or")[entity], entity, topic.subject.kind)
    assert odia.render(template, {"subject": noun})[:2] == (nfc(expected), True)


@pytest.mark.parametrize("name", ["neighbours", "currencies"])
def test_every_answer_has_the_form_of_a_name(odia, name):
    topic = worded(name)
    found_answers = {answer for group in answers(name).values() for answer in group if answer in labels("or")}
    assert len(found_answers) > 130
    for answer in found_answers:
        noun = Noun(labels("or")[answer], answer, topic.object.kind)
        found = odia.render("{object|name}", {"object": noun}, sentence=False)
        assert found is not None, labels("or")[answer]
        assert odia.script_ok(found.text)
        assert not re.search("[()&]", found.text)


def test_the_wording_shows_the_number_of_answers_where_it_should():
    plural = re.compile(nfc("ଗୁଡ଼ିକ|କେଉଁ କେଉଁ|କ'ଣ କ'ଣ"))
    several = 0
    for topic in map(worded, topics.available()):
        for wording in [w for paraphrases in topic.wording["or"].forms.values() for w in paraphrases]:
            assert not plural.search(nfc(wording.one))
            assert (wording.many is None) == (wording.neutral is None)
            if wording.many is None:
                continue
            several += 1
            neutral = nfc(wording.neutral)
            assert plural.search(nfc(wording.many))
            assert len({wording.one, wording.many, wording.neutral}) == 3
            assert bool(plural.search(neutral)) == (" ବା " in neutral)
            assert not re.search(nfc("ଏକମାତ୍ର|କେଉଁଟି|ଗୋଟିଏ|ସେଗୁଡ଼ିକ"), neutral)
    assert several == 24


def test_everything_waits_for_a_native_speaker(odia):
    assert all(form.review for form in odia.forms.values())
    assert all(topic.wording["or"].review for topic in map(worded, topics.available()))


def test_numbers_are_written_in_ascii_digits(odia):
    assert odia.number("118") == "118"
