"""make bench: items built and candidates scored per second, as ratios to plain loops in the same run.

The plain loop of building asks the knowledge base for one label at a time; the plain loop of scoring runs the model once
for each candidate, prompt and all. Both give the same result as the product's own code, which is checked first.
"""

from __future__ import annotations

import datetime
import tempfile
import time
from pathlib import Path

from polyfact import builders, evaluators
from polyfact._template import recipe
from polyfact.builders import sources
from polyfact.evaluators.engines._hf import HfScorer
from polyfact.schemas import Item
from polyfact.workspace import Workspace, create

LANGUAGES = ("en", "it", "tr", "hi")
PROMPTS = 1


def build(folder: Path) -> Workspace:
    """Time a build of everything, and the same labels fetched one by one."""
    space = create(folder, recipe("bench", languages=LANGUAGES, max_subjects=1000, as_of=datetime.date(2026, 11, 30)))
    builders.build(space, stages=["facts"])  # warm: the knowledge base is loaded once a process
    start = time.perf_counter()
    report = builders.build(space)
    seconds = time.perf_counter() - start
    items = report.stages[-1].written
    print(f"build     {items} items, {items / seconds:.0f} items/s")
    source = sources.open_source("embedded")
    entities = sorted({item.subject_id for item in space.read("items.jsonl", Item)})[:100]
    start = time.perf_counter()
    batched = sources.labels_of(source, entities, LANGUAGES)
    together = time.perf_counter() - start
    start = time.perf_counter()
    single: dict[str, dict[str, object]] = {}
    for entity in entities:
        for code in LANGUAGES:
            single.setdefault(entity, {}).update(sources.labels_of(source, [entity], [code]).get(entity, {}))
    apart = time.perf_counter() - start
    assert {entity: known for entity, known in single.items() if known} == batched
    print(
        f"labels    {len(entities)} entities × {len(LANGUAGES)} languages: {apart / together:.1f}× the plain loop's speed"
    )
    return space


def score(folder: Path) -> None:
    """Time the scoring of the same prompts with the cached and with the plain loop, in every language."""
    benchmark = evaluators.load(folder)
    fast, plain = HfScorer("smollm2"), HfScorer("smollm2", naive=True)
    for language in LANGUAGES:
        items = [i for i in benchmark.items if i.language == language and i.topic == "official-languages"]
        chosen = [item for item in items if item.form == "completion" and item.target == "entities"][:PROMPTS]
        seconds, scores = {}, {}
        for name, scorer in (("fast", fast), ("plain", plain)):
            scorer.score(chosen[0], benchmark.sets[chosen[0].candidates])
            start = time.perf_counter()
            scores[name] = [scorer.score(item, benchmark.sets[item.candidates]).values for item in chosen]
            seconds[name] = time.perf_counter() - start
        worst = max(
            abs(a - b) for f, p in zip(scores["fast"], scores["plain"], strict=True) for a, b in zip(f, p, strict=True)
        )
        assert worst < 1e-3, worst
        count = sum(map(len, scores["fast"]))
        print(
            f"score {language}  {count} candidates: {count / seconds['fast']:.0f}/s, "
            f"{seconds['plain'] / seconds['fast']:.1f}× the plain loop's speed, largest difference {worst:.1e} nats"
        )


def main() -> None:
    """Run both."""
    with tempfile.TemporaryDirectory() as scratch:
        space = build(Path(scratch) / "bench")
        score(space.root)


if __name__ == "__main__":
    main()
