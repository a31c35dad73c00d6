"""Importing published files: every row is an item or has a reason, what is odd is counted, nothing is half-written."""

import json

import pytest

import polyfact
from polyfact import cli
from polyfact.errors import DataError, UsageError
from polyfact.evaluators._data import load
from polyfact.schemas import Association, CandidateSet, Item, Rejected, UsedWording, read_json, read_jsonl
from tests.support.fiber_files import multi, single, write, write_small

pytest.importorskip("pyoxigraph")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("fiber"))


@pytest.fixture(scope="module")
def report(source, tmp_path_factory):
    return polyfact.import_dataset("fiber", source, tmp_path_factory.mktemp("out") / "small")


@pytest.fixture(scope="module")
def items(report):
    return {item.id: item for item in read_jsonl(report.folder / "items.jsonl", Item)}


def imported(folder, **files):
    """The report of a source with these rows by file name."""
    for name, rows in files.items():
        write(folder / "source", f"{name}.json", rows)
    return polyfact.import_dataset("fiber", folder / "source", folder / "out")


def odd(report):
    return {defect.kind: defect.n for defect in report.defects}


def test_every_row_is_an_item(report, items):
    assert (report.rows, report.items, len(items), len(report.cells)) == (54, 54, 54, 18)
    assert (report.rejected, read_jsonl(report.folder / "rejected.jsonl", Rejected)) == ({}, [])
    headers, lines = report.table()
    assert headers[-1] == "rows"
    assert sum(line[-1] for line in lines) == 54
    assert next(line for line in lines if line[:2] == ["countries-neighbors", "tr"])[2:] == [3, 3, 3, 3, 3, 15]


def test_the_folder_is_a_benchmark(report, items):
    benchmark = load(report.folder)
    assert [item.id for item in benchmark.items] == sorted(items)
    for item in items.values():
        known = {candidate.surface: candidate.ids for candidate in benchmark.sets[item.candidates].candidates}
        for surface, identity in zip(item.expected, item.expected_ids, strict=True):
            assert identity in known[surface]


def test_index_and_language_name_the_cell(items):
    cells = {(i.topic, i.language, i.form, i.target) for i in items.values() if i.language == "tr"}
    assert cells == {
        ("colours-of-stones", "tr", "completion", "entities"),
        ("colours-of-stones", "tr", "completion_suffixed", "entities"),
        ("countries-neighbors", "tr", "completion", "entities"),
        ("countries-neighbors", "tr", "completion_suffixed", "entities"),
        ("countries-neighbors", "tr", "question", "entities"),
        ("countries-neighbors", "tr", "completion", "count"),
        ("countries-neighbors", "tr", "question", "count"),
    }


def test_candidates_are_the_answers_of_one_topic_language_form_and_target(report):
    sets = {row.id.partition("@")[0]: row for row in read_jsonl(report.folder / "candidates.jsonl", CandidateSet)}

    def surfaces(key):
        assert sets[key].separator == " "
        return [candidate.surface for candidate in sets[key].candidates]

    assert surfaces("colours-of-stones/tr/completion_suffixed/entities") == ["kırmızı'dir", "mavi'dir", "yeşil'dir"]
    assert surfaces("colours-of-stones/tr/completion/entities") == ["kırmızı", "mavi", "yeşil"]
    assert surfaces("countries-neighbors/it/question/entities") == ["Austria", "Francia", "Portogallo", "Tlön"]
    assert surfaces("countries-neighbors/en/question/count") == ["1", "2"]


