"""Whole runs: folders, resuming, failures and wrong input."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from polyfact.errors import DataError, PolyfactError, UsageError
from polyfact.evaluators import evaluate, run_folder, score_again
from polyfact.evaluators._data import load
from polyfact.evaluators._scores import read_scores
from polyfact.schemas import Item, Metrics, read_json, read_jsonl, write_jsonl
from tests.support.benchmark import write_benchmark

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")
torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.support import tiny_models  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_benchmark(tmp_path_factory.mktemp("benchmark"))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_models.save(tmp_path_factory.mktemp("models") / "tiny")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "run.json"}


def rows(folder: Path) -> list:
    return [row for path in sorted(folder.glob("scores-*.parquet")) for row in read_scores(path)]


def test_a_run_records_what_it_was(data, model, tmp_path):
    run = evaluate(data, str(model), out=tmp_path)
    folder = run_folder(run, data, tmp_path)
    assert sorted(contents(folder)) == ["metrics.json", "scores-00000.parquet", "scores-00001.parquet"]
    assert run.model == "tiny"
    assert str(model.parent) not in run.model_dump_json()
    assert run.model_info["bos"] == "absent"
    assert run.model_info["dtype"] == "float32"
    assert run.model_info["family"] == "llama"
    assert run.model_info["parameters"] == sum(w.numel() for w in tiny_models.model().parameters())
    assert all(run.model_info[key] for key in ("revision", "tokenizer_hash", "attention"))
    scored = rows(folder)
    assert [row.item_id for row in scored] == sorted(item.id for item in load(data).items)
    sets = load(data).sets
    for row in scored:
        assert len(row.scores) == len(row.tokens) == len(sets[row.candidates].candidates)
        assert max(row.scores) < 0
        assert row.flags[-1] == "no-bos"


def test_the_same_call_again_changes_no_byte_and_other_data_is_another_run(data, model, tmp_path):
    first = evaluate(data, str(model), out=tmp_path)
    folder = run_folder(first, data, tmp_path)
    before = contents(folder)
    times = {path.name: path.stat().st_mtime_ns for path in folder.glob("scores-*")}
    assert evaluate(data, str(model), out=tmp_path).run == first.run
    assert contents(folder) == before
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("scores-*")} == times
    assert evaluate(data, str(model), out=tmp_path, languages=["it"]).run != first.run


def test_a_run_killed_and_started_again_ends_with_the_same_bytes(data, model, tmp_path):
    whole = evaluate(data, str(model), out=tmp_path / "whole")
    script = (
        "import os, signal, sys, torch\n"
        "from pathlib import Path\n"
        "from polyfact.evaluators import evaluate\n"
        "torch.set_num_threads(1)\n"
        "def progress(what, done, total):\n"
        "    if what.startswith('scoring') and done >= 50:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "evaluate(Path(sys.argv[1]), sys.argv[2], out=Path(sys.argv[3]), progress=progress)\n"
    )
    killed = tmp_path / "killed"
    command = [sys.executable, "-c", script, str(data), str(model), str(killed)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    folder = run_folder(whole, data, killed)
    assert [path.name for path in folder.iterdir()] == ["scores-00000.parquet"]
    stamp = (folder / "scores-00000.parquet").stat().st_mtime_ns
    evaluate(data, str(model), out=killed)
    assert (folder / "scores-00000.parquet").stat().st_mtime_ns == stamp
    assert contents(folder) == contents(run_folder(whole, data, tmp_path / "whole"))


def changed(data: Path, folder: Path, change) -> Path:
    shutil.copytree(data, folder)
    items = [change(item) for item in read_jsonl(folder / "items.jsonl", Item)]
    write_jsonl(folder / "items.jsonl", items)
    return folder


def test_what_cannot_be_scored_is_a_row_with_its_error(data, model, tmp_path):
    texts = {"capitals/Q38/completion/entities/en": "", "capitals/Q29/completion/entities/en": "long " * 300}
    broken = changed(
        data,
        tmp_path / "broken",
        lambda item: item.model_copy(update={"question": texts.get(item.id, item.question)}).sealed(),
    )
    run = evaluate(broken, str(model), out=tmp_path / "runs")
    folder = run_folder(run, broken, tmp_path / "runs")
    failed = {row.item_id: row for row in rows(folder) if row.error}
    assert sorted(failed) == sorted(texts)
    assert all(row.scores == [] for row in failed.values())
    measured = Metrics.model_validate(read_json(folder / "metrics.json"))
    assert (measured.n_errors, measured.n_items) == (2, len(rows(folder)))
    cell = next(
        row
        for row in measured.rows
        if (row.metric, row.topic, row.language, row.form) == ("map", "capitals", "en", "completion")
    )
    assert "errors:2" in cell.flags
    assert cell.n == 5


def test_a_model_that_gives_no_number_fails_after_everything_is_written(data, tmp_path):
    folder = tiny_models.save(tmp_path / "nan")
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: value * float("nan") for name, value in weights.items()},
        folder / "model.safetensors",
        {"format": "pt"},
    )
    with pytest.raises(PolyfactError, match=r"no item could be scored.*not a finite number"):
        evaluate(data, str(folder), out=tmp_path / "runs")
    [metrics] = (tmp_path / "runs").glob("*/*/metrics.json")
    assert len(rows(metrics.parent)) == len(load(data).items)
    found = Metrics.model_validate(read_json(metrics))
    assert {row.value for row in found.rows} == {None}
    assert all(row.reason for row in found.rows)


def test_score_again_needs_no_model(data, tmp_path):
    run = evaluate(data, "random", out=tmp_path, seed=3)
    folder = run_folder(run, data, tmp_path)
    before = (folder / "metrics.json").read_bytes()
    (folder / "metrics.json").unlink()
    assert score_again(folder, data).run == run.run[:12]
    assert (folder / "metrics.json").read_bytes() == before
    other = changed(
        data,
        tmp_path / "other",
        lambda item: item.model_copy(update={"question": item.question + "?"}).sealed(),
    )
    with pytest.raises(DataError, match="made on other items"):
        score_again(folder, other)


def test_a_release_gives_the_same_run_as_its_workspace(data, tmp_path):
    release = tmp_path / "releases" / "0.1.0"
    by_file: dict[tuple[str, str], list[Item]] = {}
    for item in read_jsonl(data / "items.jsonl", Item):
        by_file.setdefault((item.topic, item.language), []).append(item)
    for (topic, language), items in by_file.items():
        write_jsonl(release / "data" / topic / f"{language}.jsonl", items)
    for name in ("candidates.jsonl", "associations.jsonl"):
        shutil.copy(data / name, release / name)
    (release / "manifest.json").write_text("{}")
    run = evaluate(release, "oracle")
    assert run.run == evaluate(data, "oracle", out=tmp_path / "x").run
    assert run_folder(run, release) == tmp_path / "runs" / "oracle" / run.run[:12]
    assert (run_folder(run, release) / "metrics.json").is_file()
    assert sorted(path.name for path in release.iterdir()) == [
        "associations.jsonl",
        "candidates.jsonl",
        "data",
        "manifest.json",
    ]


def test_selection(data, tmp_path):
    run = evaluate(data, "oracle", out=tmp_path, languages=["it"], topics=["capitals"], limit=2)
    found = rows(run_folder(run, data, tmp_path))
    assert {(row.topic, row.language) for row in found} == {("capitals", "it")}
    assert len(found) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "vlm"}, "unknown engine"),
        ({"task": "fibre"}, 'did you mean "fiber"'),
        ({"languages": ["xx"]}, "xx"),
        ({"topics": ["capital"]}, "capital"),
    ],
)
def test_wrong_options_are_one_line(data, tmp_path, options, said):
    with pytest.raises(UsageError) as caught:
        evaluate(data, "oracle", out=tmp_path, **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("model", ["./nowhere", "/nowhere/at/all", "nobody/has-this-model"])
def test_a_model_that_is_not_there_is_one_line(data, tmp_path, monkeypatch, model):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UsageError) as caught:
        evaluate(data, model, out=tmp_path)
    assert model in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_weights_that_are_not_safetensors_are_refused(data, tmp_path):
    folder = tiny_models.save(tmp_path / "pickled")
    weights = folder / "model.safetensors"
    torch.save(tiny_models.model().state_dict(), folder / "pytorch_model.bin")
    weights.unlink()
    with pytest.raises(UsageError, match="safetensors"):
        evaluate(data, str(folder), out=tmp_path / "runs")


def test_broken_data_is_named_by_file_and_line(data, tmp_path):
    torn = tmp_path / "torn"
    shutil.copytree(data, torn)
    text = (torn / "items.jsonl").read_bytes()
    (torn / "items.jsonl").write_bytes(text[:-100])
    lines = text.count(b"\n")
    with pytest.raises(DataError, match=f"line {lines} is not JSON; the last line is cut off"):
        evaluate(torn, "oracle", out=tmp_path)
    with pytest.raises(PolyfactError, match="nowhere"):
        evaluate(tmp_path / "nowhere", "oracle", out=tmp_path)
    lonely = tmp_path / "lonely"
    shutil.copytree(data, lonely)
    (lonely / "candidates.jsonl").write_text("")
    with pytest.raises(DataError, match="candidate set that is not there"):
        evaluate(lonely, "oracle", out=tmp_path)


def test_a_damaged_score_file_is_named(data, tmp_path):
    run = evaluate(data, "oracle", out=tmp_path)
    shard = run_folder(run, data, tmp_path) / "scores-00000.parquet"
    shard.write_bytes(shard.read_bytes()[:200])
    with pytest.raises(DataError, match="not a score file"):
        evaluate(data, "oracle", out=tmp_path)
