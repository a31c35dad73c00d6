"""Runs as an evaluation leaves them behind: four languages, three topics, several forms, with what can be undefined."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

from polyfact.schemas import BiasedSubject, MetricRow, Metrics, RankedCandidate, RunRecord, slug, write_json

LANGUAGES = {"en": 1.0, "it": 0.55, "tr": 0.4, "hi": 0.06}
CHANCE = {"capitals": 0.046, "chemical-symbols": 0.053, "official-languages": 0.118}
FORMS = ("completion", "question")
TOP = (1, 3, 5, 10, 20)
CANDIDATES = {"capitals": 129, "official-languages": 96}
SUBJECTS = {
    ("official-languages", "it"): (
        (
            "Le lingue ufficiali della Slovenia sono",
            "Slovenia",
            ("sloveno",),
            ("italiano", "sloveno", "croato", "tedesco"),
        ),
        (
            "Le lingue ufficiali di Malta sono",
            "Malta",
            ("maltese", "inglese"),
            ("italiano", "inglese", "arabo", "maltese"),
        ),
    ),
    ("official-languages", "tr"): (
        ("Bulgaristan'ın resmî dili", "Bulgaristan", ("Bulgarca",), ("Türkçe", "Bulgarca", "Rumence", "Rusça")),
        (
            "Azerbaycan'ın resmî dili",
            "Azerbaycan",
            ("Azerbaycan dili",),
            ("Türkçe", "Rusça", "Azerbaycan dili", "Farsça"),
        ),
        ("Irak'ın resmî dilleri", "Irak", ("Arapça", "Kürtçe"), ("Türkçe", "Arapça", "Kürtçe", "Farsça")),
        ("Kosova'nın resmî dilleri", "Kosova", ("Arnavutça", "Sırpça"), ("Arnavutça", "Türkçe", "Sırpça", "Rumca")),
    ),
    ("official-languages", "hi"): (("नेपाल की आधिकारिक भाषा है", "नेपाल", ("नेपाली",), ("हिन्दी", "नेपाली", "उर्दू", "बंगाली")),),
}
ALIGNED = {"italiano", "Türkçe", "हिन्दी"}


def run(model: str = "tiny-lm", *, engine: str = "hf", strength: float = 0.7, seed: int = 0) -> tuple[RunRecord, Metrics]:
    """A record and its metrics. strength: 0 ranks at chance, 1 as the oracle; engine "reference" without noise."""
    dice = random.Random(f"{model}/{seed}")
    noise = 0.0 if engine == "reference" else 0.04
    identity = hashlib.sha256(f"{model}/{engine}/{strength}/{seed}".encode()).hexdigest()
    rows = [*_accuracy(dice, strength, noise), *_tokens(engine), *_bias(dice, strength)]
    metrics = Metrics(
        task="fiber",
        model=model,
        run=identity[:12],
        rows=rows,
        biased_subjects=[] if engine == "reference" else list(_subjects()),
        n_items=1284,
        n_errors=0,
        ties=17,
    )
    return _record(identity, model, engine, seed), metrics


def write_run(folder: Path, model: str = "tiny-lm", **how: object) -> Path:
    """The two files of a run where an evaluation puts them. Returns the run's folder."""
    record, metrics = run(model, **how)  # type: ignore[arg-type]
    return store(folder, record, metrics)


def store(folder: Path, record: RunRecord, metrics: Metrics) -> Path:
    """``folder``/model/hash with run.json and metrics.json."""
    where = folder / slug(record.model) / record.run[:12]
    write_json(where / "run.json", record)
    write_json(where / "metrics.json", metrics)
    return where


def _record(identity: str, model: str, engine: str, seed: int) -> RunRecord:
    info = {"name": model, "family": "llama", "parameters": 134515008, "dtype": "float32", "bos": "absent"}
    return RunRecord(
        run=identity,
        model=model,
        engine=engine,
        task="fiber",
        identity={
            "data": "af39bb22740d7775",
            "task": {"name": "fiber", "top": list(TOP), "resamples": 2000},
            "seed": seed,
        },
        model_info={"name": model, "family": "reference"} if engine == "reference" else info,
        scoring={"normalise": "sum", "bos": "tokenizer", "temperature": 1.0, "ties": "expected"},
        data={"path": "", "items": 1284, "card": "https://example.org/benchmarks/capitals"},
        environment={"python": "3.11.7", "packages": {"torch": "2.13.0", "polyfact": None}, "wall_seconds": 61.5},
    )


def _forms(language: str) -> tuple[str, ...]:
    return (*FORMS, "completion_suffixed") if language == "tr" else FORMS