def test_ids_are_the_same_in_all_languages(items):
    asked = {
        i.language: i for i in items.values() if i.subject in ("Spain", "Spagna", "İspanya") and i.form == "question"
    }
    assert {i.subject_id for i in asked.values()} == {"Q29"}, "the knowledge base gives it"
    spain = [i for i in items.values() if i.subject_id == "Q29" and i.target == "entities"]
    assert {tuple(i.expected_ids) for i in spain} == {("Q142", "Q45")}
    made_up = [i for i in items.values() if i.topic == "countries-neighbors" and i.subject == "Uqbar"]
    assert {i.subject_id for i in made_up} == {"local:countries-neighbors:Uqbar"}
    assert {i.subject_id for i in items.values() if i.subject in ("Mlejnas", "Mleynas")} == {
        "local:colours-of-stones:Mlejnas"
    }, "Turkish rows have no English name: the row in the same place has"
    counts = [i for i in items.values() if i.target == "count" and i.subject_id == "Q29"]
    assert {(*i.expected, *i.expected_ids, i.answer_type) for i in counts} == {("2", "2", "number")}


def test_a_subject_with_two_answers_is_two_questions_of_one_cluster(report, items):
    twice = [i for i in items.values() if i.subject == "Kalpa" and (i.language, i.form) == ("en", "question")]
    assert sorted(i.subject_id for i in twice) == ["local:colours-of-stones:Kalpa", "local:colours-of-stones:Kalpa-2"]
    assert {i.cluster_id for i in twice} == {"local:colours-of-stones:Kalpa/colours-of-stones"}
    green = {"green", "verde", "yeşil", "yeşil'dir"}
    second = [i for i in items.values() if i.subject_id.endswith("Kalpa-2")]
    assert len(second) == 5
    assert {i.expected_ids[0] for i in second if i.expected[0] in green} == {"local:colours-of-stones:green"}
    assert odd(report)["subject-twice-with-another-answer"] == 5


def test_what_is_odd_is_counted(report):
    assert odd(report) == {
        "file-with-byte-order-mark": 3,
        "file-with-count-as-number": 10,
        "file-with-count-as-text": 3,
        "file-with-key-en_sub": 4,
        "file-with-key-sub_en": 1,
        "subject-twice-with-another-answer": 5,
    }
    stored = read_json(report.folder / "import.json")
    assert stored["defects"] == [defect._asdict() for defect in report.defects]
    assert {cell["file"]: len(cell["sha256"]) for cell in stored["cells"]} == {c.file: 64 for c in report.cells}


def test_wordings_are_the_prompts_without_their_subject(report, items):
    wordings = {row.id: row for row in read_jsonl(report.folder / "wordings.jsonl", UsedWording)}
    italy = items["countries-neighbors/Q38/question/entities/tr"]
    used = wordings[italy.provenance.wording_hash]
    assert used.template == "{subject}'nın sınırında ne var?"
    assert used.empty == "Sınırında ne var?"
    assert {i.provenance.wording_hash for i in items.values()} == set(wordings)


def test_associated_answers_only_where_the_knowledge_base_knows_the_name(report):
    rows = {(r.topic, r.language): r for r in read_jsonl(report.folder / "associations.jsonl", Association)}
    assert {topic for topic, _ in rows} <= {"countries-neighbors"}
    assert ("countries-neighbors", "it") not in rows, "Italy is no answer here"
    assert report.associations == len(rows)


def test_associations_are_entities_of_the_language(tmp_path):
    books = [("Ficciones", "Spanish"), ("Senilità", "Italian"), ("Huzur", "Turkish"), ("Vathek", "Esperantido")]
    turkish = [("Ficciones", "İspanyolca"), ("Senilità", "İtalyanca"), ("Huzur", "Türkçe"), ("Vathek", "Volapüğümsü")]
    report = imported(
        tmp_path,
        original_langs_of_books_en_0=single(books, "The first language of {} is"),
        original_langs_of_books_tr_0_1=single(turkish, "{}'nın ilk dili:"),
    )
    rows = {r.language: r for r in read_jsonl(report.folder / "associations.jsonl", Association)}
    assert rows["tr"].ids == ["Q256"]
    assert rows["tr"].labels == ["Türkçe"]
    assert "en" not in rows, "English is no answer here"
    assert report.linked == {"original-langs-of-books": (3, 4)}


