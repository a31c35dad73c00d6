"""Gujarati forms and wording: the stem before a postposition, what endings agree with, real labels."""

import re
import unicodedata

import pytest
from babel import Locale

from polyfact import languages, topics
from polyfact.languages import Noun
from tests.support.names import sentences, templates, worded

TERRITORIES = {
    code: unicodedata.normalize("NFC", label)
    for code, label in Locale("gu").territories.items()
    if code not in ("XA", "XB", "ZZ")
}
RENAMED = {
    "AG": "ઍન્ટિગુઆ અને બાર્બુડા",
    "CC": "કોકોઝ આઇલૅન્ડ્સ",
    "CD": "કોંગો લોકશાહી પ્રજાસત્તાક",
    "CG": "કોંગો પ્રજાસત્તાક",
    "HK": "હોંગકોંગ",
    "MM": "મ્યાંમાર",
    "MO": "મકાઉ",
}
# Names of elements that change, and the stem of each; the other elements keep their name.
CHANGED = {"તાંબું": "તાંબા", "પારો": "પારા", "સીસું": "સીસા", "સોનું": "સોના"}
KEPT = [
    "હાઇડ્રોજન", "હિલિયમ", "લિથિયમ", "બેરિલિયમ", "બોરોન", "કાર્બન", "નાઇટ્રોજન", "ઑક્સિજન", "ફ્લોરિન", "નિયોન",
    "સોડિયમ", "મૅગ્નેશિયમ", "ઍલ્યુમિનિયમ", "સિલિકોન", "ફૉસ્ફરસ", "સલ્ફર", "ક્લોરિન", "આર્ગોન", "પોટૅશિયમ",
    "કૅલ્શિયમ", "સ્કૅન્ડિયમ", "ટાઇટેનિયમ", "વેનેડિયમ", "ક્રોમિયમ", "મૅંગેનીઝ", "લોખંડ", "કોબાલ્ટ", "નિકલ", "જસત",
    "ગૅલિયમ", "જર્મેનિયમ", "આર્સેનિક", "સેલેનિયમ", "બ્રોમિન", "ક્રિપ્ટોન", "રુબિડિયમ", "સ્ટ્રૉન્શિયમ", "ઇટ્રિયમ",
    "ઝિર્કોનિયમ", "નાયોબિયમ", "મોલિબ્ડેનમ", "ટેક્નેશિયમ", "રુથેનિયમ", "રોડિયમ", "પૅલેડિયમ", "ચાંદી", "કૅડમિયમ",
    "ઇન્ડિયમ", "કલાઈ", "ઍન્ટિમની", "ટેલુરિયમ", "આયોડિન", "ઝેનોન", "સીઝિયમ", "બેરિયમ", "લૅન્થેનમ", "સીરિયમ",
    "પ્રેસિયોડિમિયમ", "નિયોડિમિયમ", "પ્રોમિથિયમ", "સમેરિયમ", "યુરોપિયમ", "ગૅડોલિનિયમ", "ટર્બિયમ", "ડિસ્પ્રોસિયમ",
    "હોલ્મિયમ", "અર્બિયમ", "થુલિયમ", "ઇટર્બિયમ", "લ્યુટેશિયમ", "હાફનિયમ", "ટૅન્ટલમ", "ટંગસ્ટન", "રેનિયમ",
    "ઓસ્મિયમ", "ઇરિડિયમ", "પ્લૅટિનમ", "થૅલિયમ", "બિસ્મથ", "પોલોનિયમ", "ઍસ્ટેટાઇન", "રેડોન", "ફ્રાન્સિયમ",
    "રેડિયમ", "ઍક્ટિનિયમ", "થોરિયમ", "પ્રોટૅક્ટિનિયમ", "યુરેનિયમ", "નેપ્ચ્યુનિયમ", "પ્લૂટોનિયમ", "અમેરિસિયમ",
    "ક્યુરિયમ", "બર્કેલિયમ", "કૅલિફોર્નિયમ", "આઇન્સ્ટાઇનિયમ", "ફર્મિયમ", "મેન્ડેલેવિયમ", "નોબેલિયમ", "લૉરેન્સિયમ",
    "રધરફોર્ડિયમ", "ડબ્નિયમ", "સીબોર્ગિયમ", "બોહરિયમ", "હાસિયમ", "માઇટનેરિયમ", "ડાર્મસ્ટેટિયમ", "રૉન્ટજેનિયમ",
    "કોપરનિસિયમ", "નિહોનિયમ", "ફ્લેરોવિયમ", "મૉસ્કોવિયમ", "લિવરમોરિયમ", "ટેનેસિન", "ઓગાનેસન",
]  # fmt: skip


