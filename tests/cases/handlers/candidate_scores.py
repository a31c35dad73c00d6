"""Scores of candidates after a prompt, by models and tokenizers that a case spells out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polyfact.errors import PolyfactError
from polyfact.evaluators import metrics
from polyfact.evaluators.ranking import (
    Split,
    cached_scores,
    log_probabilities,
    naive_scores,
    split,
    statement,
    terminated,
)
from tests.cases.compare import Checks, differences, shown
from tests.cases.fake_models import Greedy, Table, Vocabulary

Scores = Callable[[Split], list[float]]


def _both(model: Any, checks: Checks) -> Scores:
    """The scores by the plain loop, after a check that the engine with a cache gives the same."""

    def score(parts: Split) -> list[float]:
        plain, cached = naive_scores(model, parts), cached_scores(model, parts)
        checks.lines += differences(plain, cached, max(checks.tol, 1e-12), "with a cache")
        return plain

    return score


def _order(scores: Mapping[str, float]) -> list[str]:
    """Names by score, best first; equal scores have no order of their own."""
    candidates = [metrics.Candidate(name, (name,)) for name in scores]
    ranking = metrics.rank(candidates, list(scores.values()))
    return [candidate.surface for group in ranking.groups for candidate in group]


def _top(scores: Mapping[str, float]) -> str | None:
    """The best; None where it is tied."""
    ranking = metrics.rank([metrics.Candidate(name, (name,)) for name in scores], list(scores.values()))
    return ranking.groups[0][0].surface if len(ranking.groups[0]) == 1 else None


# --- rank_candidates ------------------------------------------------------------------------------------------------


def rank_candidates(case: dict[str, Any]) -> list[str]:
    """Candidates given by their tokens and a bigram table, or by a score and a length each."""
    given = case["input"]
    return _by_table(case) if "bigram" in given else _by_length(case)


def _by_table(case: dict[str, Any]) -> list[str]:
    given, checks = case["input"], Checks(case)
    names: dict[str, Sequence[str]] = given["candidates"]
    starts = [given["prompt_last"]] if "prompt_last" in given else [_prompt(given["bigram"], names)]
    words = Vocabulary(starts)
    for row in given["bigram"].values():
        for piece in row:
            words.id(piece)
    continuations = [[words.id(piece) for piece in pieces] for pieces in names.values()]
    ends = given.get("terminator", [])
    end_ids = [words.id(piece) for piece in ([ends] if isinstance(ends, str) else ends)]
    parts = Split([words.id(starts[0])], continuations, [])
    score = _both(words.table(given["bigram"]), checks)
    raw = dict(zip(names, score(parts), strict=True))
    for key in ("raw", "logprob", "logprobs"):
        checks.value(key, raw)
    for key in ("top", "top_raw"):
        checks.value(key, _top(raw))
    checks.value("ranking", _order(raw))
    checks.among("flags", [f"prefix_pair:{short}<{long}" for short, long in metrics.prefix_pairs(names)])
    if end_ids:
        ended = dict(zip(names, terminated(parts, end_ids, score), strict=True))
        checks.value("terminated", ended)
        checks.value("top_terminated", _top(ended))
    checks.wrong_ones(_top(raw))
    return checks.done()


def _prompt(bigram: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> str:
    """The last token of the prompt where a case does not name it: the one row that no candidate's token begins."""
    inside = {piece for pieces in names.values() for piece in pieces}
    found = [piece for piece in bigram if piece not in inside]
    if len(found) != 1:
        raise ValueError(f"the prompt's last token could be any of {shown(found)}")
    return found[0]


def _by_length(case: dict[str, Any]) -> list[str]:
    given, checks = case["input"], Checks(case)
    units = ("sum", "token", "char", "byte")
    found = {
        unit: {
            name: metrics.normalised_score(each["logp"], name, each["tokens"], unit)
            for name, each in given["candidates"].items()
        }
        for unit in units
    }
    for unit in units:
        checks.value(unit, found[unit])
    tops = {unit: _top(found[unit]) for unit in units}
    checks.value("top", {unit: tops[unit] for unit in checks.expected.get("top", {})})
    return checks.done()


