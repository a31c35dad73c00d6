"""polyfact evaluate: a benchmark, a model, a task → scores, metrics and the run's record."""

from __future__ import annotations

import functools
import importlib.metadata
import math
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from polyfact.errors import DataError, PolyfactError, UsageError, nearest
from polyfact.evaluators import _aggregate, _bias, _splits
from polyfact.evaluators._data import Benchmark, open_data
from polyfact.evaluators._hub import is_hub
from polyfact.evaluators._scores import prior_path, read_scores, shard_path, write_scores
from polyfact.evaluators.engines import REFERENCE, BatchScorer, Reference, Scorer, Scores
from polyfact.evaluators.ranking import log_probabilities
from polyfact.evaluators.tasks import RankingTask, find_task
from polyfact.execution import Progress, quiet
from polyfact.schemas import CandidateSet, Item, Metrics, RunRecord, ScoreRow, digest, read_json, redact, slug, write_json

__all__ = ["ENGINES", "evaluate", "run_folder", "score_again"]

ENGINES = ("hf",)
ITEMS_PER_SHARD = 50
MACHINE = frozenset({"device", "batch_tokens", "check"})
"""What a model's description says of the machine: it changes no score but for rounding."""


def evaluate(
    data: Path | str,
    model: str,
    *,
    engine: str = "hf",
    task: str = "fiber",
    out: Path | None = None,
    languages: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress = quiet,
) -> RunRecord:
    """Rank the candidates of every item of ``data`` with ``model``.

    data: a workspace, a release, or hub:org/name@revision. model: a folder, a hub id, "smollm2", or a reference
    model (oracle, random, empty). out: where runs go; see `run_folder` for where they go when it is not given.
    limit: at most so many subjects of each cell. seed: of the intervals and of the random model.

    Scores are kept shard by shard in a folder whose name is the hash of everything that changes them: the
    same call goes on where it was stopped, and ends with the same bytes. An item that cannot be scored is a
    row with its error, and is tried again by the next call.

    Raises UsageError for an unknown task, engine, language or topic and for a model or folder that is not
    there, DataError for a broken file, and PolyfactError, after everything is written, when no item at all
    could be scored.
    """
    declared = find_task(task)
    if engine not in ENGINES:
        raise UsageError(f'unknown engine "{engine}"', fix=nearest(engine, ENGINES))
    whole, origin = open_data(data)
    benchmark = whole.only(list(languages or ()), list(topics or ()), limit)
    if not benchmark.items:
        raise UsageError("no items to evaluate", where=str(data))
    started = time.monotonic()
    scorer = _open(model, seed, declared, progress)
    about = scorer.info()
    identity = {
        **_data_identity(benchmark),
        "model": {key: value for key, value in about.items() if key not in MACHINE},
        "task": declared.declared(),
        "seed": seed,
    }
    record = RunRecord(
        run=digest(identity, length=64),
        model=scorer.name,
        engine="reference" if model in REFERENCE else engine,
        task=declared.name,
        identity=identity,
        model_info=about,
        scoring=declared.declared()["scoring"],
        data={
            **origin,
            "items": len(benchmark.items),
            "sets": len(benchmark.sets),
            "files": benchmark.files,
        },
        environment={},
    )
    folder = run_folder(record, data, out)
    _score_all(benchmark, scorer, folder, f"scoring with {model}", progress)
    if scorer.reads_prompt:
        _score_priors(benchmark, scorer, folder, progress)
    progress("metrics", 0, 1)
    measured = _measure(benchmark, folder, declared, record, seed)
    record = record.model_copy(update={"environment": _environment(time.monotonic() - started)})
    write_json(folder / "run.json", record)
    write_json(folder / "metrics.json", measured)  # last: a folder that has it is a finished run
    if measured.n_errors == measured.n_items:
        first = next(row.error for row in read_scores(shard_path(folder, 0)))
        raise PolyfactError(f"no item could be scored; the first one: {first}", where=str(folder))
    return record