@pytest.fixture(scope="module")
def gu():
    return languages.load("gu")


def stem(language, label, kind="proper"):
    found = language.form("oblique", label, entity=None, kind=kind)
    return None if found is None else found.text


def test_names_of_countries_stay_as_they_are_but_for_notes_and_mistakes(gu):
    assert len(TERRITORIES) > 280
    changed = {code: stem(gu, label) for code, label in TERRITORIES.items() if stem(gu, label) != label}
    assert changed == RENAMED


@pytest.mark.parametrize(
    ("label", "of"),
    [
        ("ભારત", "ભારતની"),
        ("કેનેડા", "કેનેડાની"),
        ("ઇટાલી", "ઇટાલીની"),
        ("ગિની", "ગિનીની"),
        ("નેપાળ", "નેપાળની"),
        ("યુનાઇટેડ સ્ટેટ્સ", "યુનાઇટેડ સ્ટેટ્સની"),
        ("મોરોક્કો", "મોરોક્કોની"),
        ("મેક્સિકો", "મેક્સિકોની"),
        ("ટ્રિનીદાદ અને ટોબેગો", "ટ્રિનીદાદ અને ટોબેગોની"),
        ("મ્યાંમાર (બર્મા)", "મ્યાંમારની"),
    ],
)
def test_a_postposition_joins_the_stem(gu, label, of):
    assert gu.render("{subject|oblique}ની", {"subject": Noun(label, None, "proper")}).text == of


def test_all_elements_have_a_stem(gu):
    assert len({*KEPT, *CHANGED}) == 118
    assert {label: stem(gu, label, "common") for label in CHANGED} == CHANGED
    assert {label: stem(gu, label, "common") for label in KEPT} == {label: label for label in KEPT}


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("રાજકોટ જિલ્લો", "proper"),
        ("નવું ગામડું", "proper"),
        ("જૉર્ડન (દેશ)", "proper"),
        ("ઘોડો", "common"),
        ("યુરો", "common"),
        ("કાળો પથ્થર", "common"),
        ("કાળું સોનું", "common"),
        ("૩", "number"),
        ("Fe", "symbol"),
    ],
)
def test_nothing_is_guessed(gu, label, kind):
    assert stem(gu, label, kind) is None


@pytest.mark.parametrize(
    ("topic", "form", "paraphrase", "which", "label", "expected"),
    [
        ("capitals", "completion", 1, "one", "કેનેડા", "કેનેડાની રાજધાનીનું નામ છે"),
        ("capitals", "question", 1, "one", "ભારત", "ભારતની રાજધાની કઈ છે?"),
        ("capitals", "question", 3, "one", "મોરોક્કો", "મોરોક્કોનું પાટનગર કયું છે?"),
        ("official-languages", "completion", 1, "many", "કેનેડા", "કેનેડાની સત્તાવાર ભાષાઓનાં નામ છે"),
        ("official-languages", "completion", 3, "neutral", "ઇટાલી", "ઇટાલીમાં રાજભાષા તરીકે માન્ય છે:"),
        ("official-languages", "question_count", 1, "one", "પેરુ", "પેરુની કેટલી સત્તાવાર ભાષાઓ છે?"),
        ("chemical-symbols", "question", 1, "one", "સોનું", "સોનાની રાસાયણિક સંજ્ઞા શું છે?"),
        ("chemical-symbols", "question", 2, "one", "સોનું", "સોનું નામના રાસાયણિક તત્ત્વની સંજ્ઞા કઈ છે?"),
        ("chemical-symbols", "completion", 1, "one", "લોખંડ", "લોખંડની રાસાયણિક સંજ્ઞા આ છે:"),
        ("atomic-numbers", "question", 1, "one", "પારો", "પારાનો પરમાણુ ક્રમાંક કેટલો છે?"),
        ("atomic-numbers", "question", 3, "one", "સીસું", "સીસાના પરમાણુમાં કેટલા પ્રોટોન હોય છે?"),
        ("neighbours", "completion", 1, "one", "લેસોથો", "લેસોથોના પડોશી દેશનું નામ છે"),
        ("neighbours", "question", 1, "many", "ભારત", "ભારતના પડોશી દેશો કયા છે?"),
        ("neighbours", "question", 3, "one", "સૅન મેરિનો", "સૅન મેરિનોને અડીને કયો દેશ આવેલો છે?"),
        ("neighbours", "question_count", 1, "one", "મ્યાંમાર (બર્મા)", "મ્યાંમારના કેટલા પડોશી દેશો છે?"),
        ("time-zones", "question", 1, "many", "રશિયા", "રશિયાનાં સમય ક્ષેત્રો કયાં છે?"),
        ("time-zones", "question", 1, "one", "કોંગો - બ્રાઝાવિલે", "કોંગો પ્રજાસત્તાકનું સમય ક્ષેત્ર કયું છે?"),
        ("cctld", "question", 3, "one", "જાપાન", "જાપાનને કયું ઇન્ટરનેટ ડોમેન ફાળવવામાં આવેલું છે?"),
        ("currencies", "completion", 1, "one", "ફ્રાંસ", "ફ્રાંસના ચલણનું નામ છે"),
        ("currencies", "question", 1, "many", "પનામા", "પનામાનાં ચલણો કયાં છે?"),
    ],
)
def test_sentences(gu, topic, form, paraphrase, which, label, expected):
    template = getattr(worded(topic).wording["gu"].forms[form][paraphrase - 1], which)
    noun = Noun(label, None, topics.load(topic).subject.kind)
    assert gu.render(template, {"subject": noun})[:2] == (expected, "|" in template)


