"""All wording of the packaged topics, filled with real labels."""

import re
import unicodedata

import pytest

from polyfact import languages, topics
from polyfact.languages import Noun
from tests.support.names import CODES, answers, labels, sentences, templates, worded

SENTENCES = [
    ("capitals", "en", "completion", "one", "Q55", "The capital of the Netherlands is"),
    ("capitals", "en", "question", "one", "Q16", "What is the capital of Canada?"),
    ("capitals", "it", "completion", "one", "Q16", "La capitale del Canada è"),
    ("capitals", "it", "question", "one", "Q30", "Qual è la capitale degli Stati Uniti?"),
    ("capitals", "tr", "completion", "one", "Q16", "Kanada'nın başkenti şudur:"),
    ("capitals", "tr", "completion_suffixed", "one", "Q142", "Fransa'nın başkenti"),
    ("capitals", "tr", "question", "one", "Q43", "Türkiye'nin başkenti neresidir?"),
    ("capitals", "hi", "completion", "one", "Q16", "कनाडा की राजधानी का नाम है"),
    ("capitals", "hi", "question", "one", "Q668", "भारत की राजधानी क्या है?"),
    ("official-languages", "en", "completion", "many", "Q16", "The official languages of Canada are"),
    (
        "official-languages",
        "en",
        "completion",
        "neutral",
        "Q16",
        "In Canada, the status of official language belongs to",
    ),
    (
        "official-languages",
        "en",
        "question_count",
        "one",
        "Q55",
        "How many official languages does the Netherlands have?",
    ),
    ("official-languages", "it", "completion", "one", "Q38", "La lingua ufficiale dell'Italia è"),
    ("official-languages", "it", "completion", "many", "Q805", "Le lingue ufficiali dello Yemen sono"),
    (
        "official-languages",
        "it",
        "question",
        "neutral",
        "Q30",
        "Quale o quali lingue sono ufficiali negli Stati Uniti?",
    ),
    (
        "official-languages",
        "it",
        "question",
        "neutral",
        "Q241",
        "Quale o quali lingue sono ufficiali a Cuba?",
    ),
    ("official-languages", "it", "question_count", "one", "Q16", "Quante lingue ufficiali ha il Canada?"),
    (
        "official-languages",
        "it",
        "question_count",
        "one",
        "Q30",
        "Quante lingue ufficiali hanno gli Stati Uniti?",
    ),
    ("official-languages", "tr", "completion", "one", "Q16", "Kanada'nın resmî dili şudur:"),
    ("official-languages", "tr", "completion", "many", "Q16", "Kanada'nın resmî dilleri şunlardır:"),
    ("official-languages", "tr", "completion_suffixed_count", "one", "Q16", "Kanada'nın resmî dil sayısı"),
    ("official-languages", "tr", "question_count", "one", "Q16", "Kanada'nın kaç resmî dili vardır?"),
    ("official-languages", "hi", "completion", "one", "Q16", "कनाडा की आधिकारिक भाषा का नाम है"),
    ("official-languages", "hi", "completion", "many", "Q16", "कनाडा की आधिकारिक भाषाओं के नाम हैं"),
    ("official-languages", "hi", "completion_count", "one", "Q16", "कनाडा की आधिकारिक भाषाओं की संख्या है"),
    ("official-languages", "hi", "question_count", "one", "Q16", "कनाडा की कितनी आधिकारिक भाषाएँ हैं?"),
    ("chemical-symbols", "en", "completion", "one", "local:element-1", "The chemical symbol for hydrogen is"),
    ("chemical-symbols", "it", "completion", "one", "local:element-1", "Il simbolo chimico dell'idrogeno è"),
    (
        "chemical-symbols",
        "it",
        "question",
        "one",
        "local:element-30",
        "Qual è il simbolo chimico dello zinco?",
    ),
    ("chemical-symbols", "tr", "completion", "one", "local:element-1", "Hidrojenin kimyasal simgesi şudur:"),
    ("chemical-symbols", "tr", "question", "one", "local:element-16", "Kükürdün kimyasal simgesi nedir?"),
    ("chemical-symbols", "hi", "completion", "one", "local:element-1", "हाइड्रोजन का रासायनिक प्रतीक है"),
    ("chemical-symbols", "hi", "question", "one", "local:element-79", "सोने का रासायनिक प्रतीक क्या है?"),
]