def run_folder(record: RunRecord, data: Path | str, out: Path | None = None) -> Path:
    """Where a run's files are: OUT/MODEL/HASH.

    Without ``out`` in the workspace's runs/; a release's runs go to the workspace that it was made in, those of a
    release elsewhere beside it, for it holds what its manifest lists; those of data from the hub to the current
    folder's runs/.
    """
    if out is None and is_hub(data):
        out = Path("runs")
    if out is None:
        data = Path(data)
        whole = data.resolve()
        if not (data / "manifest.json").is_file():
            out = data / "runs"
        else:
            home = whole.parent
            out = (home.parent if home.name == "releases" else home) / "runs"
    return out / slug(record.model) / record.run[:12]


def score_again(run: Path, data: Path | str) -> Metrics:
    """The metrics of a stored run, computed anew from its scores and written to its metrics.json.

    What belongs to which language is read from ``data`` as it is now, so that an edited association counts.
    Raises DataError for a run that was not finished and for data that the run was not made on.
    """
    record = RunRecord.model_validate(read_json(run / "run.json"))
    scored = {row.item_id for shard in sorted(run.glob("scores-*.parquet")) for row in read_scores(shard)}
    whole, _ = open_data(data)
    items = [item for item in whole.items if item.id in scored]
    benchmark = Benchmark(
        items, {item.candidates: whole.sets[item.candidates] for item in items}, whole.associations, whole.wordings
    )
    made_on = _data_identity(benchmark)
    if made_on != {key: record.identity.get(key) for key in made_on}:
        raise DataError("this run was made on other items", where=str(run), fix=f"evaluate {data} again")
    measured = _measure(benchmark, run, find_task(record.task), record, record.identity["seed"])
    write_json(run / "metrics.json", measured)
    return measured


def _data_identity(benchmark: Benchmark) -> dict[str, str]:
    named = {item.provenance.wording_hash for item in benchmark.items}
    wordings = [row.model_dump() for name, row in sorted(benchmark.wordings.items()) if name in named]
    # Not the hashes that items and sets carry: they stay as they were when a person edits the files.
    return {
        "data": digest(sorted((item.id, digest(item.content())) for item in benchmark.items)),
        "candidates": digest(sorted(map(_named_by_content, benchmark.sets.values()))),
        "wordings": digest(wordings),
    }


def _named_by_content(row: CandidateSet) -> str:
    """The id that a set of this content has."""
    by_surface = {candidate.surface: set(candidate.ids) for candidate in row.candidates}
    return CandidateSet.of(row.topic, row.language, row.form, row.target, row.separator, by_surface).id


def _open(model: str, seed: int, task: RankingTask, progress: Progress) -> Scorer:
    if model in REFERENCE:
        return Reference(model, seed)
    from polyfact.evaluators.engines._hf import HfScorer

    return HfScorer(model, scoring=task.scoring, progress=progress)


def _score_all(benchmark: Benchmark, scorer: Scorer, folder: Path, what: str, progress: Progress) -> None:
    """Write every shard that is not there yet or holds an error; its items are fixed by their sorted ids."""
    for unfinished in (*folder.glob(".scores-*.part"), *folder.glob(f".{prior_path(folder).name}.*.part")):
        unfinished.unlink(missing_ok=True)
    items = benchmark.items
    for number, first in enumerate(range(0, len(items), ITEMS_PER_SHARD)):
        path = shard_path(folder, number)
        done = {row.item_id: row for row in read_scores(path) if row.error is None} if path.exists() else {}
        members = items[first : first + ITEMS_PER_SHARD]
        if len(done) == len(members):
            continue
        missing = [item for item in members if item.id not in done]
        tell = functools.partial(_tell, progress, what, first + len(done), len(items))
        done.update((row.item_id, row) for row in _score_items(missing, benchmark, scorer, tell))
        write_scores(path, [done[item.id] for item in members])


def _tell(progress: Progress, what: str, before: int, total: int, done: int) -> None:
    progress(what, before + done, total)


