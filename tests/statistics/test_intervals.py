"""Intervals: published values, the right unit, the same bytes every time, and no certainty from nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from polyfact.errors import MissingExtra
from polyfact.statistics import Interval, bootstrap_mean, clopper_pearson, wilson


def names(n: int) -> list[str]:
    return [f"Q{number}/P36" for number in range(n)]


def width(interval: Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return interval.high - interval.low


def test_the_bootstrap_of_independent_items_agrees_with_the_normal_interval() -> None:
    generator = random.Random(3)
    values = [generator.random() for _ in range(2000)]
    mean = sum(values) / 2000
    half = 1.96 * (sum((value - mean) ** 2 for value in values) / 1999 / 2000) ** 0.5
    interval = bootstrap_mean(values, names(2000), seed=11)
    assert interval.low == pytest.approx(mean - half, abs=half / 10)
    assert interval.high == pytest.approx(mean + half, abs=half / 10)
    assert (interval.method, interval.n, interval.n_clusters) == ("expanded-percentile", 2000, 2000)
    assert (interval.seed, interval.resamples, interval.reason) == (11, 2000, None)


def test_copies_of_an_item_in_its_cluster_add_no_certainty() -> None:
    values = [float(number % 2) for number in range(40)]
    once = bootstrap_mean(values, names(40), seed=1)
    copied = bootstrap_mean(values * 9, names(40) * 9, seed=1)
    assert (copied.low, copied.high) == (once.low, once.high)
    assert (copied.n, copied.n_clusters) == (360, 40)
    assert width(bootstrap_mean(values * 9, names(360), seed=1)) < width(once) / 2


def test_clusters_weigh_by_their_items() -> None:
    clusters = ["large"] * 90 + names(10)
    values = [1.0] * 90 + [0.0] * 10
    interval = bootstrap_mean(values, clusters, seed=5)
    assert (interval.low, interval.high) == pytest.approx((0.0, 270 / 278), abs=1e-9)


@pytest.mark.parametrize("method", ["bootstrap", "wilson", "clopper-pearson"])
def test_the_order_of_the_items_changes_nothing(method: str) -> None:
    generator = random.Random(8)
    pairs = [(float(generator.random() < 0.3), f"Q{generator.randrange(30)}") for _ in range(200)]
    results = set()
    for _ in range(4):
        values, clusters = [value for value, _ in pairs], [cluster for _, cluster in pairs]
        if method == "bootstrap":
            results.add(bootstrap_mean(values, clusters, seed=2))
        else:
            results.add(wilson(values, clusters) if method == "wilson" else clopper_pearson(values, clusters))
        generator.shuffle(pairs)
    assert len(results) == 1


def test_a_seed_gives_these_bounds_on_every_machine() -> None:
    values = [1 / (1 + number % 7) for number in range(60)]
    interval = bootstrap_mean(values, [f"Q{number // 2}" for number in range(60)], seed=20261130)
    assert (interval.low, interval.high) == (0.301805121, 0.46760051)
    assert bootstrap_mean(values, [f"Q{number // 2}" for number in range(60)], seed=1) != interval


def test_equal_values_give_an_exact_bound_and_say_so() -> None:
    perfect = bootstrap_mean([1.0] * 100, names(100), seed=1)
    assert (perfect.low, perfect.high) == pytest.approx((0.025 ** (1 / 100), 1.0), abs=1e-9)
    assert (perfect.method, perfect.reason, perfect.seed) == ("exact-bound", "all-equal", None)
    exact = clopper_pearson([1.0] * 100, names(100))
    assert (perfect.low, perfect.high) == (exact.low, exact.high)
    none = bootstrap_mean([0.0] * 100, names(100), seed=1)
    assert (none.low, none.high) == pytest.approx((0.0, 1 - 0.025 ** (1 / 100)), abs=1e-9)
    middle = bootstrap_mean([0.5] * 100, names(100), seed=1)
    assert middle.low == pytest.approx(0.5 * 0.025 ** (1 / 100), abs=1e-9)
    assert middle.high == pytest.approx(1 - 0.5 * 0.025 ** (1 / 100), abs=1e-9)


def test_equal_values_without_bounds_have_no_interval() -> None:
    interval = bootstrap_mean([2.0] * 10, names(10), seed=1, bounds=None)
    assert (interval.low, interval.high, interval.reason) == (None, None, "all-equal")


def test_one_cluster_says_almost_nothing_however_many_items_it_has() -> None:
    interval = bootstrap_mean([0.0, 1.0] * 500, ["Q16/P37"] * 1000, seed=1)
    assert (interval.low, interval.high) == pytest.approx((0.0125, 0.9875), abs=1e-9)
    assert interval.reason == "one-cluster"
    assert wilson([0.0, 1.0] * 500, ["Q16/P37"] * 1000).n_effective == 1.0


def test_few_clusters_get_the_bound_that_holds_for_any_distribution() -> None:
    interval = bootstrap_mean([0.4, 0.5, 0.6, 0.5, 0.5], names(5), seed=1)
    assert (interval.low, interval.high) == (0.0, 1.0)
    narrow = bootstrap_mean([0.4, 0.5, 0.6, 0.5, 0.5], names(5), seed=1, level=0.5)
    assert narrow.method == "expanded-percentile"
    lower = bootstrap_mean([0.1, 0.0, 0.0, 0.0, 0.0], names(5), seed=1)
    assert (lower.low, lower.high) == pytest.approx((0.0, 0.02 + 0.607361), abs=1e-6)
    assert (lower.method, lower.reason) == ("exact-bound", "few-clusters")
    assert bootstrap_mean([1.0, 2.0], names(2), seed=1, bounds=None).low is None


def test_no_values_have_no_interval() -> None:
    for interval in (bootstrap_mean([], [], seed=1), wilson([], []), clopper_pearson([], [])):
        assert (interval.low, interval.high, interval.reason) == (None, None, "no-values")


@given(
    values=st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 1.0]), min_size=1, max_size=30),
    sizes=st.lists(st.integers(1, 4), min_size=30, max_size=30),
    seed=st.integers(0, 2**32),
)
def test_an_interval_is_never_empty_and_holds_the_mean(values: list[float], sizes: list[int], seed: int) -> None:
    clusters = [f"Q{index // sizes[index]}" for index in range(len(values))]
    interval = bootstrap_mean(values, clusters, seed=seed, resamples=200)
    assert interval.low is not None
    assert interval.high is not None
    assert 0 <= interval.low <= interval.high <= 1
    assert width(interval) > 0
    assert interval.low - 1e-9 <= sum(values) / len(values) <= interval.high + 1e-9


def test_the_stated_level_is_reached_for_skewed_values_in_ten_clusters() -> None:
    """Values shaped like average precision: half are 1, the rest pile up near 0."""
    generator = random.Random(4)
    truth = 0.5 + 0.5 * sum(1 / place for place in range(2, 100)) / 98
    covered = 0
    for seed in range(400):
        values = [1.0 if generator.random() < 0.5 else 1 / generator.randrange(2, 100) for _ in range(10)]
        interval = bootstrap_mean(values, names(10), seed=seed)
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= truth <= interval.high
    assert covered / 400 >= 0.93


@given(n=st.integers(2, 60), data=st.data())
def test_binomial_intervals_of_independent_items_are_the_textbook_ones(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    values = [1.0] * right + [0.0] * (n - right)
    for method, ours in (("wilson", wilson), ("exact", clopper_pearson)):
        interval = ours(values, names(n))
        assert interval.n_effective == pytest.approx(n, abs=1e-8)
        reference = binomtest(right, n).proportion_ci(0.95, method=method)
        assert interval.low == pytest.approx(reference.low, abs=1e-8)
        assert interval.high == pytest.approx(reference.high, abs=1e-8)


def test_a_share_in_clusters_that_agree_rests_on_the_clusters() -> None:
    clusters = [name for name in names(20) for _ in range(10)]
    values = [float(index // 10 % 2) for index in range(200)]
    interval = wilson(values, clusters)
    assert interval.n_effective == pytest.approx(200 * 19 / 199)
    assert width(interval) == pytest.approx(width(wilson([0.0, 1.0] * 10, names(20))), rel=0.03)
    assert wilson([1.0] * 200, clusters).n_effective == 20


def test_what_has_no_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="2 values but 1 clusters"):
        bootstrap_mean([1.0, 0.0], ["a"], seed=1)
    with pytest.raises(ValueError, match="not finite"):
        bootstrap_mean([float("nan"), 0.0], ["a", "b"], seed=1)
    with pytest.raises(ValueError, match="outside 0"):
        bootstrap_mean([1.5, 0.0], ["a", "b"], seed=1)
    with pytest.raises(ValueError, match="zeros and ones"):
        wilson([0.5, 1.0], ["a", "b"])
    with pytest.raises(ValueError, match="level of 95"):
        wilson([0.0, 1.0], ["a", "b"], level=95)


def test_ten_thousand_items_take_less_than_half_a_second() -> None:
    generator = random.Random(9)
    values = [generator.random() for _ in range(10_000)]
    bootstrap_mean(values[:50], names(50), seed=1)
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        bootstrap_mean(values, names(10_000), seed=1)
        best = min(best, time.process_time() - start)
    assert best < 0.5


def test_neither_numpy_nor_scipy_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, polyfact.statistics, polyfact.evaluators.metrics as m;"
        "r = m.rank([m.Candidate('a', ('a',))], [0.0]); m.average_precision(r, {'a'});"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'scipy', 'torch', 'pandas', 'pydantic')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_package_names_the_extra_that_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtra, match=r"polyfact\[evaluate\]"):
        clopper_pearson([1.0, 0.0], ["a", "b"])