def test_one_surface_of_two_entities_and_two_surfaces_of_one(tmp_path):
    english = [("a", "Byzantium"), ("b", "Stamboul"), ("c", "Rum"), ("d", "Rum")]
    turkish = [("a", "İstanbul"), ("b", "İstanbul"), ("c", "Rum"), ("d", "Rumca")]
    report = imported(tmp_path, towns_en_0=single(english, "In {} is"), towns_tr_0_1=single(turkish, "{} içinde:"))
    sets = {row.language: row for row in read_jsonl(report.folder / "candidates.jsonl", CandidateSet)}
    assert {c.surface: c.ids for c in sets["tr"].candidates} == {
        "Rum": ["local:towns:Rum"],
        "Rumca": ["local:towns:Rum"],
        "İstanbul": ["local:towns:Byzantium", "local:towns:Stamboul"],
    }
    assert odd(report) == {"surface-of-several-entities": 1, "entity-of-several-surfaces": 1}


def test_white_space_around_answers_is_the_separator_and_the_text_is_kept(tmp_path):
    rows = multi("en", 0)
    rows[0]["list"] = [" France", "\nAustria", "  San Marino"]
    rows[0]["query"], rows[0]["sub"] = " Italy borders on", " Italy"
    report = imported(tmp_path, lands_en_0=rows)
    (asked,) = [i for i in read_jsonl(report.folder / "items.jsonl", Item) if len(i.expected) == 3]
    assert asked.expected == ["France", "Austria", "San Marino"]
    assert (asked.question, asked.subject) == (" Italy borders on", " Italy")
    (kept,) = report.verbatim.values()
    assert kept == {"Austria": ["\nAustria"], "San Marino": ["  San Marino"]}
    found = odd(report)
    assert found.pop("joined-answer-is-not-the-list") == 1
    assert found == {
        "answer-not-after-one-blank": 1,
        "count-is-not-the-length-of-the-list": 1,
        "file-with-count-as-number": 1,
        "newline-in-answer": 1,
        "white-space-around-question": 1,
        "white-space-around-subject": 1,
    }


def test_lists_that_do_not_say_what_the_rest_says(tmp_path):
    rows, counts = multi("en", 0), multi("en", 2)
    rows[0]["list"] = [" France", " France"]
    rows[1]["answer"] += "'dır"
    counts[0]["answer"] = " 7"
    found = odd(imported(tmp_path, lands_en_0=rows, lands_en_2=counts))
    assert found == {
        "answer-is-not-the-count": 1,
        "answer-twice-in-a-list": 1,
        "file-with-count-as-number": 2,
        "joined-answer-is-not-the-list": 1,
        "suffix-in-the-joined-answer-alone": 1,
    }


def test_a_subject_that_is_not_that_of_the_english_row_is_found(tmp_path):
    english = [("Italy", "Rome"), ("Spain", "Madrid"), ("Atlantis", "Poseidonis")]
    shifted = [("Spagna", "Roma"), ("Atlantis", "Madrid"), ("Atlantide", "Poseidonis")]
    report = imported(
        tmp_path,
        capital_cities_en_0=single(english, "The seat of {} is"),
        capital_cities_it_0=single(shifted, "La sede di {} è", en_sub=[name for name, _ in english]),
    )
    (found,) = report.defects[-1:]
    assert (found.kind, found.n) == ("subject-is-not-that-of-the-english-row", 2)
    assert found.examples[0].endswith("#1: Spagna, Italy")
    asked = [i for i in read_jsonl(report.folder / "items.jsonl", Item) if i.language == "it"]
    assert {(i.subject, i.subject_id) for i in asked} >= {("Spagna", "Q38")}, "the published key stays"


