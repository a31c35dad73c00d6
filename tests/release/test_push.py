"""A release on a real hub on loopback: one commit, one tag, and nothing half-published whatever goes wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from polyfact import release
from polyfact.cli import main
from polyfact.errors import DataError, MissingExtra, PolyfactError, UsageError
from polyfact.release import Pushed, _hub_client
from polyfact.release._manifest import files_of
from polyfact.schemas import Association, CandidateSet, Item, read_jsonl
from tests.support import releases
from tests.support.hub import WRONG, Hub, environment, point_at, serve
from tests.support.hub_api import READER, WRITER, File

pytest.importorskip("pyarrow")
pytest.importorskip("huggingface_hub")

REPO = "org/small"
# Of the hub's own library.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")
EVERYTHING = r"^\w+ /"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Two releases, in a workspace that no test changes."""
    workspace = tmp_path_factory.mktemp("workspace")
    return SimpleNamespace(workspace=workspace, first=releases.first(workspace), second=releases.second(workspace))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    with serve() as running:
        point_at(running, monkeypatch, tmp_path)
        # The library's own backoff has no parameter for its clock.
        monkeypatch.setattr("huggingface_hub.utils._http.time", SimpleNamespace(sleep=lambda seconds: None))
        yield running


def push(folder: Path, hub: Hub, **changed: Any) -> Pushed:
    return release.push(folder, REPO, **{"token": WRITER, "endpoint": hub.url, "backoff": 0.001, **changed})


def whole(folder: Path) -> dict[str, bytes]:
    """What the hub should hold of a release."""
    paths = {**files_of(folder), "manifest.json": folder / "manifest.json"}
    return {name: path.read_bytes() for name, path in paths.items()}


def assert_published(hub: Hub, folder: Path, *, commits: int = 1) -> None:
    """Main and the tag hold the release, made by so many commits on top of the first, and no other tag is there."""
    repo = hub.repos[REPO]
    assert len(repo.commits) == 1 + commits
    assert repo.published("main") == repo.published(f"refs/tags/{folder.name}") == whole(folder)
    assert repo.tags[folder.name] == repo.head.id


def assert_nothing(hub: Hub) -> None:
    """No repository, or an empty one."""
    for repo in hub.repos.values():
        assert len(repo.commits) == 1 and not repo.tags and not repo.published("main")


def test_two_versions_are_two_commits_and_two_tags(hub: Hub, made: Any) -> None:
    first = push(made.first, hub)
    assert_published(hub, made.first)
    repo = hub.repos[REPO]
    assert first == Pushed(
        repo=REPO,
        url=f"{hub.url}/datasets/{REPO}",
        tag="0.1.0",
        head=None,
        commit=repo.head.id,
        files={name: len(content) for name, content in whole(made.first).items()},
        deleted=[],
        created=True,
        sent=True,
        dry_run=False,
    )
    assert first.bytes == sum(map(len, whole(made.first).values()))
    assert not repo.private
    assert re.fullmatch(r"Release 0\.1\.0 \(manifest [0-9a-f]{16}\)", repo.head.title)
    lfs = {path for path, file in repo.head.files.items() if file.lfs}
    assert lfs == {name for name in whole(made.first) if name.endswith(".parquet")}

    second = push(made.second, hub)
    assert_published(hub, made.second, commits=2)
    assert repo.published("0.1.0") == whole(made.first)
    assert second.head == first.commit and not second.created
    assert second.deleted == [f"{releases.REMOVED}.jsonl", f"{releases.REMOVED}.parquet"]
    before = whole(made.first)
    assert second.files == {n: len(c) for n, c in whole(made.second).items() if before.get(n) != c}
    assert f"{releases.ADDED}.jsonl" in second.files and "languages/it.toml" not in second.files
    assert ".gitattributes" in repo.head.files


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(hub: Hub, made: Any) -> None:
    planned = push(made.first, hub, dry_run=True, token=None)
    assert not hub.repos and not hub.writes
    pushed = push(made.first, hub, private=True)
    assert hub.repos[REPO].private
    assert (planned.files, planned.tag, planned.head, planned.created) == (pushed.files, "0.1.0", None, True)
    assert planned.commit is None and planned.dry_run
    hub.requests.clear()
    planned = push(made.second, hub, dry_run=True)
    assert planned.head == pushed.commit and not hub.writes
    sent = push(made.second, hub)
    assert (planned.files, planned.deleted) == (sent.files, sent.deleted)


