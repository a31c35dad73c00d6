"""A release is whole, the same twice, and refuses what must not be published."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from polyfact import release
from polyfact.errors import DataError, MissingExtra, PolyfactError, UsageError
from polyfact.release import _contents, _yaml
from polyfact.schemas import Item, read_jsonl, write_jsonl
from polyfact.workspace import sha256_file
from tests.support.items_fixture import write_workspace

ROOT = Path(__file__).parents[2]


def make(workspace: Path, settings: Any = None, **changed: Any) -> release.ReleaseReport:
    languages, topics = settings or write_workspace(workspace)
    options: dict[str, Any] = {
        "version": "1.0.0",
        "name": "odd-capitals",
        "licence": "CC0-1.0",
        "unaudited": True,
    }
    return release.build(workspace, languages_used=languages, topics_used=topics, **{**options, **changed})


def tree(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): sha256_file(path) for path in folder.rglob("*") if path.is_file()}


def edit(path: Path, change: Any) -> None:
    """Change the rows of a JSONL file of items."""
    write_jsonl(path, [change(row) for row in read_jsonl(path)])


CHILD = """
import os, signal, sys
from pathlib import Path
from tests.support.items_fixture import write_workspace
from polyfact import release
from polyfact.release import _contents
folder, shuffle, kill_at = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
write, calls = _contents.write_parquet, 0
def counting(*arguments):
    global calls
    calls += 1
    if calls == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    write(*arguments)
_contents.write_parquet = counting
languages, topics = write_workspace(folder, shuffle=shuffle)
release.build(folder, version="1.0.0", name="odd-capitals", licence="CC0-1.0", unaudited=True,
              languages_used=languages, topics_used=topics)
