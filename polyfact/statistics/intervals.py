"""Confidence intervals that know about clusters, and that never have width 0.

The unit is the cluster (a fact, a subject), not the item: items of one cluster share their luck. The estimate
is always the mean over items; what is uncertain is which clusters were asked about.
"""

from __future__ import annotations

import importlib
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from polyfact.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Interval", "bootstrap_mean", "clopper_pearson", "wilson"]

_DRAWS_AT_ONCE = 1 << 21
_DIGITS = 9
"""Bounds are rounded here: the last bits of a sum differ between processors and must not reach a file."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided confidence interval for a mean over items.

    low, high: None, both, where nothing can be said; `reason` then says why.
    method: "expanded-percentile" (bootstrap), "wilson", "clopper-pearson" or "exact-bound".
    n, n_clusters: items and clusters. n_effective: only where a binomial formula was used.
    seed, resamples: only for the bootstrap.
    reason: "all-equal", "one-cluster" or "few-clusters" also beside an exact bound, to say why there is no
    resampling;
    "no-values".
    """

    low: float | None
    high: float | None
    method: str
    level: float
    n: int
    n_clusters: int
    n_effective: float | None = None
    seed: int | None = None
    resamples: int | None = None
    reason: str | None = None


def bootstrap_mean(
    values: Sequence[float],
    clusters: Sequence[str],
    *,
    seed: int,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    resamples: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Cluster bootstrap interval of the mean over items, by expanded percentiles (Hesterberg 2015).

    values: the defined values, one an item. clusters: the cluster of each. Whole clusters are drawn with
    replacement and each resample's mean is its sum of values over its number of items, so that large clusters
    weigh as they do in the mean. The percentiles are those whose normal quantile is the t quantile times
    sqrt(C/(C-1)), since plain percentiles of few clusters are too narrow.
    seed: of a PCG64 stream; the same input and seed give the same bounds in whatever order the items come.
    bounds: the least and greatest possible value, or None. Where resampling would claim too much, the answer
    is a bound by formula (method "exact-bound"; None without bounds), with the reason:

    - "all-equal" clusters of mean v, or "one-cluster": p v + (1-p) least … p v + (1-p) greatest, where
      p = (alpha/2)^(1/C) is the lower Clopper-Pearson bound on the share of clusters that are like those
      seen; - "few-clusters" to reach the tails (2^(1-C) > alpha): Hoeffding (1963, theorem 2).

    Raises ValueError for unequal lengths, values that are not finite or outside the bounds; MissingExtra
    without scipy.

    >>> bootstrap_mean([1.0, 1.0, 1.0], ["a", "b", "c"], seed=7).low
    0.292401774
    """
    _check(values, clusters, level)
    if bounds is not None and values and not bounds[0] <= min(values) <= max(values) <= bounds[1]:
        raise ValueError(f"a value lies outside {bounds[0]} … {bounds[1]}")
    totals = _by_cluster(values, clusters)
    exact = _without_resampling(totals, len(values), bounds, level)
    if exact is not None:
        return exact
    np, stats = _numpy(), _scipy_stats()
    means = _resampled_means(np, totals, seed, resamples)
    n_clusters = len(totals)
    t = stats.t.ppf((1 + level) / 2, n_clusters - 1) * math.sqrt(n_clusters / (n_clusters - 1))
    tail = float(stats.norm.cdf(-t))
    low, high = (round(float(bound), _DIGITS) for bound in np.quantile(means, [tail, 1 - tail]))
    return Interval(low, high, "expanded-percentile", level, len(values), n_clusters, seed=seed, resamples=resamples)


def wilson(values: Sequence[float], clusters: Sequence[str], *, level: float = 0.95) -> Interval:
    """Wilson (1927) score interval of a share, on the effective number of items.

    values: 0 or 1 each. The effective n is n divided by the design effect (Kish 1965), the cluster-robust
    variance of the mean over that of independent items: n where each item is its own cluster, and never more.
    Where all values are equal it is the number of clusters.
    Raises ValueError for another value.

    >>> interval = wilson([1, 1, 1, 0], ["a", "b", "c", "d"])
    >>> round(interval.low, 3), round(interval.high, 3), interval.n_effective
    (0.301, 0.954, 4.0)
    """
    _check(values, clusters, level)
    if not values:
        return _nothing("wilson", level)
    share, n_effective, reason = _effective(values, clusters)
    z = NormalDist().inv_cdf((1 + level) / 2)
    weight = 1 / (1 + z * z / n_effective)
    centre = (share + z * z / (2 * n_effective)) * weight
    half = z * weight * math.sqrt(share * (1 - share) / n_effective + z * z / (4 * n_effective * n_effective))
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return _binomial(low, high, "wilson", level, values, clusters, n_effective, reason)


def clopper_pearson(values: Sequence[float], clusters: Sequence[str], *, level: float = 0.95) -> Interval:
    """Clopper-Pearson (1934) interval of a share, on the effective number of items as in `wilson`.

    With an effective n that is not whole the binomial tails are those of the beta distribution (Korn and
    Graubard 1998).
    Raises ValueError for values other than 0 and 1; MissingExtra without scipy.

    >>> round(clopper_pearson([1, 1, 1], ["a", "b", "c"]).low, 6)
    0.292402
    """
    _check(values, clusters, level)
    if not values:
        return _nothing("clopper-pearson", level)
    share, n_effective, reason = _effective(values, clusters)
    beta = _scipy_stats().beta
    right = share * n_effective
    wrong = n_effective - right
    tail = (1 - level) / 2
    low = 0.0 if share == 0 else float(beta.ppf(tail, right, wrong + 1))
    high = 1.0 if share == 1 else float(beta.ppf(1 - tail, right + 1, wrong))
    return _binomial(low, high, "clopper-pearson", level, values, clusters, n_effective, reason)


def _by_cluster(values: Sequence[float], clusters: Sequence[str]) -> list[tuple[float, int]]:
    """(sum of values, number of items) of each cluster, in the order of the clusters' names."""
    members: defaultdict[str, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        members[cluster].append(value)
    return [(math.fsum(members[cluster]), len(members[cluster])) for cluster in sorted(members)]


def _without_resampling(
    totals: Sequence[tuple[float, int]], n: int, bounds: tuple[float, float] | None, level: float
) -> Interval | None:
    """The interval where resampling would claim too much, else None."""
    n_clusters = len(totals)
    if not totals:
        return _nothing("exact-bound", level)
    means = [total / count for total, count in totals]
    if n_clusters == 1:
        reason = "one-cluster"
    elif max(means) - min(means) <= 1e-12 * max(1.0, *map(abs, means)):
        reason = "all-equal"
    elif 2.0 ** (1 - n_clusters) > 1 - level:
        reason = "few-clusters"
    else:
        return None
    if bounds is None:
        return Interval(None, None, "exact-bound", level, n, n_clusters, reason=reason)
    least, greatest = bounds
    if reason == "few-clusters":
        mean = math.fsum(total for total, _ in totals) / n
        squared_weights = sum(count**2 for _, count in totals) / n**2
        half = (greatest - least) * math.sqrt(squared_weights * math.log(2 / (1 - level)) / 2)
        low, high = max(least, mean - half), min(greatest, mean + half)
    else:
        like_these = ((1 - level) / 2) ** (1 / n_clusters)
        low, high = (like_these * means[0] + (1 - like_these) * bound for bound in bounds)
    return Interval(round(low, _DIGITS), round(high, _DIGITS), "exact-bound", level, n, n_clusters, reason=reason)


def _resampled_means(np: Any, totals: Sequence[tuple[float, int]], seed: int, resamples: int) -> NDArray[np.float64]:
    n_clusters = len(totals)
    sums = np.array([total for total, _ in totals], dtype=np.float64)
    counts = np.array([count for _, count in totals], dtype=np.float64)
    same_size = bool((counts == counts[0]).all())
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, _DRAWS_AT_ONCE // n_clusters)
    means = np.empty(resamples, dtype=np.float64)
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = generator.integers(0, n_clusters, size=(stop - start, n_clusters), dtype=np.int32)
        size = counts[0] * n_clusters if same_size else counts[drawn].sum(axis=1)
        means[start:stop] = sums[drawn].sum(axis=1) / size
    return means  # type: ignore[no-any-return]


def _effective(values: Sequence[float], clusters: Sequence[str]) -> tuple[float, float, str | None]:
    """The share of ones, the effective n, and the reason where that rests on the clusters alone."""
    if not set(values) <= {0, 1}:
        raise ValueError("a share is a mean of zeros and ones")
    totals = _by_cluster(values, clusters)
    n, n_clusters = len(values), len(totals)
    share = math.fsum(values) / n
    if n_clusters == 1:
        return share, 1.0, "one-cluster"
    if share in (0.0, 1.0):
        return share, float(n_clusters), "all-equal"
    squares = math.fsum((total - share * count) ** 2 for total, count in totals)
    variance = n_clusters / (n_clusters - 1) * squares / n**2
    if variance <= 0:
        return share, float(n), None
    unclustered = share * (1 - share) / (n - 1)
    return share, min(float(n), max(1.0, n * unclustered / variance)), None


def _binomial(
    low: float,
    high: float,
    method: str,
    level: float,
    values: Sequence[float],
    clusters: Sequence[str],
    n_effective: float,
    reason: str | None,
) -> Interval:
    return Interval(
        round(low, _DIGITS),
        round(high, _DIGITS),
        method,
        level,
        len(values),
        len(set(clusters)),
        n_effective=round(n_effective, _DIGITS),
        reason=reason,
    )


def _nothing(method: str, level: float) -> Interval:
    return Interval(None, None, method, level, 0, 0, reason="no-values")


def _check(values: Sequence[float], clusters: Sequence[str], level: float) -> None:
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values but {len(clusters)} clusters")
    if not 0 < level < 1:
        raise ValueError(f"a confidence level of {level} does not exist")
    if not all(map(math.isfinite, values)):
        raise ValueError("a value is not finite: leave undefined items out and count them")


def _numpy() -> Any:
    return _import("numpy")


def _scipy_stats() -> Any:
    return _import("scipy.stats")


def _import(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra("evaluate", module.partition(".")[0]) from error
