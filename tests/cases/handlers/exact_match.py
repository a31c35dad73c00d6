"""Cases of exact match, normalisation and numbers, run through the public functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from polyfact import languages
from polyfact.evaluators.metrics import (
    ListMatch,
    Scored,
    exact_match,
    final_number,
    fuzzy_match,
    match_any,
    match_list,
    numbers_equal,
    similarity,
)

__all__ = ["HANDLERS"]

# Categories whose answers are free spans; every other one has labels, options, numbers or an order.
OPEN_CATEGORIES = {"factual_questions", "indian_questions"}


@cache
def language(code: str) -> languages.Language:
    """The packaged language. Raises LookupError naming one that has no file."""
    if code not in languages.available():
        raise LookupError(f'no language file for "{code}"')
    return languages.load(code)


def of(item: Mapping[str, Any], default: str = "en") -> languages.Language:
    return language(item.get("lang", default))


def exact_match_pairs(case: dict) -> list[str]:
    """Each pair's verdict; a pair whose second side is empty has nothing that could be equal."""
    found = [exact_match(pair["a"], pair["b"], of(pair).normalise).value == 1.0 for pair in case["input"]["pairs"]]
    return differences(case, found)


def normalize(case: dict) -> list[str]:
    items = case["input"].get("items", [])
    found: dict[str, Any] = {"items": [of(item).normalise(item["text"]) for item in items]}
    if "distinct" in case["input"]:
        spoken = {of(item) for item in items} or {language("en")}
        found["distinct_stay_distinct"] = all(
            len({each.normalise(text) for text in texts}) == len(texts)
            for texts in case["input"]["distinct"]
            for each in spoken
        )
    return differences(case, found)


def match_any_of(case: dict) -> list[str]:
    items = case["input"]["items"]
    scored = [match_any(item["pred"], item["golds"] or [], of(item).normalise) for item in items]
    return differences(case, {"results": [one.value == 1.0 for one in scored]})


def exact_match_typed(case: dict) -> list[str]:
    items = case["input"]["items"]
    scored = []
    for item in items:
        # A gold that a loader hands back as a list is one gold with its aliases.
        match = match_any if isinstance(item["gold"], list) else exact_match
        scored.append(match(item["pred"], item["gold"], of(item).normalise))
    found = [verdict(one) for one in scored]
    return differences(case, {"results": found})


def match_entity_list(case: dict) -> list[str]:
    found = []
    for item in case["input"]["items"]:
        spoken = of(item)
        result = match_list(item["pred"], item["golds"] or [], spoken.normalise, spoken.conjunctions)
        found.append(listed(result))
    return differences(case, {"items": found})


def fuzzy(case: dict) -> list[str]:
    scores, ratios = [], []
    for item in case["input"]["items"]:
        arguments = item["pred"], item["gold"], of(item).normalise
        closed = item.get("category") is not None and item["category"] not in OPEN_CATEGORIES
        threshold = item.get("threshold", case["input"].get("threshold"))
        settings = {} if threshold is None else {"threshold": threshold}
        scores.append(number(fuzzy_match(*arguments, closed=closed, **settings)))
        ratios.append(number(similarity(*arguments), times=100))
    return differences(case, {"scores": scores, "raw_ratio": ratios})


def math_equal(case: dict) -> list[str]:
    found = []
    for item in case["input"]["items"]:
        spoken = of(item)
        found.append(verdict(numbers_equal(item["pred"], item["gold"], decimal=spoken.decimal, scales=spoken.scales)))
    return differences(case, {"results": found})


def extract_final_number(case: dict) -> list[str]:
    found = []
    for item in case["input"]["items"]:
        spoken = of(item)
        found.append(final_number(item["text"], decimal=spoken.decimal, scales=spoken.scales))
    return differences(case, {"values": found})


def verdict(scored: Scored) -> bool | str:
    return f"error:{scored.reason}" if scored.value is None else scored.value == 1.0


def number(scored: Scored, times: int = 1) -> float | str:
    return f"error:{scored.reason}" if scored.value is None else scored.value * times


def listed(result: ListMatch) -> dict[str, Any] | str:
    if result.reason is not None:
        return f"error:{result.reason}"
    return {name: getattr(result, name) for name in ("precision", "recall", "f1", "exact")}


def differences(case: Mapping[str, Any], found: Any) -> list[str]:
    """Where ``found`` departs from what the case expects; all that is expected has to be there."""
    return list(_compare("expected", case["expected"], found, case.get("tol", 0)))


def _compare(where: str, expected: Any, found: Any, tolerance: float) -> Sequence[str]:
    if isinstance(expected, dict) and isinstance(found, dict):
        unlike = [f"{where}.{key}: not computed" for key in expected if key not in found]
        for key in expected.keys() & found.keys():
            unlike += _compare(f"{where}.{key}", expected[key], found[key], tolerance)
        return unlike
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return [f"{where}: {len(expected)} expected, {len(found)} found"]
        return [
            line
            for place, (left, right) in enumerate(zip(expected, found, strict=True))
            for line in _compare(f"{where}[{place}]", left, right, tolerance)
        ]
    if _is_number(expected) and _is_number(found):
        return [] if abs(expected - found) <= tolerance else [f"{where}: {expected!r} expected, {found!r} found"]
    same = expected == found and isinstance(expected, bool) == isinstance(found, bool)
    return [] if same else [f"{where}: {expected!r} expected, {found!r} found"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


HANDLERS: dict[str, Callable[[dict], object]] = {
    "exact_match_pairs": exact_match_pairs,
    "normalize": normalize,
    "match_any": match_any_of,
    "exact_match": exact_match_typed,
    "match_entity_list": match_entity_list,
    "fuzzy_match": fuzzy,
    "math_equal": math_equal,
    "extract_final_number": extract_final_number,
}
