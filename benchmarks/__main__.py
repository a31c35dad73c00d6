"""make bench: items built and candidates scored per second, as ratios to plain loops in the same run.

The plain loop of building asks the knowledge base for one label at a time; the plain loop of scoring runs the model once
for each candidate, prompt and all. Both give the same result as the product's own code, which is checked first. Tokens
that a method forwards stand beside its speed: they do not depend on the machine.
"""

from __future__ import annotations

import datetime
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from polyfact import builders, evaluators
from polyfact._template import recipe
from polyfact.builders import sources
from polyfact.evaluators.engines import Scores
from polyfact.evaluators.engines._hf import HfScorer
from polyfact.schemas import CandidateSet, Item
from polyfact.workspace import Workspace, create

LANGUAGES = ("en", "it", "tr", "hi")
PROMPTS = {"packed": 4, "cached": 4, "naive": 1}


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
    """Time the scoring of the same prompts with each method, in every language."""
    benchmark = evaluators.load(folder)
    scorers = {method: HfScorer("smollm2", method=method) for method in PROMPTS}
    assert scorers["packed"].path == "packed", scorers["packed"].check
    for language in LANGUAGES:
        items = [i for i in benchmark.items if i.language == language and i.topic == "official-languages"]
        chosen = [item for item in items if item.form == "completion" and item.target == "entities"]
        candidates = benchmark.sets[chosen[0].candidates]
        found = {method: timed(scorer, chosen[: PROMPTS[method]], candidates) for method, scorer in scorers.items()}
        plain = found["naive"]
        for method, done in found.items():
            worst = max(abs(a - b) for a, b in zip(done.first, plain.first, strict=True))
            assert worst < 1e-3, worst
            print(
                f"score {language}  {method:6}  {PROMPTS[method]} × {len(plain.first)} candidates: "
                f"{len(plain.first) / done.seconds:.0f}/s, {plain.seconds / done.seconds:.1f}× the plain loop's speed, "
                f"{done.tokens:.0f} tokens a prompt, {plain.tokens / done.tokens:.1f}× fewer; "
                f"largest difference {worst:.1e} nats"
            )


class Timed(NamedTuple):
    """Seconds and forwarded tokens of a prompt, and the scores of the first one."""

    seconds: float
    tokens: float
    first: list[float]


def timed(scorer: HfScorer, items: list[Item], candidates: CandidateSet) -> Timed:
    """Score the items; the first of them is scored once before the clock starts."""
    scorer.score(items[0], candidates)
    tokens, start = scorer.forwarded, time.perf_counter()
    [first, *_] = scorer.score_many(items, candidates)
    seconds = time.perf_counter() - start
    assert isinstance(first, Scores), first
    return Timed(seconds / len(items), (scorer.forwarded - tokens) / len(items), first.values)


def main() -> None:
    """Run both."""
    with tempfile.TemporaryDirectory() as scratch:
        space = build(Path(scratch) / "bench")
        score(space.root)


if __name__ == "__main__":
    main()
