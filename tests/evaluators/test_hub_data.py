"""Data from a hub: the same run as from the folder that was pushed, and one clear line for what is not there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from polyfact import release
from polyfact.errors import DataError, MissingExtra, PolyfactError, UsageError
from polyfact.evaluators import evaluate, load, run_folder, score_again
from polyfact.evaluators._hub import _newest, fetch
from polyfact.schemas import Metrics, read_json, write_jsonl
from tests.support import releases
from tests.support.hub import WRONG, Hub, environment, point_at, serve
from tests.support.hub_api import READER, WRITER, File

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")
pytest.importorskip("huggingface_hub")

REPO = "org/small"
# Of the hub's own library.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Two releases, in a workspace that no test changes."""
    workspace = tmp_path_factory.mktemp("workspace")
    return SimpleNamespace(first=releases.first(workspace), second=releases.second(workspace))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: Any) -> Iterator[Hub]:
    """A hub that holds 0.1.0 and 0.2.0, with a cache of its own and nothing in it."""
    with serve() as running:
        point_at(running, monkeypatch, tmp_path)
        monkeypatch.setattr("huggingface_hub.utils._http.time", SimpleNamespace(sleep=lambda seconds: None))
        for folder in (made.first, made.second):
            release.push(folder, REPO, token=WRITER, endpoint=running.url, backoff=0.001)
        running.requests.clear()
        yield running


def test_the_run_is_that_of_the_folder_that_was_pushed(hub: Hub, made: Any, tmp_path: Path) -> None:
    here = evaluate(made.first, "oracle", out=tmp_path / "here")
    there = evaluate(f"hub:{REPO}@0.1.0", "oracle", out=tmp_path / "there")
    assert there.run == here.run and there.identity == here.identity
    assert there.data["files"] == here.data["files"]
    repo = hub.repos[REPO]
    assert there.data["path"] == "hub:org/small@0.1.0" and there.data["revision"] == repo.tags["0.1.0"]
    assert here.data["path"] == "0.1.0" and "revision" not in here.data
    folders = run_folder(here, made.first, tmp_path / "here"), run_folder(there, "hub:", tmp_path / "there")
    for name in ("metrics.json", "scores-00000.parquet"):
        assert folders[0].joinpath(name).read_bytes() == folders[1].joinpath(name).read_bytes()
    measured = Metrics.model_validate(read_json(folders[1] / "metrics.json"))
    assert {row.value for row in measured.rows if row.metric == "map"} == {1.0}
    assert measured.n_items == len(load(made.first).items) > 0
    assert score_again(folders[1], f"hub:{REPO}@0.1.0") == measured


def test_a_revision_is_a_tag_a_branch_or_a_commit_and_the_newest_tag_when_not_given(hub: Hub, made: Any) -> None:
    repo = hub.repos[REPO]
    first, second = repo.tags["0.1.0"], repo.tags["0.2.0"]
    repo.tags |= {"0.10.0": first, "0.9.0": second, "1.0.0-rc.1": second, "latest": second}
    for revision, commit in (("0.1.0", first), ("main", second), (second, second), (first[:8], first)):
        found = fetch(f"hub:{REPO}@{revision}")
        assert (found.commit, found.name) == (commit, f"hub:{REPO}@{revision}")
        assert len(load(found.folder).items) == len(load(made.first if commit == first else made.second).items)
    del repo.tags["1.0.0-rc.1"]
    assert fetch(f"hub:{REPO}").name == "hub:org/small@0.10.0"
    assert not [each for each in hub.requests if each.endswith(".parquet")]