def test_rows_that_fit_no_english_row_have_ids_of_their_own(tmp_path):
    english = [("one", "uno"), ("two", "due")]
    report = imported(
        tmp_path,
        numbers_en_0=single(english, "After {} comes"),
        numbers_it_0=single([("tre", "quattro")], "Dopo {} viene", en_sub=["three"]),
        numbers_tr_0_1=single([("beş", "altı")], "{} sonra:"),
    )
    by = {i.subject: i for i in read_jsonl(report.folder / "items.jsonl", Item)}
    assert by["tre"].subject_id == "local:numbers:three"
    assert by["tre"].expected_ids[0].startswith("local:numbers:it--quattro")
    assert by["beş"].subject_id.startswith("local:numbers:tr--be")
    assert odd(report)["row-without-english-row"] == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"query": "  "}, "no-question"),
        ({"sub": ""}, "no-subject"),
        ({"list": []}, "no-answer"),
        ({"list": [" France", " "]}, "no-answer"),
        ({"list": " France"}, "wrong-type"),
        ({"query": 3}, "wrong-type"),
        ({"count": True}, "wrong-type"),
        ({"answer": None}, "wrong-type"),
        (None, "not-an-object"),
    ],
)
def test_a_row_that_cannot_be_an_item_is_kept_with_its_reason(tmp_path, change, reason):
    rows = multi("en", 0)
    rows[1] = rows[1] | change if change is not None else "Spain"
    report = imported(tmp_path, lands_en_0=rows)
    (row,) = read_jsonl(report.folder / "rejected.jsonl", Rejected)
    assert (row.stage, row.id, row.reason) == ("import", "lands_en_0.json#2", reason)
    assert (report.rows, report.items, report.rejected) == (3, 2, {reason: 1})


def test_half_a_character_is_no_text(tmp_path):
    write(tmp_path / "source", "things_en_0.json", []).write_bytes(
        rb'[{"query": "\ud800 is", "sub": "a", "answer": " b"}]'
    )
    report = imported(tmp_path)
    assert report.rejected == {"not-unicode": 1}


def test_a_missing_key_is_a_reason_too(tmp_path):
    rows = single([("a", "b"), ("c", "d")], "{} is")
    del rows[0]["answer"], rows[1]["query"]
    report = imported(tmp_path, things_en_0=rows)
    assert report.rejected == {"no-answer": 1, "no-question": 1}
    assert report.items == 0


def test_two_questions_with_different_subjects_in_one_place_have_no_template(tmp_path):
    rows = single([("Rome", "x"), ("is", "y"), ("Paris", "z")], "Where is {} now?")
    rows[2]["query"] = "Where is the town now?"
    report = imported(tmp_path, things_en_0=rows)
    (wording,) = read_jsonl(report.folder / "wordings.jsonl", UsedWording)
    assert (wording.template, wording.empty) == ("Where is {subject} now?", "Where is now?")
    (cell,) = report.cells
    assert (cell.templates, cell.without_template) == (1, 1)
    assert odd(report) == {"subject-not-in-the-question": 1}


def test_the_same_files_give_the_same_bytes(source, report, tmp_path):
    again = polyfact.import_dataset("fiber", source, tmp_path / "again")
    names = sorted(path.name for path in report.folder.iterdir())
    assert names == [
        "associations.jsonl",
        "candidates.jsonl",
        "import.json",
        "items.jsonl",
        "rejected.jsonl",
        "wordings.jsonl",
    ]
    for name in names:
        assert (again.folder / name).read_bytes() == (report.folder / name).read_bytes()


def test_other_files_are_named(source, tmp_path):
    for path in source.rglob("*.json"):
        write(tmp_path / "source", path.name, json.loads(path.read_text(encoding="utf-8-sig")))
    write(tmp_path / "source", "notes.json", {})
    write(tmp_path / "source", "cities_en_4.json", [])
    report = polyfact.import_dataset("fiber", tmp_path / "source", tmp_path / "out")
    assert report.ignored == ["cities_en_4.json", "notes.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'[\n {"query": "a",\n  "sub" "b"}\n]', "line 3 is not JSON"),
        (b'[\n {"query": "a\xff"}\n]', "line 2 is not UTF-8"),
        (b'{"query": "a"}', "not a list of rows"),
        (b"", "line 1 is not JSON"),
        (b"[" * 100_000, "lists in lists without end"),
    ],
)
def test_a_broken_file_stops_everything(source, tmp_path, text, message):
    for path in source.rglob("*.json"):
        write(tmp_path / "source", path.name, json.loads(path.read_text(encoding="utf-8-sig")))
    broken = tmp_path / "source" / "zebras_en_0.json"
    broken.write_bytes(text)
    with pytest.raises(DataError, match=message) as caught:
        polyfact.import_dataset("fiber", tmp_path / "source", tmp_path / "out")
    assert caught.value.where == str(broken)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]