def _score_items(
    items: Sequence[Item], benchmark: Benchmark, scorer: Scorer, tell: Callable[[int], None]
) -> list[ScoreRow]:
    """The row of each item. Those of one candidate set go together where the scorer can do that."""
    rows: dict[int, ScoreRow] = {}
    if not isinstance(scorer, BatchScorer):
        for place, item in enumerate(items):
            tell(place)
            rows[place] = _score(item, benchmark, scorer)
        return list(rows.values())
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.candidates, []).append(place)
    for candidates, places in groups.items():
        tell(len(rows))
        together = _score_together([items[place] for place in places], benchmark.sets[candidates], scorer)
        rows.update(zip(places, together, strict=True))
    return [rows[place] for place in range(len(items))]


def _score(item: Item, benchmark: Benchmark, scorer: Scorer) -> ScoreRow:
    try:
        return _row(item, scorer.score(item, benchmark.sets[item.candidates]))
    except Exception as error:
        return _row(item, error)


def _score_together(items: Sequence[Item], candidates: CandidateSet, scorer: BatchScorer) -> list[ScoreRow]:
    scores: Sequence[Scores | Exception]
    try:
        scores = scorer.score_many(items, candidates)
    except Exception as error:
        scores = [error] * len(items)
    return [_row(item, each) for item, each in zip(items, scores, strict=True)]


def _row(item: Item, scores: Scores | Exception) -> ScoreRow:
    try:
        if isinstance(scores, Exception):
            raise scores
        if not all(map(math.isfinite, scores.values)):
            raise PolyfactError("the model gave a score that is not a finite number")
        values = scores._asdict()
        values["scores"] = log_probabilities(values.pop("values"))
    except PolyfactError as error:
        values = {"error": redact(str(error))}
    except Exception as error:
        first_line = (str(error).strip().splitlines() or [""])[0]
        values = {"error": redact(f"{type(error).__name__}: {first_line}")}
    return ScoreRow.of(item, **values)


def _score_priors(benchmark: Benchmark, scorer: Scorer, folder: Path, progress: Progress) -> None:
    """Score each template without its subject, once for each candidate set; rows are named after the template."""
    prompts: dict[tuple[str, str], Item] = {}
    for item in benchmark.items:
        wording = benchmark.wordings.get(item.provenance.wording_hash)
        if wording is not None:
            changed = {"id": wording.id, "question": wording.empty, "subject": "", "cluster_id": wording.id}
            prompts.setdefault((wording.id, item.candidates), item.model_copy(update=changed))
    path = prior_path(folder)
    done = {(row.item_id, row.candidates): row for row in read_scores(path) if not row.error} if path.exists() else {}
    if not prompts or done.keys() >= prompts.keys():
        return
    missing = {key: prompt for key, prompt in sorted(prompts.items()) if key not in done}
    tell = functools.partial(_tell, progress, "scoring prompts without a subject", len(done), len(prompts))
    rows = _score_items(list(missing.values()), benchmark, scorer, tell)
    done.update(zip(missing, rows, strict=True))
    write_scores(path, [done[key] for key in sorted(prompts)])


def _measure(benchmark: Benchmark, folder: Path, task: RankingTask, record: RunRecord, seed: int) -> Metrics:
    scores = [row for shard in sorted(folder.glob("scores-*.parquet")) for row in read_scores(shard)]
    prior = prior_path(folder)
    priors = read_scores(prior) if prior.exists() else ()
    judged = _aggregate.judge(benchmark, scores, priors, ties=task.scoring.ties)
    found = _bias.biases(judged, benchmark, task)
    return Metrics(
        task=task.name,
        model=record.model,
        run=record.run[:12],
        rows=[
            *_aggregate.rows(judged, task, seed),
            *_splits.rows(judged, task, seed),
            *_bias.bias_rows(found, judged, task, seed),
        ],
        biased_subjects=list(_bias.biased_subjects(found, benchmark, task)),
        n_items=len(judged),
        n_errors=sum(each.ranking is None for each in judged),
        ties=sum(any(len(group) > 1 for group in each.ranking.groups) for each in judged if each.ranking is not None),
    )


def _environment(seconds: float) -> dict[str, Any]:
    packages: dict[str, str | None] = {}
    for name in ("polyfact", "torch", "transformers", "tokenizers", "numpy", "pyarrow"):
        try:
            packages[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            packages[name] = None
    return {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "processor": platform.machine(),
        "packages": packages,
        "wall_seconds": round(seconds, 1),
    }