def test_versions_are_ordered_as_numbers_and_candidates_come_before() -> None:
    ordered = ["0.9.0", "0.10.0", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0"]
    for count in range(1, len(ordered) + 1):
        assert _newest([*ordered[:count][::-1], "v9", "main"], "hub:a/b") == ordered[count - 1]


def test_a_repository_without_versions_wants_a_revision(hub: Hub) -> None:
    hub.repos[REPO].tags.clear()
    with pytest.raises(UsageError, match=r"no version was published \(name a branch or commit: hub:org/small@main\)"):
        evaluate(f"hub:{REPO}", "oracle")


@pytest.mark.parametrize("name", ["hub:", "hub:small", "hub:a/b/c", "hub:org/small@", "hub:org/a b", "hub:org/x@a@b"])
def test_a_name_that_names_nothing(hub: Hub, name: str) -> None:
    with pytest.raises(UsageError, match="write hub:org/name@version"):
        fetch(name)
    assert not hub.requests


@pytest.mark.parametrize(
    ("name", "token", "message"),
    [
        ("hub:org/gone@0.1.0", "", "hub:org/gone@0.1.0: no such dataset, or none that you may read"),
        ("hub:org/gone", READER, "hub:org/gone: no such dataset, or none that you may read"),
        ("hub:org/gone@0.1.0", READER, "hub:org/gone@0.1.0: no such dataset, or none that you may read"),
        ("hub:org/small@0.1.1", "", 'hub:org/small: no revision "0.1.1" (did you mean "0.1.0"?)'),
        ("hub:org/small@x", "", 'hub:org/small: no revision "x" (known: 0.1.0, 0.2.0)'),
        (f"hub:org/small@{'a' * 40}", "", f'hub:org/small: no revision "{"a" * 40}"'),
        ("hub:org/..@1.0.0", "", "this cannot be a dataset on the hub (write hub:org/name@version)"),
        ("hub:org/small@0.1.0", WRONG, "the hub does not accept the token in HF_TOKEN (correct or unset it)"),
        ("hub:org/small", WRONG, "the hub does not accept the token in HF_TOKEN (correct or unset it)"),
        ("hub:org/small@0.1.0", "hf_nobody\n\x7f", "the token holds characters that no token has"),
    ],
)
def test_what_is_not_there(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, token: str, message: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        evaluate(name, "oracle")
    assert message in str(caught.value) and WRONG not in str(caught.value)
    assert not (tmp_path / "runs").exists()


def test_a_private_dataset_wants_a_token_from_the_environment(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hub.repos[REPO].private = True
    (tmp_path / "token").write_text(READER)
    with pytest.raises(UsageError, match="a private dataset needs a token in HF_TOKEN"):
        fetch(f"hub:{REPO}@0.1.0")
    monkeypatch.setenv("HF_TOKEN", READER)
    assert fetch(f"hub:{REPO}@0.1.0").commit == hub.repos[REPO].tags["0.1.0"]


def test_what_is_in_the_cache_is_used_without_the_hub(
    hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    online = evaluate(f"hub:{REPO}@0.1.0", "oracle", out=tmp_path)
    hub.requests.clear()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    offline = evaluate(f"hub:{REPO}@0.1.0", "oracle", out=tmp_path)
    assert offline.run == online.run and offline.data == online.data
    with pytest.raises(PolyfactError, match=r"@0\.2\.0: HF_HUB_OFFLINE is set, and it is not in the cache \(unset"):
        fetch(f"hub:{REPO}@0.2.0")
    with pytest.raises(
        PolyfactError, match="the newest version is not known .*or name the version: hub:org/small@VERSION"
    ):
        fetch(f"hub:{REPO}")
    assert not hub.requests


@pytest.mark.parametrize("status", [503, 0])
def test_a_hub_that_is_away(hub: Hub, status: int) -> None:
    fetch(f"hub:{REPO}@0.1.0")
    hub.fail(r"^\w+ /", times=999, status=status)
    assert fetch(f"hub:{REPO}@0.1.0").commit == hub.repos[REPO].tags["0.1.0"]
    said = "answers 503" if status else r"does not answer \(\w+\)"
    with pytest.raises(PolyfactError, match=rf"@0\.2\.0: the hub {said}, and this revision is not in the cache \(run"):
        fetch(f"hub:{REPO}@0.2.0")
    with pytest.raises(PolyfactError, match=rf"^hub:org/small: the hub {said} \(run the same command again later"):
        fetch(f"hub:{REPO}")


def test_a_download_that_broke_off_is_finished_by_the_next(hub: Hub, made: Any) -> None:
    fault = hub.fail("GET .*/resolve/", nth=3, times=999)
    with pytest.raises(PolyfactError, match="the hub answers 503"):
        fetch(f"hub:{REPO}@0.1.0")
    # With the hub away altogether, the half that is here is not taken for the whole.
    gone = hub.fail(r"^\w+ /", times=999)
    with pytest.raises(PolyfactError, match="the hub"):
        fetch(f"hub:{REPO}@0.1.0")
    hub.faults.remove(fault)
    hub.faults.remove(gone)
    assert load(fetch(f"hub:{REPO}@0.1.0").folder).files == load(made.first).files


@pytest.mark.parametrize("change", ["changed", "missing", "added"])
def test_a_copy_that_was_changed_is_not_evaluated(hub: Hub, tmp_path: Path, change: str) -> None:
    folder = fetch(f"hub:{REPO}@0.1.0").folder
    path = folder / "data" / "official-languages" / "it.jsonl"
    if change == "added":
        path.with_name("xx.jsonl").write_bytes(b"")
        path = path.with_name("xx.jsonl")
    else:
        rows = path.read_text().splitlines(keepends=True)
        path.unlink()
        if change == "changed":
            path.write_text("".join(rows[1:]))
    # Without the hub the library does not look whether something is missing, or puts it back.
    hub.fail(r"^\w+ /", times=999)
    with pytest.raises(PolyfactError) as caught:
        evaluate(f"hub:{REPO}@0.1.0", "oracle", out=tmp_path / "runs")
    expected = (
        "this revision is not in the cache" if change == "missing" else f"{path.name} is not what the manifest says"
    )
    assert expected in str(caught.value) and not (tmp_path / "runs").exists()


def test_another_kind_of_dataset_is_told(hub: Hub, made: Any, tmp_path: Path) -> None:
    repo = hub.repos[REPO]
    files = {path: file for path, file in repo.head.files.items() if path != "manifest.json"}
    repo.commit("no manifest", files)
    with pytest.raises(DataError, match="hub:org/small@main: not a release of a benchmark"):
        evaluate(f"hub:{REPO}@main", "oracle", out=tmp_path)
    repo.commit("something else", {"a.csv": File(b"1")})
    with pytest.raises(DataError, match="hub:org/small@main: not a release of a benchmark"):
        evaluate(f"hub:{REPO}@main", "oracle", out=tmp_path)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r'pip install "polyfact\[release\]"'):
        fetch("hub:org/small")


def test_a_release_without_associations_holds_all_that_an_evaluation_needs(tmp_path: Path) -> None:
    releases.first(tmp_path / "whole")
    workspace = tmp_path / "bare"
    write_jsonl(workspace / "associations.jsonl", [])
    for name in ("items.jsonl", "candidates.jsonl"):
        (workspace / name).write_bytes((tmp_path / "whole" / name).read_bytes())
    folder = releases.build(workspace, "0.1.0")
    assert not (folder / "associations.jsonl").exists()
    (workspace / "associations.jsonl").rename(workspace / "kept")
    with pytest.raises(DataError, match=r"associations\.jsonl: cannot read"):
        load(workspace)
    (workspace / "kept").rename(workspace / "associations.jsonl")
    loaded, source = load(folder), load(workspace)
    assert (loaded.items, loaded.sets, loaded.associations) == (source.items, source.sets, {})
    assert set(loaded.files) == {
        "candidates.jsonl",
        *(f"data/{p.parent.name}/{p.name}" for p in folder.glob("data/*/*l")),
    }


def test_a_release_holds_what_its_workspace_holds_for_an_evaluation(made: Any, tmp_path: Path) -> None:
    folder = releases.first(tmp_path)
    loaded, source = load(folder), load(tmp_path)
    assert (loaded.items, loaded.sets, loaded.associations) == (source.items, source.sets, source.associations)
    assert source.associations and source.sets
    shipped = {path.relative_to(folder).as_posix() for path in folder.rglob("*.toml")}
    assert shipped >= {f"languages/{code}.toml" for code in ("en", "it", "tr")}
    assert shipped >= {"topics/capitals.toml", "topics/official_languages.toml"}


def test_the_command_puts_the_run_into_the_current_folder(hub: Hub, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    command = [sys.executable, "-m", "polyfact", "evaluate", "--data", f"hub:{REPO}@0.1.0", "-m", "oracle", "--json"]
    done = subprocess.run(command, cwd=here, env=environment(hub, tmp_path), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    record = read_json(here / told["run"] / "run.json")
    assert Path(told["run"]).parts[:2] == ("runs", "oracle") and told["summary"][0]["map"] == 1.0
    assert record["data"]["revision"] == hub.repos[REPO].tags["0.1.0"]
    done = subprocess.run([*command, "--out", "there"], cwd=here, env=environment(hub, tmp_path), check=False)
    assert done.returncode == 0 and (here / "there" / "oracle" / Path(told["run"]).name / "run.json").is_file()
    command[5] = "hub:org/gone@0.1.0"
    done = subprocess.run(command, cwd=here, env=environment(hub, tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("polyfact: hub:org/gone@0.1.0: no such dataset") and done.stderr.count("\n") == 1


def test_the_runs_of_a_release_that_was_copied_elsewhere_lie_beside_it(tmp_path: Path) -> None:
    copied = releases.first(tmp_path / "made").rename(tmp_path / "copied")
    run = evaluate(copied, "oracle")
    assert run_folder(run, copied) == tmp_path / "runs" / "oracle" / run.run[:12]
    assert (tmp_path / "runs" / "oracle" / run.run[:12] / "metrics.json").is_file()
    assert release.verify(copied) == []