@pytest.mark.parametrize("name", topics.available())
def test_each_form_has_three_paraphrases_and_counts_where_answers_are_many(gu, name):
    forms = worded(name).wording["gu"].forms
    counts = {"completion_count", "question_count"} if topics.load(name).answers == "many" else set()
    assert set(forms) == {"completion", "question"} | counts
    assert {len(paraphrases) for paraphrases in forms.values()} == {3}
    assert worded(name).wording["gu"].review


@pytest.mark.parametrize(
    ("possessed", "ending"),
    [
        ("રાજધાની", "ની"),
        ("રાજધાનીનો દરજ્જો", "ની"),
        ("પાટનગર (?:આ|કયું)", "નું"),
        ("(?:કેટલી )?સત્તાવાર ભાષા", "ની"),
        ("(?:રાસાયણિક )?સંજ્ઞા", "ની"),
        ("(?:પરમાણુ )?ક્રમાંક", "નો"),
        ("પરમાણુમાં", "ના"),
        ("પડોશી દેશ કયો", "નો"),
        ("(?:કેટલા )?પડોશી દેશો? ?(?:કયા|છે|ની|નાં|નું)", "ના"),
        ("જમીની સરહદ", "ની"),
        ("સમય ક્ષેત્ર ", "નું"),
        ("સમય ક્ષેત્રો", "નાં"),
        ("પ્રમાણ સમય (?:આ છે|કયો)", "નો|ના"),
        ("પ્રમાણ સમય કયો", "નો"),
        ("પ્રમાણ સમય કયા", "ના"),
        ("ટોચના સ્તરનું", "નું"),
        ("ચલણ કયું", "નું"),
        ("ચલણનું", "ના"),
        ("(?:કેટલાં સત્તાવાર |સત્તાવાર )?ચલણો", "નાં"),
        ("નામ છે", "નું|નાં"),
        ("(?:કુલ )?સંખ્યા", "ની"),
    ],
)
def test_endings_agree_with_what_is_possessed(gu, possessed, ending):
    found = {
        match
        for name in topics.available()
        for _, wording in sentences(name, "gu")
        for template in templates(wording)
        for match in re.findall(rf"(નો|ની|નું|ના|નાં) (?:{possessed})", template)
    }
    assert found == set(ending.split("|"))


def test_one_name_is_singular_and_several_are_plural(gu):
    for name in ("official-languages", "neighbours", "currencies"):
        first = worded(name).wording["gu"].forms["completion"][0]
        assert first.one.endswith("નું નામ છે")
        assert first.many.endswith("ઓનાં નામ છે") or first.many.endswith("ોનાં નામ છે")


def test_numbers_have_ascii_digits_and_joiners_are_dropped(gu):
    assert gu.number("118") == "118"
    assert gu.file.normalise.joiners == "drop"
    assert gu.file.normalise.conjunctions == ["અને", "તથા", "તેમજ"]


def test_the_form_waits_for_a_native_speaker(gu):
    assert gu.form("oblique", "કેનેડા", entity="Q16", kind="proper").review
