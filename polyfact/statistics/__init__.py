"""Intervals for every reported mean, by cluster."""

from polyfact.statistics.intervals import (
    Interval,
    bootstrap_mean,
    clopper_pearson,
    paired_difference,
    wilson,
)

__all__ = ["Interval", "bootstrap_mean", "clopper_pearson", "paired_difference", "wilson"]
