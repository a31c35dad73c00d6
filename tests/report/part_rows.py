"""The rows that a run has beside those of tests.support.metrics_fixture: with and without the subject, and by part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polyfact.schemas import MetricRow
from tests.support.metrics_fixture import CHANCE, LANGUAGES, run, store

SOURCES = ("native", "mt", "mul")
COUNTS = {"1": 0.31, "2": 0.24, "10": 0.12, "6+": 0.17}
FORMS = ("completion", "question")
WORDINGS = ("1", "2", "3")


def write_whole_run(folder: Path, model: str = "tiny-lm", **how: Any) -> Path:
    """A run with all rows. Returns its folder."""
    record, metrics = run(model, **how)
    dice = random.Random(f"{model}/{how.get('seed', 0)}/parts")
    kept = [row for row in metrics.rows if row.metric != "tokens_per_prompt"]
    added = [*_prior(dice, kept), *_parts(dice), *_wordings(dice), *_prompts()]
    return store(folder, record, metrics.model_copy(update={"rows": [*kept, *added]}))


def _row(dice: random.Random, metric: str, **values: Any) -> MetricRow:
    value = values.pop("value", None)
    value = dice.uniform(0.1, 0.9) if value is None else value
    ends = {"low": max(-1.0, value - dice.uniform(0.02, 0.2)), "high": min(1.0, value + dice.uniform(0.02, 0.2))}
    given = {"n": dice.randrange(3000), "n_clusters": 40, "chance": 0.2, "interval": "expanded-percentile"}
    return MetricRow(metric=metric, **(given | {"value": value} | ends | values))


def _prior(dice: random.Random, rows: list[MetricRow]) -> Iterator[MetricRow]:
    """Both metrics wherever MAP is; undefined where MAP is."""
    for row in rows:
        if row.metric != "map" or row.pooling != "micro":
            continue
        where = {"topic": row.topic, "language": row.language, "form": row.form, "target": row.target}
        if row.value is None:
            yield from (MetricRow(metric=name, reason="no-prior", **where) for name in ("map_prior", "map_over_prior"))
            continue
        prior = dice.uniform(0.0, 0.5)
        yield _row(dice, "map_prior", value=prior, chance=row.chance, n=row.n, **where)
        gain = row.value - prior
        flags = ["interval:all-equal"] if row.language == "it" else []
        held = {"low": -0.02, "high": 0.3} if row.language == "hi" else {}
        yield _row(dice, "map_over_prior", value=gain, chance=None, n=row.n, flags=flags, **where, **held)


def _parts(dice: random.Random) -> Iterator[MetricRow]:
    for language in LANGUAGES:
        for target in ("entities", "count"):
            for source in SOURCES if language != "en" else SOURCES[:1]:
                where = {"split_by": "label_source", "split": source, "language": language, "target": target}
                yield _row(dice, "map", **where)
        for count, chance in COUNTS.items():
            where = {"split_by": "entity_count", "split": count, "language": language, "target": "entities"}
            if (language, count) == ("tr", "6+"):
                yield MetricRow(metric="map", reason="scoring-failed", flags=["errors:4"], **where)
            else:
                yield _row(dice, "map", chance=chance, **where)


def _wordings(dice: random.Random) -> Iterator[MetricRow]:
    for language in LANGUAGES:
        for topic in CHANCE:
            for form in FORMS:
                where = {"topic": topic, "language": language, "form": form, "target": "entities"}
                parts = [_row(dice, "map", split_by="paraphrase", split=name, **where) for name in WORDINGS]
                yield from parts
                values = [row.value or 0.0 for row in parts]
                if (topic, language) == ("chemical-symbols", "hi"):
                    yield MetricRow(metric="wording_spread", reason="no-common-subjects", n=3, **where)
                else:
                    spread = max(values) - min(values)
                    yield MetricRow(metric="wording_spread", value=spread, n=3, n_clusters=20, **where)
        mean = {"language": language, "target": "entities", "pooling": "macro", "n": 6, "flags": ["cells:6"]}
        yield MetricRow(metric="wording_spread", value=dice.uniform(0.1, 0.3), **mean)


def _prompts() -> Iterator[MetricRow]:
    for language, count in {"en": 9.04, "it": 12.46, "tr": 15.2, "hi": 37.5}.items():
        yield MetricRow(
            metric="tokens_per_prompt",
            language=language,
            value=count,
            low=count - 1,
            high=count + 1,
            n=321,
            n_clusters=160,
        )
