"""The real pipeline on the embedded knowledge base."""

import datetime
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from polyfact import builders
from polyfact._template import recipe
from polyfact.errors import PolyfactError, UsageError
from polyfact.schemas import Association, CandidateSet, Fact, Item, Rejected
from polyfact.workspace import Workspace, create

DAY = datetime.date(2026, 11, 30)


def new(folder: Path, max_subjects: int = 10, **changes: str) -> Workspace:
    text = recipe("small", max_subjects=max_subjects, as_of=DAY)
    for old, replacement in changes.items():
        assert old in text
        text = text.replace(old, replacement)
    return create(folder, text)


def contents(space: Workspace) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(space.root.glob("*.jsonl"))}


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Workspace:
    space = new(tmp_path_factory.mktemp("built") / "b")
    builders.build(space)
    return space


@pytest.fixture(scope="module")
def items(built) -> dict[str, Item]:
    return {item.id: item for item in built.read("items.jsonl", Item)}


def test_planned_is_written_plus_dropped_and_every_drop_is_kept(built):
    report = builders.build(built)
    dropped = Counter((row.stage, row.reason) for row in built.read("rejected.jsonl", Rejected))
    for stage in report.stages:
        assert stage.planned == stage.written + sum(stage.dropped.values())
        assert {reason: n for (name, reason), n in dropped.items() if name == stage.stage} == stage.dropped
    drafts = next(stage for stage in report.stages if stage.stage == "drafts")
    clusters = Counter(fact.topic for fact in {f.subject + f.topic: f for f in built.read("facts.jsonl", Fact)}.values())
    # cells: capitals and symbols have 2 forms in en, it, hi and 3 in tr, three wordings each; official languages twice as
    # many, with counts
    assert (
        drafts.planned
        == 27 * clusters["capitals"] + 54 * clusters["official-languages"] + 27 * clusters["chemical-symbols"]
    )


def test_twice_gives_the_same_bytes(built, tmp_path):
    other = new(tmp_path / "b")
    builders.build(other)
    assert contents(other) == contents(built)


def test_killed_anywhere_and_run_again_gives_the_same_bytes(built, tmp_path):
    space = new(tmp_path / "b")
    command = [sys.executable, "-m", "polyfact", "build", "--dir", str(space.root)]
    environment = {**os.environ, "PYTHONPATH": str(Path(builders.__file__).parents[2])}
    deaths = 0
    for step in range(1, 8):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 0.25 * step
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        deaths += process.wait() == -signal.SIGKILL
    assert deaths >= 1
    builders.build(space)
    assert contents(space) == contents(built)
    assert not [path for path in space.root.iterdir() if path.suffix == ".part"]


@pytest.mark.parametrize("nth", range(1, 7))
def test_interrupted_at_each_file_and_run_again_gives_the_same_bytes(built, tmp_path, monkeypatch, nth):
    space = new(tmp_path / "b")
    replace, calls = Path.replace, []

    def interrupted(self, target):
        calls.append(target)
        if len(calls) == nth:
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            builders.build(space)
    builders.build(space)
    assert contents(space) == contents(built)


def test_every_item_is_traceable(built, items):
    facts = {fact.fact_id: fact for fact in built.read("facts.jsonl", Fact)}
    sets = {row.id: row for row in built.read("candidates.jsonl", CandidateSet)}
    assert items
    for item in items.values():
        assert item.id == f"{item.question_id}/{item.language}"
        assert set(item.fact_ids) <= set(facts)
        surfaces = {c.surface: set(c.ids) for c in sets[item.candidates].candidates}
        for surface, identity in zip(item.expected, item.expected_ids, strict=True):
            assert identity in surfaces[surface]
        if item.target == "count":
            assert item.expected_ids == [str(len(item.fact_ids))]


def test_sentences(built):
    space = Workspace(built.root)
    by_topic = {item.id: item.question for item in space.read("items.jsonl", Item)}
    assert all("{" not in question for question in by_topic.values())
    assert not [question for identity, question in by_topic.items() if identity.endswith("/hi") and "??" in question]


def test_hindi_has_no_latin_letters_outside_symbols(items):
    for item in items.values():
        if item.language == "hi":
            texts = [item.question] if item.topic == "chemical-symbols" else [item.question, *item.expected]
            assert not [c for text in texts for c in text if "a" <= c.lower() <= "z"], texts


def test_turkish_completion_stands_twice(items):
    forms = {item.form for item in items.values() if item.language == "tr"}
    assert forms == {"completion", "completion_suffixed", "question"}
    assert {item.form for item in items.values() if item.language != "tr"} == {"completion", "question"}