"""


def child(folder: Path, *, hash_seed: str, shuffle: int, kill_at: int = 0) -> int:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-c", CHILD, str(folder), str(shuffle), str(kill_at)]
    return subprocess.run(arguments, env=environment, cwd=ROOT, check=False).returncode


def test_same_bytes_for_any_order_and_hash_seed(tmp_path: Path) -> None:
    made = make(tmp_path / "here")
    for number, seed in ((1, "0"), (2, "1")):
        folder = tmp_path / f"w{number}"
        assert child(folder, hash_seed=seed, shuffle=number) == 0
        assert tree(folder / "releases" / "1.0.0") == tree(made.folder)


def test_layout_and_order(tmp_path: Path) -> None:
    made = make(tmp_path)
    assert made.items == 20 and made.written and made.files == len(tree(made.folder))
    ids = [row["id"] for row in read_jsonl(made.folder / "data/capitals/tr.jsonl")]
    assert ids == sorted(ids) and len(ids) == 3
    assert set(tree(made.folder)) >= {
        "README.md", "CHANGELOG.md", "manifest.json", "candidates.jsonl", "candidates.parquet",
        "associations.jsonl", "wordings.jsonl",
        "languages/hi.toml", "topics/odd_answers.toml", "data/odd-answers/en.parquet",
    }  # fmt: skip
    assert [path.name for path in made.folder.parent.iterdir()] == ["1.0.0"]
    assert release.verify(made.folder) == []


def test_a_killed_build_leaves_no_version_and_the_next_one_finishes(tmp_path: Path) -> None:
    expected = tree(make(tmp_path / "whole").folder)
    folder = tmp_path / "killed"
    assert child(folder, hash_seed="0", shuffle=0, kill_at=4) == -signal.SIGKILL
    left = [path.name for path in (folder / "releases").iterdir()]
    assert len(left) == 1 and left[0].startswith(".1.0.0.")
    assert child(folder, hash_seed="0", shuffle=0) == 0
    assert [path.name for path in (folder / "releases").iterdir()] == ["1.0.0"]
    assert tree(folder / "releases" / "1.0.0") == expected


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = write_workspace(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_contents, "write_parquet", full)
    with pytest.raises(PolyfactError, match="No space left on device"):
        make(tmp_path, settings)
    assert list((tmp_path / "releases").iterdir()) == []


def test_an_existing_version_is_kept_if_the_same_and_refused_if_not(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    first = make(tmp_path, settings)
    before = tree(first.folder)
    again = make(tmp_path, settings)
    assert not again.written and again.content_hash == first.content_hash and again.files == first.files
    edit(tmp_path / "items.jsonl", lambda row: {**row, "question": row["question"] + "!", "content_hash": ""})
    with pytest.raises(DataError, match="released already with other content.*raise the version"):
        make(tmp_path, settings)
    assert tree(first.folder) == before
    with pytest.raises(DataError, match="README.md"):
        make(tmp_path, write_workspace(tmp_path), licence="CC-BY-4.0")
    (first.folder / "manifest.json").unlink()
    with pytest.raises(DataError, match="something else than a release"):
        make(tmp_path, settings)


def test_an_audit_is_required_unless_the_card_says_that_there_is_none(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    with pytest.raises(UsageError, match="no audit.*--unaudited"):
        make(tmp_path, settings, unaudited=False)
    names = ("items.jsonl", "candidates.jsonl", "associations.jsonl", "wordings.jsonl")
    audit = tmp_path / "audit.json"
    audit.write_text(json.dumps({"inputs": {name: sha256_file(tmp_path / name) for name in names}}))
    made = make(tmp_path, settings, unaudited=False)
    assert json.loads((made.folder / "manifest.json").read_text())["audited"] is True
    assert "unaudited" not in (made.folder / "README.md").read_text() and (made.folder / "audit.json").is_file()
    audit.write_text(json.dumps({"inputs": dict.fromkeys(names, "0" * 64)}))
    with pytest.raises(UsageError, match="the audit is of another items.jsonl.*--unaudited"):
        make(tmp_path, settings, unaudited=False, version="1.0.1")
    made = make(tmp_path, settings, version="1.0.1")
    assert "**This release is unaudited.**" in (made.folder / "README.md").read_text()


@pytest.mark.parametrize(
    "version", ["1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0+5", "1.0.0\n", "../1.0.0", ""]
)
def test_a_version_is_semantic(tmp_path: Path, version: str) -> None:
    with pytest.raises(UsageError, match="is not a version"):
        make(tmp_path, version=version)
    assert not (tmp_path / "releases").exists()


def test_a_name_is_simple_and_a_licence_is_needed(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    for name in ("A", "a b", "../a", ""):
        with pytest.raises(UsageError, match="cannot be a dataset's name"):
            make(tmp_path, settings, name=name)
    with pytest.raises(UsageError, match="needs a licence"):
        make(tmp_path, settings, licence=" ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"language": None}, "language: Input should be a valid string"),
        ({"language": ""}, "not a language code"),
        ({"language": "../x"}, "not a language code"),
        ({"topic": "gen fact"}, "cannot be a topic's name"),
        ({"topic": "hi/or"}, "cannot be a topic's name"),
        ({"question": "another"}, "changed after its content_hash was made"),
        ({"question_id": "x"}, "the id does not fit"),
        ({"candidates": "gone"}, "its candidate set gone is not there"),
        ({"expected": "one"}, "expected: Input should be a valid list"),
        ({"expected": [12]}, "expected.0: Input should be a valid string"),
    ],
)
def test_what_must_not_be_published(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    settings = write_workspace(tmp_path)
    edit(tmp_path / "items.jsonl", lambda row: {**row, **change})
    with pytest.raises(DataError) as caught:
        make(tmp_path, settings)
    assert message in str(caught.value)
    assert list((tmp_path / "releases").iterdir()) == []


def test_an_id_twice_an_empty_file_and_a_torn_one_are_refused(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    path = tmp_path / "items.jsonl"
    whole = path.read_text(encoding="utf-8")
    first = whole.splitlines(keepends=True)[0]
    for text, message in (
        (whole + first, "stands twice"),
        ("", "no items"),
        (whole[:-9], "line 20 is not JSON; the last line is cut off"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            make(tmp_path, settings)
    path.unlink()
    with pytest.raises(DataError, match="not there yet.*polyfact build"):
        make(tmp_path, settings)


def test_a_language_file_must_be_shipped_and_be_the_one_that_was_used(tmp_path: Path) -> None:
    languages, topics = write_workspace(tmp_path)
    languages["tr"].write_text('code = "tr"\nenglish_name = "Turkish, edited"\n', encoding="utf-8")
    with pytest.raises(DataError, match="languages/tr.toml changed since it was built"):
        make(tmp_path, (languages, topics))
    del languages["tr"]
    with pytest.raises(UsageError, match="language tr, but its file is not among"):
        make(tmp_path, (languages, topics))


def test_a_topic_file_that_was_reworded_after_the_build_is_refused(tmp_path: Path) -> None:
    languages, topics = write_workspace(tmp_path)
    text = topics["capitals"].read_text(encoding="utf-8")
    topics["capitals"].write_text(text.replace("The capital of", "The chief city of"), encoding="utf-8")
    with pytest.raises(DataError, match=r'capitals.toml changed since it was built: "The capital of'):
        make(tmp_path, (languages, topics))
    assert not (tmp_path / "releases" / "1.0.0").exists()


def test_the_changelog_compares_with_the_version_before(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    first = make(tmp_path, settings, version="0.9.0")
    assert "First version: added 20 items." in (first.folder / "CHANGELOG.md").read_text()
    items = read_jsonl(tmp_path / "items.jsonl", Item)
    changed = items[0].model_copy(update={"question": "?", "content_hash": ""}).sealed()
    other = {"id": "capitals/z/f/t/en", "question_id": "capitals/z/f/t", "content_hash": ""}
    new = items[1].model_copy(update=other).sealed()
    write_jsonl(tmp_path / "items.jsonl", [changed, new, *items[2:]])
    second = make(tmp_path, settings, version="0.10.0")
    text = (second.folder / "CHANGELOG.md").read_text()
    assert "## 0.10.0\n\nAgainst 0.9.0: added 1, changed 1, removed 1 items." in text
    assert f"Changed:\n\n- `{changed.id}`" in text and "not comparable with those on 0.9.0" in text
    assert text.endswith("## 0.9.0\n\nFirst version: added 20 items.\n")
    assert make(tmp_path, write_workspace(tmp_path), version="0.9.0").written is False


def test_lists_of_topics_and_languages_that_are_not_released_stay_in_the_workspace(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    rows = sorted(read_jsonl(tmp_path / "associations.jsonl"), key=lambda row: str(row["language"]))
    waiting = [{**rows[0], "language": "fr"}, {**rows[0], "topic": "rivers"}]
    write_jsonl(tmp_path / "associations.jsonl", [*rows, *waiting])
    assert read_jsonl(make(tmp_path, settings).folder / "associations.jsonl") == rows


def test_an_unwritable_folder_is_one_clear_error(tmp_path: Path) -> None:
    settings = write_workspace(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(PolyfactError, match="cannot write"):
        make(tmp_path, settings, out=tmp_path / "file" / "1.0.0")


def test_out_is_the_release_itself(tmp_path: Path) -> None:
    made = make(tmp_path / "w", out=tmp_path / "elsewhere")
    assert made.folder == tmp_path / "elsewhere" and release.verify(made.folder) == []
    assert not (tmp_path / "w" / "releases").exists()


@pytest.mark.parametrize(("module", "package"), [("pyarrow", "pyarrow"), ("yaml", "PyYAML")])
def test_a_missing_package_names_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, package: str
) -> None:
    settings = write_workspace(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    _yaml._tools.cache_clear()
    with pytest.raises(MissingExtra, match=rf'{package} is not installed \(run: pip install "polyfact\[release\]"\)'):
        make(tmp_path, settings)
    assert list((tmp_path / "releases").iterdir()) == []


def test_importing_it_loads_nothing_heavy() -> None:
    heavy = ("pyarrow", "yaml", "datasets", "huggingface_hub", "numpy")
    code = f"import sys, polyfact.release; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
