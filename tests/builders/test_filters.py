"""Filters keep or reject, and never lose, an item."""

import pytest

from polyfact.builders._filters import find_filter
from polyfact.errors import UsageError
from polyfact.schemas import Item, Rejected
from tests.support.benchmark import items_and_sets

BASE = next(item for item in items_and_sets()[0] if item.id == "capitals/Q38/completion/entities/en")


def item(subject: str, question: str, answers: list[str], **changes: object) -> Item:
    identity = f"capitals/{subject}/{changes.get('form', 'completion')}/{changes.get('target', 'entities')}/mr"
    ids = [str(number) for number, _ in enumerate(answers)]
    made = {"id": identity, "language": "mr", "subject_id": subject, "subject": subject, "question": question}
    return BASE.model_copy(update={**made, "expected": answers, "expected_ids": ids, **changes})


def dropped(name: str, items: list[Item]) -> dict[str, str]:
    found = list(find_filter(name)(items))
    assert [row.id for row in found] == [each.id for each in items]
    return {row.id: row.reason for row in found if isinstance(row, Rejected)}


@pytest.mark.parametrize(
    ("subject", "question", "answer", "leaks"),
    [
        ("Singapore", "The capital of Singapore is", "Singapore", True),
        ("सिंगापूर", "सिंगापूरची राजधानी आहे", "सिंगापूर", True),
        ("Guatemala", "The capital of Guatemala is", "Guatemala City", False),
        ("Niger", "The capital of Niger is", "Niamey", False),
        ("Nigeria", "What borders Nigeria?", "Niger", False),
        ("Guinea-Bissau", "The capital of Guinea-Bissau is", "Bissau", True),
        ("Kuwait", "The domain of Kuwait is", ".kw", False),
        ("ताजिकिस्तान", "ताजिकिस्तानची अधिकृत भाषा", "ताजिक", False),
        ("બોત્સ્વાના", "બોત્સ્વાનાની સત્તાવાર ભાષા", "ત્સ્વાના", False),
        ("झेक प्रजासत्ताक", "झेक प्रजासत्ताकाची अधिकृत भाषा", "झेक", True),
    ],
)
def test_an_answer_that_stands_in_its_question(subject, question, answer, leaks):
    assert bool(dropped("no-leak", [item(subject, question, [answer])])) == leaks


def test_a_leak_drops_every_form_and_language_of_the_question_but_not_its_count():
    rows = [
        item("Singapore", "The capital of Singapore is", ["Singapore"]),
        item("Singapore", "Başkent", ["Singapur'dur"], form="completion_suffixed"),
        item("Singapore", "How many?", ["1"], target="count"),
        item("Singapore", "सिंगापुर", ["सिंगापूर"]).model_copy(update={"id": "in-another-language", "language": "hi"}),
    ]
    leaking = (rows[0].id, rows[1].id, "in-another-language")
    assert dropped("no-leak", rows) == dict.fromkeys(leaking, "answer-in-question")


def test_one_text_with_two_answers_is_dropped_on_both_sides():
    rows = [item("Q1", "The capital of Congo is", ["Kinshasa"]), item("Q2", "The capital of Congo is", ["Brazzaville"])]
    other = item("Q3", "The capital of Chad is", ["N'Djamena"])
    assert dropped("unique-answer", [*rows, other]) == dict.fromkeys((row.id for row in rows), "ambiguous-subject")


def test_a_second_wording_that_reads_like_the_first_is_dropped_alone():
    first = item("Q1", "Chad: capital", ["N'Djamena"])
    second = first.model_copy(update={"id": "second", "paraphrase": 2})
    assert dropped("unique-answer", [first, second]) == {"second": "repeated-wording"}


def test_an_unknown_filter_names_the_nearest():
    with pytest.raises(UsageError, match='did you mean "no-leak"'):
        find_filter("no-leaks")
