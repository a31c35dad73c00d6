import datetime

import pytest

from polyfact import topics
from polyfact.builders._facts import entity_id, extract, select_subjects
from polyfact.builders.sources import Term
from polyfact.schemas import Fact, Rejected

WD = "http://www.wikidata.org/entity/"
RANK = "http://wikiba.se/ontology#"
DAY = datetime.date(2026, 11, 30)


class Recorded:
    name = "recorded"
    endpoint = "test"

    def select(self, query):
        return []

    def retrieved_at(self):
        return None

    def revision(self):
        return "7"


def row(subject, value, rank="Normal", start=None, end=None):
    filled = {
        "subject": Term(WD + subject, "iri", None, None),
        "object": value if isinstance(value, Term) else Term(WD + value, "iri", None, None),
        "statement": Term(f"{WD}statement/{subject}-{rank}-{start}-{end}-{value}", "iri", None, None),
        "rank": Term(f"{RANK}{rank}Rank", "iri", None, None),
    }
    for name, moment in (("start", start), ("end", end)):
        if moment is not None:
            filled[name] = moment if isinstance(moment, Term) else Term(moment, "literal", None, None)
    return filled


def outcome(rows):
    kept, dropped = [], []
    for result in extract(topics.load("official-languages"), rows, Recorded(), DAY):
        (dropped if isinstance(result, Rejected) else kept).append(result)
    assert len(kept) + len(dropped) == len(rows)
    return [fact.object.id for fact in kept], sorted(rejected.reason for rejected in dropped)


def test_best_rank():
    assert outcome([row("Q1", "Q90"), row("Q1", "Q64", "Preferred"), row("Q1", "Q3", "Deprecated")]) == (
        ["Q64"],
        ["deprecated", "not-best-rank"],
    )


def test_only_deprecated_is_no_fact():
    assert outcome([row("Q1", "Q5", "Deprecated")]) == ([], ["deprecated"])


def test_unknown_values_are_never_facts():
    blank = Term("t1d420e14", "bnode", None, None)
    skolem = Term("http://www.wikidata.org/.well-known/genid/abc", "iri", None, None)
    assert outcome([row("Q1", blank), row("Q1", skolem), row("Q1", "Q64")]) == (["Q64"], ["unknown-value"] * 2)


def test_no_value_is_told_apart_from_an_unknown_one():
    none = {name: term for name, term in row("Q1", "Q5").items() if name != "object"}
    assert outcome([none, row("Q1", "Q64")]) == (["Q64"], ["no-value"])


def test_time():
    rows = [
        row("Q1", "Q2", start="1991-12-16T00:00:00Z", end="1997-12-10T00:00:00Z"),
        row("Q1", "Q3", start="1997-12-10T00:00:00Z"),
        row("Q1", "Q4", start="2031-01-01T00:00:00Z"),
        row("Q1", "Q5", end="2031-01-01T00:00:00Z"),
        row("Q1", "Q6", end=Term("b0", "bnode", None, None)),
    ]
    assert outcome(rows) == (["Q3", "Q5"], ["ended", "ended", "not-yet"])


@pytest.mark.parametrize(
    "unknown",
    [Term("b0", "bnode"), Term("http://www.wikidata.org/.well-known/genid/abc", "iri")],
    ids=["blank", "skolem"],
)
def test_an_unknown_end_is_an_end_and_an_unknown_start_is_past(unknown):
    assert outcome([row("Q1", "Q2", end=unknown), row("Q1", "Q3", start=unknown)]) == (["Q3"], ["ended"])


def test_a_value_stated_twice_is_one_fact():
    assert outcome([row("Q1", "Q2"), row("Q1", "Q2", start="1990-01-01T00:00:00Z")]) == (["Q2"], ["repeated"])


@pytest.mark.parametrize(
    ("iri", "expected"),
    [(WD + "Q38", "Q38"), ("urn:polyfact:local:rome", "local:rome"), ("http://example.org/x", None)],
)
def test_entity_id(iri, expected):
    assert entity_id(Term(iri, "iri", None, None)) == expected


def facts_of(subjects):
    rows = [row(subject, "Q90") for subject in subjects]
    return [f for f in extract(topics.load("official-languages"), rows, Recorded(), DAY) if isinstance(f, Fact)]


def test_selection_prefers_what_is_named_everywhere_and_is_the_same_every_time():
    subjects = [f"Q{n}" for n in range(1, 40)]
    named = {identity: {"en": 1, "hi": 1} for identity in [*subjects[::2], "Q90"]}
    first = list(select_subjects(facts_of(subjects), named, ["en", "hi"], 10))
    again = list(select_subjects(facts_of(subjects[::-1]), named, ["en", "hi"], 10))
    chosen = [fact.subject for fact in first if isinstance(fact, Fact)]
    assert len(chosen) == 10
    assert set(chosen) <= set(subjects[::2])
    assert sorted(chosen) != sorted(subjects[::2])[:10]
    assert sorted(chosen) == sorted(fact.subject for fact in again if isinstance(fact, Fact))
    assert {r.reason for r in first if isinstance(r, Rejected)} == {"over-max-subjects"}