def test_two_files_of_one_cell(tmp_path):
    rows = single([("a", "b")], "{} is")
    with pytest.raises(DataError, match=r"two files of things tr completion entities: things_tr_0.json"):
        imported(tmp_path, things_tr_0=rows, things_tr_0_1=rows)


def test_wrong_arguments(source, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for arguments, message in [
        (("fibre", source, tmp_path / "out"), 'did you mean "fiber"'),
        (("fiber", tmp_path / "empty", tmp_path / "out"), "no FIBER files here"),
        (("fiber", tmp_path / "nowhere", tmp_path / "out"), "no such folder"),
        (("fiber", source, tmp_path / "empty"), "something is here already"),
        (("fiber", source, tmp_path / "link"), "something is here already"),
    ]:
        with pytest.raises(UsageError, match=message):
            polyfact.import_dataset(*arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "link"]


def test_a_failure_while_writing_leaves_nothing(source, tmp_path, monkeypatch):
    from polyfact.builders._imports import _run

    def full(path, value):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_run, "write_json", full)
    with pytest.raises(polyfact.errors.PolyfactError, match="No space left"):
        polyfact.import_dataset("fiber", source, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        cli.main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return left.value.code, shown.out, shown.err


def test_the_command(source, tmp_path, capsys):
    code, out, _ = run(capsys, "import", "fiber", source, "--out", tmp_path / "a")
    assert code == 0
    assert "54 rows in 18 files: 54 items, 0 rejected" in out
    assert "file-with-byte-order-mark" in out
    code, out, _ = run(capsys, "import", "fiber", source, "--out", tmp_path / "b", "--json")
    found = json.loads(out)
    assert (code, found["rows"], found["folder"]) == (0, 54, str(tmp_path / "b"))
    code, out, err = run(capsys, "import", "fiber", source, "--out", tmp_path / "b")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("something is here already (choose another folder, or remove this one)")


def test_oracle_is_perfect_in_every_cell(report, tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("scipy")
    from polyfact.evaluators import evaluate, run_folder
    from polyfact.schemas import Metrics

    record = evaluate(report.folder, "oracle", out=tmp_path)
    found = Metrics.model_validate(read_json(run_folder(record, report.folder, tmp_path) / "metrics.json"))
    accuracy = [row for row in found.rows if row.metric in ("map", "p@1") and None not in (row.topic, row.form)]
    assert len({(r.topic, r.language, r.form, r.target) for r in accuracy}) == 18
    assert {row.value for row in accuracy} == {1.0}
    assert (found.n_items, found.n_errors) == (54, 0)


def test_it_can_be_released_with_a_file_for_each_topic(report, tmp_path):
    pytest.importorskip("pyarrow")
    import shutil
    from pathlib import Path

    from polyfact import languages, release

    shutil.copytree(report.folder, tmp_path / "data")
    topics = {}
    for name in ("colours-of-stones", "countries-neighbors"):
        sentences: dict[str, list[str]] = {}
        for row in read_jsonl(report.folder / "wordings.jsonl", UsedWording):
            if row.topic == name:
                sentences.setdefault(row.language, []).append(row.template)
        topics[name] = tmp_path / f"{name}.toml"
        topics[name].write_text(
            "".join(f"[wording.{code}]\nall = {json.dumps(texts)}\n" for code, texts in sentences.items()), "utf-8"
        )
    made = release.build(
        tmp_path / "data",
        version="0.1.0",
        name="made-up",
        licence="CC0-1.0",
        unaudited=True,
        languages_used={code: Path(languages.load(code).source) for code in ("en", "it", "tr")},
        topics_used=topics,
    )
    assert made.items == 54
    assert release.verify(made.folder) == []
    assert len(load(made.folder).items) == 54
