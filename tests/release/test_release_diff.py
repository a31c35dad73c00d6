"""What differs between two versions, and how far the version has to move for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyfact import release
from polyfact.errors import DataError, UsageError
from polyfact.schemas import CandidateSet, Item, read_jsonl, step_between, write_jsonl
from tests.support.items_fixture import item, write_settings, write_workspace

FRANCE, ITALY, SPAIN = (f"capitals/local:{name}/completion/entities/en" for name in ("france", "italy", "spain"))


def make(folder: Path, version: str, answers: dict[str, str], *, name: str = "capitals", sets: bool = False) -> Path:
    """A release of one question for each subject."""
    languages, topics = write_settings(folder)
    candidates = CandidateSet.of("capitals", "en", "completion", "entities", " ", {a: {a} for a in answers.values()})
    items = [
        item("capitals", f"local:{subject}", "en", "?", [answer], candidates=candidates.id if sets else "")
        for subject, answer in answers.items()
    ]
    write_jsonl(folder / "items.jsonl", items)
    write_jsonl(folder / "candidates.jsonl", [candidates] if sets else [])
    return release.build(
        folder,
        version=version,
        name=name,
        licence="CC0-1.0",
        unaudited=True,
        languages_used=languages,
        topics_used=topics,
    ).folder


def test_r11_ids_by_what_became_of_them(tmp_path: Path) -> None:
    old = make(tmp_path / "a", "1.0.0", {"france": "Paris", "spain": "Madrid"})
    new = make(tmp_path / "b", "1.1.0", {"france": "Lyon", "italy": "Rome"})
    found = release.diff(old, new)
    assert (found.name, found.old, found.new) == ("capitals", "1.0.0", "1.1.0")
    difference = found.difference
    assert (difference.added, difference.removed, difference.changed) == ([ITALY], [SPAIN], [FRANCE])
    assert difference.step == "major"
    assert found.problem is not None
    assert found.problem.startswith(
        "1.0.0 to 1.1.0 is a minor step, but 1 added, 1 removed, 1 changed items need a major"
    )


@pytest.mark.parametrize(
    ("version", "answers", "step", "allowed"),
    [
        ("1.0.1", {"france": "Paris"}, "patch", True),
        ("1.0.1", {"france": "Paris", "italy": "Rome"}, "minor", False),
        ("1.1.0", {"france": "Paris", "italy": "Rome"}, "minor", True),
        ("1.9.0", {"france": "Lyon"}, "major", False),
        ("2.0.0", {"france": "Lyon"}, "major", True),
        ("2.0.0", {"italy": "Rome"}, "major", True),
        ("0.9.0", {"france": "Paris"}, "patch", False),
    ],
)
def test_the_least_step_and_whether_it_was_made(
    tmp_path: Path, version: str, answers: dict[str, str], step: str, allowed: bool
) -> None:
    old = make(tmp_path / "a", "1.0.0", {"france": "Paris"})
    found = release.diff(old, make(tmp_path / "b", version, answers))
    assert found.difference.step == step
    assert (found.problem is None) == allowed


def test_another_candidate_set_is_changed_data_for_a_ranking(tmp_path: Path) -> None:
    old = make(tmp_path / "a", "1.0.0", {"france": "Paris"}, sets=True)
    found = release.diff(old, make(tmp_path / "b", "1.1.0", {"france": "Paris", "italy": "Rome"}, sets=True))
    assert (found.difference.changed, found.difference.reranked) == ([], [FRANCE])
    assert found.difference.step == "major"


def test_the_changelog_says_that_items_are_ranked_among_other_candidates(tmp_path: Path) -> None:
    make(tmp_path, "1.0.0", {"france": "Paris"}, sets=True)
    new = make(tmp_path, "2.0.0", {"france": "Paris", "italy": "Rome"}, sets=True)
    text = (new / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "added 1, changed 0, removed 0, ranked among other candidates 1 items" in text
    assert f"Ranked among other candidates:\n\n- `{FRANCE}`" in text
    assert "not comparable with those on 1.0.0" in text


def test_a_review_is_no_change_of_content(tmp_path: Path) -> None:
    languages, topics = write_workspace(tmp_path)
    options = {"name": "x", "licence": "CC0-1.0", "unaudited": True, "languages_used": languages, "topics_used": topics}
    old = release.build(tmp_path, version="1.0.0", **options).folder  # type: ignore[arg-type]
    rows = read_jsonl(tmp_path / "items.jsonl", Item)
    reviewed = [row.model_copy(update={"review": row.review.model_copy(update={"status": "accepted"})}) for row in rows]
    write_jsonl(tmp_path / "items.jsonl", reviewed)
    new = release.build(tmp_path, version="1.0.1", **options).folder  # type: ignore[arg-type]
    assert release.diff(old, new).difference == release.Difference(reranked=[], added=[], removed=[], changed=[])
    assert release.diff(old, new).problem is None


def test_two_datasets_and_no_release_are_refused(tmp_path: Path) -> None:
    old = make(tmp_path / "a", "1.0.0", {"france": "Paris"})
    with pytest.raises(DataError, match="two datasets"):
        release.diff(old, make(tmp_path / "b", "1.1.0", {"france": "Paris"}, name="others"))
    with pytest.raises(DataError, match="cannot read"):
        release.diff(old, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "step"),
    [
        ("1.2.3", "2.0.0", "major"),
        ("1.2.3", "1.3.0", "minor"),
        ("1.2.3", "1.2.4", "patch"),
        ("1.0.0-rc.1", "1.0.0", "patch"),
        ("0.2.3", "0.3.0", "major"),
        ("0.2.3", "0.2.4", "minor"),
        ("0.2.3", "1.0.0", "major"),
        ("1.2.3", "1.2.3", "none"),
        ("1.2.3", "1.0.9", "none"),
    ],
)
def test_how_far_a_version_is_from_another(old: str, new: str, step: str) -> None:
    assert step_between(old, new) == step
    with pytest.raises(UsageError):
        step_between(old, "v1")