def test_associations_are_derived_and_a_persons_edit_is_kept(tmp_path):
    space = new(tmp_path / "b", max_subjects=300)
    builders.build(space)
    rows = {(row.topic, row.language): row for row in space.read("associations.jsonl", Association)}
    assert "Roma" in rows["capitals", "it"].labels
    assert rows["official-languages", "tr"].labels == ["Türkçe"]
    assert "नई दिल्ली" in rows["capitals", "hi"].labels
    edited = [
        row.model_copy(update={"method": "human", "ids": row.ids[:1], "labels": row.labels[:1]})
        if (row.topic, row.language) == ("capitals", "it")
        else row
        for row in rows.values()
    ]
    space.write("associations.jsonl", edited)
    builders.build(space)
    again = {(row.topic, row.language): row for row in space.read("associations.jsonl", Association)}
    assert again["capitals", "it"].method == "human"
    assert len(again["capitals", "it"].ids) == 1
    recipe_file = space.root / "benchmark.toml"
    whole = recipe_file.read_text(encoding="utf-8")
    recipe_file.write_text(whole.replace('"it", ', ""), encoding="utf-8")
    builders.build(space, stages=["drafts"])
    waiting = [row for row in space.read("associations.jsonl", Association) if row.language == "it"]
    assert waiting == [again["capitals", "it"]], "a person's list outlives a build without its language"
    recipe_file.write_text(whole, encoding="utf-8")
    builders.build(space, stages=["drafts"])
    assert {(row.topic, row.language): row for row in space.read("associations.jsonl", Association)} == again


def test_neutral_wording_does_not_give_the_number_away(tmp_path):
    space = new(tmp_path / "b", max_subjects=40, **{'"natural"': '"neutral"'})
    builders.build(space)
    prompts: dict[tuple[str, str, int, str], set[str]] = {}
    for item in space.read("items.jsonl", Item):
        if item.topic == "official-languages" and item.target == "entities":
            many = "many" if len(item.expected) > 1 else "one"
            prompts.setdefault((item.language, item.form, item.paraphrase, many), set()).add(item.provenance.wording_hash)
    for (language, form, paraphrase, _), hashes in prompts.items():
        assert hashes == prompts[language, form, paraphrase, "one"]
        assert len(hashes) == 1


@pytest.mark.parametrize(
    ("old", "new_text", "message"),
    [
        ('"hi"', '"hindi"', "hindi"),
        ('use = "capitals"', 'use = "capital"', "capital"),
        ('use = "unique-answer"', 'use = "unique-anwser"', 'did you mean "unique-answer"?'),
    ],
)
def test_unknown_names_stop_before_anything_is_written(tmp_path, old, new_text, message):
    space = new(tmp_path / "b", **{old: new_text})
    with pytest.raises(UsageError) as caught:
        builders.build(space)
    assert message in str(caught.value)
    assert not list(space.root.glob("*.jsonl"))


def test_truncated_stage_file_is_one_clear_error_and_nothing_is_lost(built, tmp_path):
    space = new(tmp_path / "b")
    builders.build(space)
    items_before = (space.root / "items.jsonl").read_bytes()
    drafts = space.root / "drafts.jsonl"
    drafts.write_bytes(drafts.read_bytes()[:-20])
    with pytest.raises(PolyfactError, match=r"drafts\.jsonl: line \d+ is not JSON; the last line is cut off"):
        builders.build(space, stages=["items"])
    assert (space.root / "items.jsonl").read_bytes() == items_before


def test_command_line(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(builders.__file__).parents[2])}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "polyfact", *arguments], env=environment, capture_output=True, text=True, cwd=tmp_path
        )

    assert run("init", "b", "-l", "en", "-l", "hi").returncode == 0
    done = run("build", "--dir", "b", "--json")
    assert done.returncode == 0, done.stderr
    assert [stage["stage"] for stage in json.loads(done.stdout)["stages"]] == ["facts", "drafts", "items"]
    (tmp_path / "b/benchmark.toml").write_text("name = ", encoding="utf-8")
    broken = run("build", "--dir", "b")
    assert broken.returncode == 2
    assert broken.stderr.count("\n") == 1
    assert "benchmark.toml, line 1" in broken.stderr
    assert run("init", "b").returncode == 2
    assert run("build", "--dir", "nowhere").returncode == 2


def test_a_new_language_is_one_file_in_the_workspace(tmp_path):
    space = new(tmp_path / "b", **{'"hi"': '"eo"'})
    (space.root / "languages/eo.toml").write_text(
        'code = "eo"\nname = "Esperanto"\nenglish_name = "Esperanto"\nscript = "Latn"\nsentence_case = true\n'
        "[wording.capitals]\n"
        'completion = { one = "La ĉefurbo de {subject} estas" }\n',
        encoding="utf-8",
    )
    builders.build(space)
    items = [item for item in space.read("items.jsonl", Item) if item.language == "eo"]
    assert items
    assert {(item.topic, item.form) for item in items} == {("capitals", "completion")}
    reasons = Counter(row.reason for row in space.read("rejected.jsonl", Rejected) if row.id.endswith("/eo"))
    assert reasons["no-wording"]


def test_wording_in_both_files_is_an_error(tmp_path):
    space = new(tmp_path / "b", **{'"hi"]': '"xx"]'})
    (space.root / "languages/xx.toml").write_text(
        'code = "xx"\nname = "x"\nenglish_name = "x"\nscript = "Latn"\n'
        '[wording.mine]\ncompletion = { one = "{subject}:" }\n'
    )
    (space.root / "topics/mine.toml").write_text(
        (Path(builders.__file__).parents[1] / "topics/capitals.toml")
        .read_text(encoding="utf-8")
        .replace('name = "capitals"', 'name = "mine"')
        + '[wording.xx]\ncompletion = { one = "{subject}:" }\n',
        encoding="utf-8",
    )
    recipe_file = space.root / "benchmark.toml"
    recipe_file.write_text(recipe_file.read_text().replace('"capitals"', '"mine"'))
    with pytest.raises(UsageError, match="stands in two files"):
        builders.build(space)