def test_a_version_is_published_once(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    hub.requests.clear()
    for dry_run in (False, True):
        with pytest.raises(DataError, match=r"version 0\.1\.0 is published already \(raise the version"):
            push(made.first, hub, dry_run=dry_run)
    assert not hub.writes
    assert_published(hub, made.first)


def test_a_tag_that_failed_is_set_by_the_next_push_without_a_second_commit(hub: Hub, made: Any) -> None:
    fault = hub.fail("POST .*/tag/", times=99)
    with pytest.raises(PolyfactError, match=r"files are published \(commit \w{12}\), but the tag 0\.1\.0 is not set: "):
        push(made.first, hub)
    repo = hub.repos[REPO]
    assert len(repo.commits) == 2 and repo.published("main") == whole(made.first) and not repo.tags
    hub.faults.remove(fault)
    again = push(made.first, hub)
    assert not again.sent and not again.files and again.commit == repo.head.id
    assert_published(hub, made.first)


def test_a_tag_that_failed_goes_to_its_own_commit_when_others_came_after(hub: Hub, made: Any) -> None:
    fault = hub.fail("POST .*/tag/", times=99)
    with pytest.raises(PolyfactError, match="run the same command again: it only sets the tag"):
        push(made.first, hub)
    hub.faults.remove(fault)
    repo = hub.repos[REPO]
    ours = repo.head
    repo.commit("Better words", {**ours.files, "README.md": File(b"better")})
    assert push(made.first, hub).commit == ours.id
    assert repo.tags == {"0.1.0": ours.id} and len(repo.commits) == 3
    assert repo.published("0.1.0") == whole(made.first)


@pytest.mark.parametrize("status", [503, 0], ids=["503", "no answer"])
@pytest.mark.parametrize("after", [False, True], ids=["lost on the way", "answer lost"])
def test_any_one_request_may_fail(hub: Hub, made: Any, status: int, after: bool) -> None:
    """Each request of a push in turn, first version and second."""
    for folder, commits in ((made.first, 1), (made.second, 2)):
        number = 0
        while True:
            number += 1
            for name in list(hub.repos):
                repo = hub.repos[name]
                del repo.commits[commits:]
                repo.tags.pop(folder.name, None)
                if commits == 1:
                    del hub.repos[name]
            hub.large.clear()
            hub.faults.clear()
            fault = hub.fail(EVERYTHING, nth=number, status=status, after=after)
            push(folder, hub)
            assert_published(hub, folder, commits=commits)
            if fault.seen < number:
                break
        assert number > 12


@pytest.mark.parametrize("status", [500, 502, 503, 504, 429, 0])
def test_a_commit_that_went_through_in_spite_of_its_answer_is_not_sent_again(hub: Hub, made: Any, status: int) -> None:
    hub.fail("POST .*/commit/", status=status, after=True)
    push(made.first, hub)
    assert sum("/commit/" in each for each in hub.requests) == 1
    assert_published(hub, made.first)


def test_a_commit_that_goes_through_late_is_recognised(hub: Hub, made: Any) -> None:
    """Answered 503, not there when looked for, there when sent again: the second is refused as stale."""
    asleep = hub.fail("POST .*/commit/", after=True)
    hidden: list[Any] = []

    def hide() -> None:
        if not hidden:
            hidden.append(hub.repos[REPO].commits.pop())

    def show() -> None:
        hub.repos[REPO].commits.append(hidden[0])

    # The third request for the refs is the look after the commit: before the repository was made, after it, now.
    hub.fail("GET .*/refs", nth=3, status=200, then=hide)
    hub.fail("POST .*/commit/", status=200, then=show)
    push(made.first, hub)
    assert asleep.seen == 2 and hidden
    assert_published(hub, made.first)


def test_a_hub_that_stays_away(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    before = hub.repos[REPO].published("main")
    for what in ("POST .*/commit/", "POST .*/preupload/", "PUT /lfs/", EVERYTHING):
        hub.faults.clear()
        hub.large.clear()
        hub.fail(what, times=999)
        with pytest.raises(PolyfactError, match=r"the hub answers 503 \(run the same command again later"):
            push(made.second, hub)
        assert hub.repos[REPO].published("main") == before and set(hub.repos[REPO].tags) == {"0.1.0"}
    hub.requests.clear()
    with pytest.raises(PolyfactError):
        push(made.second, hub)
    assert len(hub.requests) == _hub_client.ATTEMPTS


@pytest.mark.parametrize("what", ["POST .*/validate-yaml", "POST .*/preupload/", "POST .*/commit/"])
def test_a_hub_that_refuses_is_quoted_in_one_line_and_not_asked_again(hub: Hub, made: Any, what: str) -> None:
    fault = hub.fail(what, status=400, error='Invalid metadata: "license" must be one of these\nand more', times=99)
    with pytest.raises(PolyfactError) as caught:
        push(made.first, hub)
    said = 'the hub refused: Invalid metadata: "license" must be one of these'
    assert str(caught.value) == f"{hub.url}/datasets/{REPO}: {said}"
    assert fault.seen == 1
    assert_nothing(hub)


def test_a_hub_without_xet_is_told(hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hf_xet")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", False)
    with pytest.raises(
        PolyfactError, match=r"the upload failed: .*404.*HF_HUB_DISABLE_XET=1 uploads without Xet"
    ) as caught:
        push(made.first, hub)
    assert "\n" not in str(caught.value) and WRITER not in str(caught.value)
    assert_nothing(hub)


def test_a_hub_that_is_not_there(made: Any, hub: Hub) -> None:
    with pytest.raises(PolyfactError, match=r"^http://127\.0\.0\.1:9/datasets/org/small: the hub does not answer \(Conn"):
        push(made.first, hub, endpoint="http://127.0.0.1:9")


def test_the_waits_are_bounded_and_grow(hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(_hub_client.time, "sleep", waits.append)
    hub.fail(EVERYTHING, times=999)
    with pytest.raises(PolyfactError):
        push(made.first, hub, backoff=0.5)
    assert waits == [0.5, 1.0, 2.0]


def test_a_slow_hub_is_waited_for(hub: Hub, made: Any) -> None:
    hub.fail("POST .*/commit/", status=200, delay=0.2)
    push(made.first, hub)
    assert_published(hub, made.first)


def test_somebody_else_pushing_in_between_is_told_and_nothing_published(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    repo = hub.repos[REPO]
    theirs = File(b"theirs")
    hub.fail("POST .*/commit/", status=200, then=lambda: repo.commit("x", {**repo.head.files, "README.md": theirs}))
    with pytest.raises(DataError, match=r"somebody else pushed in between.*\(run the same command again\)"):
        push(made.second, hub)
    assert repo.head.title == "x" and len(repo.commits) == 3 and set(repo.tags) == {"0.1.0"}
    assert sum("/commit/" in each for each in hub.requests) == 2
    hub.faults.clear()
    push(made.second, hub)
    assert_published(hub, made.second, commits=3)


def test_a_409_for_the_parent_is_the_same(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    hub.fail("POST .*/commit/", status=409)
    with pytest.raises(DataError, match="somebody else pushed in between"):
        push(made.second, hub)
    assert len(hub.repos[REPO].commits) == 2


def test_a_tag_that_is_seen_a_little_later_is_waited_for(hub: Hub, made: Any) -> None:
    hub.fail("GET .*/revision/0.1.0", status=404, error="Invalid rev id: 0.1.0", code="RevisionNotFound")
    push(made.first, hub)
    assert_published(hub, made.first)


def test_a_tag_given_to_another_commit_meanwhile_is_told(hub: Hub, made: Any) -> None:
    def take() -> None:
        hub.repos[REPO].tags["0.1.0"] = hub.repos[REPO].commits[0].id

    hub.fail("POST .*/tag/", status=200, then=take)
    with pytest.raises(DataError, match=r"the tag 0\.1\.0 was given to another commit, \w{12}"):
        push(made.first, hub)


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (WRONG, "the hub does not accept this token (set HF_TOKEN to a valid token with write access)"),
        (READER, "this token has no permission here (set HF_TOKEN to a token that may write to org/small)"),
        ("", "no token for the hub (set HF_TOKEN to a token with write access)"),
        (None, "no token for the hub (set HF_TOKEN to a token with write access)"),
    ],
)
@pytest.mark.parametrize("there", [False, True])
def test_a_token_that_will_not_do(hub: Hub, made: Any, token: str | None, message: str, there: bool) -> None:
    if there:
        push(made.first, hub)
    count = len(hub.repos[REPO].commits) if there else 0
    with pytest.raises(UsageError) as caught:
        push(made.second, hub, token=token)
    assert str(caught.value) == f"{hub.url}/datasets/{REPO}: {message}"
    assert (len(hub.repos[REPO].commits) if there else len(hub.repos)) == count


@pytest.mark.parametrize("token", ["hf_a\nb", "hf_secret é", "hf_\x00secret"])
def test_a_broken_token_is_never_shown(hub: Hub, made: Any, token: str) -> None:
    with pytest.raises(UsageError, match="holds characters that no token has") as caught:
        push(made.first, hub, token=token)
    assert "secret" not in str(caught.value) and not hub.requests


def test_a_hub_that_says_the_token_is_not_quoted(hub: Hub, made: Any) -> None:
    client = _hub_client.HubRepo(REPO, WRITER, hub.url, 0)
    assert WRITER not in str(client.explain(ValueError(f"Bearer {WRITER} is odd")))


def test_the_token_comes_from_the_environment_alone(
    hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(WRITER)
    with pytest.raises(UsageError, match="no token"):
        push(made.first, hub, token=None)
    monkeypatch.setenv("HF_TOKEN", f" {WRITER}\n")
    push(made.first, hub, token=None, private=True)
    assert_published(hub, made.first)
    monkeypatch.delenv("HF_TOKEN")
    assert push(made.second, hub, token=None, dry_run=True).created, "a private one is not seen with a stored token"


def test_a_token_refused_as_for_a_missing_repository_is_still_a_wrong_token(hub: Hub, made: Any) -> None:
    hub.fail("GET .*/refs", status=401, error="Invalid username or password.", code="RepoNotFound", times=9)
    with pytest.raises(UsageError, match="the hub does not accept this token"):
        push(made.first, hub)
    assert not hub.writes


def test_what_is_not_ours_is_not_overwritten(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    repo = hub.repos[REPO]
    other = json.dumps({"name": "other-benchmark"}).encode()
    for files, message in (
        ({"data.csv": File(b"1,2")}, r"something else than releases \(data\.csv\).*--repo"),
        ({"manifest.json": File(other)}, 'holds the dataset "other-benchmark", not "small-benchmark"'),
        ({"manifest.json": File(b"[]")}, "something else than releases, not"),
        ({"manifest.json": File(b"{")}, "something else than releases, not"),
    ):
        before = repo.commit("theirs", files)
        with pytest.raises(DataError, match=message):
            push(made.second, hub)
        assert repo.head.id == before
    repo.commit("a card only", {"README.md": File(b"soon"), ".gitattributes": File(b"x")})
    push(made.second, hub)
    assert repo.published("0.2.0") == whole(made.second)


def test_a_public_repository_is_not_taken_for_a_private_one(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    with pytest.raises(UsageError, match="this repository is public"):
        push(made.second, hub, private=True)
    assert len(hub.repos[REPO].commits) == 2
    hub.repos[REPO].private = True
    push(made.second, hub, private=True)
    assert_published(hub, made.second, commits=2)


def test_a_gitignore_that_swallows_a_file_leaves_no_tag(hub: Hub, made: Any) -> None:
    push(made.first, hub)
    repo = hub.repos[REPO]
    repo.commit("ignore", {**repo.head.files, ".gitignore": File(b"data/chief-towns/en.jsonl\n")})
    with pytest.raises(PolyfactError, match=r"does not hold what was sent, and was not tagged.*\.gitignore"):
        push(made.second, hub)
    assert set(repo.tags) == {"0.1.0"}


def test_a_damaged_release_is_not_sent(hub: Hub, made: Any, tmp_path: Path) -> None:
    broken = tmp_path / "0.1.0"
    shutil.copytree(made.first, broken)
    (broken / "candidates.jsonl").write_text("")
    with pytest.raises(DataError, match=r"this release is damaged: candidates\.jsonl"):
        push(broken, hub)
    with pytest.raises(UsageError, match="no release here"):
        push(tmp_path, hub)
    assert not hub.requests


@pytest.mark.parametrize("repo", ["", "small", "a/b/c", "org/..", "org/a b", "-x/y"])
def test_a_repository_has_an_owner_and_a_name(hub: Hub, made: Any, repo: str) -> None:
    with pytest.raises(UsageError, match="write it as org/name"):
        release.push(made.first, repo, token=WRITER, endpoint=hub.url)
    assert not hub.requests


def test_offline_is_respected(hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(UsageError, match="HF_HUB_OFFLINE is set"):
        push(made.first, hub)
    assert not hub.requests


def test_without_the_library_the_extra_is_named(hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r'pip install "polyfact\[release\]"'):
        push(made.first, hub)


LOAD = """
import json, sys
import datasets
repo, revision, configs = sys.argv[1], sys.argv[2], sys.argv[3:]
rows = {}
for config in configs:
    loaded = datasets.load_dataset(repo, config, revision=revision)
    assert list(loaded) == ["test"]
    rows[config] = [dict(row) for row in loaded["test"]]
json.dump(rows, sys.stdout)
"""


def test_datasets_gives_back_every_value_of_each_version(hub: Hub, made: Any, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    push(made.first, hub)
    push(made.second, hub)
    for folder in (made.first, made.second):
        files = sorted(folder.glob("data/*/*.jsonl"))
        records: dict[str, tuple[list[Path], Any]] = {
            "all": (files, Item),
            "capitals-it": ([folder / "data/capitals/it.jsonl"], Item),
            "candidates": ([folder / "candidates.jsonl"], CandidateSet),
            "associations": ([folder / "associations.jsonl"], Association),
        }
        command = [sys.executable, "-c", LOAD, REPO, folder.name, *records]
        home = tmp_path / folder.name
        done = subprocess.run(command, env=environment(hub, home), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        loaded = json.loads(done.stdout)
        for config, (paths, record) in records.items():
            expected = [row.model_dump(mode="json") for path in paths for row in read_jsonl(path, record)]
            assert loaded[config] == expected


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_the_command(hub: Hub, made: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    here = ["release", "push", "--dir", str(made.workspace)]
    code, out, err = run([*here, "0.1.0"], capsys)
    assert (code, out) == (2, "") and "no benchmark.toml here" in err
    code, out, err = run([*here, "0.1.1", "--repo", REPO], capsys)
    assert code == 2 and '0.1.1" (did you mean "0.1.0"?)' in err
    code, out, err = run([*here, "0.1.0", "--repo", REPO], capsys)
    assert code == 2 and "no token for the hub" in err and err.count("\n") == 1

    monkeypatch.setenv("HF_TOKEN", WRITER)
    code, out, _ = run([*here, "0.1.0", "--repo", REPO, "--dry-run"], capsys)
    assert code == 0 and not hub.repos
    size = f"{sum(map(len, whole(made.first).values())):,}"
    assert re.search(r"^data/capitals/en\.jsonl +\d+$", out, re.MULTILINE)
    assert f"{hub.url}/datasets/org/small (a new repository)\n" in out
    assert f"{len(whole(made.first))} files, {size} bytes, 0 deleted, tag 0.1.0. Nothing was sent." in out

    code, out, _ = run([*here, "0.1.0", "--repo", REPO, "--private"], capsys)
    repo = hub.repos[REPO]
    assert code == 0 and repo.private and f"/tree/0.1.0\n{len(whole(made.first))} files" in out
    assert f"tag 0.1.0, commit {repo.head.id[:12]}" in out
    assert_published(hub, made.first)

    code, out, err = run(["release", "push", str(made.second), "--repo", REPO, "--json"], capsys)
    assert code == 0 and err == ""
    told = json.loads(out)
    assert told["commit"] == repo.head.id and told["tag"] == "0.2.0" and told["sent"] and told["bytes"] > 0
    assert_published(hub, made.second, commits=2)
    code, out, err = run([*here, "0.2.0", "--repo", REPO], capsys)
    assert (code, out) == (3, "") and "version 0.2.0 is published already" in err and WRITER not in err


def test_the_repository_is_the_recipes_when_not_given(hub: Hub, made: Any, capsys: Any, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    code, _, _ = run(["init", str(workspace), "-l", "en"], capsys)
    assert code == 0
    shutil.copytree(made.first, workspace / "releases" / "0.1.0")
    recipe = workspace / "benchmark.toml"
    plain = re.sub(r"(?m)^\[release\]\n(repo.*\n)?", "", recipe.read_text())
    recipe.write_text(plain)
    for arguments in (["--dir", str(workspace)], [str(workspace / "releases" / "0.1.0")]):
        code, _, err = run(["release", "push", "--dry-run", *arguments], capsys)
        assert code == 2 and "no repository to push to" in err and "--repo org/name" in err
    recipe.write_text(plain + '\n[release]\nrepo = "org/small"\n')
    for arguments in (["--dir", str(workspace)], [str(workspace / "releases" / "0.1.0")]):
        code, out, _ = run(["release", "push", "--dry-run", *arguments], capsys)
        assert code == 0 and "/datasets/org/small (a new repository)" in out
