"""What `datasets` gives back from a release is what went in: every value, every type, every configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from polyfact import release
from polyfact.release._arrow import arrow_schema, card_features
from polyfact.schemas import Association, CandidateSet, Item, Record, read_jsonl, write_jsonl
from tests.support.items_fixture import LANGUAGES, TRICKY, item, write_settings, write_workspace

datasets = pytest.importorskip("datasets")

Load = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def load(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Load:
    """`load_dataset` on a folder, with no network and a cache of its own."""
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    cache = str(tmp_path_factory.mktemp("hub-cache"))

    def load(folder: Path, config: str | None = None) -> list[dict[str, Any]]:
        loaded = datasets.load_dataset(str(folder), config, cache_dir=cache)
        assert list(loaded) == ["test"]
        return [dict(row) for row in loaded["test"]]

    return load


def make(workspace: Path, settings: tuple[Mapping[str, Path], Mapping[str, Path]]) -> Path:
    languages, topics = settings
    return release.build(
        workspace,
        version="1.0.0",
        name="odd-capitals",
        licence="CC0-1.0",
        unaudited=True,
        languages_used=languages,
        topics_used=topics,
    ).folder


def same(left: Any, right: Any) -> bool:
    """Equal in value and in type, all the way down."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return type(right) is list and len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


def test_every_configuration_gives_back_every_value(tmp_path: Path, load: Load) -> None:
    settings = write_workspace(tmp_path)
    folder = make(tmp_path, settings)
    items = [row.model_dump() for row in read_jsonl(tmp_path / "items.jsonl", Item)]
    by_id = {row["id"]: row for row in items}
    expected = {"all": by_id.keys()}
    for code in LANGUAGES:
        expected[code] = {key for key, row in by_id.items() if row["language"] == code}
        for topic in ("capitals", "odd-answers"):
            expected[topic] = {key for key, row in by_id.items() if row["topic"] == topic}
            expected[f"{topic}-{code}"] = expected[topic] & expected[code]
    assert set(datasets.get_dataset_config_names(str(folder))) == {*expected, "candidates", "associations", "wordings"}
    for config, ids in expected.items():
        rows = load(folder, config)
        assert len(rows) == len(ids) and {row["id"] for row in rows} == ids
        for row in rows:
            assert same(row, by_id[row["id"]]), row["id"]
    assert load(folder) == load(folder, "all")
    odd = {row["id"]: row for row in load(folder, "odd-answers")}
    assert odd["odd-answers/local:all/completion/entities/en"]["expected"] == list(TRICKY)
    assert odd["odd-answers/local:all-hi/completion/entities/hi"]["expected"] == []
    for name, record in (("candidates", CandidateSet), ("associations", Association)):
        source = [row.model_dump() for row in read_jsonl(tmp_path / f"{name}.jsonl", record)]
        key = "id" if name == "candidates" else "language"
        assert same(load(folder, name), sorted(source, key=lambda row: row[key]))


def test_files_are_typed_alike_and_as_the_card_says(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder = make(tmp_path, write_workspace(tmp_path))
    types = {str(datasets.Features.from_arrow_schema(pq.read_schema(path))) for path in folder.glob("data/*/*.parquet")}
    assert types == {str(datasets.Features.from_arrow_schema(arrow_schema(Item)))}
    info = {row["config_name"]: row for row in release.read_card(folder / "README.md").front["dataset_info"]}
    for config, record in (
        ("capitals-hi", Item),
        ("candidates", CandidateSet),
        ("associations", Association),
    ):
        assert info[config]["features"] == datasets.Features.from_arrow_schema(arrow_schema(record))._to_yaml_list()


@pytest.mark.parametrize("record", [Item, CandidateSet, Association])
def test_card_features_are_what_datasets_would_write(record: type[Record]) -> None:
    assert card_features(record) == datasets.Features.from_arrow_schema(arrow_schema(record))._to_yaml_list()


@pytest.mark.parametrize("order", [("en", "it"), ("it", "en")])
def test_a_column_that_is_null_or_empty_in_a_whole_file(tmp_path: Path, load: Load, order: tuple[str, str]) -> None:
    languages, topics = write_settings(tmp_path)
    empty, full = order
    rows = [
        item("capitals", "local:a", empty, "?", []),
        item("capitals", "local:a", full, "?", ["x"], aliases=[["y"]], options=["o"], agreement=0.25),
    ]
    write_jsonl(tmp_path / "items.jsonl", rows)
    loaded = {row["language"]: row for row in load(make(tmp_path, (languages, topics)), "all")}
    assert [loaded[code]["review"]["agreement"] for code in order] == [None, 0.25]
    assert [loaded[code]["options"] for code in order] == [[], ["o"]]
    assert [loaded[code]["aliases"] for code in order] == [[], [["y"]]]
    assert same(loaded, {row.language: row.model_dump() for row in rows})


@pytest.mark.parametrize("text", TRICKY)
def test_a_file_of_nothing_but_one_text(tmp_path: Path, load: Load, text: str) -> None:
    """Alone in their column is where loaders take texts for dates, numbers and truth values."""
    rows = [item("capitals", f"local:{number}", "en", text, [text], aliases=[[text]]) for number in range(2)]
    write_jsonl(tmp_path / "items.jsonl", rows)
    assert same(load(make(tmp_path, write_settings(tmp_path)), "capitals-en"), [row.model_dump() for row in rows])
