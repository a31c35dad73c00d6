"""Two releases of the small benchmark: the second has a topic more, a file less and a question changed."""

from __future__ import annotations

from pathlib import Path

from polyfact import release
from polyfact.schemas import CandidateSet, Item, read_jsonl, write_jsonl
from tests.support.benchmark import write_benchmark

NAME = "small-benchmark"
REMOVED = "data/official-languages/it"
ADDED = "data/chief-towns/en"


def build(workspace: Path, version: str) -> Path:
    """Release what stands in ``workspace``."""
    settings: dict[str, dict[str, Path]] = {"languages": {}, "topics": {}}
    for kind, names in (("languages", ("en", "it", "tr")), ("topics", ("capitals", "chief-towns", "official-languages"))):
        for name in names:
            path = workspace / kind / f"{name.replace('-', '_')}.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'name = "{name}"\n', encoding="utf-8")
            settings[kind][name] = path
    return release.build(
        workspace,
        version=version,
        name=NAME,
        licence="CC0-1.0",
        unaudited=True,
        languages_used=settings["languages"],
        topics_used=settings["topics"],
    ).folder


def first(workspace: Path) -> Path:
    """0.1.0: capitals and official languages in three languages."""
    return build(write_benchmark(workspace), "0.1.0")


def second(workspace: Path) -> Path:
    """0.2.0, of the same workspace."""
    items, kept = read_jsonl(workspace / "items.jsonl", Item), []
    sets = read_jsonl(workspace / "candidates.jsonl", CandidateSet)
    for item in items:
        if f"data/{item.topic}/{item.language}" == REMOVED:
            continue
        if item.id == "capitals/Q38/completion/entities/en":
            item = item.model_copy(update={"question": "Italy's capital is", "content_hash": ""}).sealed()
        kept.append(item)
        if item.topic == "capitals" and item.language == "en":
            question_id = item.question_id.replace("capitals", "chief-towns")
            moved = {"topic": "chief-towns", "question_id": question_id, "id": f"{question_id}/en", "content_hash": ""}
            kept.append(item.model_copy(update=moved).sealed())
    write_jsonl(workspace / "items.jsonl", kept)
    write_jsonl(workspace / "candidates.jsonl", sets)
    return build(workspace, "0.2.0")
