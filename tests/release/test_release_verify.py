"""Whatever is changed in a release after it was made is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from polyfact import release
from polyfact.errors import DataError
from polyfact.workspace import sha256_file
from tests.support.items_fixture import write_workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    languages, topics = write_workspace(tmp_path)
    options: dict[str, Any] = {"version": "1.0.0", "name": "x", "licence": "CC0-1.0", "unaudited": True}
    return release.build(tmp_path, languages_used=languages, topics_used=topics, **options).folder


def reseal(folder: Path, *names: str) -> None:
    """Make the manifest agree with changed files, as a forger would."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    for name in names:
        manifest["files"][name] = {
            "bytes": (folder / name).stat().st_size,
            "sha256": sha256_file(folder / name),
        }
    path.write_text(json.dumps(manifest))


def test_a_changed_byte_in_any_file(folder: Path) -> None:
    assert release.verify(folder) == []
    names = sorted(json.loads((folder / "manifest.json").read_text())["files"])
    assert len(names) >= 28
    for name in names:
        path = folder / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert release.verify(folder) == [f"{name}: changed (SHA-256 differs from the manifest's)"]
        path.write_bytes(whole[:-1])
        assert release.verify(folder) == [f"{name}: {len(whole) - 1} bytes, the manifest says {len(whole)}"]
        path.write_bytes(whole)
    assert release.verify(folder) == []


def test_missing_and_added_files(folder: Path) -> None:
    (folder / "candidates.parquet").unlink()
    (folder / "extra.txt").write_text("")
    (folder / ".gitattributes").write_text("")
    assert release.verify(folder) == ["candidates.parquet: missing", "extra.txt: not in the manifest"]


def test_a_gold_answer_changed_with_its_hash_in_the_manifest(folder: Path) -> None:
    path = folder / "data/capitals/en.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('["Amaurot"]', '["Atlanta"]'), encoding="utf-8")
    reseal(folder, "data/capitals/en.jsonl")
    changed = "capitals/local:utopia/completion/entities/en"
    assert release.verify(folder) == [
        "data/capitals/en.parquet: other rows than data/capitals/en.jsonl",
        f"data/capitals/en.jsonl: {changed}: content_hash does not fit the content",
    ]


def test_a_row_taken_out_with_its_hash_in_the_manifest(folder: Path) -> None:
    path = folder / "data/capitals/en.jsonl"
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]), encoding="utf-8")
    reseal(folder, "data/capitals/en.jsonl")
    assert release.verify(folder) == [
        "data/capitals/en.jsonl: 2 rows, the manifest says 3",
        "data/capitals/en.parquet: other rows than data/capitals/en.jsonl",
        "19 items, the manifest says 20",
        "the items are not those that the manifest was made for (content_hash)",
    ]


def test_a_manifest_that_points_outside(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"]["../../items.jsonl"] = {"bytes": 1, "sha256": "0"}
    path.write_text(json.dumps(manifest))
    assert release.verify(folder) == ["../../items.jsonl: not a path inside a release"]
    del manifest["files"]["../../items.jsonl"]
    manifest["counts"]["data"]["../../items"] = 20
    path.write_text(json.dumps(manifest))
    assert release.verify(folder) == ["../../items.jsonl: counted, but not among the files"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 1}', '{"format": 1, "files": [], "counts": {}}'])
def test_a_broken_manifest_is_an_error(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(DataError, match=r"manifest\.json"):
        release.verify(folder)