def _accuracy(dice: random.Random, strength: float, noise: float) -> Iterator[MetricRow]:
    def rows(topic: str | None, language: str | None, form: str | None, target: str, n: int) -> Iterator[MetricRow]:
        chance = 0.52 if target == "count" else CHANCE.get(topic or "", 0.072)
        known = strength if strength == 1 else strength * LANGUAGES.get(language or "", 0.5)
        value = min(max(chance + (1 - chance) * known * (0.2 if target == "count" else 1) + dice.gauss(0, noise), 0), 1)
        half = 1.5 / n**0.5 * 0.5
        where = {"topic": topic, "language": language, "form": form, "target": target, "n": n, "n_clusters": n // 2}
        flags = ["parallel-subset"] if language is None else []
        for name, middle, least in (("map", value, 0.0), ("map_corrected", (value - chance) / (1 - chance), -1.0)):
            yield MetricRow(
                metric=name,
                value=middle,
                low=max(least, middle - half),
                high=min(1.0, middle + half),
                chance=chance if name == "map" else 0.0,
                ceiling=1.0,
                interval="expanded-percentile",
                flags=flags,
                **where,
            )
        first = max(0.0, value - 0.1) if strength < 1 else 1.0
        yield MetricRow(metric="p@1", value=first, low=max(0.0, first - half), high=1.0, chance=chance / 2, **where)

    for target in ("entities", "count"):
        topics = list(CHANCE) if target == "entities" else ["official-languages"]
        yield from rows(None, None, None, target, 1152)
        yield MetricRow(
            metric="map",
            target=target,
            value=strength * 0.55,
            chance=0.07,
            n=27,
            pooling="macro",
            interval="none: a mean over cells",
        )
        for topic in topics:
            yield from rows(topic, None, None, target, 384)
        for form in (*FORMS, "completion_suffixed"):
            yield from rows(None, None, form, target, 400)
        for language in LANGUAGES:
            yield from rows(None, language, None, target, 288)
            for topic in topics:
                if (topic, language) == ("chemical-symbols", "hi"):
                    for form in (None, *_forms(language)):
                        where = {"topic": topic, "language": language, "form": form, "target": target}
                        for name in ("map", "map_corrected", "p@1"):
                            yield MetricRow(metric=name, reason="scoring-failed", flags=["errors:48"], **where)
                    continue
                for form in (None, *_forms(language)):
                    yield from rows(topic, language, form, target, 96 if form is None else 48)
            for form in _forms(language):
                yield from rows(None, language, form, target, 144)


def _tokens(engine: str) -> Iterator[MetricRow]:
    for language, count in {"en": 2.3, "it": 3.1, "tr": 4.4, "hi": 9.8}.items():
        if engine == "reference":
            yield MetricRow(metric="tokens_per_candidate", language=language, reason="no-tokens")
        else:
            yield MetricRow(metric="tokens_per_candidate", language=language, value=count, n=321, n_clusters=160)


def _bias(dice: random.Random, strength: float) -> Iterator[MetricRow]:
    for topic, size in CANDIDATES.items():
        for language in LANGUAGES:
            for n in TOP:
                yield from _bias_cell(dice, topic, language, n, size, strength)


def _bias_cell(dice: random.Random, topic: str, language: str, n: int, size: int, strength: float) -> Iterator[MetricRow]:
    where = {"topic": topic, "language": language, "target": "entities"}
    undefined = {("capitals", "hi"): "no-aligned-candidates"}
    why = "language-left-out" if language == "en" else undefined.get((topic, language))
    names = ("fib", "fib_any", "fib_minus", "lift")
    if why:
        yield from (MetricRow(metric=f"{name}@{n}", reason=why, **where) for name in names)
        return
    pull = strength * (0.35 if language == "tr" else 0.15)
    value = min(1.0, n / size + pull * (1 - 1 / (n + 1)) + abs(dice.gauss(0, 0.01)))
    ceiling = min(1.0, n / 4) if topic == "official-languages" else 1.0
    value = min(value, ceiling)
    common = {"n": 186, "n_clusters": 93, "interval": "expanded-percentile", **where}
    flags = ["undefined:all-aligned-are-true:6"]
    for name, middle in (("fib", value * 0.8), ("fib_any", min(1.0, value * 1.2)), ("fib_minus", value)):
        low, high = max(0.0, middle - 0.06), min(1.0, middle + 0.06)
        chance = n / (size - (name == "fib_minus"))
        row = MetricRow(metric=f"{name}@{n}", value=middle, low=low, high=high, chance=chance, flags=flags, **common)
        yield row.model_copy(update={"ceiling": ceiling})
    if language == "hi":
        yield MetricRow(metric=f"lift@{n}", reason="no-other-language", **where)
    else:
        lift = pull * 0.7 - 0.03
        yield MetricRow(metric=f"lift@{n}", value=lift, low=lift - 0.05, high=lift + 0.05, chance=0.0, **common)


def _subjects() -> Iterator[BiasedSubject]:
    for (topic, language), found in SUBJECTS.items():
        for question, subject, expected, ranking in found:
            yield BiasedSubject(
                item_id=f"{topic}/local:{slug(subject)}/completion/entities/{language}",
                topic=topic,
                language=language,
                form="completion",
                subject=subject,
                question=question,
                bias=1.0,
                lift=None if language == "hi" else 0.667,
                expected=list(expected),
                ranking=[
                    RankedCandidate(
                        rank=place,
                        surface=surface,
                        ids=[f"local:{slug(surface)}"],
                        score=-2.1 * place - 0.37,
                        gold=surface in expected,
                        aligned=surface in ALIGNED,
                    )
                    for place, surface in enumerate(ranking, start=1)
                ],
            )
