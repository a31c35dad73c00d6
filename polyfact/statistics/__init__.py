"""Intervals for every reported mean, by cluster."""

from polyfact.statistics.intervals import (
    Interval,
    bootstrap_mean,
    clopper_pearson,
    wilson,
)

__all__ = ["Interval", "bootstrap_mean", "clopper_pearson", "wilson"]