def rank_order(case: dict[str, Any]) -> list[str]:
    """What a backend returns, and the ranking that follows."""
    given, checks = case["input"], Checks(case)
    kinds = {"backend_returns_loss": "loss", "backend_returns_logprob": "log-probability"}
    kinds |= {"backend_returns_logprobs": "log-probability", "backend_returns_nll": "loss"}
    kinds |= {"backend_returns_mean_loss": "mean-loss", "backend_returns_mean_nll": "mean-loss"}
    key = next((name for name in kinds if name in given), "")
    if not key:
        return [f"no backend here that gives {shown(list(given))}"]
    names, lengths = list(given[key]), given.get("tokens", given.get("n_tokens", {}))
    try:
        values = log_probabilities(
            list(given[key].values()),
            kinds[key],  # type: ignore[arg-type]
            tokens=[lengths[name] for name in names] if lengths else [],
        )
    except PolyfactError as error:
        checks.check("error", lambda _: True)
        return checks.done() if "error" in checks.expected else [str(error)]
    scores = dict(zip(names, values, strict=True))
    checks.value("logprobs", scores)
    checks.value("ranking", _order(scores))
    if kinds[key] != "log-probability" and any(value > 0 for value in given[key].values()):
        try:
            log_probabilities(list(given[key].values()))
            checks.lines.append("a loss was taken for a log-probability")
        except PolyfactError:
            pass
    return checks.done()


# --- loglikelihood --------------------------------------------------------------------------------------------------


def loglikelihood(case: dict[str, Any]) -> list[str]:
    """A context and a continuation, as texts with a vocabulary or as token ids."""
    return _of_ids(case) if "ids" in case["input"] else _of_texts(case)


def _of_texts(case: dict[str, Any]) -> list[str]:
    given, checks = case["input"], Checks(case)
    if given.get("tokenizer", "greedy longest match") != "greedy longest match":
        return [f"no tokenizer called {given['tokenizer']}"]
    vocabulary = list(given["vocab"])
    words = Vocabulary(vocabulary)
    tokenizer, model = Greedy(vocabulary), words.table(given["bigram"])
    context, continuation = given["context"], given["continuation"]
    parts = split(tokenizer, context, given.get("separator", ""), [continuation], [])
    found = _both(model, checks)(parts)[0]
    pieces = tokenizer.pieces(parts.continuations[0])
    checks.value("context_tokens", tokenizer.pieces(parts.context))
    checks.value("continuation_tokens", pieces)
    checks.value("scored_text", "".join(pieces))
    checks.value("logprob", found)
    # How a merge was dealt with is told by a flag of its own, beside the one that tells of the merge.
    checks.among("flags", [flag.replace("-", "_") for flag in parts.flags if flag != "separate-encoding"])
    checks.differs("wrong_slice_scores_only", "".join(pieces))
    if "naive_logprob" in checks.expected:
        ids = tokenizer([context, continuation]).input_ids
        checks.value("naive_logprob", naive_scores(model, Split(ids[0], [ids[1]], []))[0])
        checks.lines += [] if found != checks.expected["naive_logprob"] else ["the naive score is ours"]
    checks.wrong_ones(found)
    whole = "".join(tokenizer.pieces([*parts.context, *parts.continuations[0]]))
    if whole != context + given.get("separator", "") + continuation and not parts.flags:
        checks.lines.append(f"the tokens give back {shown(whole)}")
    return checks.done()


def _of_ids(case: dict[str, Any]) -> list[str]:
    given, checks = case["input"], Checks(case)
    steps: Mapping[str, Mapping[str, float]] = given["step_logprobs"]
    following = {int(k.removeprefix("after_")): {int(t): math.exp(p) for t, p in row.items()} for k, row in steps.items()}
    used = [
        *given["ids"]["context"],
        *given["ids"]["continuation"],
        *following,
        *(t for row in following.values() for t in row),
    ]
    model = Table(max(used) + 2, following)
    found = _both(model, checks)(Split(given["ids"]["context"], [given["ids"]["continuation"]], []))[0]
    checks.value("logprob", found)
    checks.wrong_ones(found)
    return checks.done()


def score_statement(case: dict[str, Any]) -> list[str]:
    """A statement with the log-probability of each token, and which of them are the answer."""
    given, checks = case["input"], Checks(case)
    logs = given["token_logprobs"]
    pairs: list[tuple[str, float]] = list(logs.items()) if isinstance(logs, Mapping) else [tuple(each) for each in logs]
    answer: list[str] = given["answer_tokens"]
    # A token may come twice, each time with another probability: every place has an id of its own, after that of the BOS.
    chain = {place: {place + 1: math.exp(log)} for place, (_, log) in enumerate(pairs)}
    score = _both(Table(len(pairs) + 2, chain), checks)
    ids = list(range(1, len(pairs) + 1))
    pieces = [piece for piece, _ in pairs]
    places = [n for n in range(len(ids)) if pieces[n : n + len(answer)] == answer]
    if not places:
        return [f"{shown(answer)} is no part of the statement"]
    span = range(places[-1], places[-1] + len(answer))
    for key, conditional in (("conditional", True), ("full_statement", False)):
        parts = statement(ids, span, conditional=conditional, prefix=[0])
        checks.value(key, score(parts)[0])
    return checks.done()


HANDLERS = {
    "rank_candidates": rank_candidates,
    "rank order": rank_order,
    "loglikelihood": loglikelihood,
    "score": score_statement,
}
