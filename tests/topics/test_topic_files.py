"""Topic files: what they hold, and what a mistake in one says."""

import hashlib
from pathlib import Path

import pytest

from polyfact import topics
from polyfact.errors import UsageError

RIVERS = """
name = "rivers"
title = "Rivers"
relation = "P403"
domain = "geography"
subject = { class = "Q4022", kind = "proper" }
object = { kind = "proper" }
answers = "many"
query = '''
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
SELECT ?subject ?object ?statement ?rank ?start ?end WHERE {
  ?subject wdt:P31 wd:Q4022 ; p:P403 ?statement . ?statement ps:P403 ?object
} ORDER BY ?subject ?object ?statement
'''
[wording.en]
completion = { one = "The river {subject} flows into" }
completion_count = { one = "The number of mouths of the river {subject} is" }
"""


def write(folder: Path, text: str, name: str = "rivers.toml") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def error(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        topics.load("rivers", [write(folder, text)])
    return str(caught.value)


def test_the_packaged_topics():
    assert topics.available() == [
        "atomic-numbers",
        "capitals",
        "cctld",
        "chemical-symbols",
        "currencies",
        "neighbours",
        "official-languages",
        "time-zones",
    ]
    languages = topics.load("official-languages")
    assert (languages.relation, languages.answers, languages.aligned_by) == ("P37", "many", "language")
    assert (languages.subject.kind, languages.object.kind, languages.object.type) == (
        "proper",
        "language",
        "entity",
    )
    symbols = topics.load("chemical-symbols")
    assert (symbols.relation, symbols.answers, symbols.object.type) == ("P246", "one", "string")
    assert languages.sha256 == hashlib.sha256(languages.path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", topics.available())
def test_a_packaged_topic_is_worded_in_english_only_for_languages_bring_their_own(name):
    assert list(topics.load(name).wording) == ["en"]


def test_a_topic_is_one_file_in_a_workspace(tmp_path):
    write(tmp_path, RIVERS)
    assert "rivers" in topics.available([tmp_path])
    rivers = topics.load("rivers", [tmp_path])
    assert rivers.wording["en"].forms["completion"][0].one == "The river {subject} flows into"
    assert not rivers.wording["en"].review
    assert rivers.path == tmp_path / "rivers.toml"
    before = rivers.sha256
    write(tmp_path, RIVERS + "# a note\n")
    assert topics.load("rivers", [tmp_path]).sha256 != before


def test_wording_from_a_language_file_is_added_once(tmp_path):
    rivers = topics.load("rivers", [write(tmp_path, RIVERS)])
    table = {"review": True, "question": {"one": "Dove sfocia il fiume {subject}?"}}
    both = topics.add_wording(rivers, "it", table, where="it.toml")
    assert list(both.wording) == ["en", "it"]
    assert both.wording["it"].review
    assert (both.sha256, list(rivers.wording)) == (rivers.sha256, ["en"])
    with pytest.raises(UsageError, match=r"rivers in it stands in two files"):
        topics.add_wording(both, "it", table, where="it.toml")
    with pytest.raises(UsageError, match=r'it\.toml: wording\.rivers: unknown form questoin .*"question"'):
        topics.add_wording(rivers, "it", {"questoin": {"one": "{subject}"}}, where="it.toml")
    with pytest.raises(UsageError, match=r"it\.toml: wording\.rivers\.question\.0\.one: "):
        topics.add_wording(rivers, "it", {"question": {"one": "Dove?"}}, where="it.toml")


def test_unknown_names_and_names_in_two_files(tmp_path):
    with pytest.raises(UsageError, match=r'unknown topic "capitols" \(did you mean "capitals"\?\)'):
        topics.load("capitols")
    write(tmp_path, RIVERS.replace('"rivers"', '"capitals"'), "capitals.toml")
    with pytest.raises(UsageError, match="capitals is defined twice"):
        topics.load("official-languages", [tmp_path])


def test_two_spellings_of_one_name_are_one_name(tmp_path):
    write(tmp_path, RIVERS, "big_rivers.toml")
    write(tmp_path, RIVERS, "big-rivers.toml")
    with pytest.raises(UsageError, match="big-rivers is defined twice"):
        topics.available([tmp_path])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('title = "Rivers"', 'title = "Rivers'), "line 3"),
        (('title = "Rivers"\n', ""), "title: missing"),
        (("domain =", "domian ="), 'unknown key domian (did you mean "domain"?)'),
        (
            ('object = { kind = "proper" }', 'object = { kin = "proper" }'),
            'unknown key object.kin (did you mean "kind"?)',
        ),
        (
            ('object = { kind = "proper" }', 'object = { kind = "proper", typ = "entity" }'),
            '(did you mean "type"?)',
        ),
        (('"Q4022", kind = "proper"', '"Q4022", kind = "propre"'), "subject.kind: "),
        (('class = "Q4022"', 'class = "river"'), "subject.class: "),
        (('answers = "many"', 'answers = "several"'), "answers: "),
        (('name = "rivers"', 'name = "river"'), "name the file river.toml"),
        (("} ORDER BY ?subject ?object ?statement", "}"), "query: no ORDER BY"),
        (("ps:P403 ?object", "ps:P47 ?object"), "the query does not ask for ps:P403"),
        (("wdt:P31 wd:Q4022", "wdt:P31 wd:Q355304"), "the query does not ask for wd:Q4022"),
        (
            ("completion =", "compleiton ="),
            'wording.en: unknown form compleiton (did you mean "completion"?)',
        ),
        (('{ one = "The river', '{ many = "", one = "The river'), "wording.en.completion.0.many: "),
        (('{ one = "The river', '{ onne = "The river'), 'unknown key completion.onne (did you mean "one"?)'),
        (("The river {subject}", "The river {subjekt}"), 'no slot "subjekt" here (did you mean "subject"?)'),
        (("The river {subject}", "The river"), "does not name {subject}"),
        (("The river {subject}", "The {river {subject}"), "stray brace"),
        (("[wording.en]", "[wording.English]"), '"English" is no language code'),
        (
            ('flows into"', 'flows into", answer = "{count|copula}"'),
            "completion.answer: does not name {object}",
        ),
        (('answers = "many"', 'answers = "one"'), "wording.en.completion_count: only topics"),
    ],
)
def test_a_mistake_names_the_file_and_the_place(tmp_path, change, message):
    assert change[0] in RIVERS
    found = error(tmp_path, RIVERS.replace(*change))
    assert message in found
    assert "rivers.toml" in found