@pytest.mark.parametrize(("topic", "code", "form", "which", "entity", "expected"), SENTENCES)
def test_sentences(topic, code, form, which, entity, expected):
    found = worded(topic)
    template = getattr(found.wording[code].forms[form][0], which)
    noun = Noun(labels(code)[entity], entity, found.subject.kind)
    assert languages.load(code).render(template, {"subject": noun})[:2] == (
        expected,
        code != "en" or "|" in template,
    )


@pytest.mark.parametrize(
    ("topic", "code", "form", "slot", "noun", "expected"),
    [
        ("capitals", "tr", "completion_suffixed", "object", Noun("Ankara", None, "proper"), "Ankara'dır"),
        (
            "official-languages",
            "tr",
            "completion_suffixed",
            "object",
            Noun("Fransızca", "Q150", "language"),
            "Fransızcadır",
        ),
        (
            "official-languages",
            "tr",
            "completion_suffixed_count",
            "count",
            Noun("3", None, "number"),
            "3'tür",
        ),
        ("chemical-symbols", "tr", "completion_suffixed", "object", Noun("Fe", None, "symbol"), "Fe'dir"),
        (
            "official-languages",
            "it",
            "completion",
            "object",
            Noun("inglese", "Q1860", "language"),
            "l'inglese",
        ),
    ],
)
def test_answers_that_are_written_in_a_form(topic, code, form, slot, noun, expected):
    template = worded(topic).wording[code].forms[form][0].answer
    assert languages.load(code).render(template, {slot: noun}, sentence=False).text == expected


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", topics.available())
def test_every_sentence_can_be_said_of_every_subject(name, code):
    topic, language = worded(name), languages.load(code)
    assert len(answers(name)) >= 118
    missing = []
    for form, wording in sentences(name, code):
        for template in templates(wording):
            for subject in answers(name):
                noun = Noun(labels(code)[subject], subject, topic.subject.kind)
                sentence = language.render(template, {"subject": noun})
                if sentence is None:
                    missing.append((form, noun.label))
                    continue
                assert not re.search(r"  |^ | $|[{}|()&]| [-–] ", sentence.text), sentence.text
                assert sentence.text[0] == language.upper(sentence.text[0])
                assert sentence.text.endswith("?") == form.startswith("question")
                if topic.subject.kind != "symbol":
                    assert language.script_ok(sentence.text), sentence.text
        if wording.answer and "object" in wording.answer:
            missing += [(form, label) for label in answers_without_a_form(topic, language, wording)]
    assert missing == []


def answers_without_a_form(topic, language, wording):
    for answer in sorted({answer for found in answers(topic.name).values() for answer in found}):
        label = answer
        if topic.object.type == "entity":
            label = labels(language.code).get(answer) or labels("mul").get(answer)
        if topic.object.kind == "number":
            label = language.number(answer)
        noun = Noun(label or "", answer, topic.object.kind)
        if label and language.render(wording.answer, {"object": noun}) is None:
            yield label


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", topics.available())
def test_no_sentence_gives_the_number_of_answers_where_it_should_not(name, code):
    for form, wording in sentences(name, code):
        assert not any(unicodedata.category(character) == "Nd" for text in templates(wording) for character in text)
        if wording.many is not None:
            assert wording.neutral is not None, form
            assert len({wording.one, wording.many, wording.neutral}) == 3, form


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", topics.available())
def test_every_form_has_three_paraphrases_that_wait_for_a_native_speaker(name, code):
    topic = worded(name)
    plain = {"completion", "question"}
    counts = {f"{form}_count" for form in plain} if topic.answers == "many" else set()
    forms = topic.wording[code].forms
    suffixed = {form for form in forms if form.startswith("completion_suffixed")} if code == "tr" else set()
    assert forms.keys() == plain | counts | suffixed
    assert topic.wording[code].review
    for form, paraphrases in forms.items():
        assert len(paraphrases) == 3, form
        assert len({text for wording in paraphrases for text in templates(wording)}) == sum(
            len(templates(wording)) for wording in paraphrases
        ), form
